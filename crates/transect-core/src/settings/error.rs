//! What can be wrong with a setting.

/// Why a setting is refused.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SettingError {
    /// A setting is out of its range.
    #[error("{name} is {value}: {accepted}")]
    OutOfRange {
        /// The setting, as spelled in configuration.
        name: &'static str,
        /// The value it got.
        value: f64,
        /// What would be accepted.
        accepted: &'static str,
    },

    /// A budget that limits nothing.
    #[error("the budget limits nothing: set soundings, distance_m or time_s")]
    UnlimitedBudget,

    /// A name that is not in a list.
    #[error("{key} is `{value}`: {}accepted are {accepted}", hint(nearest))]
    UnknownName {
        /// The setting, as spelled in configuration.
        key: &'static str,
        /// The value it got.
        value: String,
        /// The names there are.
        accepted: String,
        /// The one that looks most like it.
        nearest: Option<&'static str>,
    },

    /// A setting that a kernel does not have.
    #[error("kernel.{name} is not a setting of this kernel: `{kernel}` has {accepted}")]
    NotOfKernel {
        /// The setting.
        name: String,
        /// The kernel.
        kernel: String,
        /// The settings it has.
        accepted: String,
    },

    /// A name that is registered already.
    #[error("{key} `{name}` is taken: register it under another name")]
    NameTaken {
        /// The setting that names one of the list.
        key: &'static str,
        /// The name.
        name: &'static str,
    },
}

fn hint(nearest: &Option<&'static str>) -> String {
    nearest.map_or_else(String::new, |name| format!("did you mean `{name}`? "))
}
