//! A document in which every setting is explained.

use super::schema::{Key, Keys};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value as Json;
use toml::{Table, Value};

/// Comments are broken at this column.
const WIDTH: usize = 100;

/// Settings with their values, and what they mean.
#[derive(Debug, Clone)]
pub struct Part {
    keys: Keys,
    values: Table,
}

impl Part {
    /// The part that these settings are.
    ///
    /// # Errors
    /// If a value does not exist in TOML: whole numbers of 2^63 and above.
    pub fn of<T: JsonSchema + Serialize>(settings: &T) -> Result<Self, toml::ser::Error> {
        Ok(Self {
            keys: Keys::of::<T>(),
            values: Table::try_from(settings)?,
        })
    }
}

/// The document of these parts, under a heading. Settings that are not set appear as comments, with an example.
pub fn commented(heading: &str, parts: &[Part]) -> String {
    let mut text = String::new();
    comment(heading, &mut text);
    let keys = Keys::union(&parts.iter().map(|p| p.keys.clone()).collect::<Vec<_>>());
    let mut values = Table::new();
    for part in parts {
        values.extend(part.values.clone());
    }
    // In TOML what stands below a table's name belongs to it: plain keys come first.
    write_keys(&keys, &values, &mut text);
    for (name, value) in &values {
        if let (Value::Table(table), Some(key)) = (value, keys.get(name))
            && let Some(inner) = &key.inner
        {
            text.push('\n');
            comment(&key.meaning, &mut text);
            text.push_str(&format!("[{name}]\n"));
            write_keys(inner, table, &mut text);
        }
    }
    text
}

fn write_keys(keys: &Keys, values: &Table, text: &mut String) {
    let is_plain = |key: &Key| key.inner.is_none();
    for (name, value) in values {
        let Some(key) = keys.get(name).filter(|key| is_plain(key)) else {
            continue;
        };
        text.push('\n');
        comment(&key.meaning, text);
        text.push_str(&format!("{name} = {value}\n"));
    }
    for (name, key) in keys.iter() {
        if is_plain(key) && !values.contains_key(name) {
            text.push('\n');
            comment(&key.meaning, text);
            let example = key.example.clone().and_then(as_toml);
            let example = example.map_or_else(|| "...".into(), |e| e.to_string());
            text.push_str(&format!("# {name} = {example}\n"));
        }
    }
}

fn as_toml(example: Json) -> Option<Value> {
    Value::try_from(example).ok()
}

fn comment(meaning: &str, text: &mut String) {
    for paragraph in meaning.lines() {
        let mut line = String::from("#");
        for word in paragraph.split_whitespace() {
            if line.len() + word.len() >= WIDTH {
                text.push_str(&line);
                text.push('\n');
                line = String::from("#");
            }
            line.push(' ');
            line.push_str(word);
        }
        text.push_str(&line);
        text.push('\n');
    }
}
