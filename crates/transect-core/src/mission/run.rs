//! A mission: what it is made of.

use std::sync::Arc;

use transect_gp::Compute;
use transect_gp::kernel::Kernel;
use transect_gp::random::Randomness;

use super::{Ending, Evaluator, SimulatedWorld, World};
use crate::budget::Spent;
use crate::geometry::{Position, Workspace};
use crate::metrics::MetricError;
use crate::planner::{Opening, PLANNERS, Pilot, Planner};
use crate::posterior::Posterior;
use crate::settings::{MissionSettings, PilotShape};
use crate::surrogate::{Committee, FirstReadings, Kernels, SURROGATES, Surrogate};
use crate::terrain::Terrain;
use crate::{Error, Sounding};

/// An adaptive survey, step by step: a pilot survey; then, until the budget is spent, plan, move, measure,
/// learn and judge the map.
///
/// ```
/// use std::sync::Arc;
/// use transect::budget::Budget;
/// use transect::geometry::{Rect, Workspace};
/// use transect::mission::{Event, Mission};
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
/// mission.run(&mut |event: &Event<'_>| {
///     if let Event::Evaluated { evaluation, .. } = event {
///         smse.push(evaluation.smse);
///     }
/// })?;
/// assert!((70..=80).contains(&mission.soundings().len()));
/// assert!(smse.last() < smse.first());
/// # Ok::<(), transect::Error>(())
/// ```
pub struct Mission<W> {
    pub(super) world: W,
    pub(super) core: Core,
    pub(super) planner: Box<dyn Planner>,
    pub(super) pilot: Box<dyn Planner>,
    pub(super) evaluator: Option<Evaluator>,
    /// Whether the planner at work samples without driving.
    pub(super) jumping: bool,
    pub(super) state: State,
    pub(super) compute: Compute,
}

/// What a mission knows, apart from the world and those who decide.
pub(super) struct Core {
    pub(super) settings: MissionSettings,
    pub(super) randomness: Box<dyn Randomness + Send>,
    /// Deviates for the world, where they do not come from the same stream.
    noise: Option<Box<dyn Randomness + Send>>,
    /// Readings from before the mission.
    pub(super) prior: Vec<Sounding>,
    pub(super) soundings: Vec<Sounding>,
    /// Values of all of these, those from before the mission first, as far as they were asked for.
    pub(super) values: Vec<f64>,
    pub(super) lost_in_a_row: usize,
    pub(super) workspace: Workspace,
    pub(super) surrogate: Option<Box<dyn Surrogate>>,
    /// Readings the surrogate has been given.
    pub(super) learnt: usize,
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

/// Makes the surrogate when the pilot survey is over.
pub(super) type Begin =
    Box<dyn FnOnce(&FirstReadings<'_>) -> Result<Box<dyn Surrogate>, Error> + Send>;

/// Where a mission stands.
pub(super) enum State {
    Ready(Begin),
    Pilot(Begin),
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
        let build = PLANNERS.get(&settings.planner.name)?;
        let begin = SURROGATES.get(&settings.surrogate.name)?.build;
        let pilot: Box<dyn Planner> = match settings.pilot.shape {
            PilotShape::Lines => Box::new(Opening::of(&settings)?),
            PilotShape::Curve => Box::new(Pilot::new(
                &workspace,
                settings.pilot.soundings,
                settings.pilot.travel,
            )?),
        };
        Ok(Self {
            world,
            planner: build(&settings, &workspace)?,
            pilot,
            evaluator: None,
            jumping: false,
            state: State::Ready(Box::new(begin)),
            compute: Compute::default(),
            core: Core {
                randomness: settings.streams.randomness(settings.seed),
                noise: settings.streams.noise(settings.seed),
                settings,
                workspace,
                prior: Vec::new(),
                soundings: Vec::new(),
                values: Vec::new(),
                lost_in_a_row: 0,
                surrogate: None,
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

    /// Learns with the surrogate that `begin` makes of the first readings, instead of the one that the settings name. Only before the
    /// pilot survey is over.
    #[must_use]
    pub fn with_surrogate(
        mut self,
        begin: impl FnOnce(&FirstReadings<'_>) -> Result<Box<dyn Surrogate>, Error> + Send + 'static,
    ) -> Self {
        if let State::Ready(current) | State::Pilot(current) = &mut self.state {
            *current = Box::new(begin);
        }
        self
    }

    /// Models with `kernel` alone instead of those that the settings name. Only before the pilot survey is over.
    #[must_use]
    pub fn with_kernel(self, kernel: Box<dyn Kernel>) -> Self {
        self.with_surrogate(|from| Committee::of_kernels(Kernels::from(kernel), from))
    }

    /// Gives the model readings from before the mission, together with those of the pilot survey. They
    /// count for no budget. Only before the pilot survey is over.
    ///
    /// # Errors
    /// If a number in them is not finite.
    pub fn with_prior(mut self, prior: Vec<Sounding>) -> Result<Self, Error> {
        for (index, reading) in prior.iter().enumerate() {
            let Position { x, y } = reading.position;
            if let Some(value) = [x, y, reading.value].into_iter().find(|n| !n.is_finite()) {
                return Err(MetricError::BadValue {
                    what: "prior sounding",
                    index,
                    value,
                    accepted: "a finite number is needed",
                }
                .into());
            }
        }
        self.core.prior = prior;
        Ok(self)
    }

    /// How the model's work is carried out; on one thread by default. The result does not depend on threads.
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

    /// The world it acts in, to speak to it.
    pub fn world_mut(&mut self) -> &mut W {
        &mut self.world
    }

    /// All readings, in the order they were taken.
    pub fn soundings(&self) -> &[Sounding] {
        &self.core.soundings
    }

    /// Readings from before the mission.
    pub fn prior(&self) -> &[Sounding] {
        &self.core.prior
    }

    /// What learns, once the pilot survey is over.
    pub fn surrogate(&self) -> Option<&dyn Surrogate> {
        self.core.surrogate.as_deref()
    }

    /// What learns, to teach it more after the mission.
    pub fn surrogate_mut(&mut self) -> Option<&mut dyn Surrogate> {
        self.core.surrogate.as_deref_mut()
    }

    /// What is known, once the pilot survey is over.
    pub fn posterior(&self) -> Option<Arc<dyn Posterior>> {
        self.surrogate().map(Surrogate::posterior)
    }

    /// What has been spent.
    pub fn spent(&self) -> Spent {
        let vehicle = self.world.whereabouts();
        Spent {
            soundings: self.core.soundings.len() as u64,
            distance_m: vehicle.distance_m,
            time_s: vehicle.time_s,
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
}
