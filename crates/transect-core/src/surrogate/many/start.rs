//! What a model of many readings begins with, and what its exact committee is made of.

use transect_gp::{GpError, InputScaler, Points, TargetScaler};

use super::cells::{Cells, Means};
use super::pings::Pings;
use crate::settings::{ErrorBars, TrainingSettings};

/// Most means that the exact committee has, and how many of them are followed by the next one along the track.
const COARSE: usize = 384;
const FOLLOWED: usize = 3;

/// What a model begins with.
pub(super) struct Start {
    pub(super) settings: TrainingSettings,
    pub(super) readings: Vec<f64>,
    pub(super) pings: Pings,
    pub(super) cells: Cells,
    /// Whether the kernels come with parameters that were learnt.
    pub(super) is_taught: bool,
}

impl Start {
    pub(super) fn of(
        settings: &TrainingSettings,
        (places, readings): (&Points, &[f64]),
        inputs: &InputScaler,
        targets: TargetScaler,
    ) -> Result<Self, GpError> {
        require_readings(places, readings)?;
        let mut start = Self {
            settings: *settings,
            readings: readings.to_vec(),
            pings: Pings::default(),
            cells: Cells::new(inputs.clone()),
            is_taught: true,
        };
        start.cells.add(places, readings)?;
        let scaled = inputs.scale(places)?;
        let changed = start.pings.add((places, &scaled), readings, targets.unit());
        if settings.ignore_outliers {
            for one in changed {
                let number = readings.len() - 1 - one.ago;
                start
                    .cells
                    .set_counts(number, (&one.place, one.value), false);
            }
        }
        Ok(start)
    }

    /// Takes outliers that another model found out of the means too.
    pub(super) fn ignore(
        &mut self,
        outliers: impl Iterator<Item = bool>,
        places: &Points,
        readings: &[f64],
    ) {
        for number in outliers.enumerate().filter_map(|(i, is)| is.then_some(i)) {
            let reading = (&places.row(number)[..], readings[number]);
            self.cells.set_counts(number, reading, false);
        }
    }

    pub(super) fn coarse(&self) -> Result<(Points, Vec<f64>), GpError> {
        coarse_data(&self.cells.means()?, self.cells.inputs(), self.cells.side())
    }
}

/// The exact committee looks at no errors of its own: these are the processes' business.
pub(super) fn coarse_settings(settings: &TrainingSettings) -> TrainingSettings {
    TrainingSettings {
        error_bars: ErrorBars::Kernels,
        ignore_outliers: false,
        ..*settings
    }
}

/// Some of the means: spread over the survey, and after every third of them the next along the track, so that short distances are
/// seen too.
pub(super) fn coarse_data(
    means: &Means,
    inputs: &InputScaler,
    side: f64,
) -> Result<(Points, Vec<f64>), GpError> {
    let most = COARSE * FOLLOWED / (FOLLOWED + 1);
    let mut chosen = means.spread(inputs, side, most)?;
    let next = chosen.iter().step_by(FOLLOWED).map(|i| i + 1);
    let next: Vec<usize> = next.filter(|i| *i < means.values.len()).collect();
    chosen.extend(next);
    chosen.sort_unstable();
    chosen.dedup();
    let rows: Vec<f64> = chosen.iter().flat_map(|i| means.places.row(*i)).collect();
    let values = chosen.iter().map(|i| means.values[*i]).collect();
    Ok((Points::from_flat(means.places.dim(), &rows)?, values))
}

pub(super) fn require_readings(places: &Points, readings: &[f64]) -> Result<(), GpError> {
    if places.len() != readings.len() {
        return Err(GpError::Length {
            what: "readings".into(),
            expected: places.len(),
            got: readings.len(),
        });
    }
    match readings.iter().position(|value| !value.is_finite()) {
        None => Ok(()),
        Some(index) => Err(GpError::NotFinite {
            what: "reading",
            index,
            value: readings[index],
        }),
    }
}
