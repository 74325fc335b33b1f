//! A map of Mount St. Helens from fixed samples.

use super::Profile;
use super::fixed::{FixedSamples, SIDE, refuse_trouble};
use super::job::{Stopwatch, Watch};
use super::mission::map_table;
use crate::data::DataFolder;
use crate::error::Result;
use crate::results::{Output, SOUNDINGS, Table};
use serde::Serialize;
use transect::settings::KernelChoice;
use transect::surrogate::Surrogate;

/// One map from fixed samples.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct VolcanoJob {
    /// Whose behaviour it has.
    pub profile: Profile,
    /// The terrain's name.
    pub terrain: String,
    /// The kernel.
    pub kernel: KernelChoice,
    /// The seed.
    pub seed: u64,
    /// Fixed samples.
    pub samples: usize,
    /// Training steps.
    pub steps: usize,
}

impl VolcanoJob {
    /// The run's folder.
    #[must_use]
    pub fn path(&self) -> String {
        let profile = self.profile.name();
        format!(
            "volcano/{profile}/{}/{}/seed{}",
            self.terrain, self.kernel.name, self.seed
        )
    }

    pub(super) fn run(
        &self,
        data: &DataFolder,
        watch: Watch<'_>,
        clock: &mut Stopwatch,
    ) -> Result<Vec<Output>> {
        let from = (self.terrain.as_str(), self.profile);
        let mut fixed = FixedSamples::draw(data, from, &self.kernel, self.seed, self.samples)?;
        let steps = self.steps.min(fixed.enough_steps);
        for step in 0..steps {
            fixed.model.train(1);
            refuse_trouble(&mut fixed.model)?;
            watch((step + 1) as f64 / steps as f64);
        }
        clock.lap("train");
        let known = fixed.model.posterior().forecast(fixed.grid.points())?;
        let prediction = known.reading.moments();
        let truth = fixed.grid.truth();
        let place = |at: transect::geometry::Position| {
            let index = |v: f64| (v * (SIDE - 1) as f64).round() as usize;
            truth
                .get(index(at.y) * SIDE + index(at.x))
                .copied()
                .unwrap_or(f64::NAN)
        };
        let map = map_table(&fixed.workspace, (SIDE, SIDE), place, &prediction);
        let mut soundings = Table::new(&SOUNDINGS);
        for (i, value) in fixed.targets.iter().enumerate() {
            let at = fixed.train.row(i);
            soundings.push(&[at[0], at[1], *value]);
        }
        clock.lap("evaluate");
        Ok(vec![
            Output::text("map.csv", map.to_csv()),
            Output::text("soundings.csv", soundings.to_csv()),
        ])
    }
}
