//! Axes: ranges of values, where their ticks go, and the frame they make around a plot.

mod frame;
mod range;
mod ticks;

pub(crate) use frame::{Frame, TICK_SIZE, exponent_label, label_width};
pub use range::Range;
pub use ticks::{Tick, Ticks};

use crate::error::PlotError;

/// How an axis lays out its values.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) enum Spacing {
    #[default]
    Linear,
    Log,
    /// Names at 0, 1, 2, ...
    Names(Vec<String>),
}

/// What an axis shows: the quantity, its unit, its spacing and, if it should not follow the data, its range.
///
/// ```
/// use transect_plot::Axis;
/// let error = Axis::new("SMSE").log();
/// let easting = Axis::new("Easting").unit("m").range(0.0, 500.0).expect("an increasing range");
/// # let _ = (error, easting);
/// ```
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Axis {
    pub(crate) quantity: String,
    pub(crate) unit: String,
    pub(crate) spacing: Spacing,
    pub(crate) fixed: Option<Range>,
}

impl Axis {
    /// An axis for `quantity`, linear and following the data.
    pub fn new(quantity: impl Into<String>) -> Self {
        Axis {
            quantity: quantity.into(),
            ..Axis::default()
        }
    }

    /// An axis whose positions 0, 1, 2, ... are named.
    pub fn names<S: Into<String>>(
        quantity: impl Into<String>,
        names: impl IntoIterator<Item = S>,
    ) -> Self {
        let names: Vec<String> = names.into_iter().map(Into::into).collect();
        let last = names.len().max(1) as f64 - 0.5;
        let fixed = Some(Range {
            low: -0.5,
            high: last,
        });
        Axis {
            quantity: quantity.into(),
            unit: String::new(),
            spacing: Spacing::Names(names),
            fixed,
        }
    }

    /// Sets the unit, shown in brackets after the quantity.
    pub fn unit(mut self, unit: impl Into<String>) -> Self {
        self.unit = unit.into();
        self
    }

    /// Makes equal ratios equally long. Values that are not positive are left out.
    pub fn log(mut self) -> Self {
        self.spacing = Spacing::Log;
        self
    }

    /// Fixes the range instead of following the data.
    pub fn range(mut self, low: f64, high: f64) -> Result<Self, PlotError> {
        self.fixed = Some(Range::new("axis", low, high)?);
        Ok(self)
    }

    /// The text along the axis.
    pub(crate) fn label(&self) -> String {
        label_with_unit(&self.quantity, &self.unit)
    }

    pub(crate) fn is_log(&self) -> bool {
        self.spacing == Spacing::Log
    }
}

impl From<&str> for Axis {
    fn from(quantity: &str) -> Self {
        Axis::new(quantity)
    }
}

/// "quantity (unit)", or either alone.
pub(crate) fn label_with_unit(quantity: &str, unit: &str) -> String {
    match (quantity.is_empty(), unit.is_empty()) {
        (_, true) => quantity.into(),
        (true, false) => unit.into(),
        (false, false) => format!("{quantity} ({unit})"),
    }
}
