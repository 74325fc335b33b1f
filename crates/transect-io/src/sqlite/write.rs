//! Writing whole databases.

use super::{Value, local_bytes};

const PAGE: usize = 4096;
/// The version of SQLite that is said to have written the file.
const SQLITE_VERSION: u32 = 3_045_000;

/// A table to be written.
pub(crate) struct Table {
    pub(crate) name: &'static str,
    /// How it is created.
    pub(crate) sql: String,
    /// Rows by number, in rising order; a column that is the number holds `Null`.
    pub(crate) rows: Vec<(i64, Vec<Value>)>,
    /// Columns of the indices that its `PRIMARY KEY` and `UNIQUE` clauses ask for, in their order.
    pub(crate) indices: Vec<Vec<usize>>,
}

/// What identifies the kind of database in its header.
pub(crate) struct Identity {
    pub(crate) application: u32,
    pub(crate) version: u32,
}

/// The bytes of a database.
///
/// # Errors
/// If the tables' definitions do not fit the first page, or an index does not fit one page.
pub(crate) fn encode(tables: &[Table], identity: Identity) -> Result<Vec<u8>, String> {
    // The first page is the schema's: it is written last.
    let mut pages: Vec<Vec<u8>> = vec![Vec::new()];
    let mut schema = Vec::new();
    for table in tables {
        let rows = table
            .rows
            .iter()
            .map(|(number, values)| (*number, record(values)));
        let root = tree(&mut pages, rows.collect());
        schema.push(entry(
            "table",
            table.name,
            table.name,
            root,
            Some(&table.sql),
        ));
        for (k, columns) in table.indices.iter().enumerate() {
            let root = index(&mut pages, &table.rows, columns)?;
            let name = format!("sqlite_autoindex_{}_{}", table.name, k + 1);
            schema.push(entry("index", &name, table.name, root, None));
        }
    }
    let cells: Vec<Vec<u8>> = schema
        .iter()
        .enumerate()
        .map(|(k, values)| leaf_cell(&mut pages, k as i64 + 1, record(values)))
        .collect();
    let used: usize = cells.iter().map(|cell| cell.len() + 2).sum();
    if used + 108 > PAGE {
        return Err("its tables' definitions do not fit one page".into());
    }
    let mut first = header(pages.len(), &identity);
    first.resize(PAGE, 0);
    fill_page(&mut first, 100, 0x0d, None, &cells);
    pages[0] = first;
    Ok(pages.concat())
}

fn entry(kind: &str, name: &str, table: &str, root: usize, sql: Option<&str>) -> Vec<Value> {
    let text = |text: &str| Value::Text(text.into());
    vec![
        text(kind),
        text(name),
        text(table),
        Value::Integer(root as i64),
        sql.map_or(Value::Null, text),
    ]
}

fn header(pages: usize, identity: &Identity) -> Vec<u8> {
    let mut header = b"SQLite format 3\0".to_vec();
    header.extend((PAGE as u16).to_be_bytes());
    // Versions of the format, no reserved bytes, and three shares that are fixed.
    header.extend([1, 1, 0, 64, 32, 32]);
    let numbers = [
        1,
        pages as u32,
        0,
        0,
        1,
        4,
        0,
        0,
        1,
        identity.version,
        0,
        identity.application,
    ];
    header.extend(numbers.into_iter().flat_map(u32::to_be_bytes));
    header.resize(92, 0);
    header.extend(1_u32.to_be_bytes());
    header.extend(SQLITE_VERSION.to_be_bytes());
    header
}

/// Writes a table's rows; returns the number of its root page.
fn tree(pages: &mut Vec<Vec<u8>>, rows: Vec<(i64, Vec<u8>)>) -> usize {
    let cells: Vec<(i64, Vec<u8>)> = rows
        .into_iter()
        .map(|(number, payload)| (number, leaf_cell(pages, number, payload)))
        .collect();
    let mut level: Vec<(i64, usize)> = Vec::new();
    for group in grouped(&cells, 8) {
        let last = group.last().map_or(0, |(number, _)| *number);
        let cells: Vec<Vec<u8>> = group.iter().map(|(_, cell)| cell.clone()).collect();
        level.push((last, push_page(pages, 0x0d, None, &cells)));
    }
    while level.len() > 1 {
        let cells: Vec<(i64, Vec<u8>)> = level
            .iter()
            .map(|(key, page)| {
                let mut cell = (*page as u32).to_be_bytes().to_vec();
                cell.extend(varint(*key));
                (*key, cell)
            })
            .collect();
        let mut above = Vec::new();
        for group in grouped(&cells, 12) {
            let Some(((last, right), others)) = group.split_last() else {
                continue;
            };
            let right = u32::from_be_bytes([right[0], right[1], right[2], right[3]]);
            let cells: Vec<Vec<u8>> = others.iter().map(|(_, cell)| cell.clone()).collect();
            above.push((*last, push_page(pages, 0x05, Some(right), &cells)));
        }
        level = above;
    }
    level
        .first()
        .map_or_else(|| push_page(pages, 0x0d, None, &[]), |(_, page)| *page)
}

/// Cells that fit one page together.
fn grouped(cells: &[(i64, Vec<u8>)], header: usize) -> Vec<&[(i64, Vec<u8>)]> {
    let mut groups = Vec::new();
    let (mut start, mut used) = (0, header);
    for (k, (_, cell)) in cells.iter().enumerate() {
        if used + cell.len() + 2 > PAGE {
            groups.push(&cells[start..k]);
            (start, used) = (k, header);
        }
        used += cell.len() + 2;
    }
    if start < cells.len() {
        groups.push(&cells[start..]);
    }
    groups
}

fn push_page(pages: &mut Vec<Vec<u8>>, kind: u8, right: Option<u32>, cells: &[Vec<u8>]) -> usize {
    let mut page = vec![0; PAGE];
    fill_page(&mut page, 0, kind, right, cells);
    pages.push(page);
    pages.len()
}

fn fill_page(page: &mut [u8], start: usize, kind: u8, right: Option<u32>, cells: &[Vec<u8>]) {
    let mut end = PAGE;
    let pointers = start + if right.is_some() { 12 } else { 8 };
    for (k, cell) in cells.iter().enumerate() {
        end -= cell.len();
        page[end..end + cell.len()].copy_from_slice(cell);
        page[pointers + 2 * k..][..2].copy_from_slice(&(end as u16).to_be_bytes());
    }
    page[start] = kind;
    page[start + 3..start + 5].copy_from_slice(&(cells.len() as u16).to_be_bytes());
    page[start + 5..start + 7].copy_from_slice(&(end as u16).to_be_bytes());
    if let Some(right) = right {
        page[start + 8..start + 12].copy_from_slice(&right.to_be_bytes());
    }
}

/// A row on a leaf; what is too much for it goes to pages of its own.
fn leaf_cell(pages: &mut Vec<Vec<u8>>, number: i64, payload: Vec<u8>) -> Vec<u8> {
    let mut cell = varint(payload.len() as i64);
    cell.extend(varint(number));
    let local = local_bytes(payload.len(), PAGE, false);
    cell.extend(&payload[..local]);
    let rest: Vec<&[u8]> = payload[local..].chunks(PAGE - 4).collect();
    if !rest.is_empty() {
        cell.extend((pages.len() as u32 + 1).to_be_bytes());
    }
    for (k, chunk) in rest.iter().enumerate() {
        let next = if k + 1 < rest.len() {
            pages.len() as u32 + 2
        } else {
            0
        };
        let mut page = next.to_be_bytes().to_vec();
        page.extend(*chunk);
        page.resize(PAGE, 0);
        pages.push(page);
    }
    cell
}

/// An index of a few rows, in one page.
fn index(
    pages: &mut Vec<Vec<u8>>,
    rows: &[(i64, Vec<Value>)],
    columns: &[usize],
) -> Result<usize, String> {
    let key = |values: &[Value]| -> Vec<String> {
        columns
            .iter()
            .map(|c| values[*c].text().unwrap_or_default().to_string())
            .collect()
    };
    let mut sorted: Vec<(Vec<String>, i64)> = rows
        .iter()
        .map(|(number, values)| (key(values), *number))
        .collect();
    sorted.sort();
    let cells: Vec<Vec<u8>> = sorted
        .into_iter()
        .map(|(key, number)| {
            let mut values: Vec<Value> = key.into_iter().map(Value::Text).collect();
            values.push(Value::Integer(number));
            let payload = record(&values);
            let mut cell = varint(payload.len() as i64);
            cell.extend(payload);
            cell
        })
        .collect();
    let used: usize = cells.iter().map(|cell| cell.len() + 2).sum();
    if used + 8 > PAGE
        || cells
            .iter()
            .any(|cell| cell.len() > local_bytes(PAGE, PAGE, true))
    {
        return Err("an index does not fit one page".into());
    }
    Ok(push_page(pages, 0x0a, None, &cells))
}

fn record(values: &[Value]) -> Vec<u8> {
    let (mut kinds, mut body) = (Vec::new(), Vec::new());
    for value in values {
        let kind = match value {
            Value::Null => 0,
            Value::Integer(0) => 8,
            Value::Integer(1) => 9,
            Value::Integer(number) => {
                body.extend(number.to_be_bytes());
                6
            }
            Value::Real(number) => {
                body.extend(number.to_be_bytes());
                7
            }
            Value::Text(text) => {
                body.extend(text.bytes());
                2 * text.len() as i64 + 13
            }
            Value::Blob(bytes) => {
                body.extend(bytes);
                2 * bytes.len() as i64 + 12
            }
        };
        kinds.extend(varint(kind));
    }
    // The header counts its own length.
    let mut length = kinds.len() + 1;
    if varint(length as i64).len() > 1 {
        length += 1;
    }
    let mut bytes = varint(length as i64);
    bytes.extend(kinds);
    bytes.extend(body);
    bytes
}

fn varint(number: i64) -> Vec<u8> {
    let number = number as u64;
    if number >> 56 != 0 {
        // Eight bytes of seven bits, then one of eight.
        let mut bytes: Vec<u8> = (0..8)
            .map(|k| 0x80 | ((number >> (8 + 7 * (7 - k))) & 0x7f) as u8)
            .collect();
        bytes.push(number as u8);
        return bytes;
    }
    let mut bytes = vec![(number & 0x7f) as u8];
    let mut rest = number >> 7;
    while rest > 0 {
        bytes.insert(0, 0x80 | (rest & 0x7f) as u8);
        rest >>= 7;
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::super::Database;
    use super::*;

    #[test]
    fn what_is_written_is_read_again() {
        // Enough rows for two levels of pages, and blobs that do not fit one.
        let row = |number: i64| {
            let blob = vec![number as u8; if number % 100 == 3 { 20_000 } else { 60 }];
            (
                number,
                vec![
                    Value::Null,
                    Value::Real(0.5 * number as f64),
                    Value::Text(format!("row {number}")),
                    Value::Blob(blob),
                ],
            )
        };
        let rows: Vec<_> = (-3..2000).map(row).collect();
        let table = Table {
            name: "things",
            sql: "CREATE TABLE things (id INTEGER PRIMARY KEY, depth REAL, name TEXT, shape BLOB)"
                .into(),
            rows: rows.clone(),
            indices: Vec::new(),
        };
        let bytes = encode(
            &[table],
            Identity {
                application: 1,
                version: 2,
            },
        )
        .unwrap();
        let database = Database::open(&bytes).unwrap();
        let found = database.table("Things").unwrap();
        assert_eq!(found.len(), rows.len());
        for (found, (number, values)) in found.iter().zip(&rows) {
            assert_eq!((found.number, &found.values), (*number, values));
        }
        assert!(database.table("others").is_err());
        for cut in [0, 50, 5000, bytes.len() / 2] {
            let cut = Database::open(&bytes[..cut]).and_then(|database| database.table("things"));
            assert!(cut.is_err());
        }
    }
}
