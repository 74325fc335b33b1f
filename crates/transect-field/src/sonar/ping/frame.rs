//! Messages in bytes.
//!
//! ```text
//!  'B' 'R' | payload length u16 | message id u16 | source u8 | destination u8 | payload | checksum u16
//! ```
//!
//! Numbers are little-endian; the checksum is the sum of all bytes before it.

/// One message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Frame {
    /// What it is.
    pub id: u16,
    /// Its content.
    pub payload: Vec<u8>,
}

const START: [u8; 2] = *b"BR";
const HEADER: usize = 8;
const CHECKSUM: usize = 2;
/// No message of these devices is longer; a longer one is noise that looks like a header.
const LONGEST_PAYLOAD: usize = 2048;

impl Frame {
    /// The message as bytes.
    ///
    /// ```
    /// use transect_field::sonar::ping::frame::Frame;
    /// // A request for message 1212 (0x04bc), as the protocol's documentation lays it out.
    /// let bytes = Frame { id: 6, payload: vec![0xbc, 0x04] }.to_bytes();
    /// assert_eq!(bytes, [b'B', b'R', 2, 0, 6, 0, 0, 0, 0xbc, 0x04, 0x5c, 0x01]);
    /// ```
    pub fn to_bytes(&self) -> Vec<u8> {
        let length = u16::try_from(self.payload.len()).unwrap_or(u16::MAX);
        let mut bytes = Vec::with_capacity(HEADER + self.payload.len() + CHECKSUM);
        bytes.extend(START);
        bytes.extend(length.to_le_bytes());
        bytes.extend(self.id.to_le_bytes());
        bytes.extend([0, 0]);
        bytes.extend(self.payload.iter().take(length.into()));
        bytes.extend(checksum(&bytes).to_le_bytes());
        bytes
    }

    /// The little-endian u32 at `offset` of the payload.
    pub(crate) fn u32_at(&self, offset: usize) -> Option<u32> {
        let bytes = self.payload.get(offset..offset + 4)?;
        Some(u32::from_le_bytes(bytes.try_into().ok()?))
    }

    /// The little-endian u16 at `offset` of the payload.
    pub(crate) fn u16_at(&self, offset: usize) -> Option<u16> {
        let bytes = self.payload.get(offset..offset + 2)?;
        Some(u16::from_le_bytes(bytes.try_into().ok()?))
    }
}

/// Finds messages in bytes that arrive in pieces, with noise in between.
#[derive(Debug, Default)]
pub struct FrameReader {
    buffer: Vec<u8>,
}

impl FrameReader {
    /// Takes bytes and gives the messages that are whole now.
    pub fn read(&mut self, bytes: &[u8]) -> Vec<Frame> {
        self.buffer.extend(bytes);
        let mut frames = Vec::new();
        let mut start = 0;
        while let Some(rest) = self.buffer.get(start..) {
            match step(rest) {
                Step::Wait => break,
                Step::Skip(count) => start += count,
                Step::Found(frame, count) => {
                    frames.push(frame);
                    start += count;
                }
            }
        }
        self.buffer.drain(..start.min(self.buffer.len()));
        frames
    }
}

enum Step {
    Wait,
    Skip(usize),
    Found(Frame, usize),
}

fn step(bytes: &[u8]) -> Step {
    let marker = bytes.windows(2).position(|pair| pair == START);
    match marker {
        // The last byte may be the first half of a marker.
        None if bytes.len() < 2 => return Step::Wait,
        None => return Step::Skip(bytes.len() - 1),
        Some(0) => {}
        Some(noise) => return Step::Skip(noise),
    }
    let Some(&[_, _, low, high, id_low, id_high, _, _]) = bytes.first_chunk::<HEADER>() else {
        return Step::Wait;
    };
    let length = usize::from(u16::from_le_bytes([low, high]));
    if length > LONGEST_PAYLOAD {
        return Step::Skip(START.len());
    }
    let end = HEADER + length;
    let (Some(body), Some(&[sum_low, sum_high])) =
        (bytes.get(..end), bytes.get(end..end + CHECKSUM))
    else {
        return Step::Wait;
    };
    if u16::from_le_bytes([sum_low, sum_high]) != checksum(body) {
        return Step::Skip(START.len());
    }
    let frame = Frame {
        id: u16::from_le_bytes([id_low, id_high]),
        payload: body.iter().skip(HEADER).copied().collect(),
    };
    Step::Found(frame, end + CHECKSUM)
}

fn checksum(bytes: &[u8]) -> u16 {
    bytes
        .iter()
        .fold(0, |sum: u16, &byte| sum.wrapping_add(byte.into()))
}

#[cfg(test)]
mod tests {
    use super::{Frame, FrameReader};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn messages_are_found_in_any_noise_and_any_pieces(
            noise in proptest::collection::vec(any::<u8>(), 0..60),
            payload in proptest::collection::vec(any::<u8>(), 0..60),
            piece in 1_usize..20,
        ) {
            // Noise that opens a message of its own hides what follows until that is complete.
            prop_assume!(!noise.contains(&b'B'));
            let frame = Frame { id: 1212, payload };
            let bytes = [noise, frame.to_bytes()].concat();
            let mut reader = FrameReader::default();
            let found: Vec<Frame> = bytes.chunks(piece).flat_map(|part| reader.read(part)).collect();
            prop_assert_eq!(found, [frame]);
        }

        #[test]
        fn a_false_start_costs_no_message_that_follows_it(length in 0_u16..=u16::MAX, id: u16) {
            let false_start = [&b"BR"[..], &length.to_le_bytes(), &id.to_le_bytes(), &[0, 0]].concat();
            let frame = Frame { id: 1211, payload: vec![1, 2, 3, 4, 5] };
            let mut reader = FrameReader::default();
            let mut found = reader.read(&false_start);
            // Enough to complete whatever the false start promised.
            for _ in 0..200 {
                found.extend(reader.read(&frame.to_bytes()));
            }
            prop_assert!(found.len() >= 199, "{}", found.len());
        }

        #[test]
        fn bytes_never_panic(pieces in proptest::collection::vec(proptest::collection::vec(any::<u8>(), 0..40), 0..20)) {
            let mut reader = FrameReader::default();
            for piece in &pieces {
                reader.read(&[&b"BR"[..], piece].concat());
            }
            prop_assert!(reader.buffer.len() < 4096);
        }
    }
}
