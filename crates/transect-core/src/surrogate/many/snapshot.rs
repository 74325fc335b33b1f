//! What is known of many readings.
//!
//! Means and standard deviations come from the nearest-neighbour processes, pooled as those of an exact committee. How places depend on
//! each other comes from an exact committee of some hundred of the points, spread over the survey: with its correlations
//! R and the standard deviations s of the processes, the joint covariance is `s s' R`, entry by entry. A planner that looks at
//! a thousand places at once needs that in a fraction of a second, and the processes would take several for it.

use std::sync::Arc;

use transect_gp::nearest::{Given, Vecchia};
use transect_gp::{GpError, Joint, Matrix, Of, Points, Prediction};

use super::super::pool::pool;
use super::super::snapshot::Bars;
use super::memo::Memo;
use crate::Error;
use crate::posterior::{Forecasts, Posterior};

/// A process, or what it would know after more readings.
#[derive(Debug, Clone)]
pub(super) enum Known {
    Measured(Arc<Vecchia>),
    Given(Box<Given>),
}

impl Known {
    fn marginals(&self, places: &Points) -> Result<Prediction, GpError> {
        match self {
            Self::Measured(process) => process.marginals(places),
            Self::Given(given) => given.marginals(places),
        }
    }

    fn given(&self, places: &Points) -> Result<Self, GpError> {
        let given = match self {
            Self::Measured(process) => Given::new(Arc::clone(process), places)?,
            Self::Given(given) => given.given(places)?,
        };
        Ok(Self::Given(Box::new(given)))
    }
}

/// The noise of readings as the processes see it, in squared raw units.
#[derive(Debug, Clone)]
pub(super) struct Noise {
    /// That of a single reading: of the process that has the least.
    pub(super) least: f64,
    /// What each process has beyond it at a point: variance of the surface, as what one process takes for noise another can explain.
    pub(super) beyond: Vec<f64>,
    /// Share of it that a point has on average: a mean of k readings has a k-th.
    pub(super) share: f64,
}

/// What is known at one moment.
#[derive(Debug, Clone)]
pub(super) struct Snapshot {
    pub(super) members: Vec<Known>,
    /// The same on the map's scale, where that is not straight.
    pub(super) warped: Vec<Known>,
    pub(super) noise: Noise,
    /// How places depend on each other.
    pub(super) coarse: Arc<dyn Posterior>,
    pub(super) bars: Bars,
    pub(super) unit: f64,
    pub(super) memo: Memo,
}

impl Noise {
    /// One prediction of the surface from those of the processes.
    pub(super) fn pooled(&self, mut members: Vec<Prediction>) -> Prediction {
        for (member, beyond) in members.iter_mut().zip(&self.beyond) {
            add_variance(member, *beyond);
        }
        pool(members)
    }

    /// Standard deviations that a point of the model would have where the surface has these: what the width of error bars was learnt from.
    pub(super) fn of_points(&self, surface: &Prediction) -> Vec<f64> {
        let noise = self.least * self.share;
        let stds = surface.std.iter();
        stds.map(|std| (std * std + noise).sqrt()).collect()
    }
}

pub(super) fn add_variance(prediction: &mut Prediction, more: f64) {
    for std in &mut prediction.std {
        *std = (*std * *std + more).sqrt();
    }
}

impl Snapshot {
    fn surface(&self, members: &[Known], places: &Points) -> Result<Prediction, GpError> {
        let told = members.iter().map(|member| member.marginals(places));
        Ok(self.noise.pooled(told.collect::<Result<_, _>>()?))
    }
}

impl Posterior for Snapshot {
    fn marginals(&self, places: &Points, of: Of) -> Result<Prediction, Error> {
        let mut told = self.surface(&self.members, places)?;
        if of == Of::Measurement {
            add_variance(&mut told, self.noise.least);
        }
        Ok(told)
    }

    fn joint(&self, places: &Points, of: Of) -> Result<Joint, Error> {
        let told = self.surface(&self.members, places)?;
        let mut joint = self.coarse.joint(places, Of::Quantity)?;
        let factors = factors(
            &told.std,
            (0..places.len()).map(|i| joint.covariance.column(i)[i]),
        );
        for j in 0..places.len() {
            let column = joint.covariance.column_mut(j);
            let pairs = column.iter_mut().zip(&factors);
            pairs.for_each(|(entry, factor)| *entry *= factor * factors[j]);
            column[j] = told.std[j] * told.std[j];
            if of == Of::Measurement {
                column[j] += self.noise.least;
            }
        }
        joint.mean = told.mean;
        Ok(joint)
    }

    fn covariance(&self, rows: &Points, columns: &Points) -> Result<Matrix, Error> {
        let mut covariance = self.coarse.covariance(rows, columns)?;
        let scale = |places: &Points| -> Result<Vec<f64>, Error> {
            let own = self.surface(&self.members, places)?.std;
            let coarse = self.coarse.marginals(places, Of::Quantity)?.std;
            Ok(factors(&own, coarse.iter().map(|std| std * std)))
        };
        let (of_rows, of_columns) = (scale(rows)?, scale(columns)?);
        for (j, of_column) in of_columns.iter().enumerate() {
            let pairs = covariance.column_mut(j).iter_mut().zip(&of_rows);
            pairs.for_each(|(entry, of_row)| *entry *= of_row * of_column);
        }
        Ok(covariance)
    }

    fn given(&self, places: &Points) -> Result<Arc<dyn Posterior>, Error> {
        let given = |members: &[Known]| {
            let members = members.iter().map(|member| member.given(places));
            members.collect::<Result<Vec<_>, GpError>>()
        };
        Ok(Arc::new(Self {
            members: given(&self.members)?,
            warped: given(&self.warped)?,
            coarse: self.coarse.given(places)?,
            memo: Memo::default(),
            ..self.clone()
        }))
    }

    fn noise_variance(&self) -> f64 {
        self.noise.least
    }

    fn unit(&self) -> f64 {
        self.unit
    }

    fn forecast(&self, places: &Points) -> Result<Forecasts, Error> {
        let on_scale = match self.warped.is_empty() {
            true => &self.members,
            false => &self.warped,
        };
        self.memo.of(places, || {
            let surface = self.surface(on_scale, places)?;
            let mut reading = surface.clone();
            add_variance(&mut reading, self.noise.least);
            let stds = self.noise.of_points(&surface);
            Ok(self.bars.forecasts(places, (surface, reading), &stds)?)
        })
    }
}

/// What makes standard deviations of one model those of another.
fn factors(to: &[f64], from_variances: impl Iterator<Item = f64>) -> Vec<f64> {
    let factor = |(to, from): (&f64, f64)| if from > 0.0 { to / from.sqrt() } else { 0.0 };
    to.iter().zip(from_variances).map(factor).collect()
}
