//! One run of a sweep: a simulated mission.

use super::label;
use crate::data::DataFolder;
use crate::error::Result;
use crate::experiment::{Stopwatch, Watch};
use crate::results::{Output, SOUNDINGS, Table};
use serde::Serialize;
use std::sync::Arc;
use transect::mission::{Event, Mission, Observer};
use transect::settings::MissionSettings;
use transect_survey::choice::SceneChoice;
use transect_survey::document::Source;
use transect_survey::outcome::{Witness, metrics_csv};
use transect_survey::scene::Scene;

/// A mission of a sweep.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct VariedJob {
    /// The sweep's name.
    pub sweep: String,
    /// What is varied, and the value it has here.
    pub varied: Vec<Varied>,
    /// Where the mission takes place, as the document says it.
    pub place: SceneChoice,
    /// Everything else.
    pub settings: MissionSettings,
    /// The document that it comes from.
    #[serde(skip)]
    pub source: Source,
}

/// A setting that is varied and its value in a run.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Varied {
    /// The setting's key.
    pub key: String,
    /// What the value is called.
    pub label: String,
}

/// Columns of `cpu.csv`: seconds of processor time up to each evaluation. Not a result: it differs from run to run.
pub const CPU: [&str; 2] = ["samples", "cpu_s"];

impl VariedJob {
    /// The run's folder: one level for every setting that is varied, the seed last.
    #[must_use]
    pub fn path(&self) -> String {
        let levels = self.varied.iter().filter(|v| v.key != super::SEED);
        let levels = levels.map(|v| {
            let key = label::for_folder(&v.key);
            format!("{key}={}/", label::for_folder(&v.label))
        });
        let levels: String = levels.collect();
        let seed = self.settings.seed;
        format!("{}/{}/{levels}seed{seed}", super::FOLDER, self.sweep)
    }

    /// Where the mission takes place, with files found: names of terrains in `data` come first.
    pub(crate) fn scene(&self, data: &DataFolder) -> Result<Scene> {
        let mut place = self.place.clone().based_in(self.source.folder());
        if let Some(path) = data.file(&self.place.terrain.source) {
            place.terrain.source = path.display().to_string();
        }
        Ok(Scene::open(&place, &self.source)?)
    }

    pub(crate) fn run(
        &self,
        data: &DataFolder,
        watch: Watch<'_>,
        clock: &mut Stopwatch,
    ) -> Result<Vec<Output>> {
        let scene = self.scene(data)?;
        let mission = Mission::simulated(
            Arc::clone(&scene.terrain),
            scene.area.clone(),
            self.settings.clone(),
        )?;
        let mut mission = mission.with_prior(scene.prior)?;
        clock.lap("prepare");
        let mut witness = Witness::default();
        let (mut cpu, begun) = (Table::new(&CPU), cpu_s());
        let mut observer = |event: &Event<'_>| {
            witness.event(event);
            match event {
                Event::Planned { .. } => clock.lap("plan"),
                Event::Sounding { .. } | Event::Lost { .. } | Event::LegEnded { .. } => {
                    clock.lap("move");
                }
                Event::Trained { .. } => clock.lap("train"),
                Event::Evaluated { evaluation, .. } => {
                    cpu.push(&[evaluation.samples as f64, cpu_s() - begun]);
                    clock.lap("evaluate");
                }
                _ => {}
            }
        };
        loop {
            let progress = mission.step(&mut observer)?;
            watch(1.0 - progress.remaining);
            if progress.ending.is_some() {
                break;
            }
        }
        let mut soundings = Table::new(&SOUNDINGS);
        for sounding in mission.soundings() {
            soundings.push(&[sounding.position.x, sounding.position.y, sounding.value]);
        }
        Ok(vec![
            Output::text("metrics.csv", metrics_csv(&witness.curve)),
            Output::text("soundings.csv", soundings.to_csv()),
            Output::text("cpu.csv", cpu.to_csv()),
        ])
    }
}

/// Processor time of this thread, s: a run has one thread. Where the system does not tell, the time on the wall.
fn cpu_s() -> f64 {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = told.and_then(|text| text.split_whitespace().next()?.parse::<f64>().ok());
    nanoseconds.map_or_else(
        || {
            let now = std::time::SystemTime::now();
            let since = now.duration_since(std::time::UNIX_EPOCH);
            since.map_or(0.0, |d| d.as_secs_f64())
        },
        |n| n / 1e9,
    )
}
