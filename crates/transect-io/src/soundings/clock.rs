//! When a sounding was taken: the dates and times that loggers write.
//!
//! | written | understood as |
//! |---|---|
//! | `2021-08-26T09:39:54.5Z`, `2021/08/26 09:39` | UTC, or with an offset such as `+02:00` |
//! | `08/26/2021`, `26/08/2021` | the order by which every date of the file is possible, month first where both are |
//! | `26.08.2021` | day first |
//! | `09:39:54`, `9:39:54 PM` | a time of day |
//! | `1629970794`, `1629970794000` | seconds or milliseconds since 1970 |
//! | `12.5` | seconds since some start |

/// Seconds of a day.
pub const DAY_S: f64 = 86_400.0;

/// What the times of a log count from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Clock {
    /// There are none.
    #[default]
    None,
    /// A start that nobody told, s.
    Elapsed,
    /// Midnight of a day that nobody told, s.
    TimeOfDay,
    /// 1970-01-01, s; of UTC unless the logger kept local time.
    Dated,
}

/// Which number of `01/02/2021` is the day.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum DateOrder {
    /// The second.
    #[default]
    MonthFirst,
    /// The first.
    DayFirst,
}

/// A moment, and what it counts from.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Moment {
    pub(crate) clock: Clock,
    pub(crate) seconds: f64,
}

/// A date that the order of the file does not allow: it must be read in the other one.
#[derive(Debug, PartialEq)]
pub(crate) struct OtherOrder;

/// The moment that a cell holds.
///
/// # Errors
/// If the cell is a date in the other order.
pub(crate) fn moment(text: &str, order: DateOrder) -> Result<Option<Moment>, OtherOrder> {
    let text = text.trim();
    if let Ok(number) = text.parse::<f64>() {
        return Ok(number.is_finite().then(|| of_number(number)));
    }
    let (date, rest) = split_date(text);
    let days = match date {
        Some(parts) => match days_of(parts, order)? {
            Some(days) => Some(days),
            None => return Ok(None),
        },
        None => None,
    };
    let rest = rest.trim_start_matches(['T', 't', ' ', ',']);
    let day_s = if rest.is_empty() {
        Some(0.0)
    } else {
        time_of_day(rest)
    };
    Ok(match (days, day_s) {
        (Some(days), Some(seconds)) => Some(Moment {
            clock: Clock::Dated,
            seconds: days as f64 * DAY_S + seconds,
        }),
        (None, Some(seconds)) if !rest.is_empty() => Some(Moment {
            clock: Clock::TimeOfDay,
            seconds,
        }),
        _ => None,
    })
}

fn of_number(number: f64) -> Moment {
    // 1e9 s is the year 2001, 1e9 ms two weeks: no survey lasts thirty years.
    let (clock, seconds) = if number >= 1e11 {
        (Clock::Dated, number / 1e3)
    } else if number >= 1e9 {
        (Clock::Dated, number)
    } else {
        (Clock::Elapsed, number)
    };
    Moment { clock, seconds }
}

/// Three numbers with a sign between them.
struct DateParts {
    numbers: [i64; 3],
    sign: char,
}

/// The date at the start of a text, and what follows.
fn split_date(text: &str) -> (Option<DateParts>, &str) {
    let end = text
        .find(|c: char| !(c.is_ascii_digit() || matches!(c, '/' | '-' | '.')))
        .unwrap_or(text.len());
    let (date, rest) = text.split_at(end);
    let Some(sign) = date.chars().find(|c| !c.is_ascii_digit()) else {
        return (None, text);
    };
    let mut numbers = date.split(sign).map(|part| part.parse::<i64>().ok());
    let three = [numbers.next(), numbers.next(), numbers.next()];
    match (three, numbers.next()) {
        ([Some(Some(a)), Some(Some(b)), Some(Some(c))], None) => {
            let numbers = [a, b, c];
            (Some(DateParts { numbers, sign }), rest)
        }
        _ => (None, text),
    }
}

fn days_of(parts: DateParts, order: DateOrder) -> Result<Option<i64>, OtherOrder> {
    let [a, b, c] = parts.numbers;
    let (year, month, day) = if a > 31 {
        (a, b, c)
    } else if parts.sign == '.' {
        (c, b, a)
    } else {
        match order {
            DateOrder::MonthFirst if a > 12 => return Err(OtherOrder),
            DateOrder::MonthFirst => (c, a, b),
            DateOrder::DayFirst => (c, b, a),
        }
    };
    Ok(days_since_1970(year, month, day))
}

/// Days from 1970-01-01 to a date of the Gregorian calendar (Hinnant's algorithm); two digits are a year of this century.
pub(crate) fn days_since_1970(year: i64, month: i64, day: i64) -> Option<i64> {
    let year = if (0..100).contains(&year) {
        year + 2000
    } else {
        year
    };
    if !(1900..2200).contains(&year) || !(1..=12).contains(&month) || !(1..=31).contains(&day) {
        return None;
    }
    let shifted = if month <= 2 { year - 1 } else { year };
    let era = shifted.div_euclid(400);
    let of_era = shifted - era * 400;
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    Some(era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468)
}

/// `9:39`, `09:39:54.5`, `9:39:54 PM`, with `Z` or an offset behind; s.
fn time_of_day(text: &str) -> Option<f64> {
    let upper = text.trim().to_ascii_uppercase();
    let (upper, noon) = if let Some(bare) = upper.strip_suffix("PM") {
        (bare.trim_end(), Some(true))
    } else if let Some(bare) = upper.strip_suffix("AM") {
        (bare.trim_end(), Some(false))
    } else {
        (
            upper
                .trim_end_matches([' ', 'Z'])
                .trim_end_matches("UTC")
                .trim_end(),
            None,
        )
    };
    let (time, offset_s) = match upper.rfind(['+', '-']).filter(|at| *at > 0) {
        Some(at) => (&upper[..at], offset(&upper[at..])?),
        None => (upper, 0.0),
    };
    let mut parts = time.trim().split(':');
    let mut hours: f64 = parts.next()?.parse().ok()?;
    let minutes: f64 = parts.next()?.parse().ok()?;
    let seconds: f64 = match parts.next() {
        Some(text) => text.replace(',', ".").parse().ok()?,
        None => 0.0,
    };
    match noon {
        Some(true) if hours < 12.0 => hours += 12.0,
        Some(false) if hours == 12.0 => hours = 0.0,
        _ => {}
    }
    let possible = parts.next().is_none()
        && (0.0..=24.0).contains(&hours)
        && (0.0..60.0).contains(&minutes)
        && (0.0..61.0).contains(&seconds);
    possible.then_some(hours * 3600.0 + minutes * 60.0 + seconds - offset_s)
}

/// `+02:00`, `-0330`, `+1`; s.
fn offset(text: &str) -> Option<f64> {
    let sign = if text.starts_with('-') { -1.0 } else { 1.0 };
    let digits: String = text.chars().filter(char::is_ascii_digit).collect();
    let (hours, minutes) = digits.split_at(digits.len().min(2));
    let minutes: f64 = if minutes.is_empty() {
        0.0
    } else {
        minutes.parse().ok()?
    };
    let hours: f64 = hours.parse().ok()?;
    (hours <= 14.0).then_some(sign * (hours * 3600.0 + minutes * 60.0))
}

/// A dated moment in ISO 8601, to the millisecond.
#[must_use]
pub fn iso8601(seconds: f64) -> String {
    let days = (seconds / DAY_S).floor();
    let of_day = ((seconds - days * DAY_S) * 1e3).round() / 1e3;
    let (year, month, day) = date_of(days as i64);
    let (hours, minutes) = ((of_day / 3600.0).floor(), (of_day / 60.0).floor() % 60.0);
    let rest = of_day - 3600.0 * hours - 60.0 * minutes;
    let whole = (rest - rest.round()).abs() < 5e-4;
    let seconds = if whole {
        format!("{rest:02.0}")
    } else {
        format!("{rest:06.3}")
    };
    format!("{year:04}-{month:02}-{day:02}T{hours:02.0}:{minutes:02.0}:{seconds}Z")
}

/// The inverse of [`days_since_1970`].
fn date_of(days: i64) -> (i64, i64, i64) {
    let days = days + 719_468;
    let era = days.div_euclid(146_097);
    let of_era = days - era * 146_097;
    let year_of_era = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * of_year + 2) / 153;
    let month = if shifted < 10 {
        shifted + 3
    } else {
        shifted - 9
    };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    (year, month, of_year - (153 * shifted + 2) / 5 + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By `date -u -d ... +%s`.
    const NINE: f64 = 1_629_970_794.0;

    #[test]
    fn one_moment_in_many_spellings() {
        for text in [
            "2021-08-26T09:39:54Z",
            "2021-08-26 09:39:54",
            "08/26/2021 09:39:54",
            "26.08.2021 9:39:54",
            "8/26/2021 9:39:54 AM",
            "2021-08-26T11:39:54+02:00",
            "2021/08/26 09:39:54.000",
            "1629970794",
            "1629970794000",
            "2021-08-26T09:39:54 UTC",
        ] {
            let found = moment(text, DateOrder::MonthFirst).unwrap();
            let expected = Moment {
                clock: Clock::Dated,
                seconds: NINE,
            };
            assert_eq!(found, Some(expected), "{text}");
        }
        assert_eq!(iso8601(NINE), "2021-08-26T09:39:54Z");
        assert_eq!(iso8601(NINE + 0.25), "2021-08-26T09:39:54.250Z");
        assert_eq!(iso8601(951_782_400.0), "2000-02-29T00:00:00Z");
    }

    #[test]
    fn what_is_not_dated_is_told_apart() {
        let read = |text: &str| moment(text, DateOrder::MonthFirst).unwrap();
        let day = Some(Moment {
            clock: Clock::TimeOfDay,
            seconds: 34_794.0,
        });
        assert_eq!(read("09:39:54"), day);
        assert_eq!(read("12:00:00 AM").map(|m| m.seconds), Some(0.0));
        assert_eq!(
            read("12.5"),
            Some(Moment {
                clock: Clock::Elapsed,
                seconds: 12.5
            })
        );
        for text in ["", "noon", "25:00", "2021-13-01", "1/2", "nan", "10:99"] {
            assert_eq!(read(text), None, "{text}");
        }
    }

    #[test]
    fn the_order_of_a_file_is_the_one_that_is_possible() {
        assert_eq!(moment("26/08/2021", DateOrder::MonthFirst), Err(OtherOrder));
        let found = moment("26/08/2021 09:39:54", DateOrder::DayFirst).unwrap();
        assert_eq!(found.unwrap().seconds, NINE);
    }
}
