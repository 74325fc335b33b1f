//! Lines of text, one at a time: ended by LF, CR LF or CR, in UTF-8 or Latin-1.

use std::borrow::Cow;
use std::io::BufRead;

/// Longer lines are refused: the cells of one are all in memory at once.
const LONGEST_LINE: usize = 1 << 18;
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// The lines of a stream.
pub(super) struct Lines<R> {
    reader: R,
    number: u64,
    line: Vec<u8>,
    /// The last line ended with CR: an LF that follows belongs to it.
    after_cr: bool,
}

impl<R: BufRead> Lines<R> {
    pub(super) fn new(reader: R) -> Self {
        Self {
            reader,
            number: 0,
            line: Vec::new(),
            after_cr: false,
        }
    }

    /// The number of the line that was read last, from 1.
    pub(super) fn number(&self) -> u64 {
        self.number
    }

    /// The next line without its end, or none at the end of the file.
    ///
    /// # Errors
    /// If it cannot be read, is longer than any line of a log, or is not text.
    pub(super) fn next(&mut self) -> Result<Option<Cow<'_, str>>, String> {
        self.line.clear();
        let mut ended = false;
        let mut any = false;
        while !ended {
            let buffer = self.reader.fill_buf();
            let mut buffer = buffer.map_err(|error| format!("it cannot be read: {error}"))?;
            if buffer.is_empty() {
                break;
            }
            let mut used = 0;
            if self.after_cr && buffer[0] == b'\n' {
                (buffer, used) = (&buffer[1..], 1);
            }
            self.after_cr = false;
            let end = buffer.iter().position(|byte| matches!(byte, b'\n' | b'\r'));
            self.line.extend(&buffer[..end.unwrap_or(buffer.len())]);
            any |= !buffer.is_empty();
            if let Some(end) = end {
                self.after_cr = buffer[end] == b'\r';
                used += end + 1;
                ended = true;
            } else {
                used += buffer.len();
            }
            self.reader.consume(used);
            if self.line.len() > LONGEST_LINE {
                return Err(format!(
                    "line {} is longer than {} KiB; one line per reading is needed, as x,y,value",
                    self.number + 1,
                    LONGEST_LINE >> 10
                ));
            }
        }
        if !any {
            return Ok(None);
        }
        self.number += 1;
        let mut line = &self.line[..];
        if self.number == 1 {
            if line.starts_with(b"\xff\xfe") || line.starts_with(b"\xfe\xff") {
                return Err("it is UTF-16 text; save it as UTF-8".into());
            }
            line = line.strip_prefix(BYTE_ORDER_MARK).unwrap_or(line);
        }
        // A logger that lost power leaves zeros in the middle of its last file; at the start they are no text.
        if self.number < 5 && line.contains(&0) {
            return Err("it is not text; one line per reading is needed, as x,y,value".into());
        }
        Ok(Some(decoded(line)))
    }
}

/// UTF-8, or else Latin-1: one letter per byte.
fn decoded(line: &[u8]) -> Cow<'_, str> {
    match std::str::from_utf8(line) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => Cow::Owned(line.iter().map(|byte| char::from(*byte)).collect()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::BufReader;

    fn lines(bytes: &[u8], capacity: usize) -> Vec<String> {
        let mut lines = Lines::new(BufReader::with_capacity(capacity, bytes));
        let mut found = Vec::new();
        while let Some(line) = lines.next().unwrap() {
            found.push(line.into_owned());
        }
        assert_eq!(lines.number(), found.len() as u64);
        found
    }

    #[test]
    fn every_kind_of_end_and_both_encodings() {
        for capacity in [1, 2, 3, 64] {
            assert_eq!(lines(b"a\nb\r\nc\rd", capacity), ["a", "b", "c", "d"]);
            assert_eq!(
                lines(b"a\r\n\r\n\r\nb\n\n", capacity),
                ["a", "", "", "b", ""]
            );
            assert_eq!(lines(b"\xef\xbb\xbfa\r", capacity), ["a"]);
            assert!(lines(b"", capacity).is_empty());
        }
        // The degree sign in Latin-1 and in UTF-8.
        assert_eq!(lines(b"52\xb0\n52\xc2\xb0", 8), ["52\u{b0}", "52\u{b0}"]);
    }

    #[test]
    fn long_lines_are_refused() {
        let long = vec![b'1'; LONGEST_LINE + 2];
        let refused = Lines::new(&long[..]).next().map(|_| ()).unwrap_err();
        assert!(refused.contains("line 1 is longer"), "{refused}");
    }
}
