//! What planners hear besides the first kernel: a smooth model that is never trained.
//!
//! A trained kernel is a poor guide to where the next reading is worth most. Rough bases, which suit terrain, make a
//! place next to the track nearly as uncertain as one far away, so that a boat that weighs uncertainty against the way
//! stops nearby; and what a flexible kernel wrongly takes for smooth it never visits. The scout is a Gaussian process
//! with a Matérn 3/2 kernel of fixed parameters: it knows how far the readings are, and that places between readings are
//! known. Its leave-one-out errors know where the surface is rough. With s the scout's standard deviation of the surface, t(x)
//! the factor by which errors around x exceed it ([`Temperature`]) and `n^2` its noise variance, it makes a reading at x
//! uncertain by
//!
//! `u(x)^2 = t(x)^(2/4) s(x)^2 + n^2`,
//!
//! and planners score places with the geometric mean of u and the first kernel's standard deviation.
//!
//! Why not all of t: where the error variance is c in a region with r readings per area, it falls as `c r^-H` with H of about 1/2 for
//! terrain. Going where it is highest makes it equal everywhere, with `r ~ c^(1/H)`; the mean square error is least with
//! `r ~ c^(1/(1+H))`, fewer readings in the worst places than that.

use transect_gp::kernel::{Family, Kernel, Stationary};
use transect_gp::{Compute, GpError, InputScaler, Of, Points, TargetScaler};

use super::member::Member;
use super::temperature::{Judged, Temperature, left_out_errors};
use super::{REVIEW_EVERY, Trouble};
use crate::settings::TrainingSettings;

/// In scaled units: the workspace is 2 wide.
const LENGTHSCALE: f64 = 0.5;
/// Variance of the standardised surface.
const AMPLITUDE: f64 = 1.0;
/// Standardised.
const NOISE_VARIANCE: f64 = 0.03;
/// The power of t that counts.
const SHARE_OF_ERRORS: f64 = 0.25;
/// How far errors speak for their surroundings, in scaled units.
const REACH: &[f64] = &[0.5];

/// A model for planners.
#[derive(Debug)]
pub(super) struct Scout {
    member: Member,
    errors: Temperature,
    /// Readings whose errors have not been looked at; none have before the first look.
    unheard: usize,
}

/// Errors are looked at again after so many readings: not at the same moment as those of the map's kernels, which
/// would have the boat wait for both.
const LOOK_EVERY: usize = REVIEW_EVERY;
/// What counts as unheard after a first look.
const HEAD_START: usize = LOOK_EVERY / 2;

impl Scout {
    /// A scout that knows the first readings.
    ///
    /// # Errors
    /// If there are no data, or they are not finite.
    pub(super) fn fit(
        settings: &TrainingSettings,
        scalers: (InputScaler, TargetScaler),
        data: (&Points, &[f64]),
    ) -> Result<Self, GpError> {
        let kernel: Box<dyn Kernel> =
            Box::new(Stationary::new(Family::Matern32, AMPLITUDE, LENGTHSCALE));
        let settings = TrainingSettings {
            noise_variance: NOISE_VARIANCE,
            ..*settings
        };
        Ok(Self {
            member: Member::fit(kernel, &settings, scalers, data)?,
            errors: Temperature::one(),
            unheard: LOOK_EVERY,
        })
    }

    /// How work is carried out from now on.
    pub(super) fn set_compute(&mut self, compute: Compute) {
        self.member.set_compute(compute);
    }

    /// What went wrong since this was last asked.
    pub(super) fn take_troubles(&mut self) -> Vec<Trouble> {
        self.member.take_troubles()
    }

    /// Adds readings, in raw units.
    ///
    /// # Errors
    /// If a number is not finite or counts do not match; nothing is added then.
    pub(super) fn add(&mut self, x: &Points, y: &[f64]) -> Result<(), GpError> {
        self.member.add(x, y)?;
        self.unheard += y.len();
        Ok(())
    }

    /// Whether it is time to look at the errors.
    pub(super) fn is_due(&self) -> bool {
        self.unheard >= LOOK_EVERY
    }

    /// Learns from the errors of those of its `readings` that are `ordinary` where the surface is rough.
    ///
    /// # Errors
    /// If no remedy helps.
    pub(super) fn review(&mut self, readings: &[f64], ordinary: &[usize]) -> Result<(), GpError> {
        self.unheard = match self.errors.is_known() {
            true => 0,
            false => HEAD_START,
        };
        let errors = left_out_errors(&[self.member.leave_one_out()?], readings);
        let places = self.member.regression().data().0;
        self.errors = Temperature::learn_alone(Judged::of(places, &errors, ordinary)?, REACH);
        Ok(())
    }

    /// The standard deviations of measurements at `points` that planners go by, where the first kernel has `first`.
    ///
    /// # Errors
    /// If the dimension differs, or no remedy helps.
    pub(super) fn guide(&mut self, points: &Points, first: &[f64]) -> Result<Vec<f64>, GpError> {
        let surface = self.member.predict(points, Of::Quantity)?;
        let (inputs, targets) = self.member.regression().scalers();
        let noise = self.member.noise() * targets.unit() * targets.unit();
        let factors = self.errors.at(&inputs.scale(points)?);
        let uncertain = |(surface, factor): (&f64, f64)| {
            (factor.powf(2.0 * SHARE_OF_ERRORS) * surface * surface + noise).sqrt()
        };
        let own = surface.std.iter().zip(factors).map(uncertain);
        Ok(first.iter().zip(own).map(|(a, b)| (a * b).sqrt()).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scaler() -> InputScaler {
        InputScaler::from_ranges(&[(-1.0, 1.0), (-1.0, 1.0)]).unwrap()
    }

    fn scout(places: &[[f64; 2]], readings: &[f64]) -> Scout {
        let x = Points::from_rows(places).unwrap();
        let scalers = (scaler(), TargetScaler::fit(readings).unwrap());
        Scout::fit(&TrainingSettings::default(), scalers, (&x, readings)).unwrap()
    }

    /// One reading at distance d: `s^2 = 1 - k^2 / (1 + n^2)`, `k = (1 + a) exp(-a)`, `a = sqrt(3) d / l`.
    #[test]
    fn one_reading_leaves_what_the_closed_form_says() {
        // Standardised by 1 and -1, so that the unit is 1; both lie at the same place.
        let mut scout = scout(&[[0.0, 0.0], [0.0, 0.0]], &[1.0, -1.0]);
        let at = Points::from_rows(&[[0.3, 0.4]]).unwrap();
        let first = 2.0;
        let got = scout.guide(&at, &[first]).unwrap()[0];
        let a = 3.0_f64.sqrt() * 0.5 / LENGTHSCALE;
        let k = (1.0 + a) * (-a).exp();
        // Two readings at one place are one of half the noise.
        let surface = 1.0 - k * k / (1.0 + 0.5 * NOISE_VARIANCE);
        let expected = (first * (surface + NOISE_VARIANCE).sqrt()).sqrt();
        assert!((got / expected - 1.0).abs() < 1e-6, "{got} {expected}");
    }

    #[test]
    fn rough_ground_calls_for_more_readings_than_a_plain() {
        // A plain on the left, jumps up and down on the right, with the same gaps between the readings.
        let places: Vec<[f64; 2]> = (0..200)
            .map(|i| {
                [
                    -0.95 + 0.1 * f64::from(i % 20),
                    -0.9 + 0.2 * f64::from(i / 20),
                ]
            })
            .collect();
        let reading = |(i, [x, _]): (usize, &[f64; 2])| match *x > 0.0 {
            true => [40.0, -40.0][(i / 20 + i) % 2],
            false => 0.0,
        };
        let readings: Vec<f64> = places.iter().enumerate().map(reading).collect();
        let mut scout = scout(&places, &readings);
        let at = Points::from_rows(&[[-0.6, 0.0], [0.6, 0.0]]).unwrap();
        let before = scout.guide(&at, &[1.0, 1.0]).unwrap();
        assert!((before[0] / before[1] - 1.0).abs() < 1e-6, "{before:?}");
        let all: Vec<usize> = (0..readings.len()).collect();
        scout.review(&readings, &all).unwrap();
        let after = scout.guide(&at, &[1.0, 1.0]).unwrap();
        assert!(after[1] > 1.05 * after[0], "{after:?}");
    }
}
