//! How a text file separates its cells.

use std::borrow::Cow;

/// What separates cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Dialect {
    /// A byte between every two cells.
    Separated(u8),
    /// Any number of spaces.
    Spaces,
}

/// Longer lines are refused: the cells of one are all in memory at once.
const LONGEST_LINE: usize = 1 << 18;
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

impl Dialect {
    /// Recognises the dialect; returns the text as [`Dialect::reader`] wants it.
    ///
    /// # Errors
    /// If it is not text of one byte per letter or UTF-8.
    pub(super) fn of(bytes: &[u8]) -> Result<(Self, Cow<'_, [u8]>), String> {
        if bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff") {
            return Err("it is UTF-16 text; save it as UTF-8".into());
        }
        let text = bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(bytes);
        if text.iter().take(8192).any(|byte| *byte == 0) {
            return Err("it is not text; one line per reading is needed, as x,y,value".into());
        }
        let lines = || text.split(|byte| *byte == b'\n');
        if let Some(at) = lines().position(|line| line.len() > LONGEST_LINE) {
            return Err(format!(
                "line {} is longer than {} KiB; one line per reading is needed, as x,y,value",
                at + 1,
                LONGEST_LINE >> 10
            ));
        }
        let content = |line: &&[u8]| !line.starts_with(b"#") && !line.trim_ascii().is_empty();
        let first = lines().find(content).unwrap_or_default().trim_ascii();
        let separator = [b';', b'\t', b','].into_iter().find(|s| first.contains(s));
        Ok(match separator {
            Some(byte) => (Self::Separated(byte), Cow::Borrowed(text)),
            None => (Self::Spaces, Cow::Owned(single_spaces(text))),
        })
    }

    /// Whether a comma may be a decimal point.
    pub(super) fn decimal_comma(self) -> bool {
        self != Self::Separated(b',')
    }

    fn separator(self) -> u8 {
        match self {
            Self::Separated(byte) => byte,
            Self::Spaces => b' ',
        }
    }

    /// Splits the text into records; rows may differ in length.
    pub(super) fn reader(self, text: &[u8]) -> csv::Reader<&[u8]> {
        csv::ReaderBuilder::new()
            .delimiter(self.separator())
            .comment(Some(b'#'))
            .has_headers(false)
            .flexible(true)
            .from_reader(text)
    }

    /// The cells of the `#` line that ends right before byte `at`, if there is one.
    pub(super) fn comment_above(self, text: &[u8], at: usize) -> Option<Vec<String>> {
        let above = text.get(..at)?.strip_suffix(b"\n")?;
        let line = above.rsplit(|byte| *byte == b'\n').next()?;
        let names = line.strip_prefix(b"#")?.trim_ascii();
        let cells = names.split(|byte| *byte == self.separator());
        Some(cells.map(super::cell_text).collect())
    }
}

/// Every run of spaces and tabs becomes one space, and none begins or ends a line.
fn single_spaces(text: &[u8]) -> Vec<u8> {
    let mut single = Vec::with_capacity(text.len());
    for byte in text {
        match byte {
            b' ' | b'\t' if matches!(single.last(), None | Some(b' ' | b'\n')) => {}
            b' ' | b'\t' => single.push(b' '),
            b'\r' | b'\n' => {
                if single.last() == Some(&b' ') {
                    single.pop();
                }
                single.push(*byte);
            }
            _ => single.push(*byte),
        }
    }
    if single.last() == Some(&b' ') {
        single.pop();
    }
    single
}
