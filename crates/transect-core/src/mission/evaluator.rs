//! Judges maps where the truth is known.

use transect_gp::{Points, Prediction};

use crate::Error;
use crate::geometry::{Position, Rect, Workspace};
use crate::inputs;
use crate::metrics::Evaluation;
use crate::metrics::MetricError;
use crate::posterior::{Forecasts, Posterior};

/// The places a map is judged at, and the truth there.
///
/// ```
/// use transect::geometry::{Rect, Workspace};
/// use transect::mission::Evaluator;
/// let workspace = Workspace::from(Rect::new(0.0, 4.0, 0.0, 1.0)?);
/// let evaluator = Evaluator::on_grid(&workspace, 5, 2, |at| (at.x > 0.0).then_some(at.x))?;
/// assert_eq!(evaluator.truth(), [1.0, 2.0, 3.0, 4.0, 1.0, 2.0, 3.0, 4.0]); // voids are left out
/// # Ok::<(), transect::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Evaluator {
    points: Points,
    truth: Vec<f64>,
}

impl Evaluator {
    /// A grid over the workspace's bounds, ends included, x running fastest. Places outside the workspace
    /// or without truth are left out.
    pub fn on_grid(
        workspace: &Workspace,
        columns: usize,
        rows: usize,
        truth: impl Fn(Position) -> Option<f64>,
    ) -> Result<Self, Error> {
        let (x, y) = axes(&workspace.bounds(), columns, rows);
        let known: Vec<(Position, f64)> = Self::places(workspace, columns, rows)
            .into_iter()
            .filter_map(|place| Some((place, truth(place)?)))
            .collect();
        let (places, truth): (Vec<Position>, Vec<f64>) = known.into_iter().unzip();
        if truth.is_empty() {
            return Err(MetricError::NothingToEvaluate { what: "truth" }.into());
        }
        // A whole grid is kept as such: the engine evaluates it much faster.
        let points = if truth.len() == x.len() * y.len() {
            inputs::grid(&x, &y)?
        } else {
            inputs::places(&places)?
        };
        Ok(Self { points, truth })
    }

    /// The places of such a grid, in the order in which [`Evaluator::on_grid`] asks for their truth.
    pub fn places(workspace: &Workspace, columns: usize, rows: usize) -> Vec<Position> {
        let (x, y) = axes(&workspace.bounds(), columns, rows);
        y.iter()
            .flat_map(|&y| x.iter().map(move |&x| Position::new(x, y)))
            .filter(|&place| workspace.contains(place))
            .collect()
    }

    /// The places.
    pub fn points(&self) -> &Points {
        &self.points
    }

    /// The truth there.
    pub fn truth(&self) -> &[f64] {
        &self.truth
    }

    /// Judges the map of what is known; `readings` are all values it was trained on. Log losses are those of measurements, as
    /// in the paper; calibration is that of the surface, since the truth has no noise.
    pub fn evaluate(
        &self,
        known: &dyn Posterior,
        readings: &[f64],
    ) -> Result<(Evaluation, Prediction), Error> {
        let Forecasts { reading, surface } = known.forecast(&self.points)?;
        let (evaluation, prediction) = reading.evaluation(&self.truth, readings)?;
        let evaluation = Evaluation {
            calibration: surface.calibration(&self.truth)?,
            ..evaluation
        };
        Ok((evaluation, prediction))
    }
}

/// Evenly spaced x and y, ends included.
fn axes(bounds: &Rect, columns: usize, rows: usize) -> (Vec<f64>, Vec<f64>) {
    let axis = |low: f64, high: f64, count: usize| -> Vec<f64> {
        let step = (high - low) / (count.max(2) - 1) as f64;
        let inner = (0..count.saturating_sub(1)).map(|i| i as f64 * step + low);
        inner.chain([high]).collect()
    };
    (
        axis(bounds.xmin(), bounds.xmax(), columns),
        axis(bounds.ymin(), bounds.ymax(), rows),
    )
}
