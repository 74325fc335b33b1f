//! The exact surrogate: one Gaussian process, or a committee of several with different kernels that see the same readings.
//!
//! Kernels are trained on the readings as they are, and planners decide with what the kernels say. Maps and their error bars are
//! made on a scale on which the surface is equally rough at every height, the [`Warp`], and are as wide as the errors of left-out readings say
//! ([`crate::calibration`]).

use std::sync::Arc;

use transect_gp::kernel::Kernel;
use transect_gp::{
    Compute, GpError, InputScaler, Points, Prediction, Regression, TargetScaler, Warp,
};

use super::ignorance::Ignorance;
use super::member::{MOST_STEPS, Member};
use super::pool::pool;
use super::snapshot::{Snapshot, widen};
use super::{FirstReadings, Surrogate, Training, Trouble};
use crate::Error;
use crate::calibration::ErrorScale;
use crate::metrics::Tails;
use crate::posterior::{Forecast, Posterior};
use crate::settings::{ErrorBars, MissionSettings, TrainingSettings};

/// One Gaussian process or several, and how their predictions become one.
#[derive(Debug)]
pub struct Committee {
    pub(super) first: Member,
    pub(super) companions: Vec<Member>,
    pub(super) settings: TrainingSettings,
    /// All readings, in raw units.
    pub(super) readings: Vec<f64>,
    pub(super) warp: Warp,
    pub(super) error_scale: Arc<ErrorScale>,
    /// Which readings were outliers when last judged.
    pub(super) outliers: Vec<bool>,
    /// Whether outliers have been reported.
    pub(super) told: bool,
    /// Whether error bars that are too narrow have been reported.
    pub(super) doubted: bool,
    /// Training steps since leave-one-out errors were looked at.
    steps_since_review: usize,
    pub(super) troubles: Vec<Trouble>,
    /// What is known now.
    known: Arc<dyn Posterior>,
}

/// The kernels of a committee.
#[derive(Debug)]
pub struct Kernels {
    /// The kernel of the first member, whose loss is the one that training reports.
    pub first: Box<dyn Kernel>,
    /// The kernels of further members.
    pub companions: Vec<Box<dyn Kernel>>,
}

impl Kernels {
    /// Those that a mission's settings name.
    pub(super) fn of_settings(settings: &MissionSettings) -> Result<Self, Error> {
        let mut networks = settings.streams.networks(settings.seed);
        let first = settings.kernel.build(&mut *networks)?;
        let companions = settings.companions.iter();
        let companions = companions.map(|choice| choice.build(&mut *networks));
        Ok(Self {
            first,
            companions: companions.collect::<Result<_, _>>()?,
        })
    }
}

impl From<Box<dyn Kernel>> for Kernels {
    fn from(first: Box<dyn Kernel>) -> Self {
        Self {
            first,
            companions: Vec::new(),
        }
    }
}

/// Leave-one-out errors are looked at after this many training steps, or, where outliers are ignored, after every round.
const REVIEW_EVERY: usize = 10;

impl Committee {
    /// A committee that has learnt the first readings `(x, y)`, whose statistics scale all later ones; `inputs` scales the
    /// places.
    ///
    /// # Errors
    /// If there are no data, or they are not finite.
    pub fn fit(
        kernels: Kernels,
        settings: &TrainingSettings,
        inputs: InputScaler,
        (x, y): (&Points, &[f64]),
        compute: Compute,
    ) -> Result<Self, GpError> {
        let targets = TargetScaler::fit(y)?;
        let member = |kernel| {
            let scalers = (inputs.clone(), targets);
            Member::fit(kernel, settings, scalers, (x, y))
        };
        let companions = kernels.companions.into_iter().map(member);
        let companions = companions.collect::<Result<_, _>>()?;
        let members = (member(kernels.first)?, companions);
        Ok(Self::of_members(members, y.to_vec(), settings, compute))
    }

    /// The committee that a mission's settings describe.
    pub(super) fn begin(from: &FirstReadings<'_>) -> Result<Box<dyn Surrogate>, Error> {
        Ok(Box::new(Self::of_settings(from)?))
    }

    /// The same, as what it is.
    pub(super) fn of_settings(from: &FirstReadings<'_>) -> Result<Self, Error> {
        Self::with_kernels(Kernels::of_settings(from.settings)?, from)
    }

    /// A committee with these kernels instead of those of the settings.
    pub fn of_kernels(
        kernels: Kernels,
        from: &FirstReadings<'_>,
    ) -> Result<Box<dyn Surrogate>, Error> {
        Ok(Box::new(Self::with_kernels(kernels, from)?))
    }

    fn with_kernels(kernels: Kernels, from: &FirstReadings<'_>) -> Result<Self, Error> {
        let training = &from.settings.training;
        let inputs = from.scaler()?;
        let data = (from.places, from.readings);
        Ok(Self::fit(kernels, training, inputs, data, from.compute)?)
    }

    /// A committee of members that hold the readings already.
    pub(super) fn of_members(
        (mut first, mut companions): (Member, Vec<Member>),
        readings: Vec<f64>,
        settings: &TrainingSettings,
        compute: Compute,
    ) -> Self {
        for member in std::iter::once(&mut first).chain(&mut companions) {
            member.set_compute(compute);
        }
        let known = Arc::new(Ignorance::of(&readings));
        let mut committee = Self {
            first,
            companions,
            settings: *settings,
            readings,
            warp: Warp::identity(),
            error_scale: Arc::new(ErrorScale::one()),
            outliers: Vec::new(),
            told: false,
            doubted: false,
            steps_since_review: 0,
            troubles: Vec::new(),
            known,
        };
        committee.refresh();
        committee
    }

    /// A committee with the same kernels, parameters and scales, of other readings. Its error bars are as wide as these readings
    /// say.
    ///
    /// # Errors
    /// As [`Committee::fit`].
    pub(crate) fn with_readings(
        &self,
        (x, y): (&Points, &[f64]),
        compute: Compute,
    ) -> Result<Self, GpError> {
        let member = |like: &Member| like.with_readings(&self.settings, (x, y));
        let companions = self.companions.iter().map(member);
        let members = (member(&self.first)?, companions.collect::<Result<_, _>>()?);
        let mut model = Self::of_members(members, y.to_vec(), &self.settings, compute);
        // What failed has been put down as trouble; error bars are the kernels' then.
        let _ = model.recalibrate();
        model.refresh();
        Ok(model)
    }

    pub(super) fn members(&mut self) -> impl Iterator<Item = &mut Member> {
        std::iter::once(&mut self.first).chain(&mut self.companions)
    }

    /// The regression of the first kernel: parameters and data.
    pub fn regression(&self) -> &Regression {
        self.first.regression()
    }

    /// By how much predicted standard deviations are widened overall, from leave-one-out errors; 1 where these are
    /// not looked at.
    pub fn error_scale(&self) -> f64 {
        self.error_scale.overall()
    }

    /// The shape of the predicted distributions, from leave-one-out errors; Gaussian where they are not looked at.
    pub fn tails(&self) -> Tails {
        self.error_scale.tails()
    }

    /// Share of readings inside their 95 % intervals when they are left out with so many neighbours that the nearest reading left is as far
    /// away as most of the map is from readings; NaN before that was looked at.
    pub(crate) fn coverage_apart(&self) -> f64 {
        self.error_scale.coverage_95()
    }

    /// Standard deviations of the noise that members see in readings: the smallest and the largest, in the unit of the readings.
    pub(crate) fn noise_stds(&mut self) -> [f64; 2] {
        let noises = self.members().map(|member| member.noise_variance().sqrt());
        noises.fold([f64::INFINITY, 0.0], |[least, most], noise| {
            [noise.min(least), noise.max(most)]
        })
    }

    /// Readings on the scale of the map; none where the scale is straight.
    pub(super) fn warped(&self) -> Option<Vec<f64>> {
        let warp = |y: &f64| self.warp.warp(*y);
        (!self.warp.is_identity()).then(|| self.readings.iter().map(warp).collect())
    }

    /// Takes a new snapshot. If no remedy helps, the last one stays, and that is reported.
    pub(super) fn refresh(&mut self) {
        let scales = (&self.warp, &self.error_scale);
        let members = std::iter::once(&mut self.first).chain(&mut self.companions);
        match Snapshot::take(members, &self.readings, scales, &self.settings) {
            Ok(snapshot) => self.known = Arc::new(snapshot),
            Err(error) => self.troubles.push(Trouble::stale(error)),
        }
    }

    /// Learns the parameters of every kernel from readings that are all there already. `watch` is told how much is done, in [0, 1].
    ///
    /// # Errors
    /// If no remedy helps.
    pub fn learn_all(&mut self, watch: &dyn Fn(f64)) -> Result<(), GpError> {
        let count = 1 + self.companions.len();
        for (number, member) in self.members().enumerate() {
            member.learn_all(&mut |step| {
                watch((number as f64 + step as f64 / MOST_STEPS as f64) / count as f64);
            })?;
        }
        let outcome = self.recalibrate();
        self.refresh();
        outcome
    }

    /// Whether each reading the model was given was an outlier when last judged; fewer than there are readings when
    /// the last ones have not been judged.
    pub fn outliers(&self) -> impl Iterator<Item = bool> + '_ {
        self.outliers.iter().copied()
    }
}

impl Surrogate for Committee {
    fn name(&self) -> &'static str {
        super::EXACT
    }

    fn add(&mut self, places: &Points, readings: &[f64]) -> Result<(), Error> {
        // They scale alike: what one refuses all refuse, and the first before the others have it.
        self.members()
            .try_for_each(|member| member.add(places, readings))?;
        self.readings.extend(readings);
        self.refresh();
        Ok(())
    }

    fn readings(&self) -> &[f64] {
        &self.readings
    }

    fn train(&mut self, steps: usize) -> Training {
        // An outlier must not shape the parameters for long.
        let longest = if self.settings.ignore_outliers {
            REVIEW_EVERY
        } else {
            steps
        };
        let mut done = Training {
            steps: 0,
            loss: None,
        };
        // The members train one after the other: two need not have it at a time.
        self.members().for_each(Member::give_back_memory);
        let mut left = steps;
        while left > 0 {
            let round = left.min(longest);
            left -= round;
            let first = self.first.train(round);
            done.steps += first.steps;
            done.loss = first.loss.or(done.loss);
            for companion in &mut self.companions {
                companion.train(round);
            }
            self.steps_since_review += round;
            let due = self.settings.ignore_outliers || self.steps_since_review >= REVIEW_EVERY;
            if due {
                self.steps_since_review = 0;
                // What failed has been put down as trouble; the last review stands.
                let _ = self.recalibrate();
            }
        }
        self.refresh();
        done
    }

    fn posterior(&self) -> Arc<dyn Posterior> {
        Arc::clone(&self.known)
    }

    fn left_out(&mut self) -> Option<Forecast> {
        let warped = self.warped();
        let left_out = |member: &mut Member| member.leave_one_out(warped.as_deref());
        let left_out: Result<Vec<_>, GpError> = self.members().map(left_out).collect();
        let of_members = left_out.ok()?.into_iter().map(|points| Prediction {
            mean: points.iter().map(|point| point.mean).collect(),
            std: points.iter().map(|point| point.std).collect(),
            floored: 0,
        });
        let mut prediction = pool(of_members.collect());
        if self.settings.error_bars != ErrorBars::Kernels {
            let (places, _) = self.regression().data();
            let factors = self.error_scale.without_own(places, &prediction.std);
            widen(&mut prediction, &factors);
        }
        Some(Forecast {
            warped: prediction,
            warp: self.warp.clone(),
            tails: self.tails(),
        })
    }

    fn take_troubles(&mut self) -> Vec<Trouble> {
        let own = std::mem::take(&mut self.troubles);
        own.into_iter()
            .chain(self.members().flat_map(Member::take_troubles))
            .collect()
    }

    fn save(&self) -> Result<String, Error> {
        Ok(self.to_json()?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use transect_gp::Of;
    use transect_gp::kernel::{matern12, rbf};

    /// A smooth kernel takes for noise what a rough one does not: zigzag readings.
    #[test]
    fn what_one_member_can_explain_is_not_noise() {
        let places: Vec<f64> = (0..40).map(|i| f64::from(i) / 20.0 - 1.0).collect();
        let x = Points::line(&places).unwrap();
        let y: Vec<f64> = (0..40)
            .map(|i| f64::from(i % 4 / 2) + 0.1 * f64::from(i))
            .collect();
        let settings = TrainingSettings {
            error_bars: ErrorBars::Kernels,
            warp_knots: 0,
            ..TrainingSettings::default()
        };
        let inputs = InputScaler::fit(&x).unwrap();
        let kernels = Kernels {
            first: Box::new(matern12(1.0, 0.1)),
            companions: vec![Box::new(rbf(1.0, 1.0))],
        };
        let compute = Compute::default();
        let mut model = Committee::fit(kernels, &settings, inputs, (&x, &y), compute).unwrap();
        model.train(300);
        let noises: Vec<f64> = model.members().map(|m| m.noise_variance()).collect();
        assert!(noises[1] > 3.0 * noises[0], "{noises:?}");
        let at = Points::line(&[0.013, 3.0]).unwrap();
        let forecast = model.posterior().forecast(&at).unwrap();
        let (measurement, quantity) = (forecast.reading.moments(), forecast.surface.moments());
        let [rough, smooth] = [&mut model.first, &mut model.companions[0]].map(|member| {
            let posterior = member.posterior(&[]).unwrap();
            posterior.predict(&at, Of::Quantity).unwrap()
        });
        for i in 0..at.len() {
            let variances = (
                rough.std[i].powi(2),
                smooth.std[i].powi(2) + noises[1] - noises[0],
            );
            let disagreement = (0.5 * (rough.mean[i] - smooth.mean[i])).powi(2);
            let expected = (variances.0 * variances.1).sqrt() + disagreement;
            assert!((quantity.std[i].powi(2) / expected - 1.0).abs() < 1e-9);
            assert!(quantity.std[i] < measurement.std[i]);
        }
    }

    /// Zigzag readings, and a kernel that takes them for smooth and is not let learn better.
    #[test]
    fn a_model_that_is_too_sure_of_itself_says_so() {
        let places: Vec<f64> = (0..120).map(|i| f64::from(i) / 60.0 - 1.0).collect();
        let x = Points::line(&places).unwrap();
        let y: Vec<f64> = (0..120).map(|i| f64::from(i * 37 % 11)).collect();
        let warnings = |noise_variance: f64| {
            let settings = TrainingSettings {
                noise_variance,
                hyper_rate: 1e-9,
                ..TrainingSettings::default()
            };
            let inputs = InputScaler::fit(&x).unwrap();
            let kernel: Box<dyn Kernel> = Box::new(rbf(1.0, 0.5));
            let compute = Compute::default();
            let mut model =
                Committee::fit(kernel.into(), &settings, inputs, (&x, &y), compute).unwrap();
            model.train(REVIEW_EVERY);
            let troubles = model.take_troubles();
            let doubts = troubles.iter().filter_map(|trouble| match trouble {
                Trouble::Overconfident { coverage, readings } => Some((*coverage, *readings)),
                _ => None,
            });
            doubts.collect::<Vec<_>>()
        };
        let doubted = warnings(1e-4);
        assert_eq!(doubted.len(), 1);
        assert!(doubted[0].0 < crate::surrogate::TRUSTWORTHY_COVERAGE && doubted[0].1 == 120);
        // With noise as wide as the zigzag it is right about itself.
        assert_eq!(warnings(1.0), []);
    }

    /// A sea that is flat to a centimetre and hills on the other side: readings of a line of places.
    #[test]
    fn the_sea_is_known_to_be_flat_where_nobody_was() {
        let place = |i: usize| (i as f64 * 0.618_034).fract() * 10.0;
        let height = |x: f64| match x < 5.0 {
            true => 0.01 * (40.0 * x).sin(),
            false => (x - 5.0) * (1.0 + 0.5 * (7.0 * x).sin()),
        };
        let x: Vec<f64> = (0..80).map(place).collect();
        let y: Vec<f64> = x.iter().map(|x| height(*x)).collect();
        let points = Points::line(&x).unwrap();
        let new: Vec<f64> = (80..180).map(place).collect();
        let truth: Vec<f64> = new.iter().map(|x| height(*x)).collect();
        let new = Points::line(&new).unwrap();
        let msll = |warp_knots: usize| {
            let settings = TrainingSettings {
                warp_knots,
                ..TrainingSettings::default()
            };
            let inputs = InputScaler::fit(&points).unwrap();
            let kernel: Box<dyn Kernel> = Box::new(matern12(1.0, 0.5));
            let (data, compute) = ((&points, &y[..]), Compute::default());
            let mut model =
                Committee::fit(kernel.into(), &settings, inputs, data, compute).unwrap();
            model.train(100);
            let known = model.posterior();
            let planned = known.marginals(&new, Of::Measurement).unwrap();
            let forecast = known.forecast(&new).unwrap().reading;
            // Maps are made on another scale than plans, and neither shows in the other.
            assert_eq!(planned, known.marginals(&new, Of::Measurement).unwrap());
            let (evaluation, _) = forecast.evaluation(&truth, &y).unwrap();
            (evaluation.msll, planned)
        };
        let ((warped, planned), (plain, as_before)) = (msll(20), msll(0));
        assert!(warped < plain - 0.3, "{warped} {plain}");
        assert_eq!(planned, as_before);
    }

    /// Readings of a bent sheet, and a committee of two kernels that has learnt them.
    fn two_kernels() -> (Points, Vec<f64>, Committee) {
        let place = |i: usize, step: f64| (i as f64 * step).fract() * 4.0 - 2.0;
        let rows: Vec<[f64; 2]> = (0..60)
            .map(|i| [place(i, 0.618_034), place(i, 0.754_878)])
            .collect();
        let x = Points::from_rows(&rows).unwrap();
        let y: Vec<f64> = rows.iter().map(|[a, b]| (2.0 * a).sin() + a * b).collect();
        let kernels = Kernels {
            first: Box::new(matern12(1.0, 0.5)),
            companions: vec![Box::new(rbf(1.0, 0.7))],
        };
        let settings = TrainingSettings::default();
        let inputs = InputScaler::fit(&x).unwrap();
        let compute = Compute::default();
        let mut model = Committee::fit(kernels, &settings, inputs, (&x, &y), compute).unwrap();
        model.train(30);
        (x, y, model)
    }

    fn somewhere() -> Points {
        let rows: Vec<[f64; 2]> = (0..25)
            .map(|i| [0.7 * f64::from(i % 5) - 1.4, 0.7 * f64::from(i / 5) - 1.3])
            .collect();
        Points::from_rows(&rows).unwrap()
    }

    #[test]
    fn the_joint_covariance_of_a_committee_is_one() {
        let (_, _, model) = two_kernels();
        let (known, at) = (model.posterior(), somewhere());
        let shared = known.covariance(&at, &at).unwrap();
        for of in [Of::Quantity, Of::Measurement] {
            let (joint, marginals) = (known.joint(&at, of), known.marginals(&at, of));
            let (joint, marginals) = (joint.unwrap(), marginals.unwrap());
            assert_eq!(joint.mean, marginals.mean);
            for j in 0..at.len() {
                let column = joint.covariance.column(j);
                assert!((column[j].sqrt() / marginals.std[j] - 1.0).abs() < 1e-12);
                for i in 0..at.len() {
                    assert!((column[i] - joint.covariance.column(i)[j]).abs() < 1e-12);
                    // The same between any two places, whether asked for with the others or not.
                    let apart = of == Of::Quantity && i != j;
                    assert!(!apart || (column[i] - shared.column(j)[i]).abs() < 1e-9);
                }
            }
            // Positive definite: samples can be drawn, and no direction has a negative variance.
            let mut factor = transect_gp::linalg::Factor::default();
            let build = |out: &mut transect_gp::Matrix| out.clone_from(&joint.covariance);
            assert!(
                factor
                    .factorise(at.len(), &Compute::default(), build)
                    .is_ok()
            );
        }
    }

    /// What would be known is what is known after readings as they were expected, by both kernels and all their means.
    #[test]
    fn a_committee_knows_what_readings_would_tell_it() {
        let (x, y, model) = two_kernels();
        let (known, at) = (model.posterior(), somewhere());
        let places = [[0.3, 0.2], [-0.9, 1.0], [1.5, -0.4]];
        let places = Points::from_rows(&places).unwrap();
        let expected = known.marginals(&places, Of::Quantity).unwrap().mean;
        let mut taught = model.with_readings((&x, &y), Compute::default()).unwrap();
        taught.add(&places, &expected).unwrap();
        let (thought, taught) = (known.given(&places).unwrap(), taught.posterior());
        for of in [Of::Quantity, Of::Measurement] {
            let got = thought.marginals(&at, of).unwrap();
            let refitted = taught.marginals(&at, of).unwrap();
            for i in 0..at.len() {
                assert!((got.mean[i] - refitted.mean[i]).abs() < 1e-9);
                assert!((got.std[i] / refitted.std[i] - 1.0).abs() < 1e-9);
            }
        }
        // One after the other, each thought to read what is expected by then.
        let mut taught = model.with_readings((&x, &y), Compute::default()).unwrap();
        let mut thought = known;
        for i in 0..3 {
            let place = places.slice(i, i + 1);
            let expected = thought.marginals(&place, Of::Quantity).unwrap().mean;
            taught.add(&place, &expected).unwrap();
            thought = thought.given(&place).unwrap();
        }
        let got = thought.marginals(&at, Of::Quantity).unwrap();
        let refitted = taught.posterior().marginals(&at, Of::Quantity).unwrap();
        for i in 0..at.len() {
            assert!((got.std[i] / refitted.std[i] - 1.0).abs() < 1e-9);
        }
    }
}
