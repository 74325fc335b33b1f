//! What a mission came to.

use crate::audience::Audience;
use crate::error::Result;
use crate::frames::{self, Frames};
use crate::map::MissionMap;
use crate::pace::Pace;
use crate::track::Track;
use transect::Sounding;
use transect::budget::Spent;
use transect::geometry::Workspace;
use transect::metrics::{Calibration, Evaluation};
use transect::mission::{Ending, Event, Mission, Observer, Whereabouts, World};
use transect::posterior::Posterior;
use transect::surrogate::Surrogate;
use transect_plot::page::FrameData;

/// Everything that is shown and kept of a mission.
#[derive(Debug, Clone)]
pub struct Outcome {
    /// Why it ended.
    pub ending: Ending,
    /// What it took.
    pub spent: Spent,
    /// How good the map was, time after time, where the truth is known.
    pub curve: Vec<Verdict>,
    /// The way.
    pub track: Track,
    /// The readings.
    pub soundings: Vec<Sounding>,
    /// Readings that were due and did not come.
    pub lost: usize,
    /// What went wrong and was dealt with.
    pub troubles: Vec<String>,
    /// The map as it was known on the way.
    pub frames: Frames,
    /// How long decisions took.
    pub pace: Pace,
    /// What the model made of it; none when the mission ended before there was a model.
    pub learnt: Option<Learnt>,
}

/// How good a map was.
#[derive(Debug, Clone, PartialEq)]
pub struct Verdict {
    /// Seconds since the mission began.
    pub time_s: f64,
    /// Length of the way so far, m.
    pub distance_m: f64,
    /// How good it was then.
    pub evaluation: Evaluation,
}

/// What the model knows at the end.
#[derive(Debug, Clone)]
pub struct Learnt {
    /// Its map.
    pub map: MissionMap,
    /// How well it predicts each reading from all others; the error bars include the sensor's noise.
    pub left_out: Option<Calibration>,
    /// The model itself, to be loaded again.
    pub model: String,
}

/// Watches a mission for what is shown and kept of it.
#[derive(Debug, Clone, Default)]
pub struct Witness {
    /// How good the map was, time after time, where the truth is known.
    pub curve: Vec<Verdict>,
    /// The way.
    pub track: Track,
    /// When something was last seen of the vehicle, seconds since the mission began.
    pub time_s: f64,
    /// How far it had come then, m.
    pub distance_m: f64,
    /// Readings that were due and did not come.
    pub lost: usize,
    /// What went wrong and was dealt with.
    pub troubles: Vec<String>,
    /// The map as it was known on the way.
    pub frames: Frames,
    /// Soundings seen.
    pub soundings: usize,
    /// How long decisions took. Nothing that is written depends on it.
    pub pace: Pace,
    area: Option<Workspace>,
}

impl Observer for Witness {
    fn event(&mut self, event: &Event<'_>) {
        self.track.note(event);
        self.pace.note(event);
        match event {
            Event::Evaluated { evaluation, .. } => self.curve.push(Verdict {
                time_s: self.time_s,
                distance_m: self.distance_m,
                evaluation: (*evaluation).clone(),
            }),
            Event::Sounding { vehicle, .. } => {
                self.see(vehicle);
                self.soundings += 1;
            }
            Event::Planned { vehicle, .. } | Event::LegEnded { vehicle, .. } => self.see(vehicle),
            Event::Trained { posterior, .. } => self.frame(&***posterior),
            Event::Trouble { trouble } => self.troubles.push(trouble.to_string()),
            Event::Lost { .. } => self.lost += 1,
            _ => {}
        }
    }
}

impl Witness {
    /// One who keeps the map of an area on the way, too.
    #[must_use]
    pub fn of(area: &Workspace) -> Self {
        Self {
            area: Some(area.clone()),
            ..Self::default()
        }
    }

    fn see(&mut self, vehicle: &Whereabouts) {
        self.time_s = vehicle.time_s;
        self.distance_m = vehicle.distance_m;
    }

    /// Sees an event together with an audience, who is shown the map whenever a frame is taken.
    pub fn with(&mut self, audience: &mut dyn Audience, event: &Event<'_>) {
        audience.event(event);
        let before = self.frames.all().len();
        self.event(event);
        for frame in &self.frames.all()[before..] {
            audience.frame(frame);
        }
    }

    /// Takes a frame if one is due. What cannot be predicted now may be next time.
    fn frame(&mut self, known: &dyn Posterior) {
        let (soundings, area) = (self.soundings, self.area.as_ref());
        let Some(area) = area.filter(|_| self.frames.is_due(soundings)) else {
            return;
        };
        if let Ok(map) = MissionMap::with_side(frames::LONGER_SIDE, known, area) {
            let extent = map.extent;
            self.frames.keep(FrameData {
                time_s: self.time_s,
                soundings,
                columns: map.columns,
                rows: map.rows,
                extent: [extent.xmin(), extent.ymin(), extent.xmax(), extent.ymax()],
                mean: map.mean,
                std: map.std,
            });
        }
    }
}

impl Outcome {
    /// Runs a mission to its end. `audience` sees every event and the map now and then, `watch` hears how much of the budget
    /// is spent.
    ///
    /// # Errors
    /// When the world can no longer do what it is asked.
    pub fn of<W: World>(
        mission: &mut Mission<W>,
        audience: &mut dyn Audience,
        watch: &mut dyn FnMut(f64),
    ) -> Result<Self> {
        let area = mission.workspace().clone();
        let mut witness = Witness::of(&area);
        let ending = loop {
            let progress = mission.step(&mut |event: &Event<'_>| witness.with(audience, event))?;
            watch(1.0 - progress.remaining);
            if let Some(ending) = progress.ending {
                break ending;
            }
        };
        let surrogate = mission.surrogate_mut();
        let learnt = surrogate
            .map(|surrogate| Learnt::of(surrogate, &area))
            .transpose()?;
        let (soundings, spent) = (mission.soundings().to_vec(), mission.spent());
        Ok(Self::from_parts(ending, spent, soundings, witness, learnt))
    }

    /// What a mission came to that somebody else ran, and a witness watched.
    pub fn from_parts(
        ending: Ending,
        spent: Spent,
        soundings: Vec<Sounding>,
        witness: Witness,
        learnt: Option<Learnt>,
    ) -> Self {
        Self {
            ending,
            spent,
            curve: witness.curve,
            track: witness.track,
            soundings,
            lost: witness.lost,
            troubles: witness.troubles,
            frames: witness.frames,
            pace: witness.pace,
            learnt,
        }
    }

    /// The last verdict on the map.
    #[must_use]
    pub fn result(&self) -> Option<&Evaluation> {
        self.curve.last().map(|verdict| &verdict.evaluation)
    }

    /// The readings as CSV: x, y, value, time_s.
    #[must_use]
    pub fn soundings_csv(&self) -> String {
        let mut text = String::from("x,y,value,time_s\n");
        for s in &self.soundings {
            let (x, y) = (s.position.x, s.position.y);
            text.push_str(&format!("{x},{y},{},{}\n", s.value, s.time_s));
        }
        text
    }
}

/// Columns of `metrics.csv`: one row per evaluation.
pub const METRICS: [&str; 11] = [
    "samples",
    "smse",
    "msll",
    "nlpd",
    "rmse",
    "mae",
    "coverage_50",
    "coverage_90",
    "coverage_95",
    "distance_m",
    "time_s",
];

impl Verdict {
    /// Its numbers, in the order of [`METRICS`].
    #[must_use]
    pub fn numbers(&self) -> [f64; METRICS.len()] {
        let Evaluation {
            samples,
            smse,
            msll,
            nlpd,
            rmse,
            mae,
            calibration,
        } = &self.evaluation;
        [
            *samples as f64,
            *smse,
            *msll,
            *nlpd,
            *rmse,
            *mae,
            calibration.coverage_50,
            calibration.coverage_90,
            calibration.coverage_95,
            self.distance_m,
            self.time_s,
        ]
    }
}

/// How good the map was, time after time, as CSV; see [`METRICS`].
#[must_use]
pub fn metrics_csv(curve: &[Verdict]) -> String {
    let mut text = METRICS.join(",") + "\n";
    for verdict in curve {
        text.push_str(&verdict.numbers().map(|n| n.to_string()).join(","));
        text.push('\n');
    }
    text
}

impl Learnt {
    /// What a surrogate knows of an area.
    ///
    /// # Errors
    /// If it cannot predict or be saved.
    pub fn of(surrogate: &mut dyn Surrogate, area: &Workspace) -> Result<Self> {
        let left_out = surrogate.left_out();
        let readings = surrogate.readings();
        Ok(Self {
            map: MissionMap::of(&*surrogate.posterior(), area)?,
            left_out: left_out.and_then(|points| points.calibration(readings).ok()),
            model: surrogate.save()?,
        })
    }
}
