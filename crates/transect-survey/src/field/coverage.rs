//! When a map is good enough.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use transect::Error;
use transect::geometry::{Position, Workspace};
use transect::gp::Points;
use transect::inputs;
use transect::metrics::MetricError;
use transect::posterior::Posterior;
use transect::tour::Lattice;

use super::VoyageError;
use transect_field::FieldError;

/// The `[stop]` table: the survey ends when so much of the area is known so well.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct StopSettings {
    /// Standard deviation of the map that is good enough, m; the budget alone decides when left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(example = 0.2)]
    pub std_below_m: Option<f64>,
    /// The share of the area that must be known so well.
    pub share: f64,
}

impl Default for StopSettings {
    fn default() -> Self {
        Self {
            std_below_m: None,
            share: 0.95,
        }
    }
}

impl StopSettings {
    /// Refuses what can never or always be reached.
    pub fn validate(&self) -> Result<(), VoyageError> {
        let setting = |name, value, expected| {
            Err(FieldError::Setting {
                name,
                value,
                expected,
            }
            .into())
        };
        match self.std_below_m {
            Some(std) if !(std > 0.0 && std.is_finite()) => setting(
                "stop.std_below_m",
                std,
                "a positive, finite number is needed",
            ),
            _ if !(self.share > 0.0 && self.share <= 1.0) => setting(
                "stop.share",
                self.share,
                "a share above 0, at most 1, is needed",
            ),
            _ => Ok(()),
        }
    }
}

/// How well the area is known.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Knowledge {
    /// Root mean square of the map's standard deviation, m: the error to expect.
    pub expected_error_m: f64,
    /// The share of the area whose standard deviation is under the limit, if there is one.
    pub share: Option<f64>,
}

/// The places at which a map is asked how sure it is.
#[derive(Debug, Clone)]
pub struct Coverage {
    points: Points,
    settings: StopSettings,
}

impl Coverage {
    /// Where planners ask, too.
    ///
    /// # Errors
    /// If none of these places is inside.
    pub fn new(workspace: &Workspace, settings: StopSettings) -> Result<Self, Error> {
        let lattice = Lattice::over(workspace.bounds(), Lattice::ASKED);
        let inside = lattice.inside(workspace);
        let places: Vec<Position> = inside.iter().map(|&cell| lattice.place(cell)).collect();
        if places.is_empty() {
            return Err(MetricError::NothingToEvaluate { what: "the area" }.into());
        }
        Ok(Self {
            points: inputs::places(&places)?,
            settings,
        })
    }

    /// Asks what is known. None when that cannot be told.
    pub fn ask(&self, known: &dyn Posterior) -> Option<Knowledge> {
        let std = known.forecast(&self.points).ok()?.surface.moments().std;
        let count = std.len() as f64;
        let known = |limit: f64| std.iter().filter(|s| **s < limit).count() as f64 / count;
        Some(Knowledge {
            expected_error_m: (std.iter().map(|s| s * s).sum::<f64>() / count).sqrt(),
            share: self.settings.std_below_m.map(known),
        })
    }

    /// The map is as good as asked.
    pub fn is_enough(&self, knowledge: &Knowledge) -> bool {
        knowledge
            .share
            .is_some_and(|share| share >= self.settings.share)
    }
}
