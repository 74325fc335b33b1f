//! The keys that a document may have, from the schema of what is read from it.

use schemars::{JsonSchema, schema_for};
use serde_json::Value as Json;
use std::collections::BTreeMap;
use std::fmt;
use toml::{Table, Value};

/// Keys and what they mean, table by table.
#[derive(Debug, Clone, Default)]
pub struct Keys(BTreeMap<String, Key>);

/// One key.
#[derive(Debug, Clone, Default)]
pub(super) struct Key {
    /// What it means, without the marks of rustdoc.
    pub(super) meaning: String,
    /// A value for whoever wants to set it, where it has none by default.
    pub(super) example: Option<Json>,
    /// The keys of a table.
    pub(super) inner: Option<Keys>,
}

/// A key that is not in the list.
pub(super) struct Unknown {
    /// With the tables it is in.
    pub(super) path: String,
    nearest: Option<String>,
}

impl Keys {
    /// The keys of a type.
    pub(super) fn of<T: JsonSchema>() -> Self {
        let schema = schema_for!(T).to_value();
        Self::in_schema(&schema, &schema)
    }

    /// The keys of several types.
    pub(super) fn union(parts: &[Self]) -> Self {
        Self(parts.iter().flat_map(|keys| keys.0.clone()).collect())
    }

    pub(super) fn has(&self, key: &str) -> bool {
        self.0.contains_key(key)
    }

    pub(super) fn get(&self, key: &str) -> Option<&Key> {
        self.0.get(key)
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (&String, &Key)> {
        self.0.iter()
    }

    pub(super) fn first_unknown(&self, table: &Table) -> Option<Unknown> {
        table.iter().find_map(|(name, value)| {
            let Some(key) = self.0.get(name) else {
                return Some(Unknown {
                    path: name.clone(),
                    nearest: self.nearest(name),
                });
            };
            let (Some(inner), Value::Table(table)) = (&key.inner, value) else {
                return None;
            };
            let unknown = inner.first_unknown(table)?;
            Some(Unknown {
                path: format!("{name}.{}", unknown.path),
                ..unknown
            })
        })
    }

    fn nearest(&self, name: &str) -> Option<String> {
        let keys = self.0.keys().map(String::as_str);
        transect::settings::nearest(name, keys).map(String::from)
    }

    fn in_schema(schema: &Json, root: &Json) -> Self {
        let properties = schema.get("properties").and_then(Json::as_object);
        let key = |(name, property): (&String, &Json)| {
            let target = resolved(property, root);
            let inner = target.get("properties").is_some();
            let key = Key {
                meaning: meaning(property, target),
                example: property.pointer("/examples/0").cloned(),
                inner: inner.then(|| Self::in_schema(target, root)),
            };
            (name.clone(), key)
        };
        Self(properties.into_iter().flatten().map(key).collect())
    }
}

impl fmt::Display for Unknown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.path.rsplit_once('.') {
            Some((table, key)) => write!(f, "unknown key `{key}` in [{table}]")?,
            None => write!(f, "unknown key `{}`", self.path)?,
        }
        match &self.nearest {
            Some(nearest) => write!(f, "; did you mean `{nearest}`?"),
            None => Ok(()),
        }
    }
}

/// Follows a reference to a named type.
fn resolved<'a>(schema: &'a Json, root: &'a Json) -> &'a Json {
    let reference = schema.get("$ref").and_then(Json::as_str);
    let pointer = reference.and_then(|r| r.strip_prefix('#'));
    pointer.and_then(|p| root.pointer(p)).unwrap_or(schema)
}

/// What the field's doc comment says, and what may be chosen from.
fn meaning(property: &Json, target: &Json) -> String {
    let description = property.get("description").or(target.get("description"));
    let text = description.and_then(Json::as_str).unwrap_or_default();
    let text = text.split("\n\n").next().unwrap_or_default();
    let names = choices(property).or_else(|| choices(target));
    match names {
        None => unlinked(text),
        Some(names) => {
            let text = unlinked(&without_list_names(text));
            format!("{text} One of: {}.", names.join(", "))
        }
    }
}

fn choices(schema: &Json) -> Option<Vec<String>> {
    let words = |list: &Vec<Json>| -> Option<Vec<String>> {
        let word = |item: &Json| item.get("const").unwrap_or(item).as_str().map(String::from);
        list.iter().map(word).collect()
    };
    let lists = ["enum", "oneOf"].map(|key| schema.get(key).and_then(Json::as_array));
    lists.into_iter().flatten().find_map(words)
}

/// `(one of [`KERNELS`])` is for readers of rustdoc; here the names themselves follow.
fn without_list_names(text: &str) -> String {
    match (text.find(" (one of ["), text.find("])")) {
        (Some(start), Some(end)) if start < end => {
            format!("{}{}", &text[..start], &text[end + 2..])
        }
        _ => text.into(),
    }
}

/// Without the brackets and addresses of links, on one line.
fn unlinked(text: &str) -> String {
    let mut plain = String::new();
    let mut rest = text;
    while let Some(start) = rest.find('[') {
        let (before, from) = rest.split_at(start);
        plain.push_str(before);
        let Some(end) = from.find(']') else {
            rest = from;
            break;
        };
        let (inside, after) = (&from[1..end], &from[end + 1..]);
        let is_link = inside.starts_with('`') || after.starts_with('(');
        match is_link {
            true => plain.push_str(inside.trim_matches('`')),
            false => plain.push_str(&from[..=end]),
        }
        let address = after.strip_prefix('(').filter(|_| is_link);
        rest = address
            .and_then(|a| a.split_once(')'))
            .map_or(after, |(_, after)| after);
    }
    plain.push_str(rest);
    plain.split_whitespace().collect::<Vec<_>>().join(" ")
}
