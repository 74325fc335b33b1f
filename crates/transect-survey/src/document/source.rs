//! A document as it was written, and where each key stands in it.

use super::schema::Keys;
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use toml::de::{DeTable, DeValue};
use toml::{Table, Value};
use transect::settings::SettingError;

/// Documents are written by people: larger ones are something else.
const MOST_BYTES: u64 = 16 << 20;

/// What is wrong with a document, and where: `mission.toml:12: ...`, `--set key=value: ...`.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{place}: {reason}")]
pub struct DocumentError {
    /// The file and line, or the flag.
    pub place: String,
    /// What is wrong.
    pub reason: String,
}

/// A document's settings and where each came from.
///
/// ```
/// use transect::settings::MissionSettings;
/// use transect_survey::document::Source;
/// let mut source = Source::parse("mission.toml", "seed = 3\n\n[planner]\ncandidats = 7")?;
/// let error = source.check_keys(&[Source::keys::<MissionSettings>()]).unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "mission.toml:4: unknown key `candidats` in [planner]; did you mean `candidates`?"
/// );
/// # Ok::<(), transect_survey::document::DocumentError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Source {
    name: String,
    folder: PathBuf,
    table: Table,
    /// The place of every key, by its path (`planner.candidates`).
    places: BTreeMap<String, String>,
}

impl Source {
    /// Reads a file.
    ///
    /// # Errors
    /// If it cannot be read or is not TOML.
    pub fn read(path: &Path) -> Result<Self, DocumentError> {
        let refuse = |reason: String| DocumentError {
            place: path.display().to_string(),
            reason,
        };
        let system = |error: std::io::Error| refuse(error.to_string());
        if std::fs::metadata(path).map_err(system)?.len() > MOST_BYTES {
            return Err(refuse("it is too large for a document".into()));
        }
        let bytes = std::fs::read(path).map_err(system)?;
        let text = String::from_utf8(bytes).map_err(|error| {
            let good = error.utf8_error().valid_up_to();
            let line = 1 + error.as_bytes()[..good]
                .iter()
                .filter(|b| **b == b'\n')
                .count();
            refuse(format!("line {line} is not UTF-8 text"))
        })?;
        let mut source = Self::parse(&path.display().to_string(), &text)?;
        source.folder = path.parent().map(Path::to_owned).unwrap_or_default();
        Ok(source)
    }

    /// Takes the text of a document called `name`.
    ///
    /// # Errors
    /// If it is not TOML.
    pub fn parse(name: &str, text: &str) -> Result<Self, DocumentError> {
        let refuse = |error: toml::de::Error| {
            let line = error.span().map(|span| line_of(text, span.start));
            DocumentError {
                place: line.map_or(name.into(), |line| format!("{name}:{line}")),
                reason: error.message().replace('\n', ", "),
            }
        };
        let spanned = DeTable::parse(text).map_err(refuse)?;
        let mut places = BTreeMap::new();
        note_places(spanned.get_ref(), "", &mut |path, start| {
            places.insert(path, format!("{name}:{}", line_of(text, start)));
        });
        Ok(Self {
            name: name.into(),
            folder: PathBuf::new(),
            table: toml::from_str(text).map_err(refuse)?,
            places,
        })
    }

    /// The folder that paths in the document start from.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Changes one key as a command line says, `planner.candidates=500`. A value that is not TOML is taken as text.
    ///
    /// # Errors
    /// If there is no `=`, or the key goes through something that is no table.
    pub fn set(&mut self, assignment: &str) -> Result<(), DocumentError> {
        self.assign(assignment, format!("--set {assignment}"))
    }

    /// As [`Source::set`], by another flag.
    ///
    /// # Errors
    /// As [`Source::set`].
    pub fn assign(&mut self, assignment: &str, flag: String) -> Result<(), DocumentError> {
        let refuse = |reason: String| DocumentError {
            place: flag.clone(),
            reason,
        };
        let Some((path, text)) = assignment.split_once('=') else {
            return Err(refuse(
                "a key and a value are needed, as in planner.candidates=500".into(),
            ));
        };
        let text = text.trim();
        let as_toml = toml::from_str::<Table>(&format!("value = {text}"));
        let value = as_toml.ok().and_then(|mut table| match table.len() {
            1 => table.remove("value"),
            _ => None,
        });
        self.put(path, value.unwrap_or_else(|| text.into()), flag)
    }

    /// Changes one key to a text, whatever it looks like.
    ///
    /// # Errors
    /// If the key goes through something that is no table.
    pub fn assign_text(
        &mut self,
        path: &str,
        text: &str,
        flag: String,
    ) -> Result<(), DocumentError> {
        self.put(path, text.into(), flag)
    }

    /// Changes one key to a value; errors about it are placed at `flag`.
    ///
    /// # Errors
    /// If the key goes through something that is no table.
    pub fn put(&mut self, path: &str, value: Value, flag: String) -> Result<(), DocumentError> {
        let refuse = |reason: String| DocumentError {
            place: flag.clone(),
            reason,
        };
        let path = path.trim();
        let keys: Vec<&str> = path.split('.').map(str::trim).collect();
        let Some((last, tables)) = keys.split_last().filter(|_| !keys.contains(&"")) else {
            return Err(refuse(format!("`{path}` is no key")));
        };
        let mut table = &mut self.table;
        for (depth, key) in tables.iter().enumerate() {
            if !table.contains_key(*key) {
                self.places.insert(keys[..=depth].join("."), flag.clone());
            }
            let entry = table
                .entry(*key)
                .or_insert_with(|| Value::Table(Table::new()));
            table = match entry {
                Value::Table(inner) => inner,
                _ => {
                    return Err(refuse(format!(
                        "`{key}` is a value and has no keys of its own"
                    )));
                }
            };
        }
        table.insert((*last).into(), value);
        self.places.insert(keys.join("."), flag);
        Ok(())
    }

    /// The value of a key such as `planner.candidates`, if the document has it.
    pub fn value(&self, path: &str) -> Option<&Value> {
        let mut keys = path.split('.');
        let first = self.table.get(keys.next()?)?;
        keys.try_fold(first, |value, key| value.as_table()?.get(key))
    }

    /// The table called `key` as a document of its own, empty if there is none; its keys keep their places.
    pub fn inner(&self, key: &str) -> Self {
        let prefix = format!("{key}.");
        let below = |(path, place): (&String, &String)| {
            Some((path.strip_prefix(&prefix)?.to_string(), place.clone()))
        };
        let table = self.table.get(key).and_then(Value::as_table);
        Self {
            name: self.place(key),
            folder: self.folder.clone(),
            table: table.cloned().unwrap_or_default(),
            places: self.places.iter().filter_map(below).collect(),
        }
    }

    /// The keys of a part.
    pub fn keys<T: JsonSchema>() -> Keys {
        Keys::of::<T>()
    }

    /// Refuses keys that no part has.
    ///
    /// # Errors
    /// The first such key, with the nearest one there is.
    pub fn check_keys(&self, parts: &[Keys]) -> Result<(), DocumentError> {
        let all = Keys::union(parts);
        match all.first_unknown(&self.table) {
            None => Ok(()),
            Some(unknown) => Err(self.refuse(&unknown.path, unknown.to_string())),
        }
    }

    /// Reads one part: the keys that belong to it.
    ///
    /// # Errors
    /// If a value is not what it should be.
    pub fn part<T: DeserializeOwned + JsonSchema>(&self) -> Result<T, DocumentError> {
        let keys = Keys::of::<T>();
        let mut own = self.table.clone();
        own.retain(|key, _| keys.has(key));
        serde_path_to_error::deserialize(Value::Table(own)).map_err(|error| {
            let path = error.path().to_string();
            let reason = plain(error.inner().message());
            match path.as_str() {
                "." | "" => self.refuse("", reason),
                path => self.refuse(path, format!("{path}: {reason}")),
            }
        })
    }

    /// An error about a key, at its place; about the whole document where it does not have the key.
    pub fn refuse(&self, path: &str, reason: String) -> DocumentError {
        DocumentError {
            place: self.place(path),
            reason,
        }
    }

    /// An error of the engine about a setting, at the setting's place.
    pub fn refuse_setting(&self, error: &transect::Error) -> DocumentError {
        let key = match error {
            transect::Error::Setting(SettingError::OutOfRange { name, .. }) => name,
            transect::Error::Setting(SettingError::UnknownName { key, .. }) => key,
            transect::Error::Setting(SettingError::UnlimitedBudget) => "budget",
            _ => "",
        };
        self.refuse(key, error.to_string())
    }

    /// Where a key stands; the whole document where it does not have the key.
    pub fn place(&self, path: &str) -> String {
        let mut path = path;
        loop {
            if let Some(place) = self.places.get(path) {
                return place.clone();
            }
            // An element stands where its list does, a key that is missing where its table does.
            match path.rfind(['.', '[']) {
                Some(end) => path = &path[..end],
                None => return self.name.clone(),
            }
        }
    }
}

fn note_places(table: &DeTable<'_>, above: &str, note: &mut dyn FnMut(String, usize)) {
    for (key, value) in table {
        let path = match above {
            "" => key.get_ref().to_string(),
            above => format!("{above}.{}", key.get_ref()),
        };
        if let DeValue::Table(inner) = value.get_ref() {
            note_places(inner, &path, note);
        }
        note(path, key.span().start);
    }
}

fn line_of(text: &str, byte: usize) -> usize {
    let before = text.as_bytes().iter().take(byte);
    1 + before.filter(|b| **b == b'\n').count()
}

/// Names of Rust's types mean little to whoever writes a document.
fn plain(message: &str) -> String {
    let mut text = message.trim().replace('\n', ", ");
    for (rust, words) in [
        ("expected usize", "a whole number, 0 or more, is needed"),
        ("expected u64", "a whole number, 0 or more, is needed"),
        ("expected f64", "a number is needed"),
        ("expected a boolean", "true or false is needed"),
        ("expected a string", "text in quotes is needed"),
        ("expected path string", "a file name in quotes is needed"),
    ] {
        text = text.replace(rust, words);
    }
    text
}
