//! The surrogate of many readings: nearest-neighbour Gaussian processes of means over cells.
//!
//! ```text
//!  readings ──> without bad pings ──> means over cells (at most 8,192) ──> one nearest-neighbour process per kernel ──> means, error bars
//!                                      └──> 384 of them, spread ──> an exact committee ──> how places depend on each other, the map's scale
//! ```
//!
//! Nothing of the size of the readings is ever factored or looked at as a whole: time and memory of a round of learning are bounded
//! by the number of means. Each round takes a bounded number of training steps, on minibatches drawn from all means at all
//! distances; with the first readings the exact committee is trained instead, which is quicker to find its way.
//!
//! | file | what |
//! |---|---|
//! | `cells` | means of readings over the cells of a grid |
//! | `pings` | bad pings among readings as they come |
//! | `process` | a nearest-neighbour process that survives its own numerics |
//! | `judge` | how wide error bars are |
//! | `memo` | the last forecast, for whoever asks at the same places next |
//! | `snapshot` | what is known |
//! | `start` | what it begins with |
//! | `saved` | all of it as JSON |

mod cells;
mod judge;
mod memo;
mod pings;
mod process;
mod saved;
mod snapshot;
mod start;

pub(super) use saved::FORMAT;

use std::sync::Arc;

use transect_gp::nearest::{Conditional, Vecchia};
use transect_gp::random::{Randomness, Stream};
use transect_gp::{Compute, GpError, InputScaler, Points, Prediction, TargetScaler, Warp};

use super::committee::Kernels;
use super::ignorance::Ignorance;
use super::member::Member;
use super::outliers::NOTABLE_SHARE;
use super::snapshot::{Bars, widen};
use super::{Committee, FirstReadings, Surrogate, TRUSTWORTHY_COVERAGE, Training, Trouble};
use crate::Error;
use crate::calibration::{ErrorScale, Spread};
use crate::posterior::{Forecast, Posterior};
use crate::settings::{ErrorBars, TrainingSettings};
use cells::{Cells, Means};
use judge::Trial;
use memo::Memo;
use pings::Pings;
use process::Process;
use snapshot::{Known, Noise, Snapshot, add_variance};
use start::{Start, coarse_data, coarse_settings, require_readings};

/// Most training steps of a round, whatever is asked for.
const MOST_STEPS: usize = 10;
/// Conditionals in a minibatch.
const MINIBATCH: usize = 64;
/// Error bars and the map's scale are learnt anew whenever there are this many times the readings of the last time.
const REVIEW_GROWTH: f64 = 1.02;
/// Means whose distance to the next is looked at.
const SEEN_FROM: usize = 256;

/// A model of many readings.
#[derive(Debug)]
pub struct Nearest {
    settings: TrainingSettings,
    seed: u64,
    /// Rounds of training: what is drawn differs from one to the next.
    rounds: u64,
    readings: Vec<f64>,
    pings: Pings,
    cells: Cells,
    means: Means,
    processes: Vec<Process>,
    coarse: Committee,
    /// Whether the processes have learnt something.
    is_taught: bool,
    warp: Warp,
    error_scale: Arc<ErrorScale>,
    /// Readings when error bars were last learnt.
    reviewed: usize,
    told: bool,
    doubted: bool,
    troubles: Vec<Trouble>,
    compute: Compute,
    known: Arc<dyn Posterior>,
}

impl Nearest {
    pub(super) fn begin(from: &FirstReadings<'_>) -> Result<Box<dyn Surrogate>, Error> {
        Ok(Box::new(Self::of_settings(from)?))
    }

    /// The model that a mission's settings describe, of the first readings.
    pub(super) fn of_settings(from: &FirstReadings<'_>) -> Result<Self, Error> {
        let settings = from.settings.training;
        let inputs = from.scaler()?;
        let targets = TargetScaler::fit(from.readings)?;
        let mut start = Start::of(&settings, (from.places, from.readings), &inputs, targets)?;
        let (x, y) = start.coarse()?;
        let Kernels { first, companions } = Kernels::of_settings(from.settings)?;
        let coarse = coarse_settings(&settings);
        let member = |kernel| Member::fit(kernel, &coarse, (inputs.clone(), targets), (&x, &y));
        let companions = companions.into_iter().map(member);
        let companions = companions.collect::<Result<_, _>>()?;
        let members = (member(first)?, companions);
        let coarse = Committee::of_members(members, y, &coarse, from.compute);
        start.is_taught = false;
        Ok(Self::made(start, coarse, from.settings.seed, from.compute)?)
    }

    /// A model that goes on from where an exact one is, of readings at `places`.
    pub(super) fn after(exact: &Committee, places: &Points, seed: u64) -> Result<Self, Error> {
        let regression = exact.regression();
        let (inputs, targets) = regression.scalers();
        let (inputs, targets) = (inputs.clone(), *targets);
        let settings = exact.settings;
        let mut start = Start::of(&settings, (places, &exact.readings), &inputs, targets)?;
        if settings.ignore_outliers {
            start.ignore(exact.outliers(), places, &exact.readings);
        }
        let (x, y) = start.coarse()?;
        let coarse = coarse_settings(&settings);
        let member = |like: &Member| like.with_readings(&coarse, (&x, &y));
        let companions = exact.companions.iter().map(member);
        let members = (member(&exact.first)?, companions.collect::<Result<_, _>>()?);
        let compute = exact.first.regression().compute();
        let coarse = Committee::of_members(members, y, &coarse, compute);
        let mut model = Self::made(start, coarse, seed, compute)?;
        model.warp = exact.warp.clone();
        model.error_scale = Arc::clone(&exact.error_scale);
        (model.told, model.doubted) = (exact.told, exact.doubted);
        model.refresh();
        Ok(model)
    }

    fn made(
        start: Start,
        mut coarse: Committee,
        seed: u64,
        compute: Compute,
    ) -> Result<Self, GpError> {
        let settings = start.settings;
        let process = |member: &mut Member| Process::like(member.regression(), &settings, compute);
        let processes = coarse.members().map(process).collect();
        let mut model = Self {
            settings,
            seed,
            rounds: 0,
            known: Arc::new(Ignorance::of(&start.readings)),
            readings: start.readings,
            pings: start.pings,
            means: start.cells.means()?,
            cells: start.cells,
            processes,
            coarse,
            is_taught: start.is_taught,
            warp: Warp::identity(),
            error_scale: Arc::new(ErrorScale::one()),
            reviewed: 0,
            told: false,
            doubted: false,
            troubles: Vec::new(),
            compute,
        };
        model.take_means()?;
        model.refresh();
        Ok(model)
    }

    /// Troubles of a model that this one took over from.
    pub(super) fn keep_troubles(&mut self, troubles: Vec<Trouble>) {
        self.troubles.extend(troubles);
    }

    /// Points that the model has: means of readings.
    pub fn points(&self) -> usize {
        self.means.values.len()
    }

    fn inputs(&self) -> &InputScaler {
        self.coarse.regression().scalers().0
    }

    fn unit(&self) -> f64 {
        self.coarse.regression().scalers().1.unit()
    }

    /// Gives the processes the means as they are now.
    fn take_means(&mut self) -> Result<(), GpError> {
        let Some((first, others)) = self.processes.split_first_mut() else {
            return Ok(());
        };
        first.set_means(&self.means)?;
        let mut others = others.iter_mut();
        others.try_for_each(|process| process.share_means(first.points()))
    }

    fn noise(&self) -> Noise {
        let noises = || self.processes.iter().map(Process::noise_variance);
        let least = noises().fold(f64::INFINITY, f64::min);
        let counts = &self.means.counts;
        let share = counts.iter().map(|count| 1.0 / count).sum::<f64>() / counts.len() as f64;
        Noise {
            least,
            beyond: noises().map(|noise| (noise - least) * share).collect(),
            share,
        }
    }

    /// The processes on the map's scale, and the means there.
    fn on_scale(&self) -> Result<(Vec<Arc<Vecchia>>, Vec<f64>), GpError> {
        let own = || self.processes.iter().map(Process::points);
        if self.warp.is_identity() {
            return Ok((own().cloned().collect(), self.means.values.clone()));
        }
        let warped: Vec<f64> = self
            .means
            .values
            .iter()
            .map(|y| self.warp.warp(*y))
            .collect();
        let processes = own().map(|process| process.with_targets(&warped).map(Arc::new));
        Ok((processes.collect::<Result<_, _>>()?, warped))
    }

    /// Takes a new snapshot. If parameters turn out to be of no use, those before them are taken; if that does not help, the last
    /// snapshot stays. Either is reported.
    fn refresh(&mut self) {
        let mut outcome = self.snapshot();
        if let Err(error) = outcome {
            self.troubles.push(Trouble::Numerics {
                task: super::Task::Learning,
                error,
                remedy: super::Remedy::RestoredParameters,
            });
            self.processes.iter_mut().for_each(Process::go_back);
            outcome = self.snapshot();
        }
        match outcome {
            Ok(snapshot) => {
                self.processes.iter_mut().for_each(Process::is_good);
                self.known = Arc::new(snapshot);
            }
            Err(error) => self.troubles.push(Trouble::stale(error)),
        }
    }

    fn snapshot(&self) -> Result<Snapshot, GpError> {
        // One prediction of each shows whether there will be others.
        let probe = self.means.places.slice(0, 1);
        for process in &self.processes {
            let told = process.points().marginals(&probe)?;
            let numbers = [told.mean[0], told.std[0]];
            if let Some(value) = numbers.into_iter().find(|number| !number.is_finite()) {
                let (what, index) = ("prediction", 0);
                return Err(GpError::NotFinite { what, index, value });
            }
        }
        let known = |processes: &mut dyn Iterator<Item = Arc<Vecchia>>| -> Vec<Known> {
            processes.map(Known::Measured).collect()
        };
        let warped = match self.warp.is_identity() {
            true => Vec::new(),
            false => known(&mut self.on_scale()?.0.into_iter()),
        };
        let calibrated = self.settings.error_bars != ErrorBars::Kernels;
        Ok(Snapshot {
            members: known(&mut self.processes.iter().map(Process::points).cloned()),
            warped,
            noise: self.noise(),
            coarse: self.coarse.posterior(),
            bars: Bars {
                warp: self.warp.clone(),
                error_scale: calibrated.then(|| Arc::clone(&self.error_scale)),
                inputs: self.inputs().clone(),
            },
            unit: self.unit(),
            memo: Memo::default(),
        })
    }

    /// Makes the exact committee anew, of some of the means and with the parameters of the processes.
    fn renew_coarse(&mut self) -> Result<(), GpError> {
        let params = self
            .processes
            .iter()
            .map(|process| process.points().params());
        for (member, params) in self.coarse.members().zip(params) {
            member.set_params(params);
        }
        let (x, y) = coarse_data(&self.means, self.inputs(), self.cells.side())?;
        let settings = self.coarse.settings;
        let member = |like: &Member| like.with_readings(&settings, (&x, &y));
        let companions = self.coarse.companions.iter().map(member);
        let members = (
            member(&self.coarse.first)?,
            companions.collect::<Result<_, _>>()?,
        );
        self.coarse = Committee::of_members(members, y, &settings, self.compute);
        Ok(())
    }

    /// Learns the map's scale and the width of error bars anew.
    fn review(&mut self, scaled: &Points, spread: &Spread) -> Result<(), GpError> {
        // Without a new scale the last one stands.
        if self.coarse.recalibrate().is_ok() && self.settings.warp_knots >= 2 {
            self.warp = self.coarse.warp.clone();
        }
        if self.settings.error_bars == ErrorBars::Kernels {
            return Ok(());
        }
        let (processes, values) = self.on_scale()?;
        let trial = Trial {
            processes: &processes,
            noise: &self.noise(),
            means: &self.means,
            values: &values,
            scaled,
            spread,
            error_bars: self.settings.error_bars,
            seed: self.draw(1),
        };
        self.error_scale = Arc::new(trial.error_scale()?);
        let (coverage, readings) = (self.error_scale.coverage_95(), self.readings.len());
        if !self.doubted && coverage < TRUSTWORTHY_COVERAGE {
            self.doubted = true;
            let trouble = Trouble::Overconfident { coverage, readings };
            self.troubles.push(trouble);
        }
        Ok(())
    }

    /// A seed that differs from round to round and from `what` to `what`.
    fn draw(&self, what: u64) -> u64 {
        self.seed ^ (2 * self.rounds + what).wrapping_mul(0x9E37_79B9_7F4A_7C15)
    }

    /// Conditionals of some steps: half as in the evidence, half at the distances of the map.
    fn minibatches(&self, steps: usize, spread: &Spread) -> Vec<Vec<Conditional>> {
        let mut stream = Stream::new(self.draw(0));
        let count = self.means.values.len();
        let apart = [spread.typical, spread.farthest()];
        let mut any = |from: usize| (stream.uniform(0.0, from as f64) as usize).min(from - 1);
        let mut draw = |number: usize| {
            let point = any(count);
            match number.is_multiple_of(2) {
                true => Conditional::in_order(point),
                false => Conditional::apart(point, apart[any(apart.len())], 0),
            }
        };
        let minibatch = |_| (0..MINIBATCH).map(&mut draw).collect();
        (0..steps).map(minibatch).collect()
    }

    /// A round of training; returns what was done.
    fn learn(&mut self, steps: usize, spread: &Spread) -> Result<Training, GpError> {
        if !self.is_taught {
            self.is_taught = true;
            let done = self.coarse.train(steps);
            let mut members = self.coarse.members();
            for process in &mut self.processes {
                if let Some(member) = members.next() {
                    process.set_params(member.regression().params())?;
                }
            }
            return Ok(done);
        }
        let minibatches = self.minibatches(steps.min(MOST_STEPS), spread);
        let mut done = Training {
            steps: 0,
            loss: None,
        };
        let troubles = &mut self.troubles;
        for (number, process) in self.processes.iter_mut().enumerate() {
            let (taken, loss) = process.train(&minibatches, troubles);
            if number == 0 {
                let all = self.means.values.len() as f64;
                (done.steps, done.loss) = (taken, loss.map(|mean| mean * all));
            }
        }
        Ok(done)
    }

    fn train_and_review(&mut self, steps: usize) -> Result<Training, GpError> {
        let scaled = self.inputs().scale(&self.means.places)?;
        let every = scaled.len().div_ceil(SEEN_FROM).max(1);
        let some: Vec<f64> = (0..scaled.len())
            .step_by(every)
            .flat_map(|i| scaled.row(i))
            .collect();
        let spread = Spread::seen_from(&scaled, &Points::from_flat(scaled.dim(), &some)?);
        self.rounds += 1;
        let done = self.learn(steps, &spread)?;
        self.renew_coarse()?;
        let count = self.readings.len();
        if self.reviewed == 0 || count as f64 >= REVIEW_GROWTH * self.reviewed as f64 {
            self.reviewed = count;
            self.review(&scaled, &spread)?;
        }
        Ok(done)
    }

    /// Takes bad pings out of the means, if so told, and says when there are many.
    fn judge_pings(&mut self, places: &Points, readings: &[f64]) -> Result<(), GpError> {
        let scaled = self.inputs().scale(places)?;
        let unit = self.unit();
        let changed = self.pings.add((places, &scaled), readings, unit);
        let last = self.readings.len() - 1;
        if self.settings.ignore_outliers {
            for one in &changed {
                let reading = (&one.place[..], one.value);
                self.cells.set_counts(last - one.ago, reading, !one.bad);
            }
        }
        let (count, readings) = (self.pings.bad, self.readings.len());
        if !self.told && count as f64 > NOTABLE_SHARE * readings as f64 {
            self.told = true;
            self.troubles.push(Trouble::Outliers {
                count,
                readings,
                ignored: self.settings.ignore_outliers,
            });
        }
        Ok(())
    }
}

impl Surrogate for Nearest {
    fn name(&self) -> &'static str {
        super::NEAREST
    }

    fn add(&mut self, places: &Points, readings: &[f64]) -> Result<(), Error> {
        require_readings(places, readings)?;
        self.cells.add(places, readings)?;
        self.readings.extend(readings);
        if !readings.is_empty() {
            self.judge_pings(places, readings)?;
        }
        self.means = self.cells.means()?;
        self.take_means()?;
        self.refresh();
        Ok(())
    }

    fn readings(&self) -> &[f64] {
        &self.readings
    }

    fn train(&mut self, steps: usize) -> Training {
        let done = match self.train_and_review(steps) {
            Ok(done) => done,
            Err(error) => {
                self.troubles.push(Trouble::stale(error));
                Training {
                    steps: 0,
                    loss: None,
                }
            }
        };
        self.refresh();
        done
    }

    fn posterior(&self) -> Arc<dyn Posterior> {
        Arc::clone(&self.known)
    }

    /// Every reading is predicted without all those of its cell.
    fn left_out(&mut self) -> Option<Forecast> {
        let (processes, _) = self.on_scale().ok()?;
        let all = 0..self.means.values.len();
        let conditionals: Vec<Conditional> = all.map(|i| Conditional::apart(i, 0.0, 0)).collect();
        let noise = self.noise();
        let mut told = judge::left_out(&processes, &noise, &conditionals).ok()?;
        let stds = noise.of_points(&told);
        add_variance(&mut told, noise.least);
        let mut tails = crate::metrics::Tails::Gaussian;
        if self.settings.error_bars != ErrorBars::Kernels {
            let scaled = self.inputs().scale(&self.means.places).ok()?;
            widen(&mut told, &self.error_scale.without_own(&scaled, &stds));
            tails = self.error_scale.tails();
        }
        let mut warped = Prediction {
            mean: Vec::with_capacity(self.readings.len()),
            std: Vec::with_capacity(self.readings.len()),
            floored: 0,
        };
        for cell in self.cells.of_reading() {
            let mean = self.means.of_cell.get(*cell as usize).copied().flatten();
            // A cell without a reading that counts: nothing is known of it but what all readings say.
            let at = mean.unwrap_or(0);
            warped.mean.push(told.mean[at]);
            warped.std.push(told.std[at]);
        }
        Some(Forecast {
            warped,
            warp: self.warp.clone(),
            tails,
        })
    }

    fn take_troubles(&mut self) -> Vec<Trouble> {
        let own = std::mem::take(&mut self.troubles);
        own.into_iter().chain(self.coarse.take_troubles()).collect()
    }

    fn save(&self) -> Result<String, Error> {
        Ok(self.to_json()?)
    }
}
