//! Names for readers, and the look each kernel has in every figure.

use crate::experiment::{KERNELS, Profile};
use transect_plot::palette::{self, SeriesStyle};

/// How the elevation's unit is written: the files do not name one (most are browse images, with grey levels).
pub(super) const RAW: &str = "raw units";

/// A kernel's name in figures and tables.
pub(super) fn kernel(name: &str) -> String {
    match name {
        "rbf" => "RBF".into(),
        "ak" => "AK".into(),
        "gibbs" => "Gibbs".into(),
        "dkl" => "DKL".into(),
        "rbf-wiggly" => "RBF, wiggly".into(),
        "rbf-smooth" => "RBF, over-smoothed".into(),
        "ak-weight" => "AK (weight)".into(),
        "ak-mask" => "AK (mask)".into(),
        "ak-nnx2" => "AK (NNx2)".into(),
        other => other.into(),
    }
}

/// The look of a kernel; those the paper does not have take what is left, in their order in the figure.
pub(super) fn style(kernel: &str, place: usize) -> SeriesStyle {
    let known = KERNELS.iter().position(|name| *name == kernel);
    palette::series(known.unwrap_or(KERNELS.len() + place))
}

/// A strategy's name in headings.
pub(super) fn strategy(name: &str) -> String {
    match name {
        "random" => "Random sampling".into(),
        "active" => "Active sampling".into(),
        "myopic" => "Informative planning (myopic)".into(),
        other => format!("Strategy {other}"),
    }
}

/// A terrain's name in headings.
pub(super) fn terrain(name: &str) -> String {
    match name {
        "helens" => "Mount St. Helens".into(),
        other => other.into(),
    }
}

/// A profile's name in headings.
pub(super) fn profile(profile: Profile) -> &'static str {
    match profile {
        Profile::Paper => "As the paper",
        Profile::Default => "Our defaults",
    }
}

/// The heading of a profile's section.
pub(super) fn heading(of: Profile, text: &str) -> String {
    format!("{} \u{b7} {text}", profile(of))
}

/// A metric's name in figures and tables.
pub(super) fn metric(name: &str) -> String {
    name.to_uppercase()
}

/// A number with a true minus sign.
pub(super) fn number(value: f64, digits: usize) -> String {
    format!("{value:.digits$}").replace('-', "\u{2212}")
}

/// A number that always shows its sign.
pub(super) fn signed(value: f64, digits: usize) -> String {
    format!("{value:+.digits$}").replace('-', "\u{2212}")
}

/// `a`, `a and b`, `a, b and c`.
pub(super) fn listed(names: &[String]) -> String {
    match names {
        [] => String::new(),
        [one] => one.clone(),
        [most @ .., last] => format!("{} and {last}", most.join(", ")),
    }
}
