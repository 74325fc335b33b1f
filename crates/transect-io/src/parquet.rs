//! Apache Parquet out: one flat table, for pandas, Polars, DuckDB and R.
//!
//! One row group, one page per column, plain encoding, no compression, no missing values: the least that every reader
//! takes. The footer is Thrift's compact protocol, of which a handful of field kinds are needed. The crates of the
//! format bring its whole type system, compression and Arrow with them: minutes of building for what takes a page here.
//!
//! ```text
//!  PAR1 │ page header, values │ page header, values │ ... │ footer │ its length │ PAR1
//! ```

const MAGIC: &[u8] = b"PAR1";

/// The values of a column.
#[derive(Debug, Clone, PartialEq)]
pub enum Values {
    /// Words.
    Text(Vec<String>),
    /// Whole numbers.
    Whole(Vec<i64>),
    /// Numbers; NaN where one is missing.
    Real(Vec<f64>),
}

/// A column with its name.
#[derive(Debug, Clone, PartialEq)]
pub struct Column {
    name: String,
    values: Values,
}

impl Values {
    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        match self {
            Self::Text(v) => v.len(),
            Self::Whole(v) => v.len(),
            Self::Real(v) => v.len(),
        }
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number of the physical type: INT64, DOUBLE, BYTE_ARRAY.
    fn kind(&self) -> i64 {
        match self {
            Self::Whole(_) => 2,
            Self::Real(_) => 5,
            Self::Text(_) => 6,
        }
    }

    fn plain(&self) -> Vec<u8> {
        match self {
            Self::Whole(v) => v.iter().flat_map(|n| n.to_le_bytes()).collect(),
            Self::Real(v) => v.iter().flat_map(|n| n.to_le_bytes()).collect(),
            Self::Text(v) => {
                let mut bytes = Vec::new();
                for text in v {
                    bytes.extend((text.len() as u32).to_le_bytes());
                    bytes.extend(text.as_bytes());
                }
                bytes
            }
        }
    }
}

impl Column {
    /// A column.
    #[must_use]
    pub fn new(name: &str, values: Values) -> Self {
        Self {
            name: name.into(),
            values,
        }
    }

    /// Its name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its values.
    #[must_use]
    pub fn values(&self) -> &Values {
        &self.values
    }
}

/// The file of a table. Columns are as long as the first; what is longer is left out, what is shorter makes the table shorter.
#[must_use]
pub fn write(columns: &[Column]) -> Vec<u8> {
    let rows = columns.iter().map(|c| c.values.len()).min().unwrap_or(0);
    let mut file = MAGIC.to_vec();
    let mut chunks = Vec::new();
    for column in columns {
        let values = match &column.values {
            Values::Text(v) => Values::Text(v[..rows].to_vec()),
            Values::Whole(v) => Values::Whole(v[..rows].to_vec()),
            Values::Real(v) => Values::Real(v[..rows].to_vec()),
        };
        let bytes = values.plain();
        let offset = file.len();
        let mut page = Compact::default();
        page.int(1, 0); // a data page
        page.int(2, bytes.len() as i64);
        page.int(3, bytes.len() as i64);
        page.begin(5);
        page.int(1, rows as i64);
        page.int(2, 0); // plain
        page.int(3, 3); // levels would be run-length encoded; there are none
        page.int(4, 3);
        page.end();
        page.end();
        file.extend(page.bytes);
        file.extend(bytes);
        chunks.push((column, offset, file.len() - offset));
    }
    let footer = footer(&chunks, rows);
    file.extend(&footer);
    file.extend((footer.len() as u32).to_le_bytes());
    file.extend(MAGIC);
    file
}

/// `FileMetaData`: the schema, and where each column is.
fn footer(chunks: &[(&Column, usize, usize)], rows: usize) -> Vec<u8> {
    let mut meta = Compact::default();
    meta.int(1, 2);
    meta.list(2, STRUCT, chunks.len() + 1);
    meta.open();
    meta.text(4, "table");
    meta.int(5, chunks.len() as i64);
    meta.end();
    for (column, ..) in chunks {
        meta.open();
        meta.int(1, column.values.kind());
        meta.int(3, 0); // required
        meta.text(4, &column.name);
        if matches!(column.values, Values::Text(_)) {
            meta.int(6, 0); // UTF-8
        }
        meta.end();
    }
    meta.long(3, rows as i64);
    meta.list(4, STRUCT, 1);
    meta.open();
    meta.list(1, STRUCT, chunks.len());
    for (column, offset, length) in chunks {
        meta.open();
        meta.long(2, *offset as i64);
        meta.begin(3);
        meta.int(1, column.values.kind());
        meta.list(2, I32, 1);
        meta.varint(zigzag(0)); // plain
        meta.list(3, BINARY, 1);
        meta.word(&column.name);
        meta.int(4, 0); // not compressed
        meta.long(5, rows as i64);
        meta.long(6, *length as i64);
        meta.long(7, *length as i64);
        meta.long(9, *offset as i64);
        meta.end();
        meta.end();
    }
    meta.long(2, chunks.iter().map(|(.., length)| *length as i64).sum());
    meta.long(3, rows as i64);
    meta.end();
    meta.text(6, concat!("transect version ", env!("CARGO_PKG_VERSION")));
    meta.end();
    meta.bytes
}

const I32: u8 = 5;
const I64: u8 = 6;
const BINARY: u8 = 8;
const LIST: u8 = 9;
const STRUCT: u8 = 12;

/// Thrift's compact protocol: fields by the distance of their numbers, numbers as zigzag varints.
#[derive(Default)]
struct Compact {
    bytes: Vec<u8>,
    last: u8,
    outer: Vec<u8>,
}

impl Compact {
    fn field(&mut self, number: u8, kind: u8) {
        // Numbers of fields here are at most 9 apart, so the short form always does.
        self.bytes.push((number - self.last) << 4 | kind);
        self.last = number;
    }

    fn varint(&mut self, mut value: u64) {
        while value >= 0x80 {
            self.bytes.push(value as u8 | 0x80);
            value >>= 7;
        }
        self.bytes.push(value as u8);
    }

    fn int(&mut self, number: u8, value: i64) {
        self.field(number, I32);
        self.varint(zigzag(value));
    }

    fn long(&mut self, number: u8, value: i64) {
        self.field(number, I64);
        self.varint(zigzag(value));
    }

    fn word(&mut self, text: &str) {
        self.varint(text.len() as u64);
        self.bytes.extend(text.as_bytes());
    }

    fn text(&mut self, number: u8, text: &str) {
        self.field(number, BINARY);
        self.word(text);
    }

    fn list(&mut self, number: u8, kind: u8, count: usize) {
        self.field(number, LIST);
        match count < 15 {
            true => self.bytes.push((count as u8) << 4 | kind),
            false => {
                self.bytes.push(0xf0 | kind);
                self.varint(count as u64);
            }
        }
    }

    /// A structure in a field.
    fn begin(&mut self, number: u8) {
        self.field(number, STRUCT);
        self.open();
    }

    /// A structure in a list.
    fn open(&mut self) {
        self.outer.push(self.last);
        self.last = 0;
    }

    fn end(&mut self) {
        self.bytes.push(0);
        self.last = self.outer.pop().unwrap_or(0);
    }
}

fn zigzag(value: i64) -> u64 {
    ((value << 1) ^ (value >> 63)) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_as_thrift_has_them() {
        // From the specification of the compact protocol: 50399 as a varint, and zigzag.
        let mut compact = Compact::default();
        compact.varint(50399);
        assert_eq!(compact.bytes, [0xdf, 0x89, 0x03]);
        assert_eq!([0, -1, 1, -2, 2].map(zigzag), [0, 1, 2, 3, 4]);
    }

    #[test]
    fn a_file_has_its_marks_and_its_values() {
        let columns = [
            Column::new("name", Values::Text(vec!["a".into(), "bc".into()])),
            Column::new("x", Values::Real(vec![0.5, f64::NAN])),
        ];
        let file = write(&columns);
        assert!(file.starts_with(MAGIC) && file.ends_with(MAGIC));
        let length = u32::from_le_bytes(file[file.len() - 8..file.len() - 4].try_into().unwrap());
        assert!((length as usize) < file.len() - 12);
        let text = [1, 0, 0, 0, b'a', 2, 0, 0, 0, b'b', b'c'];
        assert!(file.windows(text.len()).any(|w| w == text));
        let half = 0.5_f64.to_le_bytes();
        assert!(file.windows(8).any(|w| w == half));
    }
}
