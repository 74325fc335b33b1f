//! The loop.

use std::sync::Arc;

use transect_gp::kernel::Kernel;
use transect_gp::random::Randomness;
use transect_gp::{Compute, Points};

use super::{Ending, Evaluator, Event, Observer, Phase, SimulatedWorld, World};
use crate::budget::Spent;
use crate::geometry::{Position, Workspace};
use crate::model::{Model, Remedy, Task, Trouble};
use crate::planner::{Context, Go, PLANNERS, Pilot, Plan, Planner, uniform};
use crate::settings::{MissionSettings, choose};
use crate::terrain::Terrain;
use crate::{Error, Sounding};

/// A model needs at least so many readings to begin with.
const FEWEST_READINGS: usize = 2;

/// An adaptive survey, step by step: a pilot survey; then, until the budget is spent, plan, move, measure,
/// learn and judge the map.
///
/// ```
/// use std::sync::Arc;
/// use transect::budget::Budget;
/// use transect::geometry::{Rect, Workspace};
/// use transect::mission::{Ending, Event, Mission};
/// use transect::settings::MissionSettings;
/// use transect::terrain::Terrain;
///
/// // A hill of 10 m in the corner of a plain.
/// let heights = (0..900).map(|i: i32| 10.0 * (-0.02 * f64::from((i % 30).pow(2) + (i / 30).pow(2))).exp());
/// let extent = Rect::new(0.0, 30.0, 0.0, 30.0)?;
/// let terrain = Arc::new(Terrain::new(heights.collect(), 30, 30, extent)?);
///
/// let mut settings = MissionSettings::default();
/// settings.sensor.noise_std = 0.1;
/// settings.budget = Budget::of_soundings(80);
/// let mut mission = Mission::simulated(terrain, Workspace::from(extent), settings)?;
///
/// let mut smse = Vec::new();
/// let ending = mission.run(&mut |event: &Event<'_>| {
///     if let Event::Evaluated { evaluation, .. } = event {
///         smse.push(evaluation.smse);
///     }
/// })?;
/// assert_eq!(ending, Ending::BudgetSpent);
/// assert_eq!(mission.soundings().len(), 80);
/// assert!(smse.last() < smse.first());
/// # Ok::<(), transect::Error>(())
/// ```
pub struct Mission<W> {
    pub(super) world: W,
    pub(super) core: Core,
    planner: Box<dyn Planner>,
    pilot: Box<dyn Planner>,
    evaluator: Option<Evaluator>,
    /// The planner at work samples without driving.
    jumping: bool,
    state: State,
    compute: Compute,
}

/// What a mission knows, apart from the world and those who decide.
pub(super) struct Core {
    pub(super) settings: MissionSettings,
    randomness: Box<dyn Randomness + Send>,
    /// Deviates for the world, where they do not come from the same stream.
    noise: Option<Box<dyn Randomness + Send>>,
    pub(super) soundings: Vec<Sounding>,
    pub(super) lost_in_a_row: usize,
    workspace: Workspace,
    model: Option<Model>,
    /// Readings the model has been given.
    learnt: usize,
}

impl Core {
    /// Deviates for the world.
    pub(super) fn noise(&mut self) -> &mut dyn Randomness {
        match &mut self.noise {
            Some(noise) => &mut **noise,
            None => &mut *self.randomness,
        }
    }
}

/// Where a mission stands.
enum State {
    Ready(Box<dyn Kernel>),
    Pilot(Box<dyn Kernel>),
    Survey,
    Finished(Ending),
}

/// How far a mission has come.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Progress {
    /// What has been spent.
    pub spent: Spent,
    /// The share of the budget that is left, in [0, 1].
    pub remaining: f64,
    /// Why it ended, if it has.
    pub ending: Option<Ending>,
}

impl Mission<SimulatedWorld> {
    /// A simulated mission over `terrain`, judged against it.
    ///
    /// # Errors
    /// If a setting is out of range, or the workspace has no terrain.
    pub fn simulated(
        terrain: Arc<Terrain>,
        workspace: Workspace,
        settings: MissionSettings,
    ) -> Result<Self, Error> {
        settings.validate()?;
        let world = SimulatedWorld::over(Arc::clone(&terrain), &workspace, &settings)?;
        let (grid, lookup) = (settings.evaluation, settings.sensor.lookup);
        let evaluator = Evaluator::on_grid(&workspace, grid.columns, grid.rows, |at| {
            terrain.value(at, lookup)
        })?;
        Ok(Self::new(world, workspace, settings)?.with_evaluator(evaluator))
    }
}

impl<W: World> Mission<W> {
    /// A mission in any world, judged by nobody.
    ///
    /// # Errors
    /// If a setting is out of range.
    pub fn new(world: W, workspace: Workspace, settings: MissionSettings) -> Result<Self, Error> {
        settings.validate()?;
        let build = choose("planner.name", &settings.planner.name, PLANNERS)?;
        let pilot = Pilot::new(&workspace, settings.pilot.soundings, settings.pilot.travel)?;
        let mut networks = settings.streams.networks(settings.seed);
        Ok(Self {
            world,
            planner: build(&settings, &workspace)?,
            pilot: Box::new(pilot),
            evaluator: None,
            jumping: false,
            state: State::Ready(settings.kernel.build(&mut *networks)?),
            compute: Compute::default(),
            core: Core {
                randomness: settings.streams.randomness(settings.seed),
                noise: settings.streams.noise(settings.seed),
                settings,
                workspace,
                soundings: Vec::new(),
                lost_in_a_row: 0,
                model: None,
                learnt: 0,
            },
        })
    }

    /// Judges the map with `evaluator` after every round of training.
    #[must_use]
    pub fn with_evaluator(mut self, evaluator: Evaluator) -> Self {
        self.evaluator = Some(evaluator);
        self
    }

    /// Plans with `planner` instead of the one that the settings name.
    #[must_use]
    pub fn with_planner(mut self, planner: Box<dyn Planner>) -> Self {
        self.planner = planner;
        self
    }

    /// Models with `kernel` instead of the one that the settings name. Only before the pilot survey is over.
    #[must_use]
    pub fn with_kernel(mut self, kernel: Box<dyn Kernel>) -> Self {
        if let State::Ready(current) | State::Pilot(current) = &mut self.state {
            *current = kernel;
        }
        self
    }

    /// Carries out the model's work so; one thread by default. The result does not depend on threads.
    #[must_use]
    pub fn with_compute(mut self, compute: Compute) -> Self {
        self.compute = compute;
        self
    }

    /// What the mission was told.
    pub fn settings(&self) -> &MissionSettings {
        &self.core.settings
    }

    /// The area of the survey.
    pub fn workspace(&self) -> &Workspace {
        &self.core.workspace
    }

    /// The world it acts in.
    pub fn world(&self) -> &W {
        &self.world
    }

    /// All readings, in the order they were taken.
    pub fn soundings(&self) -> &[Sounding] {
        &self.core.soundings
    }

    /// The model, once the pilot survey is over.
    pub fn model(&self) -> Option<&Model> {
        self.core.model.as_ref()
    }

    /// The model, to predict with.
    pub fn model_mut(&mut self) -> Option<&mut Model> {
        self.core.model.as_mut()
    }

    /// What has been spent.
    pub fn spent(&self) -> Spent {
        Spent {
            soundings: self.core.soundings.len() as u64,
            distance_m: self.world.distance_m(),
            time_s: self.world.time_s(),
        }
    }

    /// How far it has come.
    pub fn progress(&self) -> Progress {
        let spent = self.spent();
        Progress {
            spent,
            remaining: self.core.settings.budget.remaining_fraction(&spent),
            ending: match self.state {
                State::Finished(ending) => Some(ending),
                _ => None,
            },
        }
    }

    /// Steps until the mission is over.
    ///
    /// # Errors
    /// As [`Mission::step`].
    pub fn run(&mut self, observer: &mut dyn Observer) -> Result<Ending, Error> {
        loop {
            if let Some(ending) = self.step(observer)?.ending {
                return Ok(ending);
            }
        }
    }

    /// One step: a leg or reading of the pilot survey, or one round of plan, move, measure, learn, judge.
    /// Steps after the end do nothing.
    ///
    /// # Errors
    /// When the world can no longer do what it is asked. Trouble with numbers is no error: see
    /// [`Event::Trouble`]. A world that recovers can be stepped on; no reading is lost.
    pub fn step(&mut self, observer: &mut dyn Observer) -> Result<Progress, Error> {
        let finished = State::Finished(Ending::NoProgress);
        match std::mem::replace(&mut self.state, finished) {
            State::Ready(kernel) => {
                observer.event(&Event::Started {
                    settings: &self.core.settings,
                    workspace: &self.core.workspace,
                    pose: self.world.pose(),
                });
                self.state = State::Pilot(kernel);
                self.pilot_step(observer)?;
            }
            State::Pilot(kernel) => {
                self.state = State::Pilot(kernel);
                self.pilot_step(observer)?;
            }
            State::Survey => {
                self.state = State::Survey;
                self.survey_step(observer)?;
            }
            over @ State::Finished(_) => self.state = over,
        }
        Ok(self.progress())
    }

    fn pilot_step(&mut self, observer: &mut dyn Observer) -> Result<(), Error> {
        let cut_short = !self.core.settings.overshoot_budget && self.budget_spent();
        let plan = match cut_short {
            true => None,
            false => self.plan(Phase::Pilot, observer)?,
        };
        let ending = match plan {
            Some(plan) => self.carry_out(&plan, Phase::Pilot, observer)?,
            None => return self.finish_pilot(observer),
        };
        match ending {
            Some(Ending::BudgetSpent) => self.finish_pilot(observer),
            Some(ending) => Ok(self.finish(ending, observer)),
            None => Ok(()),
        }
    }

    /// Scalers and model from the pilot's readings.
    fn finish_pilot(&mut self, observer: &mut dyn Observer) -> Result<(), Error> {
        if self.core.soundings.len() < FEWEST_READINGS {
            let ending = match self.budget_spent() {
                true => Ending::BudgetSpent,
                false => Ending::NoReadings,
            };
            return Ok(self.finish(ending, observer));
        }
        if let State::Pilot(kernel) = std::mem::replace(&mut self.state, State::Survey) {
            let (x, y) = as_data(&self.core.soundings)?;
            let mut model = Model::fit(kernel, &self.core.settings.training, &x, &y)?;
            model.set_compute(self.compute);
            self.core.model = Some(model);
            self.core.learnt = y.len();
        }
        let soundings = &self.core.soundings;
        observer.event(&Event::PilotDone { soundings });
        self.learn(self.core.settings.training.pilot_steps, observer);
        Ok(self.finish_if_spent(observer))
    }

    fn survey_step(&mut self, observer: &mut dyn Observer) -> Result<(), Error> {
        let mut ending = None;
        let mut empty_plans = 0;
        while ending.is_none() && self.core.soundings.len() == self.core.learnt {
            if empty_plans == self.core.settings.patience.empty_plans {
                ending = Some(Ending::NoProgress);
                break;
            }
            empty_plans += 1;
            ending = match self.plan(Phase::Survey, observer)? {
                None => Some(Ending::SurveyComplete),
                Some(plan) => self.carry_out(&plan, Phase::Survey, observer)?,
            };
            if !self.core.settings.overshoot_budget && self.budget_spent() {
                break;
            }
        }
        let new = &self.core.soundings[self.core.learnt..];
        let steps = new.len() * self.core.settings.training.steps_per_sounding;
        if !new.is_empty() {
            let (x, y) = as_data(new)?;
            if let Some(model) = &mut self.core.model {
                model.add(&x, &y)?;
            }
            self.core.learnt = self.core.soundings.len();
            self.learn(steps, observer);
        }
        match ending {
            Some(ending) => self.finish(ending, observer),
            None => self.finish_if_spent(observer),
        }
        Ok(())
    }

    fn plan(&mut self, phase: Phase, observer: &mut dyn Observer) -> Result<Option<Plan>, Error> {
        let spent = self.spent();
        let pose = self.world.pose();
        let core = &mut self.core;
        let mut context = Context {
            model: core.model.as_mut(),
            workspace: &core.workspace,
            stay_inside: core.settings.stay_inside,
            pose,
            randomness: &mut *core.randomness,
            budget: &core.settings.budget,
            spent,
        };
        let planner = match phase {
            Phase::Pilot => &mut self.pilot,
            Phase::Survey => &mut self.planner,
        };
        let (plan, refusal) = match planner.plan(&mut context) {
            Ok(plan) => (plan, None),
            Err(reason) => {
                let place = anywhere(&mut context)?;
                let go = match self.jumping {
                    true => Go::Jump(place),
                    false => Go::Drive(place),
                };
                (Some(Plan { go, score: None }), Some(reason))
            }
        };
        self.tell_troubles(observer);
        if let Some(reason) = refusal {
            let (task, remedy) = (Task::Planning, Remedy::WentAnywhere);
            tell_refusal(observer, task, reason, remedy);
        }
        if let Some(plan) = &plan {
            self.jumping = matches!(plan.go, Go::Jump(_));
            observer.event(&Event::Planned { phase, plan });
        }
        Ok(plan)
    }

    /// Trains for so many steps and judges the map.
    fn learn(&mut self, steps: usize, observer: &mut dyn Observer) {
        if let Some(model) = &mut self.core.model
            && steps > 0
        {
            let training = model.train(steps);
            self.tell_troubles(observer);
            if let Some(model) = &self.core.model {
                observer.event(&Event::Trained { training, model });
            }
        }
        if let (Some(evaluator), Some(model)) = (&self.evaluator, &mut self.core.model) {
            let readings: Vec<f64> = self.core.soundings.iter().map(|s| s.value).collect();
            let outcome = evaluator.evaluate(model, &readings);
            self.tell_troubles(observer);
            match outcome {
                Ok((evaluation, prediction)) => observer.event(&Event::Evaluated {
                    evaluation: &evaluation,
                    prediction: &prediction,
                }),
                Err(reason) => {
                    let (task, remedy) = (Task::Evaluation, Remedy::SkippedEvaluation);
                    tell_refusal(observer, task, reason, remedy);
                }
            }
        }
    }

    fn tell_troubles(&mut self, observer: &mut dyn Observer) {
        let model = self.core.model.as_mut();
        for trouble in model.map(Model::take_troubles).unwrap_or_default() {
            observer.event(&Event::Trouble { trouble: &trouble });
        }
    }

    pub(super) fn budget_spent(&self) -> bool {
        self.core.settings.budget.exhausted(&self.spent())
    }

    fn finish_if_spent(&mut self, observer: &mut dyn Observer) {
        if self.budget_spent() {
            self.finish(Ending::BudgetSpent, observer);
        }
    }

    fn finish(&mut self, ending: Ending, observer: &mut dyn Observer) {
        self.state = State::Finished(ending);
        let spent = self.spent();
        observer.event(&Event::Finished { ending, spent });
    }
}

/// A random place that can be headed for.
fn anywhere(context: &mut Context<'_>) -> Result<Position, Error> {
    const TRIES: usize = 100;
    let places = uniform(context, TRIES)?;
    let reachable = places.iter().find_map(|&p| context.first_corner(p));
    Ok(reachable.unwrap_or(places[0]))
}

fn tell_refusal(observer: &mut dyn Observer, task: Task, reason: Error, remedy: Remedy) {
    let trouble = &Trouble::Refused {
        task,
        reason,
        remedy,
    };
    observer.event(&Event::Trouble { trouble });
}

fn as_data(soundings: &[Sounding]) -> Result<(Points, Vec<f64>), Error> {
    let rows: Vec<[f64; 2]> = soundings.iter().map(|s| s.position.into()).collect();
    let values = soundings.iter().map(|s| s.value).collect();
    Ok((Points::from_rows(&rows)?, values))
}
