//! Which kernel, and how it starts.

use std::collections::BTreeMap;

use serde::de::Error as _;
use serde::ser::SerializeMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;
use transect_gp::kernel::{Choice, Kernel, Recipe, Setting, Start, recipes};
use transect_gp::random::{NetworkStart, Stream};

use super::names::nearest;
use super::{SettingError, at_least_one, positive};
use crate::Error;
use crate::inputs::DIMENSIONS;

/// Which kernel, and how it starts: its name, and those of its settings that are not as its recipe has them. Length-scales are in
/// scaled units: see [`InputScaling`](super::InputScaling).
///
/// ```
/// use transect::settings::KernelChoice;
/// let choice = KernelChoice::named("ak").with("components", 5);
/// choice.validate()?;
/// let refused = KernelChoice::named("rbf").with("components", 5).validate();
/// assert!(refused.unwrap_err().to_string().contains("`rbf` has amplitude, lengthscale"));
/// # Ok::<(), transect::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct KernelChoice {
    /// The kernel (one of [`kernel_names`]).
    pub name: String,
    /// What was set.
    set: BTreeMap<String, Value>,
}

/// Equal if they make the same kernel.
impl PartialEq for KernelChoice {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name && self.in_full() == other.in_full()
    }
}

/// The names of all kernels that a document may ask for.
pub fn kernel_names() -> Vec<&'static str> {
    let names = recipes().into_iter().flat_map(|recipe| recipe.names);
    names.copied().collect()
}

impl Default for KernelChoice {
    fn default() -> Self {
        Self::named("ak")
    }
}

impl KernelChoice {
    /// The kernel of this name as its recipe has it.
    pub fn named(name: &str) -> Self {
        Self {
            name: name.into(),
            set: BTreeMap::new(),
        }
    }

    /// The kernel of this name as the paper and the authors' program have it.
    pub fn paper(name: &str) -> Self {
        let choice = Self::named(name);
        match name {
            "gibbs" => choice.with("gibbs_exponent", "authors"),
            "dkl" => choice.with("components", 10),
            _ if name.starts_with("ak") => choice
                .with("components", 10)
                .with("min_lengthscale", 0.01)
                .with("max_lengthscale", 0.5)
                .with("spacing", "even")
                .with("base", "rbf"),
            _ => choice,
        }
    }

    /// The same with one setting changed.
    #[must_use]
    pub fn with(mut self, setting: &str, value: impl Into<Value>) -> Self {
        self.set.insert(setting.into(), value.into());
        self
    }

    /// The same with one setting changed, if the kernel has it.
    #[must_use]
    pub fn with_any(self, setting: &str, value: impl Into<Value>) -> Self {
        let has = |recipe: Recipe| recipe.settings.iter().any(|s| s.name() == setting);
        if self.recipe().is_ok_and(has) {
            return self.with(setting, value);
        }
        self
    }

    /// Refuses what no kernel can start with.
    ///
    /// # Errors
    /// If there is no such kernel or setting, or a value is out of range: the message names the key.
    pub fn validate(&self) -> Result<(), Error> {
        let recipe = self.recipe()?;
        for (name, value) in &self.set {
            let setting = recipe.settings.iter().find(|s| s.name() == name);
            self.check(&recipe, name, setting, value)?;
        }
        // Settings that do not go together show when the kernel is made.
        (recipe.build)(&self.choice(&recipe, DIMENSIONS), &mut Stream::new(0))?;
        Ok(())
    }

    fn check(
        &self,
        recipe: &Recipe,
        name: &str,
        setting: Option<&Setting>,
        value: &Value,
    ) -> Result<(), Error> {
        let Some(setting) = setting else {
            let names: Vec<&str> = recipe.settings.iter().map(Setting::name).collect();
            return Err(SettingError::NotOfKernel {
                name: name.into(),
                kernel: self.name.clone(),
                accepted: names.join(", "),
            }
            .into());
        };
        let number = || value.as_f64().unwrap_or(f64::NAN);
        match setting.start {
            Start::Positive(_) => positive(setting.key, number()),
            Start::Count(_) => {
                let count = value.as_u64().and_then(|n| usize::try_from(n).ok());
                at_least_one(setting.key, count.unwrap_or(0))
            }
            Start::Word(words) => {
                let word = value.as_str().unwrap_or_default();
                if words.contains(&word) {
                    return Ok(());
                }
                Err(Error::Setting(SettingError::UnknownName {
                    key: setting.key,
                    value: word.into(),
                    nearest: nearest(word, words.iter().copied()),
                    accepted: words.join(", "),
                }))
            }
        }
    }

    fn recipe(&self) -> Result<Recipe, Error> {
        let all = recipes();
        let found = all
            .iter()
            .find(|recipe| recipe.names.contains(&self.name.as_str()));
        found.copied().ok_or_else(|| {
            let names = kernel_names();
            Error::Setting(SettingError::UnknownName {
                key: "kernel.name",
                value: self.name.clone(),
                nearest: nearest(&self.name, names.iter().copied()),
                accepted: names.join(", "),
            })
        })
    }

    fn choice<'a>(&'a self, recipe: &Recipe, dimensions: usize) -> Choice<'a> {
        Choice {
            name: &self.name,
            dimensions,
            set: &self.set,
            settings: recipe.settings,
        }
    }

    /// The kernel for maps; `networks` gives the first weights of those that have a network.
    ///
    /// # Errors
    /// As [`KernelChoice::validate`].
    pub fn build(&self, networks: &mut dyn NetworkStart) -> Result<Box<dyn Kernel>, Error> {
        self.build_for(DIMENSIONS, networks)
    }

    /// The kernel for inputs of `dimensions` coordinates.
    ///
    /// # Errors
    /// As [`KernelChoice::validate`].
    pub fn build_for(
        &self,
        dimensions: usize,
        networks: &mut dyn NetworkStart,
    ) -> Result<Box<dyn Kernel>, Error> {
        self.validate()?;
        let recipe = self.recipe()?;
        Ok((recipe.build)(&self.choice(&recipe, dimensions), networks)?)
    }

    /// Every setting of the kernel with its value.
    fn in_full(&self) -> BTreeMap<String, Value> {
        let mut full = self.set.clone();
        for setting in self.recipe().map_or(&[][..], |recipe| recipe.settings) {
            let entry = full.entry(setting.name().into());
            entry.or_insert_with(|| setting.default());
        }
        full
    }

    /// Forgets settings of other kernels that are as those have them: what is left of a document in which only the name was
    /// changed.
    fn without_leftovers(mut self) -> Self {
        let Ok(own) = self.recipe() else {
            return self;
        };
        let others = recipes();
        let is_leftover = |name: &str, value: &Value| {
            let mut others = others.iter().flat_map(|recipe| recipe.settings);
            others.any(|setting| setting.name() == name && setting.default() == *value)
        };
        self.set.retain(|name, value| {
            own.settings.iter().any(|s| s.name() == name) || !is_leftover(name, value)
        });
        self
    }
}

/// With every setting, so that a record says what was used.
impl Serialize for KernelChoice {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let full = self.in_full();
        let mut map = to.serialize_map(Some(1 + full.len()))?;
        map.serialize_entry("name", &self.name)?;
        for (name, value) in &full {
            map.serialize_entry(name, value)?;
        }
        map.end()
    }
}

impl<'de> Deserialize<'de> for KernelChoice {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let mut set = BTreeMap::<String, Value>::deserialize(from)?;
        let name = match set.remove("name") {
            None => Self::default().name,
            Some(Value::String(name)) => name,
            Some(other) => {
                let expected = "a kernel's name in quotes";
                return Err(D::Error::custom(format!(
                    "name is {other}: {expected} is needed"
                )));
            }
        };
        Ok(Self { name, set }.without_leftovers())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_makes_a_kernel_in_both_profiles() {
        for name in kernel_names() {
            for choice in [KernelChoice::named(name), KernelChoice::paper(name)] {
                assert!(choice.build(&mut Stream::new(0)).is_ok(), "{name}");
                let json = serde_json::to_string(&choice).unwrap();
                assert!(json.contains("\"amplitude\":1.0"), "{json}");
                let read: KernelChoice = serde_json::from_str(&json).unwrap();
                assert_eq!(read, choice);
                read.validate().unwrap();
            }
        }
    }

    /// A document that shows every setting of one kernel, in which the name is changed.
    #[test]
    fn settings_that_nobody_set_do_not_stand_in_the_way_of_another_name() {
        let renamed = |choice: &KernelChoice| {
            let json = serde_json::to_string(choice).unwrap();
            let json = json.replacen("\"ak\"", "\"rbf\"", 1);
            serde_json::from_str::<KernelChoice>(&json).unwrap()
        };
        let ak = KernelChoice::default();
        assert_eq!(renamed(&ak), KernelChoice::named("rbf"));
        renamed(&ak).validate().unwrap();
        assert!(renamed(&ak.with("hidden", 7)).validate().is_err());
    }

    #[test]
    fn refusals_name_the_key() {
        let refused = |choice: KernelChoice, start: &str| {
            let message = choice.validate().unwrap_err().to_string();
            assert!(message.starts_with(start), "{message}");
        };
        let ak = KernelChoice::default;
        refused(
            KernelChoice::named("gibs"),
            "kernel.name is `gibs`: did you mean `gibbs`?",
        );
        refused(
            ak().with("base", "matern"),
            "kernel.base is `matern`: did you mean `matern",
        );
        refused(
            ak().with("amplitude", 0.0),
            "kernel.amplitude is 0: a positive",
        );
        refused(
            ak().with("max_lengthscale", 0.001),
            "kernel.max_lengthscale is 0.001: at least",
        );
        refused(ak().with("hidden", 0), "kernel.hidden is 0: at least 1");
        refused(
            KernelChoice::named("rbf").with("hidden", 3),
            "kernel.hidden is not a setting of this kernel: `rbf` has amplitude, lengthscale",
        );
    }
}
