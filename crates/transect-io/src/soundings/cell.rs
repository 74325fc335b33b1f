//! What is in a cell: a number, a gap, or an angle in degrees, minutes and seconds.

/// What stands for a missing number.
const GAPS: [&str; 9] = ["", "nan", "na", "n/a", "null", "none", "-", "--", "*"];

/// The cells of a line. A cell that begins with a quotation mark goes on to the next one that is not doubled.
pub(super) fn split(line: &str, separator: char) -> Vec<String> {
    let mut cells = Vec::new();
    let mut letters = line.chars().peekable();
    loop {
        let mut cell = String::new();
        while letters
            .peek()
            .is_some_and(|c| *c == ' ' && separator != ' ')
        {
            letters.next();
        }
        if letters.peek() == Some(&'"') {
            letters.next();
            while let Some(letter) = letters.next() {
                if letter != '"' {
                    cell.push(letter);
                } else if letters.peek() == Some(&'"') {
                    letters.next();
                    cell.push('"');
                } else {
                    break;
                }
            }
        }
        while letters.peek().is_some_and(|c| *c != separator) {
            cell.extend(letters.next());
        }
        cells.push(cell.trim().to_string());
        if letters.next().is_none() {
            return cells;
        }
    }
}

/// The number in a cell, or none for a gap.
///
/// # Errors
/// The text, shortened, if it is neither.
pub(super) fn number(text: &str, decimal_comma: bool) -> Result<Option<f64>, String> {
    if GAPS.iter().any(|gap| gap.eq_ignore_ascii_case(text)) {
        return Ok(None);
    }
    let parsed = if decimal_comma && !text.contains('.') {
        text.replacen(',', ".", 1).parse::<f64>()
    } else {
        text.parse()
    };
    match parsed {
        Ok(number) if number.is_finite() => Ok(Some(number)),
        Ok(number) if number.is_nan() => Ok(None),
        _ => Err(text.chars().take(40).collect()),
    }
}

/// The angle in a cell such as `52° 20' 34.77"`, `N 52 20.579`, `52:20:34.8 S` or `8.5W`, degrees; none if it is not one.
pub(super) fn angle(text: &str) -> Option<f64> {
    let mut numbers: Vec<f64> = Vec::new();
    let mut digits = String::new();
    let (mut negative, mut marked) = (false, false);
    for letter in text.trim().chars().chain([' ']) {
        if letter.is_ascii_digit() || letter == '.' {
            digits.push(letter);
            continue;
        }
        if !digits.is_empty() {
            numbers.push(digits.parse().ok()?);
            digits.clear();
        }
        match letter {
            ' ' | ',' => {}
            '-' if numbers.is_empty() => negative = true,
            '+' if numbers.is_empty() => {}
            'N' | 'E' | 'n' | 'e' => marked = true,
            'S' | 'W' | 's' | 'w' if !matches!((letter, numbers.len()), ('s', 3)) => {
                (negative, marked) = (true, true);
            }
            '\u{b0}' | '\u{ba}' | '\'' | '\u{2032}' | '\u{2019}' | '"' | '\u{2033}'
            | '\u{201d}' | ':' | 'd' | 'm' | 's' => marked = true,
            _ => return None,
        }
    }
    let [degrees, smaller @ ..] = &numbers[..] else {
        return None;
    };
    if !marked || smaller.len() > 2 || smaller.iter().any(|part| *part >= 60.0) {
        return None;
    }
    let parts = smaller.iter().zip([60.0, 3600.0]);
    let angle = degrees + parts.map(|(part, share)| part / share).sum::<f64>();
    Some(if negative { -angle } else { angle })
}

/// The angle of `ddmm.mmmm` as receivers write it: whole degrees times 100, plus minutes. None if the minutes are no minutes.
pub(super) fn degrees_and_minutes(number: f64) -> Option<f64> {
    let degrees = (number.abs() / 100.0).trunc();
    let minutes = number.abs() - 100.0 * degrees;
    let angle = degrees + minutes / 60.0;
    (minutes < 60.0).then_some(if number < 0.0 { -angle } else { angle })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_may_be_quoted_and_angles_may_end_with_quotation_marks() {
        assert_eq!(split("1, 2 ,3", ','), ["1", "2", "3"]);
        assert_eq!(split("\"a,b\",\"c\"\"d\",", ','), ["a,b", "c\"d", ""]);
        let line = "1,HD, 52\u{b0} 20' 34.77\", 12\u{b0} 59' 42.29\",196.6";
        let cells = split(line, ',');
        assert_eq!(cells.len(), 5);
        assert!((angle(&cells[2]).unwrap() - (52.0 + 20.0 / 60.0 + 34.77 / 3600.0)).abs() < 1e-12);
    }

    #[test]
    fn angles_in_many_spellings() {
        let same = [
            "12\u{b0}30'00\"",
            "N 12 30.0",
            "12:30:00",
            "12.5 N",
            "12\u{b0} 30\u{2032} 0\u{2033} E",
            "12d30m0s",
        ];
        for text in same {
            assert_eq!(angle(text), Some(12.5), "{text}");
        }
        for text in ["-12\u{b0}30'", "12 30 0 S", "W12.5\u{b0}"] {
            assert_eq!(angle(text), Some(-12.5), "{text}");
        }
        for text in ["12.5", "abc", "12\u{b0} 61'", "", "08/26/2021", "1:2:3:4"] {
            assert_eq!(angle(text), None, "{text}");
        }
        // 50° 01.9473' as the receiver of a boat wrote it.
        assert!((degrees_and_minutes(5001.9473).unwrap() - 50.032_455).abs() < 1e-6);
        assert_eq!(degrees_and_minutes(5075.0), None);
    }
}
