//! Reading tables.

use super::{Value, local_bytes};

const MAGIC: &[u8] = b"SQLite format 3\0";
const LEAF: u8 = 0x0d;
const INTERIOR: u8 = 0x05;
/// Deeper trees than any file of this size has.
const DEEPEST: usize = 20;

/// The bytes of a database.
pub(crate) struct Database<'a> {
    bytes: &'a [u8],
    page: usize,
    usable: usize,
}

/// A row: its number and its values.
pub(crate) struct Row {
    pub(crate) number: i64,
    pub(crate) values: Vec<Value>,
}

impl<'a> Database<'a> {
    pub(crate) fn open(bytes: &'a [u8]) -> Result<Self, String> {
        let header = bytes.get(..100).filter(|header| header.starts_with(MAGIC));
        let header = header.ok_or("it is not an SQLite database, as a GeoPackage is one")?;
        let page = match u16::from_be_bytes([header[16], header[17]]) {
            1 => 65_536,
            size => usize::from(size),
        };
        let reserved = usize::from(header[20]);
        if !page.is_power_of_two() || page < 512 || reserved > 32 {
            return Err("its header is damaged".into());
        }
        if !matches!(header[56..60], [0, 0, 0, 0 | 1]) {
            return Err("its text is not UTF-8".into());
        }
        Ok(Self {
            bytes,
            page,
            usable: page - reserved,
        })
    }

    /// All rows of a table.
    pub(crate) fn table(&self, name: &str) -> Result<Vec<Row>, String> {
        let schema = self.rows(1)?;
        let found = schema.iter().find(|row| {
            let is = |index: usize, text: &str| {
                row.values
                    .get(index)
                    .and_then(Value::text)
                    .is_some_and(|t| t.eq_ignore_ascii_case(text))
            };
            is(0, "table") && is(1, name)
        });
        let root = found.and_then(|row| row.values.get(3)?.integer());
        let root = root.ok_or_else(|| format!("it has no table `{name}`"))?;
        self.rows(usize::try_from(root).map_err(|_| "it is damaged".to_string())?)
    }

    fn rows(&self, root: usize) -> Result<Vec<Row>, String> {
        let mut rows = Vec::new();
        // No page is in a tree twice.
        let mut left = self.bytes.len() / self.page + 1;
        self.walk(root, 0, &mut left, &mut rows)
            .ok_or("it is damaged or cut off")?;
        Ok(rows)
    }

    fn page_at(&self, number: usize) -> Option<&'a [u8]> {
        let start = number.checked_sub(1)?.checked_mul(self.page)?;
        self.bytes.get(start..start.checked_add(self.page)?)
    }

    fn walk(
        &self,
        number: usize,
        depth: usize,
        left: &mut usize,
        rows: &mut Vec<Row>,
    ) -> Option<()> {
        *left = left.checked_sub(1)?;
        if depth > DEEPEST {
            return None;
        }
        let page = self.page_at(number)?;
        let start = if number == 1 { 100 } else { 0 };
        let kind = *page.get(start)?;
        let cells = usize::from(be16(page, start + 3)?);
        let pointers = start + if kind == INTERIOR { 12 } else { 8 };
        for cell in 0..cells {
            let at = usize::from(be16(page, pointers + 2 * cell)?);
            match kind {
                INTERIOR => self.walk(be32(page, at)?, depth + 1, left, rows)?,
                LEAF => rows.push(self.leaf_cell(page, at)?),
                _ => return None,
            }
        }
        match kind {
            INTERIOR => self.walk(be32(page, start + 8)?, depth + 1, left, rows),
            LEAF => Some(()),
            _ => None,
        }
    }

    fn leaf_cell(&self, page: &[u8], mut at: usize) -> Option<Row> {
        let size = usize::try_from(varint(page, &mut at)?).ok()?;
        let number = varint(page, &mut at)?;
        if size > self.bytes.len() {
            return None;
        }
        let local = local_bytes(size, self.usable, false);
        let mut payload = page.get(at..at.checked_add(local)?)?.to_vec();
        if local < size {
            let mut next = be32(page, at + local)?;
            while payload.len() < size {
                let more = self.page_at(next)?;
                next = be32(more, 0)?;
                let take = (size - payload.len()).min(self.usable - 4);
                payload.extend(more.get(4..4 + take)?);
            }
        }
        Some(Row {
            number,
            values: record(&payload)?,
        })
    }
}

fn record(payload: &[u8]) -> Option<Vec<Value>> {
    let mut at = 0;
    let header = usize::try_from(varint(payload, &mut at)?).ok()?;
    let mut body = header;
    let mut values = Vec::new();
    while at < header {
        let kind = varint(payload, &mut at)?;
        let mut take = |count: usize| {
            let bytes = payload.get(body..body.checked_add(count)?)?;
            body += count;
            Some(bytes)
        };
        values.push(match kind {
            0 => Value::Null,
            1..=6 => {
                let count = [1, 2, 3, 4, 6, 8][kind as usize - 1];
                let bytes = take(count)?;
                let first = if bytes[0] & 0x80 == 0 { 0 } else { -1 };
                Value::Integer(
                    bytes
                        .iter()
                        .fold(first, |n, byte| (n << 8) | i64::from(*byte)),
                )
            }
            7 => Value::Real(f64::from_be_bytes(take(8)?.try_into().ok()?)),
            8 => Value::Integer(0),
            9 => Value::Integer(1),
            12.. if kind % 2 == 0 => {
                Value::Blob(take(usize::try_from((kind - 12) / 2).ok()?)?.to_vec())
            }
            13.. => {
                let text = take(usize::try_from((kind - 13) / 2).ok()?)?;
                Value::Text(String::from_utf8_lossy(text).into_owned())
            }
            _ => return None,
        });
    }
    Some(values)
}

fn be16(bytes: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_be_bytes(bytes.get(at..at + 2)?.try_into().ok()?))
}

fn be32(bytes: &[u8], at: usize) -> Option<usize> {
    let number = u32::from_be_bytes(bytes.get(at..at.checked_add(4)?)?.try_into().ok()?);
    Some(number as usize)
}

/// Seven bits a byte, the highest first, up to nine bytes; the ninth has eight.
fn varint(bytes: &[u8], at: &mut usize) -> Option<i64> {
    let mut number: u64 = 0;
    for k in 0..9 {
        let byte = *bytes.get(*at)?;
        *at += 1;
        if k == 8 {
            number = (number << 8) | u64::from(byte);
            break;
        }
        number = (number << 7) | u64::from(byte & 0x7f);
        if byte & 0x80 == 0 {
            break;
        }
    }
    Some(number as i64)
}
