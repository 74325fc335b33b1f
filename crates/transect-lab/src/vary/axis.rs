//! What a sweep varies: a setting of the mission and the values it takes.

use super::label;
use toml::{Table, Value};

/// A setting and its values.
#[derive(Debug, Clone, PartialEq)]
pub struct Axis {
    /// The setting's key in a mission document, `planner.name` say; [`CASE`] for several settings that go together.
    pub key: String,
    /// Its values.
    pub levels: Vec<Level>,
}

/// One value of a setting.
#[derive(Debug, Clone, PartialEq)]
pub struct Level {
    /// What it is called in tables and figures.
    pub label: String,
    /// The value; a table of settings for a case.
    pub value: Value,
}

/// The key of settings that go together.
pub const CASE: &str = "case";
/// The key that repeated runs differ in.
pub const SEED: &str = "seed";
/// The key of the surface.
pub const TERRAIN: &str = "terrain.source";

impl Axis {
    /// A setting with plain values.
    pub fn of<T: Into<Value>>(key: &str, values: impl IntoIterator<Item = T>) -> Self {
        let level = |value: T| {
            let value = value.into();
            Level {
                label: label::of(&value),
                value,
            }
        };
        Self {
            key: key.into(),
            levels: values.into_iter().map(level).collect(),
        }
    }

    /// The settings in a `[vary]` table, in its order.
    ///
    /// # Errors
    /// The key that is wrong, and why.
    pub fn in_table(table: &Table) -> Result<Vec<Self>, (String, String)> {
        let mut axes = Vec::new();
        for (key, value) in table {
            if key == CASE {
                axes.push(cases(value).map_err(|reason| (key.clone(), reason))?);
            } else {
                collect(key, value, &mut axes)?;
            }
        }
        for (i, axis) in axes.iter().enumerate() {
            let inside = |other: &&Self| other.key.starts_with(&format!("{}.", axis.key));
            if let Some(other) = axes.iter().find(inside) {
                let reason = format!(
                    "`{}` is a part of `{}`: vary one of them",
                    other.key, axis.key
                );
                return Err((other.key.clone(), reason));
            }
            let twice = |l: &&Level| axis.levels.iter().filter(|o| o.label == l.label).count() > 1;
            if let Some(level) = axes[i].levels.iter().find(twice) {
                return Err((axis.key.clone(), format!("{} is there twice", level.label)));
            }
        }
        Ok(axes)
    }
}

/// Lists are values to take, tables hold keys, anything else is the only value.
fn collect(key: &str, value: &Value, axes: &mut Vec<Axis>) -> Result<(), (String, String)> {
    match value {
        Value::Table(table) => {
            for (inner, value) in table {
                collect(&format!("{key}.{inner}"), value, axes)?;
            }
        }
        Value::String(text) if key == SEED => {
            let seeds = seeds(text).map_err(|reason| (key.to_string(), reason))?;
            axes.push(Axis::of(key, seeds));
        }
        Value::Array(values) if values.is_empty() => {
            return Err((key.into(), "there is no value in the list".into()));
        }
        Value::Array(values) => axes.push(Axis::of(key, values.clone())),
        single => axes.push(Axis::of(key, [single.clone()])),
    }
    Ok(())
}

/// Tables with a label and settings that go together.
fn cases(value: &Value) -> Result<Axis, String> {
    let wanted = "cases are tables with a label: [[vary.case]], label = \"...\", then settings";
    let tables = value.as_array().ok_or(wanted)?;
    let case = |value: &Value| {
        let mut table = value.as_table().ok_or(wanted)?.clone();
        match table.remove("label") {
            Some(Value::String(label)) if !label.is_empty() => Ok(Level {
                label,
                value: Value::Table(table),
            }),
            _ => Err(wanted.to_string()),
        }
    };
    let levels: Vec<Level> = tables.iter().map(case).collect::<Result<_, String>>()?;
    match levels.is_empty() {
        true => Err(wanted.into()),
        false => Ok(Axis {
            key: CASE.into(),
            levels,
        }),
    }
}

/// `0..9`, ends included.
fn seeds(text: &str) -> Result<Vec<i64>, String> {
    let ends = text.split_once("..");
    let parsed = ends.and_then(|(a, b)| Some((a.trim().parse().ok()?, b.trim().parse().ok()?)));
    match parsed {
        Some((first, last)) if 0 <= first && first <= last && last - first < 100_000 => {
            Ok((first..=last).collect())
        }
        _ => Err(format!("`{text}` is no range of seeds; \"0..9\" is")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn axes(text: &str) -> Result<Vec<Axis>, (String, String)> {
        Axis::in_table(&toml::from_str(text).unwrap())
    }

    #[test]
    fn lists_are_values_and_tables_are_keys() {
        let found = axes(
            "planner.name = [\"tour\", \"myopic\"]\nkernel = [{ name = \"rbf\" }, { name = \"ak\", components = 5 }]\n\
             seed = \"0..2\"\nboat.current_mps = [[0.0, 0.1]]",
        )
        .unwrap();
        let shown: Vec<(&str, Vec<&str>)> = found
            .iter()
            .map(|a| (&a.key[..], a.levels.iter().map(|l| &l.label[..]).collect()))
            .collect();
        let expected = [
            ("planner.name", vec!["tour", "myopic"]),
            ("kernel", vec!["rbf", "ak components=5"]),
            ("seed", vec!["0", "1", "2"]),
            ("boat.current_mps", vec!["[0.0, 0.1]"]),
        ];
        assert_eq!(shown, expected);
    }

    #[test]
    fn what_cannot_be_varied_is_named() {
        for (text, key) in [
            ("seed = []", "seed"),
            ("seed = \"9..0\"", "seed"),
            (
                "kernel = [{}]\nplanner.name = [\"a\", \"a\"]",
                "planner.name",
            ),
            ("case = [{ planner.name = \"tour\" }]", "case"),
        ] {
            assert_eq!(axes(text).unwrap_err().0, key, "{text}");
        }
        let (key, reason) = Axis::in_table(
            &[
                ("kernel".to_string(), Value::Array(vec!["a".into()])),
                ("kernel.name".to_string(), Value::Array(vec!["b".into()])),
            ]
            .into_iter()
            .collect(),
        )
        .unwrap_err();
        assert!(key == "kernel.name" && reason.contains("part of `kernel`"));
    }
}
