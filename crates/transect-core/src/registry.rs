//! Lists of things by name that can be extended at run time.

use std::sync::{PoisonError, RwLock};

use crate::Error;
use crate::settings::SettingError;
use crate::settings::nearest;

/// Things by name: those of this workspace, and those that somebody registers before a mission names them.
///
/// ```
/// use transect::registry::Registry;
/// static COLOURS: Registry<u32> = Registry::new("colour", &[("red", 0xff0000)]);
/// COLOURS.register("blue", 0x0000ff)?;
/// assert_eq!(COLOURS.get("blue")?, 0x0000ff);
/// let message = COLOURS.get("bleu").unwrap_err().to_string();
/// assert_eq!(message, "colour is `bleu`: did you mean `blue`? accepted are red, blue");
/// assert!(COLOURS.register("red", 0).is_err());
/// # Ok::<(), transect::Error>(())
/// ```
#[derive(Debug)]
pub struct Registry<T: 'static> {
    key: &'static str,
    built_in: &'static [(&'static str, T)],
    added: RwLock<Vec<(&'static str, T)>>,
}

impl<T: Copy + 'static> Registry<T> {
    /// A list of what is known from the start; `key` is the setting that names an entry.
    #[must_use]
    pub const fn new(key: &'static str, built_in: &'static [(&'static str, T)]) -> Self {
        Self {
            key,
            built_in,
            added: RwLock::new(Vec::new()),
        }
    }

    /// Adds one more, for as long as the program runs.
    ///
    /// # Errors
    /// If the name is taken.
    pub fn register(&self, name: &'static str, entry: T) -> Result<(), Error> {
        let mut added = self.added.write().unwrap_or_else(PoisonError::into_inner);
        let taken = |known: &(&'static str, T)| known.0 == name;
        if self.built_in.iter().chain(&*added).any(taken) {
            return Err(SettingError::NameTaken {
                key: self.key,
                name,
            }
            .into());
        }
        added.push((name, entry));
        Ok(())
    }

    /// All there are, in the order they were added.
    #[must_use]
    pub fn entries(&self) -> Vec<(&'static str, T)> {
        let added = self.added.read().unwrap_or_else(PoisonError::into_inner);
        self.built_in.iter().chain(&*added).copied().collect()
    }

    /// All names.
    #[must_use]
    pub fn names(&self) -> Vec<&'static str> {
        self.entries().into_iter().map(|(name, _)| name).collect()
    }

    /// The one called `name`.
    ///
    /// # Errors
    /// If there is none: the message names the key, what was given and the nearest name.
    pub fn get(&self, name: &str) -> Result<T, Error> {
        let entries = self.entries();
        if let Some((_, found)) = entries.iter().find(|(known, _)| *known == name) {
            return Ok(*found);
        }
        let names = entries.iter().map(|(known, _)| *known);
        Err(Error::Setting(SettingError::UnknownName {
            key: self.key,
            value: name.into(),
            nearest: nearest(name, names.clone()),
            accepted: names.collect::<Vec<_>>().join(", "),
        }))
    }
}
