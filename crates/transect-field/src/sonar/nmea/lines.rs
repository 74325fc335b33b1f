//! Sentences in bytes that arrive in pieces, with noise in between.

/// Twice what the standard allows: some devices write longer sentences than they may.
const LONGEST: usize = 164;

/// Collects bytes into lines.
#[derive(Debug, Default)]
pub(super) struct Lines {
    line: Vec<u8>,
}

impl Lines {
    /// Takes bytes and gives the lines that are whole now, each from its `$`.
    pub(super) fn read(&mut self, bytes: &[u8]) -> Vec<String> {
        let mut lines = Vec::new();
        for &byte in bytes {
            match byte {
                b'$' => {
                    self.line.clear();
                    self.line.push(byte);
                }
                b'\r' | b'\n' => {
                    let line = std::mem::take(&mut self.line);
                    if line.first() == Some(&b'$') {
                        lines.extend(String::from_utf8(line));
                    }
                }
                _ if self.line.len() < LONGEST => self.line.push(byte),
                _ => self.line.clear(),
            }
        }
        lines
    }
}
