//! What a mission knows about the surface.
//!
//! A [`Model`] is one Gaussian process or a committee of several with different kernels, which see the same
//! readings. The readings are learnt from and planned with as they are; maps and their error bars are made on a scale on which the
//! surface is as rough at every height, the [`Warp`].
//!
//! | file | what |
//! |---|---|
//! | `forecast` | predicted distributions, and how they stand up to the truth |
//! | `growth` | how errors grow with predicted standard deviations |
//! | `member` | a Gaussian process that survives its own numerics |
//! | `outliers` | readings that have nothing to do with the surface |
//! | `pool` | one prediction from several |
//! | `review` | the model judged by its errors: outliers, scale, error bars |
//! | `saved` | a model as JSON |
//! | `spread` | how far readings are from each other, and the map from readings |
//! | `temperature` | how much wider errors are than predicted, and where |
//! | `trouble` | what went wrong, and what was done about it |

mod forecast;
mod growth;
mod member;
mod outliers;
mod pool;
mod review;
mod saved;
mod spread;
mod temperature;
mod trouble;

pub use forecast::Forecast;
pub(crate) use forecast::Standing;
pub use trouble::{Remedy, Task, Trouble};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use transect_gp::kernel::Kernel;
use transect_gp::{
    Compute, GpError, InputScaler, Of, Points, Prediction, Regression, TargetScaler, Warp,
};

use crate::metrics::Tails;
use crate::settings::{ErrorBars, TrainingSettings};
use member::{MOST_STEPS, Member};
use pool::pool;
use temperature::Temperature;

/// What a round of training did.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Training {
    /// Steps taken.
    pub steps: usize,
    /// Loss (negative log evidence of the standardised data, nats) of the first kernel's model before the last
    /// step; none when no step was taken.
    pub loss: Option<f64>,
}

/// One Gaussian process or several, and how their predictions become one.
#[derive(Debug)]
pub struct Model {
    first: Member,
    companions: Vec<Member>,
    settings: TrainingSettings,
    /// All readings, in raw units.
    readings: Vec<f64>,
    warp: Warp,
    /// As what the members have the readings.
    scale: Scale,
    temperature: Temperature,
    /// Which readings were outliers when last judged.
    outliers: Vec<bool>,
    /// Whether outliers have been told of.
    told: bool,
    /// Whether error bars that are too narrow have been told of.
    doubted: bool,
    /// Training steps since leave-one-out errors were looked at.
    steps_since_review: usize,
    troubles: Vec<Trouble>,
    floored: usize,
}

/// What the members model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Scale {
    /// Readings as they are: for training, and for planners.
    Plain,
    /// Warped ones: for maps, and to judge them.
    Warped,
}

/// Leave-one-out errors are looked at after so many training steps, or, where outliers are ignored, after every round.
const REVIEW_EVERY: usize = 10;
/// With a smaller share of readings inside their 95 % intervals the error bars cannot be trusted. Of 100 readings of a
/// calibrated model, fewer than 88 are inside about once in 700 surveys.
pub const TRUSTWORTHY_COVERAGE: f64 = 0.88;

impl Model {
    /// A model of the pilot survey's readings `(x, y)`, whose statistics scale all later ones; `inputs` scales the
    /// places. `companions` are kernels of further models beside that of `kernel`.
    ///
    /// # Errors
    /// If there are no data, or they are not finite.
    pub fn fit(
        (kernel, companions): (Box<dyn Kernel>, Vec<Box<dyn Kernel>>),
        settings: &TrainingSettings,
        inputs: InputScaler,
        (x, y): (&Points, &[f64]),
    ) -> Result<Self, GpError> {
        let targets = TargetScaler::fit(y)?;
        let member = |kernel| {
            let scalers = (inputs.clone(), targets);
            Member::fit(kernel, settings, scalers, (x, y))
        };
        let companions = companions.into_iter().map(member);
        let companions = companions.collect::<Result<_, _>>()?;
        let members = (member(kernel)?, companions);
        Ok(Self::of_members(members, y.to_vec(), settings))
    }

    /// Of members that have the readings as they are.
    fn of_members(
        (first, companions): (Member, Vec<Member>),
        readings: Vec<f64>,
        settings: &TrainingSettings,
    ) -> Self {
        Self {
            first,
            companions,
            settings: *settings,
            readings,
            warp: Warp::identity(),
            scale: Scale::Plain,
            temperature: Temperature::one(),
            outliers: Vec::new(),
            told: false,
            doubted: false,
            steps_since_review: 0,
            troubles: Vec::new(),
            floored: 0,
        }
    }

    /// A model with the same kernels, parameters and scales, of other readings, and judged by them: how wide error bars are is theirs.
    ///
    /// # Errors
    /// If there are no data, they are not finite, or a kernel is not one that the engine knows by name.
    pub(crate) fn with_readings(
        &self,
        (x, y): (&Points, &[f64]),
        compute: Compute,
    ) -> Result<Self, GpError> {
        let member = |like: &Member| like.with_readings(&self.settings, (x, y));
        let companions = self.companions.iter().map(member);
        let members = (member(&self.first)?, companions.collect::<Result<_, _>>()?);
        let mut model = Self::of_members(members, y.to_vec(), &self.settings);
        model.set_compute(compute);
        // What failed has been put down as trouble; error bars are the kernels' then.
        let _ = model.review();
        Ok(model)
    }

    fn members(&mut self) -> impl Iterator<Item = &mut Member> {
        std::iter::once(&mut self.first).chain(&mut self.companions)
    }

    /// How work is carried out from now on.
    pub fn set_compute(&mut self, compute: Compute) {
        self.members()
            .for_each(|member| member.set_compute(compute));
    }

    /// The regression of the first kernel: parameters, data, saving.
    pub fn regression(&self) -> &Regression {
        self.first.regression()
    }

    /// The regression of the first kernel, for whoever wants more of it than predictions.
    pub fn regression_mut(&mut self) -> &mut Regression {
        self.first.regression_mut()
    }

    /// By how much predicted standard deviations are widened overall, from leave-one-out errors; 1 where that is
    /// not looked after.
    pub fn temperature(&self) -> f64 {
        self.temperature.overall()
    }

    /// The shape of the predicted distributions, from leave-one-out errors; Gaussian where they are not looked at.
    pub fn tails(&self) -> Tails {
        self.temperature.tails()
    }

    /// Share of readings inside their 95 % intervals when they are left out with so many neighbours that the nearest reading left is as far
    /// away as most of the map is from readings; not a number before that was looked at.
    pub(crate) fn coverage_apart(&self) -> f64 {
        self.temperature.coverage_95()
    }

    /// Predictive variances that rounding had pushed below the floor, over all predictions.
    pub fn floored_variances(&self) -> usize {
        self.floored
    }

    /// What went wrong since this was last asked.
    pub fn take_troubles(&mut self) -> Vec<Trouble> {
        let own = std::mem::take(&mut self.troubles);
        own.into_iter()
            .chain(self.members().flat_map(Member::take_troubles))
            .collect()
    }

    /// Adds readings, in raw units.
    ///
    /// # Errors
    /// If a number is not finite or counts do not match; nothing is added then.
    pub fn add(&mut self, x: &Points, y: &[f64]) -> Result<(), GpError> {
        self.take_up(Scale::Plain)?;
        // They scale alike: what one refuses all refuse, and the first before the others have it.
        self.members().try_for_each(|member| member.add(x, y))?;
        self.readings.extend(y);
        Ok(())
    }

    /// All readings, in raw units.
    pub fn readings(&self) -> &[f64] {
        &self.readings
    }

    /// Has the members model the readings on this scale.
    fn take_up(&mut self, scale: Scale) -> Result<(), GpError> {
        if scale == self.scale {
            return Ok(());
        }
        // The identity's scales are the same.
        if !self.warp.is_identity() {
            let targets = match scale {
                Scale::Plain => self.readings.clone(),
                Scale::Warped => self.readings.iter().map(|y| self.warp.warp(*y)).collect(),
            };
            self.members()
                .try_for_each(|member| member.set_targets(&targets))?;
        }
        self.scale = scale;
        Ok(())
    }

    /// Predicts at `points`, in raw units; error bars are as wide as the errors of the readings say.
    ///
    /// # Errors
    /// If the dimension differs, or no remedy helps.
    pub fn predict(&mut self, points: &Points, of: Of) -> Result<Prediction, GpError> {
        Ok(self.forecast(points, of)?.moments())
    }

    /// Predicts distributions at `points`.
    ///
    /// # Errors
    /// As [`Model::predict`].
    pub fn forecast(&mut self, points: &Points, of: Of) -> Result<Forecast, GpError> {
        let (measurement, quantity) = self.forecast_both(points)?;
        Ok(match of {
            Of::Measurement => measurement,
            Of::Quantity => quantity,
        })
    }

    /// Predicts the distributions of measurements at `points` and of the quantity itself, for little more than one of them
    /// costs.
    ///
    /// # Errors
    /// As [`Model::predict`].
    pub fn forecast_both(&mut self, points: &Points) -> Result<(Forecast, Forecast), GpError> {
        self.take_up(Scale::Warped)?;
        let measurements = self.predict_each(points)?;
        let mut quantities = measurements.clone();
        let noise = self.least_noise();
        for quantity in &mut quantities {
            add_variance(quantity, -noise);
        }
        let (mut quantity, mut measurement) = (pool(quantities), pool(measurements));
        self.floored += measurement.floored;
        if self.settings.error_bars != ErrorBars::Kernels {
            let (inputs, _) = self.regression().scalers();
            let factors = self
                .temperature
                .at(&inputs.scale(points)?, &measurement.std);
            widen(&mut measurement, &factors);
            widen(&mut quantity, &factors);
        }
        Ok((self.forecast_of(measurement), self.forecast_of(quantity)))
    }

    fn forecast_of(&self, warped: Prediction) -> Forecast {
        Forecast {
            warped,
            warp: self.warp.clone(),
            tails: self.tails(),
        }
    }

    /// Predicts measurements at `points` for planners: with the error bars that the kernels give, and the planning
    /// variance of the settings on top.
    ///
    /// Errors of readings so far widen error bars where the survey has been: a boat that followed them would go there
    /// again, and learn the rest late. Nor are readings warped: what is flat on a map that is wrong would never be visited.
    ///
    /// # Errors
    /// As [`Model::predict`].
    pub fn predict_for_planning(&mut self, points: &Points) -> Result<Prediction, GpError> {
        self.take_up(Scale::Plain)?;
        let mut prediction = pool(self.predict_each(points)?);
        self.floored += prediction.floored;
        let unit = self.regression().scalers().1.unit();
        let more = self.settings.planning_variance * unit * unit;
        add_variance(&mut prediction, more);
        Ok(prediction)
    }

    /// Predicts measurements at `points` with every member.
    fn predict_each(&mut self, points: &Points) -> Result<Vec<Prediction>, GpError> {
        let predict = |member: &mut Member| member.predict(points, Of::Measurement);
        self.members().map(predict).collect()
    }

    /// Standard deviations of the noise that members see in readings, the least and the most, in their unit.
    pub(crate) fn noise_stds(&mut self) -> [f64; 2] {
        let noises = self.members().map(|member| member.noise_variance().sqrt());
        noises.fold([f64::INFINITY, 0.0], |[least, most], noise| {
            [noise.min(least), noise.max(most)]
        })
    }

    /// The noise variance of the member that has the least, in squared raw units. What one member takes for noise and
    /// another can explain is part of the surface.
    fn least_noise(&mut self) -> f64 {
        let noises = self.members().map(|member| member.noise_variance());
        noises.fold(f64::INFINITY, f64::min)
    }

    /// Takes up to `steps` training steps with every kernel. A step that fails is undone, and those after it are
    /// left out.
    pub fn train(&mut self, steps: usize) -> Training {
        // An outlier must not shape the parameters for long.
        let longest = match self.settings.ignore_outliers {
            true => REVIEW_EVERY,
            false => steps,
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
            // Numbers that were taken before are taken again.
            let _ = self.take_up(Scale::Plain);
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
                let _ = self.review();
            }
        }
        done
    }

    /// Learns the parameters of every kernel from readings that are all there already. `watch` hears how much is done, in [0, 1].
    ///
    /// # Errors
    /// If no remedy helps.
    pub fn settle(&mut self, watch: &dyn Fn(f64)) -> Result<(), GpError> {
        self.take_up(Scale::Plain)?;
        let count = 1 + self.companions.len();
        for (number, member) in self.members().enumerate() {
            member.settle(&mut |step| {
                watch((number as f64 + step as f64 / MOST_STEPS as f64) / count as f64);
            })?;
        }
        self.review()
    }

    /// Whether each reading the model was given was an outlier when last judged; fewer than there are readings when
    /// the last ones have not been judged.
    pub fn outliers(&self) -> impl Iterator<Item = bool> + '_ {
        self.outliers.iter().copied()
    }

    /// What each reading would have been predicted to be without itself, with the error bars of the map; noise included.
    ///
    /// # Errors
    /// If no remedy helps.
    pub fn leave_one_out(&mut self) -> Result<Forecast, GpError> {
        self.take_up(Scale::Warped)?;
        let left_out: Result<Vec<_>, GpError> = self.members().map(Member::leave_one_out).collect();
        let of_members = left_out?.into_iter().map(|points| Prediction {
            mean: points.iter().map(|point| point.mean).collect(),
            std: points.iter().map(|point| point.std).collect(),
            floored: 0,
        });
        let mut prediction = pool(of_members.collect());
        if self.settings.error_bars != ErrorBars::Kernels {
            let (places, _) = self.regression().data();
            let factors = self.temperature.without_own(places, &prediction.std);
            widen(&mut prediction, &factors);
        }
        Ok(self.forecast_of(prediction))
    }
}

fn widen(prediction: &mut Prediction, factors: &[f64]) {
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

#[cfg(test)]
mod tests {
    use super::*;
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
        let kernels = || -> (Box<dyn Kernel>, Vec<Box<dyn Kernel>>) {
            (Box::new(matern12(1.0, 0.1)), vec![Box::new(rbf(1.0, 1.0))])
        };
        let mut model = Model::fit(kernels(), &settings, inputs, (&x, &y)).unwrap();
        model.train(300);
        let noises: Vec<f64> = model.members().map(|m| m.noise_variance()).collect();
        assert!(noises[1] > 3.0 * noises[0], "{noises:?}");
        let at = Points::line(&[0.013, 3.0]).unwrap();
        let (measurement, quantity) = model.forecast_both(&at).unwrap();
        let (measurement, quantity) = (measurement.moments(), quantity.moments());
        let rough = model.first.predict(&at, Of::Quantity).unwrap();
        let smooth = model.companions[0].predict(&at, Of::Quantity).unwrap();
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
            let kernels: (Box<dyn Kernel>, _) = (Box::new(rbf(1.0, 0.5)), Vec::new());
            let mut model = Model::fit(kernels, &settings, inputs, (&x, &y)).unwrap();
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
        assert!(doubted[0].0 < TRUSTWORTHY_COVERAGE && doubted[0].1 == 120);
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
            let kernels: (Box<dyn Kernel>, _) = (Box::new(matern12(1.0, 0.5)), Vec::new());
            let mut model = Model::fit(kernels, &settings, inputs, (&points, &y)).unwrap();
            model.train(100);
            let planned = model.predict_for_planning(&new).unwrap();
            let forecast = model.forecast(&new, Of::Measurement).unwrap();
            // Whatever scale a prediction was made on, training goes on with the readings as they are.
            assert_eq!(model.readings(), y);
            let again = model.predict_for_planning(&new).unwrap();
            assert_eq!(planned, again);
            let (evaluation, _) = forecast.evaluation(&truth, &y).unwrap();
            (evaluation.msll, planned)
        };
        let ((warped, planned), (plain, as_before)) = (msll(20), msll(0));
        assert!(warped < plain - 0.3, "{warped} {plain}");
        assert_eq!(planned, as_before);
    }
}
