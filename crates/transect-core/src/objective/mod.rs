//! What measuring is worth.
//!
//! An [`Objective`] looks at what is known and at the places of a path, and says how much would be learnt by measuring
//! there: at all of them together ([`Objective::path`]), or at each on its own ([`Objective::each`]).
//!
//! | name | worth of readings y at places A |
//! |---|---|
//! | `entropy` | differential entropy `H(y)`, nats: the paper's objective |
//! | `variance` | sum of variances, of each reading given those before it |
//! | `mutual-information` | `H(y) - H(y \| f)` with the surface f on a grid over the area, nats |
//! | `integrated-variance` | expected reduction of the map's mean variance, over such a grid |
//! | `upper-confidence` | sum of `mean + k std` |
//! | `level-set` | sum of `k std - \|mean - level\|` (straddle): where the surface may cross a level |
//!
//! [`normalised`] and [`less_distance`] are the paper's trade-off between a score and the way to go.

mod entropy;
mod integrated_variance;
mod level_set;
mod mutual_information;
mod trade_off;
mod upper_confidence;
mod variance;

pub use entropy::Entropy;
pub use integrated_variance::IntegratedVariance;
pub use level_set::LevelSet;
pub use mutual_information::MutualInformation;
pub use trade_off::{less_distance, normalised};
pub use upper_confidence::UpperConfidence;
pub use variance::Variance;

use std::fmt::Debug;

use transect_gp::linalg::Factor;
use transect_gp::{Compute, GpError, Matrix, Points};

use crate::Error;
use crate::geometry::{Position, Workspace};
use crate::inputs;
use crate::posterior::Posterior;
use crate::registry::Registry;
use crate::settings::PlannerSettings;

/// Says what measuring somewhere is worth; the higher, the better.
///
/// ```
/// use transect::Error;
/// use transect::gp::{Of, Points};
/// use transect::objective::Objective;
/// use transect::posterior::Posterior;
///
/// /// Wants to know where the surface is high: the upper end of the central 95 % interval.
/// #[derive(Debug)]
/// struct HighGround;
///
/// impl Objective for HighGround {
///     fn path(&self, known: &dyn Posterior, places: &Points) -> Result<f64, Error> {
///         Ok(self.each(known, places)?.iter().sum())
///     }
///     fn each(&self, known: &dyn Posterior, places: &Points) -> Result<Vec<f64>, Error> {
///         let surface = known.marginals(places, Of::Quantity)?;
///         let points = surface.mean.iter().zip(&surface.std);
///         Ok(points.map(|(mean, std)| mean + 1.96 * std).collect())
///     }
/// }
/// ```
pub trait Objective: Debug + Send {
    /// The worth of readings at all of `places`.
    ///
    /// # Errors
    /// If the posterior cannot tell.
    fn path(&self, known: &dyn Posterior, places: &Points) -> Result<f64, Error>;

    /// The worth of one reading at each of `places`, on its own.
    ///
    /// # Errors
    /// If the posterior cannot tell.
    fn each(&self, known: &dyn Posterior, places: &Points) -> Result<Vec<f64>, Error> {
        let one = |i: usize| self.path(known, &places.slice(i, i + 1));
        (0..places.len()).map(one).collect()
    }
}

/// Makes an objective for checked settings.
pub type Build = fn(&PlannerSettings, &Workspace) -> Result<Box<dyn Objective>, Error>;

/// Every objective by name. A new one is one file and one line here, or `OBJECTIVES.register` from outside.
pub static OBJECTIVES: Registry<Build> = Registry::new(
    "planner.objective",
    &[
        ("entropy", |_, _| Ok(Box::new(Entropy))),
        ("variance", |_, _| Ok(Box::new(Variance))),
        ("mutual-information", |_, area| {
            Ok(Box::new(MutualInformation::over(area)?))
        }),
        ("integrated-variance", |_, area| {
            Ok(Box::new(IntegratedVariance::over(area)?))
        }),
        ("upper-confidence", |planner, _| {
            Ok(Box::new(UpperConfidence::new(planner.confidence)))
        }),
        ("level-set", |planner, _| {
            let (level, confidence) = (planner.level, planner.confidence);
            Ok(Box::new(LevelSet::new(level, confidence)))
        }),
    ],
);

/// Places along the longer side of the grid that stands for a map.
const MAP_SIDE: usize = 16;

/// A coarse grid over an area.
fn map_places(area: &Workspace) -> Result<Points, Error> {
    let bounds = area.bounds();
    let cell_m = bounds.width().max(bounds.height()) / MAP_SIDE as f64;
    let count = |length: f64| ((length / cell_m).round() as usize).max(1);
    let (columns, rows) = (count(bounds.width()), count(bounds.height()));
    let place = |i: usize| {
        let share = |index: usize, count: usize| (index as f64 + 0.5) / count as f64;
        Position::new(
            bounds.xmin() + share(i % columns, columns) * bounds.width(),
            bounds.ymin() + share(i / columns, rows) * bounds.height(),
        )
    };
    let all = (0..columns * rows).map(place);
    let mut inside: Vec<Position> = all.filter(|&place| area.contains(place)).collect();
    if inside.is_empty() {
        // A sliver between the places of the grid: some place of it stands for all.
        let middle = Position::new(
            0.5 * (bounds.xmin() + bounds.xmax()),
            0.5 * (bounds.ymin() + bounds.ymax()),
        );
        inside.push(area.nearest(middle));
    }
    Ok(inputs::places(&inside)?)
}

/// The lower factor of a covariance matrix, with as little on the diagonal as it needs.
fn factored(covariance: &Matrix) -> Result<Factor, Error> {
    const JITTERS: [f64; 5] = [0.0, 1e-10, 1e-8, 1e-6, 1e-4];
    let n = covariance.columns();
    let trace: f64 = (0..n).map(|i| covariance.column(i)[i]).sum();
    let mut factor = Factor::default();
    let mut pivot = 0;
    for jitter in JITTERS {
        let build = |out: &mut Matrix| {
            out.clone_from(covariance);
            (0..n).for_each(|i| out.column_mut(i)[i] += jitter * trace / n as f64);
        };
        match factor.factorise(n, &Compute::default(), build) {
            Ok(()) => return Ok(factor),
            Err(failed) => pivot = failed,
        }
    }
    Err(Error::Gp(GpError::NotPositiveDefinite {
        size: n,
        pivot,
        jitter: JITTERS[JITTERS.len() - 1],
        parameters: String::from("joint posterior"),
    }))
}

/// `log det` of the matrix that this is the lower factor of.
fn log_determinant(factor: &Factor) -> f64 {
    let lower = factor.lower();
    (0..lower.columns())
        .map(|i| 2.0 * lower.column(i)[i].ln())
        .sum()
}
