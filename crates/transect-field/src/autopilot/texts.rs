//! What the autopilot says, in whole sentences.
//!
//! A message holds 50 bytes. Longer texts come in numbered pieces with one id; the last piece is shorter than 50 bytes.

use mavlink::dialects::ardupilotmega::STATUSTEXT_DATA;

/// Longer texts are cut here, bytes.
const LONGEST: usize = 500;

/// Puts pieces together.
#[derive(Debug, Default)]
pub(super) struct Texts {
    id: u16,
    pieces: u8,
    begun: Vec<u8>,
}

impl Texts {
    /// The text that is whole with this message. Of a text with a lost piece, the rest is told as it comes.
    pub(super) fn take(&mut self, status: &STATUSTEXT_DATA) -> Option<String> {
        let goes_on = status.id != 0
            && status.id == self.id
            && status.chunk_seq == self.pieces
            && self.begun.len() < LONGEST;
        if !goes_on {
            self.begun.clear();
        }
        let piece = status.text.iter().take_while(|&&byte| byte != 0);
        self.begun.extend(piece);
        self.id = status.id;
        self.pieces = status.chunk_seq.saturating_add(1);
        let more_follows = status.id != 0 && !status.text.contains(&0);
        if more_follows && self.begun.len() < LONGEST {
            return None;
        }
        let text = String::from_utf8_lossy(&std::mem::take(&mut self.begun)).into_owned();
        Some(text.chars().filter(|c| !c.is_control()).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::Texts;
    use mavlink::dialects::ardupilotmega::STATUSTEXT_DATA;

    fn piece(id: u16, chunk_seq: u8, text: &str) -> STATUSTEXT_DATA {
        STATUSTEXT_DATA {
            id,
            chunk_seq,
            text: text.into(),
            ..STATUSTEXT_DATA::DEFAULT
        }
    }

    #[test]
    fn long_texts_are_put_together() {
        let long = "Arm: Rangefinder 1: no data, and much more that does not fit into one";
        let mut texts = Texts::default();
        assert_eq!(texts.take(&piece(7, 0, &long[..50])), None);
        assert_eq!(texts.take(&piece(7, 1, &long[50..])).as_deref(), Some(long));
        assert_eq!(texts.take(&piece(0, 0, "short")).as_deref(), Some("short"));
        // The second of three pieces got lost.
        assert_eq!(texts.take(&piece(8, 0, &long[..50])), None);
        assert_eq!(texts.take(&piece(8, 2, "end")).as_deref(), Some("end"));
    }
}
