//! Ways to damage a file.

use proptest::prelude::*;
use proptest::sample::Index;

/// What people and programs write where a number is expected.
const PIECES: [&str; 16] = [
    "1e308",
    "-1e400",
    "nan",
    "inf",
    "999999999999999999999",
    "-1",
    "0",
    "1e-320",
    "\n",
    "\r\n",
    ",",
    ";",
    "\"",
    "#",
    "\0",
    "\u{feff}",
];

/// What is done to a file.
#[derive(Debug, Clone)]
pub enum Damage {
    /// Bytes are changed.
    Set(Vec<(Index, u8)>),
    /// The end is cut off.
    Cut(Index),
    /// A piece of the file is there twice.
    Repeat(Index, Index),
    /// Something is put in.
    Insert(Index, &'static str),
    /// Noise follows.
    Append(Vec<u8>),
}

impl Damage {
    /// The damaged file.
    pub fn done_to(&self, mut bytes: Vec<u8>) -> Vec<u8> {
        let length = bytes.len();
        if length == 0 {
            return bytes;
        }
        match self {
            Self::Set(changes) => {
                for (at, byte) in changes {
                    bytes[at.index(length)] = *byte;
                }
            }
            Self::Cut(at) => bytes.truncate(at.index(length)),
            Self::Repeat(from, to) => {
                let (from, to) = (from.index(length), to.index(length));
                let piece = bytes[from.min(to)..from.max(to)].to_vec();
                bytes.splice(from..from, piece);
            }
            Self::Insert(at, piece) => {
                let at = at.index(length);
                bytes.splice(at..at, piece.bytes());
            }
            Self::Append(noise) => bytes.extend(noise),
        }
        bytes
    }
}

/// Any damage.
pub fn damage() -> impl Strategy<Value = Damage> {
    let byte = prop_oneof![
        any::<u8>(),
        Just(0),
        Just(0xff),
        Just(0x7f),
        Just(0x80),
        b'0'..=b'9'
    ];
    let index = any::<Index>;
    prop_oneof![
        4 => prop::collection::vec((index(), byte), 1..12).prop_map(Damage::Set),
        1 => index().prop_map(Damage::Cut),
        1 => (index(), index()).prop_map(|(from, to)| Damage::Repeat(from, to)),
        2 => (index(), prop::sample::select(&PIECES[..])).prop_map(|(at, piece)| Damage::Insert(at, piece)),
        1 => prop::collection::vec(any::<u8>(), 0..200).prop_map(Damage::Append),
    ]
}
