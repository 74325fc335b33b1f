//! NumPy's `.npy` arrays: integers and floats of one or two dimensions, either byte order, row by
//! row or column by column.
//!
//! A file is the magic `\x93NUMPY`, a version (two bytes), the length of the header (two bytes in
//! version 1, four later), a header that is a Python dictionary such as
//! `{'descr': '<f8', 'fortran_order': False, 'shape': (360, 360), }`, and the numbers.

use crate::bounded;
use crate::error::IoError;
use crate::raster::{LARGEST_FILE, checked_cells};
use std::path::Path;

/// A one- or two-dimensional array, row by row, as f64.
#[derive(Debug, Clone, PartialEq)]
pub struct Array {
    /// Rows (1 for a one-dimensional array).
    pub rows: usize,
    /// Columns.
    pub columns: usize,
    /// The numbers.
    pub values: Vec<f64>,
}

/// Reads an array from a file.
///
/// # Errors
/// If the file cannot be read or is not such an array.
pub fn read(path: &Path) -> Result<Array, IoError> {
    let bytes = bounded::read(path, LARGEST_FILE)?;
    parse(&bytes).map_err(IoError::content(path))
}

/// Reads an array from bytes.
///
/// # Errors
/// What is wrong with them.
pub fn parse(bytes: &[u8]) -> Result<Array, String> {
    let (header, numbers) = split(bytes)?;
    let text = std::str::from_utf8(header).map_err(|_| "its header is not text".to_string())?;
    let kind = Kind::named(entry(text, "descr")?.trim_matches(['\'', '"']))?;
    let by_column = entry(text, "fortran_order")? == "True";
    let (rows, columns) = shape(entry(text, "shape")?)?;
    let count = checked_cells(rows, columns)?;
    if numbers.len() < count * kind.width {
        let there = numbers.len() / kind.width;
        return Err(format!(
            "it is cut off: {there} of {count} numbers are there"
        ));
    }
    let number = |i: usize| kind.number(&numbers[i * kind.width..][..kind.width]);
    let values = match by_column {
        false => (0..count).map(number).collect(),
        true => (0..count)
            .map(|i| number(i % columns * rows + i / columns))
            .collect(),
    };
    Ok(Array {
        rows,
        columns,
        values,
    })
}

/// The header's text and the numbers behind it.
fn split(bytes: &[u8]) -> Result<(&[u8], &[u8]), String> {
    let not_npy = || "it is not a NumPy array (no \\x93NUMPY at its start)".to_string();
    let cut_off = || "it is cut off within its header".to_string();
    let rest = bytes.strip_prefix(b"\x93NUMPY").ok_or_else(not_npy)?;
    let (version, rest) = rest.split_at_checked(2).ok_or_else(cut_off)?;
    let width = if version[0] == 1 { 2 } else { 4 };
    let (length, rest) = rest.split_at_checked(width).ok_or_else(cut_off)?;
    let length = length
        .iter()
        .rev()
        .fold(0, |sum, byte| sum << 8 | usize::from(*byte));
    rest.split_at_checked(length).ok_or_else(cut_off)
}

/// The text behind `'key':` up to the comma that ends it.
fn entry<'a>(header: &'a str, key: &str) -> Result<&'a str, String> {
    let missing = || format!("its header has no `{key}`");
    let quoted = [format!("'{key}':"), format!("\"{key}\":")];
    let start = quoted
        .iter()
        .find_map(|k| header.find(k.as_str()).map(|at| at + k.len()));
    let text = header[start.ok_or_else(missing)?..].trim_start();
    let end = match text.starts_with('(') {
        true => text.find(')').map(|at| at + 1),
        false => text.find([',', '}']),
    };
    Ok(text[..end.ok_or_else(missing)?].trim())
}

fn shape(text: &str) -> Result<(usize, usize), String> {
    let inner = text.trim_start_matches('(').trim_end_matches(')');
    let sizes: Result<Vec<usize>, _> = inner
        .split(',')
        .map(str::trim)
        .filter(|size| !size.is_empty())
        .map(str::parse)
        .collect();
    match sizes.as_deref() {
        Ok([columns]) => Ok((1, *columns)),
        Ok([rows, columns]) => Ok((*rows, *columns)),
        _ => Err(format!(
            "its shape is {text}; one or two dimensions are understood"
        )),
    }
}

/// How a number is written.
struct Kind {
    letter: u8,
    width: usize,
    big_endian: bool,
}

impl Kind {
    fn named(name: &str) -> Result<Self, String> {
        let refuse = || {
            format!(
                "its numbers are of type `{name}`; i1 to i8, u1 to u8, f4 and f8 are understood"
            )
        };
        let [order, letter, width] = name.as_bytes() else {
            return Err(refuse());
        };
        let width = usize::from(width.wrapping_sub(b'0'));
        let known = matches!(
            (letter, width),
            (b'f', 4 | 8) | (b'i' | b'u', 1 | 2 | 4 | 8)
        );
        if !known || !b"<>|=".contains(order) {
            return Err(refuse());
        }
        Ok(Self {
            letter: *letter,
            width,
            big_endian: *order == b'>',
        })
    }

    fn number(&self, bytes: &[u8]) -> f64 {
        let mut raw = [0; 8];
        for (i, byte) in bytes.iter().enumerate() {
            raw[if self.big_endian {
                self.width - 1 - i
            } else {
                i
            }] = *byte;
        }
        let bits = u64::from_le_bytes(raw);
        let unused = 64 - 8 * self.width as u32;
        match (self.letter, self.width) {
            (b'f', 8) => f64::from_bits(bits),
            (b'f', _) => f64::from(f32::from_bits(bits as u32)),
            (b'i', _) => ((bits << unused) as i64 >> unused) as f64,
            _ => bits as f64,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn file(descr: &str, order: &str, shape: &str, numbers: &[u8]) -> Vec<u8> {
        let header =
            format!("{{'descr': '{descr}', 'fortran_order': {order}, 'shape': {shape}, }}\n");
        let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
        bytes.extend((header.len() as u16).to_le_bytes());
        bytes.extend(header.as_bytes());
        bytes.extend(numbers);
        bytes
    }

    #[test]
    fn reads_what_numpy_writes() {
        let array = parse(&file(
            "<i2",
            "False",
            "(2, 2)",
            &[1, 0, 255, 255, 0, 1, 2, 0],
        ))
        .unwrap();
        assert_eq!(array.values, [1.0, -1.0, 256.0, 2.0]);
        let array = parse(&file(">u2", "True", "(2, 2)", &[0, 1, 0, 2, 0, 3, 0, 4])).unwrap();
        assert_eq!(array.values, [1.0, 3.0, 2.0, 4.0]);
        let array = parse(&file("<f8", "False", "(1,)", &1.5_f64.to_le_bytes())).unwrap();
        assert_eq!((array.rows, array.columns, array.values), (1, 1, vec![1.5]));
    }

    #[test]
    fn says_what_is_wrong() {
        let wrong = |bytes: &[u8]| parse(bytes).unwrap_err();
        assert!(wrong(b"PNG").contains("not a NumPy array"));
        assert!(wrong(&file("<f8", "False", "(4, 4)", &[0; 64])).contains("8 of 16"));
        assert!(wrong(&file("<c16", "False", "(1,)", &[0; 16])).contains("`<c16`"));
        assert!(wrong(&file("<f8", "False", "(2, 2, 2)", &[0; 64])).contains("two dimensions"));
        assert!(wrong(&file("<f8", "False", "(99999999, 99999999)", &[])).contains("at most"));
        assert!(wrong(&file("<f8", "False", "(0,)", &[])).contains("1 x 0"));
    }

    proptest! {
        #[test]
        fn no_bytes_make_it_panic(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
            let _ = parse(&bytes);
            let mut with_magic = b"\x93NUMPY\x01\x00\x60\x00{'descr': '<f8', 'shape': (".to_vec();
            with_magic.extend(bytes);
            let _ = parse(&with_magic);
        }
    }
}
