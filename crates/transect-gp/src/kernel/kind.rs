//! Kernels by the names that documents and files give them: one list, which can be extended at run time.
//!
//! | file says | kernel | documents say |
//! |---|---|---|
//! | `stationary` | [`Stationary`](super::Stationary) | `rbf`, `matern12`, `matern32`, `matern52`, `rq` |
//! | `attentive` | [`Attentive`](super::Attentive) | `ak`, `ak-weight`, `ak-mask`, `ak-nnx2` |
//! | `gibbs` | [`Gibbs`](super::Gibbs) | `gibbs` |
//! | `deep` | [`Deep`](super::Deep) | `dkl` |
//! | `sum`, `product` | [`Sum`](super::Sum), [`Product`](super::Product) | |

use super::{Attentive, Deep, Gibbs, Kernel, Product, Stationary, Sum};
use crate::error::{GpError, Result};
use crate::random::NetworkStart;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::collections::BTreeMap;
use std::sync::{PoisonError, RwLock};

/// What a setting of a kernel may be, and what it is when nobody sets it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Start {
    /// A positive number.
    Positive(f64),
    /// A whole number of at least 1.
    Count(usize),
    /// The first of some words.
    Word(&'static [&'static str]),
}

/// A setting of a kernel.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Setting {
    /// As documents name it, with its table: `kernel.lengthscale`.
    pub key: &'static str,
    /// What it means, in a sentence.
    pub meaning: &'static str,
    /// What it may be.
    pub start: Start,
}

impl Setting {
    /// Its name without the table.
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.key.rsplit('.').next().unwrap_or(self.key)
    }

    /// What it is when nobody sets it.
    #[must_use]
    pub fn default(&self) -> Value {
        match self.start {
            Start::Positive(number) => number.into(),
            Start::Count(count) => count.into(),
            Start::Word(words) => words.first().copied().unwrap_or_default().into(),
        }
    }
}

/// How kernels of one type are made from the settings of a document.
#[derive(Debug, Clone, Copy)]
pub struct Recipe {
    /// The names that documents give them.
    pub names: &'static [&'static str],
    /// What can be set.
    pub settings: &'static [Setting],
    /// Makes one.
    pub build: fn(&Choice<'_>, &mut dyn NetworkStart) -> Result<Box<dyn Kernel>>,
}

/// A kernel that a document chose.
#[derive(Debug, Clone, Copy)]
pub struct Choice<'a> {
    /// One of the recipe's names.
    pub name: &'a str,
    /// Coordinates of the inputs.
    pub dimensions: usize,
    /// What was set; the rest is as the recipe has it.
    pub set: &'a BTreeMap<String, Value>,
    /// The recipe's settings.
    pub settings: &'static [Setting],
}

impl Choice<'_> {
    /// The number that a setting has.
    ///
    /// # Errors
    /// If there is no such setting, or it is not a positive number.
    pub fn number(&self, name: &str) -> Result<f64> {
        let value = self.value(name)?;
        let number = value.as_f64().filter(|n| *n > 0.0 && n.is_finite());
        number.ok_or_else(|| refuse(name, &value, "a positive, finite number is needed"))
    }

    /// The count that a setting has.
    ///
    /// # Errors
    /// If there is no such setting, or it is not a whole number of at least 1.
    pub fn count(&self, name: &str) -> Result<usize> {
        let value = self.value(name)?;
        let count = value.as_u64().filter(|n| *n > 0);
        let count = count.and_then(|n| usize::try_from(n).ok());
        count.ok_or_else(|| refuse(name, &value, "a whole number of at least 1 is needed"))
    }

    /// The word that a setting has.
    ///
    /// # Errors
    /// If there is no such setting, or it is no text.
    pub fn word(&self, name: &str) -> Result<String> {
        let value = self.value(name)?;
        let word = value.as_str().map(String::from);
        word.ok_or_else(|| refuse(name, &value, "a word in quotes is needed"))
    }

    fn value(&self, name: &str) -> Result<Value> {
        if let Some(value) = self.set.get(name) {
            return Ok(value.clone());
        }
        let setting = self.settings.iter().find(|s| s.name() == name);
        setting.map(Setting::default).ok_or_else(|| {
            GpError::Setting(format!(
                "the kernel `{}` has no setting `{name}`",
                self.name
            ))
        })
    }
}

fn refuse(name: &str, value: &Value, accepted: &str) -> GpError {
    GpError::Setting(format!("kernel.{name} is {value}: {accepted}"))
}

/// A type of kernel.
#[derive(Debug, Clone, Copy)]
pub struct Kind {
    /// What [`Kernel::name`] says, and files.
    pub name: &'static str,
    /// Makes one from its structure, as [`Kernel::structure`] wrote it.
    pub load: fn(Value) -> Result<Box<dyn Kernel>>,
    /// How documents ask for one, if they may.
    pub recipe: Option<Recipe>,
}

/// Every kernel of this crate. A new one is one file and one line here, or [`register`] from outside.
const KINDS: &[Kind] = &[
    Kind::new::<Stationary>("stationary", Some(super::stationary::RECIPE)),
    Kind::new::<Attentive>("attentive", Some(super::attentive::RECIPE)),
    Kind::new::<Gibbs>("gibbs", Some(super::gibbs::RECIPE)),
    Kind::new::<Deep>("deep", Some(super::deep::RECIPE)),
    Kind::new::<Sum>("sum", None),
    Kind::new::<Product>("product", None),
];

static ADDED: RwLock<Vec<Kind>> = RwLock::new(Vec::new());

impl Kind {
    /// A kernel that serde reads from its structure.
    #[must_use]
    pub const fn new<K: Kernel + DeserializeOwned + 'static>(
        name: &'static str,
        recipe: Option<Recipe>,
    ) -> Self {
        Self {
            name,
            load: load::<K>,
            recipe,
        }
    }
}

fn load<K: Kernel + DeserializeOwned + 'static>(structure: Value) -> Result<Box<dyn Kernel>> {
    let kernel: K = serde_json::from_value(structure)
        .map_err(|error| GpError::Model(format!("kernel structure: {error}")))?;
    Ok(Box::new(kernel))
}

/// Makes a kernel known by name, to documents and to files, for as long as the program runs.
///
/// # Errors
/// If one of its names is taken.
pub fn register(kind: Kind) -> Result<()> {
    let taken: Vec<&str> = kinds()
        .iter()
        .flat_map(|known| std::iter::once(known.name).chain(names_of(known)))
        .collect();
    let own = std::iter::once(kind.name).chain(names_of(&kind));
    if let Some(name) = own.into_iter().find(|name| taken.contains(name)) {
        return Err(GpError::Setting(format!(
            "a kernel called `{name}` is known already: register it under another name"
        )));
    }
    let mut added = ADDED.write().unwrap_or_else(PoisonError::into_inner);
    added.push(kind);
    Ok(())
}

fn names_of(kind: &Kind) -> impl Iterator<Item = &'static str> {
    kind.recipe.iter().flat_map(|recipe| recipe.names).copied()
}

/// All kernels there are.
#[must_use]
pub fn kinds() -> Vec<Kind> {
    let added = ADDED.read().unwrap_or_else(PoisonError::into_inner);
    KINDS.iter().chain(&*added).copied().collect()
}

/// All recipes there are.
#[must_use]
pub fn recipes() -> Vec<Recipe> {
    kinds().into_iter().filter_map(|kind| kind.recipe).collect()
}

/// Makes the kernel that a file calls `name`, with the given structure.
///
/// # Errors
/// If there is no such kernel, or the structure does not fit it.
pub fn by_name(name: &str, structure: Value) -> Result<Box<dyn Kernel>> {
    let kinds = kinds();
    let Some(kind) = kinds.iter().find(|kind| kind.name == name) else {
        let known: Vec<&str> = kinds.iter().map(|kind| kind.name).collect();
        return Err(GpError::UnknownKernel {
            name: name.into(),
            known: known.join(", "),
        });
    };
    (kind.load)(structure)
}
