//! What a committee knows: the posteriors of its members, and how they become one.
//!
//! With the members' standard deviations `s_m` and correlation matrices `R_m` at some places and the pooled standard deviations s
//! (see `pool`), the joint covariance is `s s' mean_m R_m`, entry by entry. Its diagonal holds the pooled variances, it
//! is positive semi-definite as each `R_m` is, and it is the member's own where there is one.
//!
//! What one member takes for noise and another can explain is part of the surface: the noise of all is that of the member that has
//! the least, and what a member has beyond it is variance of the surface that no two places share.

use std::sync::Arc;

use transect_gp::{GpError, InputScaler, Joint, Matrix, Of, Points, Prediction, Warp};

use super::member::Member;
use super::pool::pool;
use crate::Error;
use crate::calibration::ErrorScale;
use crate::posterior::{Forecast, Forecasts, Posterior};
use crate::settings::{ErrorBars, TrainingSettings};

/// What is known at one moment.
#[derive(Debug, Clone)]
pub(super) struct Snapshot {
    /// With a second column of means, on the map's scale, where that is not straight.
    members: Vec<transect_gp::Posterior>,
    bars: Bars,
    unit: f64,
}

/// The map's scale, and how wide error bars are there.
#[derive(Debug, Clone)]
pub(super) struct Bars {
    pub(super) warp: Warp,
    /// None where error bars are the kernels' own.
    pub(super) error_scale: Option<Arc<ErrorScale>>,
    pub(super) inputs: InputScaler,
}

impl Bars {
    /// What predictions on the map's scale say of the surface and of readings at `places`, with error bars as wide as errors were where points of the
    /// model have the standard deviations `stds`.
    pub(super) fn forecasts(
        &self,
        places: &Points,
        (mut surface, mut reading): (Prediction, Prediction),
        stds: &[f64],
    ) -> Result<Forecasts, GpError> {
        let mut tails = crate::metrics::Tails::Gaussian;
        if let Some(scale) = &self.error_scale {
            let factors = scale.at(&self.inputs.scale(places)?, stds);
            widen(&mut reading, &factors);
            widen(&mut surface, &factors);
            tails = scale.tails();
        }
        let forecast = |warped| Forecast {
            warped,
            warp: self.warp.clone(),
            tails,
        };
        Ok(Forecasts {
            reading: forecast(reading),
            surface: forecast(surface),
        })
    }
}

impl Snapshot {
    /// A snapshot of what the members know now, with remedies where numbers fail.
    pub(super) fn take<'a>(
        members: impl Iterator<Item = &'a mut Member>,
        readings: &[f64],
        (warp, error_scale): (&Warp, &Arc<ErrorScale>),
        settings: &TrainingSettings,
    ) -> Result<Self, GpError> {
        let warped: Vec<f64> = readings.iter().map(|y| warp.warp(*y)).collect();
        let others: &[&[f64]] = if warp.is_identity() { &[] } else { &[&warped] };
        let mut scalers = None;
        let mut posteriors = Vec::new();
        for member in members {
            posteriors.push(member.posterior(others)?);
            let (inputs, targets) = member.regression().scalers();
            scalers.get_or_insert_with(|| (inputs.clone(), targets.unit()));
        }
        let (inputs, unit) = scalers.ok_or(GpError::Empty)?;
        let calibrated = settings.error_bars != ErrorBars::Kernels;
        Ok(Self {
            members: posteriors,
            bars: Bars {
                warp: warp.clone(),
                error_scale: calibrated.then(|| Arc::clone(error_scale)),
                inputs,
            },
            unit,
        })
    }

    /// Readings at `points` as each member expects them, column by column.
    fn each(&self, points: &Points) -> Result<Vec<Vec<Prediction>>, GpError> {
        let members = self.members.iter();
        members
            .map(|member| member.predict_columns(points, Of::Measurement))
            .collect()
    }

    /// One prediction from those of the members.
    fn pooled(&self, mut members: Vec<Prediction>, of: Of) -> Prediction {
        if of == Of::Quantity {
            let noise = self.noise_variance();
            for member in &mut members {
                add_variance(member, -noise);
            }
        }
        pool(members)
    }

    /// Standard deviations as each member has them, of the surface or of readings.
    fn stds(&self, points: &Points, of: Of) -> Result<(Vec<Prediction>, Prediction), GpError> {
        let members: Result<Vec<Prediction>, GpError> = (self.members.iter())
            .map(|member| member.predict(points, Of::Measurement))
            .collect();
        let mut members = members?;
        let pooled = self.pooled(members.clone(), of);
        if of == Of::Quantity {
            let noise = self.noise_variance();
            members
                .iter_mut()
                .for_each(|member| add_variance(member, -noise));
        }
        Ok((members, pooled))
    }
}

impl Posterior for Snapshot {
    fn marginals(&self, places: &Points, of: Of) -> Result<Prediction, Error> {
        let members: Result<Vec<_>, GpError> = (self.members.iter())
            .map(|member| member.predict(places, Of::Measurement))
            .collect();
        Ok(self.pooled(members?, of))
    }

    fn joint(&self, places: &Points, of: Of) -> Result<Joint, Error> {
        if let [alone] = &self.members[..] {
            return Ok(alone.joint(places, of)?);
        }
        let (stds, pooled) = self.stds(places, of)?;
        let n = places.len();
        let mut covariance = Matrix::zeros(n, n);
        for (member, own) in self.members.iter().zip(&stds) {
            let joint = member.joint(places, Of::Quantity)?;
            for j in 0..n {
                let from = joint.covariance.column(j);
                for (i, to) in covariance.column_mut(j).iter_mut().enumerate() {
                    *to += from[i] / (own.std[i] * own.std[j]);
                }
            }
        }
        let share = 1.0 / self.members.len() as f64;
        for j in 0..n {
            let column = covariance.column_mut(j);
            for (to, std) in column.iter_mut().zip(&pooled.std) {
                *to *= share * std * pooled.std[j];
            }
            column[j] = pooled.std[j] * pooled.std[j];
        }
        Ok(Joint {
            mean: pooled.mean,
            covariance,
        })
    }

    fn covariance(&self, rows: &Points, columns: &Points) -> Result<Matrix, Error> {
        if let [alone] = &self.members[..] {
            return Ok(alone.covariance(rows, columns)?);
        }
        let (row_stds, row) = self.stds(rows, Of::Quantity)?;
        let (column_stds, column) = self.stds(columns, Of::Quantity)?;
        let mut covariance = Matrix::zeros(rows.len(), columns.len());
        for (m, member) in self.members.iter().enumerate() {
            let own = member.covariance(rows, columns)?;
            for j in 0..columns.len() {
                let to = covariance.column_mut(j).iter_mut().enumerate();
                for (i, to) in to {
                    *to += own.column(j)[i] / (row_stds[m].std[i] * column_stds[m].std[j]);
                }
            }
        }
        let share = 1.0 / self.members.len() as f64;
        for j in 0..columns.len() {
            for (to, std) in covariance.column_mut(j).iter_mut().zip(&row.std) {
                *to *= share * std * column.std[j];
            }
        }
        Ok(covariance)
    }

    /// Every member is given the reading that all of them together expect there.
    fn given(&self, places: &Points) -> Result<Arc<dyn Posterior>, Error> {
        let each = self.each(places)?;
        let columns = each.first().map_or(0, Vec::len);
        let expected: Vec<Vec<f64>> = (0..columns)
            .map(|c| pool(each.iter().map(|member| member[c].clone()).collect()).mean)
            .collect();
        let expected: Vec<&[f64]> = expected.iter().map(Vec::as_slice).collect();
        let members: Result<Vec<_>, GpError> = (self.members.iter())
            .map(|member| member.given_readings(places, &expected))
            .collect();
        Ok(Arc::new(Self {
            members: members?,
            ..self.clone()
        }))
    }

    fn noise_variance(&self) -> f64 {
        let noises = self.members.iter().map(|member| member.noise_variance());
        noises.fold(f64::INFINITY, f64::min)
    }

    fn unit(&self) -> f64 {
        self.unit
    }

    fn forecast(&self, places: &Points) -> Result<Forecasts, Error> {
        let each = self.each(places)?;
        // The last column is that on the map's scale.
        let members: Vec<Prediction> = each
            .into_iter()
            .filter_map(|mut columns| columns.pop())
            .collect();
        let surface = self.pooled(members.clone(), Of::Quantity);
        let reading = self.pooled(members, Of::Measurement);
        let stds = reading.std.clone();
        Ok(self.bars.forecasts(places, (surface, reading), &stds)?)
    }
}

pub(super) fn widen(prediction: &mut Prediction, factors: &[f64]) {
    let stds = prediction.std.iter_mut().zip(factors);
    stds.for_each(|(std, factor)| *std *= factor);
}

/// Adds to the variances of a prediction. The engine keeps them above a floor; rounding must not take them to 0.
fn add_variance(prediction: &mut Prediction, more: f64) {
    for std in &mut prediction.std {
        let variance = *std * *std;
        *std = (variance + more).max(f64::EPSILON * variance).sqrt();
    }
}
