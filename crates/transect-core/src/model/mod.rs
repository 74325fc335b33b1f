//! What a mission knows about the surface.
//!
//! A [`Model`] is one Gaussian process or a committee of several with different kernels, which see the same
//! readings.
//!
//! | file | what |
//! |---|---|
//! | `member` | a Gaussian process that survives its own numerics |
//! | `outliers` | readings that have nothing to do with the surface |
//! | `pool` | one prediction from several |
//! | `temperature` | how much wider errors are than predicted |
//! | `trouble` | what went wrong, and what was done about it |

mod member;
mod outliers;
mod pool;
mod temperature;
mod trouble;

pub use trouble::{Remedy, Task, Trouble};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use transect_gp::kernel::Kernel;
use transect_gp::{
    Compute, GpError, InputScaler, Of, Points, Prediction, Regression, TargetScaler,
};

use crate::settings::TrainingSettings;
use member::Member;
use outliers::{NOTABLE_SHARE, outliers};
use pool::pool;
use temperature::{left_out_errors, temperature};

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
    temperature: f64,
    /// Which readings were outliers when last judged.
    outliers: Vec<bool>,
    /// Whether outliers have been told of.
    told: bool,
    /// Training steps since leave-one-out errors were looked at.
    steps_since_review: usize,
    troubles: Vec<Trouble>,
    floored: usize,
}

/// Leave-one-out errors are looked at after so many training steps, or, where outliers are ignored, after every round.
const REVIEW_EVERY: usize = 10;
/// How often outliers are judged again with those found ignored.
const JUDGEMENTS: usize = 4;

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
        Ok(Self {
            first: member(kernel)?,
            companions: companions
                .into_iter()
                .map(member)
                .collect::<Result<_, _>>()?,
            settings: *settings,
            temperature: 1.0,
            outliers: Vec::new(),
            told: false,
            steps_since_review: 0,
            troubles: Vec::new(),
            floored: 0,
        })
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

    /// By how much predicted standard deviations are widened, from leave-one-out errors; 1 where that is not
    /// looked after.
    pub fn temperature(&self) -> f64 {
        self.temperature
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
        // They scale alike: what one refuses all refuse, and the first before the others have it.
        self.members().try_for_each(|member| member.add(x, y))
    }

    /// Predicts at `points`, in raw units.
    ///
    /// # Errors
    /// If the dimension differs, or no remedy helps.
    pub fn predict(&mut self, points: &Points, of: Of) -> Result<Prediction, GpError> {
        let predictions: Result<Vec<Prediction>, GpError> = self
            .members()
            .map(|member| member.predict(points, of))
            .collect();
        let mut prediction = pool(predictions?);
        if self.settings.temper {
            let temperature = self.temperature;
            prediction
                .std
                .iter_mut()
                .for_each(|std| *std *= temperature);
        }
        self.floored += prediction.floored;
        Ok(prediction)
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
            if self.settings.temper && due {
                self.steps_since_review = 0;
                // What failed has been put down as trouble; the last review stands.
                let _ = self.review();
            }
        }
        done
    }

    /// Judges the readings and the model by leave-one-out errors.
    fn review(&mut self) -> Result<(), GpError> {
        let readings: Vec<f64> = self.regression().raw_targets().collect();
        let mut errors = self.left_out_errors(&readings)?;
        let mut found = outliers(&errors);
        if self.settings.ignore_outliers {
            for _ in 0..JUDGEMENTS {
                if found == self.outliers {
                    break;
                }
                self.members().for_each(|member| member.ignore(&found));
                self.outliers.clone_from(&found);
                errors = self.left_out_errors(&readings)?;
                found = outliers(&errors);
            }
        } else {
            self.outliers.clone_from(&found);
        }
        let ordinary = errors.iter().zip(&self.outliers);
        let ordinary: Vec<f64> = ordinary
            .filter(|(_, outlier)| !(**outlier && self.settings.ignore_outliers))
            .map(|(error, _)| *error)
            .collect();
        self.temperature = temperature(&ordinary);
        let count = self.outliers().filter(|outlier| *outlier).count();
        if !self.told && count as f64 > NOTABLE_SHARE * readings.len() as f64 {
            self.told = true;
            self.troubles.push(Trouble::Outliers {
                count,
                readings: readings.len(),
                ignored: self.settings.ignore_outliers,
            });
        }
        Ok(())
    }

    /// Whether each reading the model was given was an outlier when last judged; fewer than there are readings when
    /// the last ones have not been judged.
    pub fn outliers(&self) -> impl Iterator<Item = bool> + '_ {
        self.outliers.iter().copied()
    }

    fn left_out_errors(&mut self, readings: &[f64]) -> Result<Vec<f64>, GpError> {
        let left_out: Result<Vec<_>, GpError> = self.members().map(Member::leave_one_out).collect();
        Ok(left_out_errors(&left_out?, readings))
    }
}
