//! How wide error bars should be: a pure function of the errors of left-out readings and of their places.
//!
//! [`Residuals`] in, an [`ErrorScale`] out; what it makes of predicted standard deviations is applied to predictions and
//! never learnt from. A planner decides for itself whether to look at it.
//!
//! | file | what |
//! |---|---|
//! | `error_scale` | by how much standard deviations are multiplied, and where; the tails of what is left |
//! | `growth` | how errors grow with predicted standard deviations |
//! | `hull` | which places lie beyond the outermost readings |
//! | `local` | errors that differ from place to place |
//! | `spread` | how far readings are from each other, and the map from readings |

mod error_scale;
mod growth;
mod hull;
mod local;
mod spread;

pub(crate) use error_scale::{ErrorScale, REACHES};
pub(crate) use growth::{Residuals, far_level, levels};
pub(crate) use spread::{Spread, squared_distances};
