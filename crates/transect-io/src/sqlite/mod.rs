//! As much of SQLite's file format as a GeoPackage needs: all rows of a table in, whole small databases out.
//!
//! SQLite itself would be nine megabytes of C in every build; the format is frozen and its tables are simple: pages of
//! one size, b-trees of rows by number, records of typed values (<https://sqlite.org/fileformat2.html>).

mod read;
mod write;

pub(crate) use read::Database;
pub(crate) use write::{Identity, Table, encode};

/// What a cell of a table holds.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Value {
    Null,
    Integer(i64),
    Real(f64),
    Text(String),
    Blob(Vec<u8>),
}

impl Value {
    pub(crate) fn text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    pub(crate) fn integer(&self) -> Option<i64> {
        match self {
            Self::Integer(number) => Some(*number),
            _ => None,
        }
    }
}

/// Most bytes of a row that stay on a leaf of a table; the rest goes to other pages.
fn local_bytes(payload: usize, usable: usize, index: bool) -> usize {
    let most = if index {
        (usable - 12) * 64 / 255 - 23
    } else {
        usable - 35
    };
    if payload <= most {
        return payload;
    }
    let least = (usable - 12) * 32 / 255 - 23;
    let local = least + (payload - least) % (usable - 4);
    if local <= most { local } else { least }
}
