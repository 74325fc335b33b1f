//! Many training steps on fixed samples, judged after each on the training set and a test grid.

use super::Profile;
use super::fixed::{FixedSamples, refuse_trouble};
use super::job::{Stopwatch, Watch};
use crate::data::DataFolder;
use crate::error::Result;
use crate::results::{METRICS, Output, Table};
use serde::Serialize;
use transect::gp::Points;
use transect::posterior::Posterior;
use transect::settings::KernelChoice;
use transect::surrogate::Surrogate;

/// One over-fitting run.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct OverfitJob {
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

impl OverfitJob {
    /// The run's folder.
    #[must_use]
    pub fn path(&self) -> String {
        let profile = self.profile.name();
        format!(
            "overfit/{profile}/{}/{}/seed{}",
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
        let (mut train, mut test) = (Table::new(&METRICS), Table::new(&METRICS));
        clock.lap("prepare");
        for step in 0..steps {
            fixed.model.train(1);
            refuse_trouble(&mut fixed.model)?;
            clock.lap("train");
            let targets = &fixed.targets;
            let known = &*fixed.model.posterior();
            train.push(&judge(known, &fixed.train, targets, targets)?);
            test.push(&judge(
                known,
                fixed.grid.points(),
                fixed.grid.truth(),
                targets,
            )?);
            clock.lap("evaluate");
            watch((step + 1) as f64 / steps as f64);
        }
        Ok(vec![
            Output::text("train.csv", train.to_csv()),
            Output::text("test.csv", test.to_csv()),
        ])
    }
}

/// A row of metrics at `points`, where the truth is `truth`.
fn judge(
    known: &dyn Posterior,
    points: &Points,
    truth: &[f64],
    targets: &[f64],
) -> Result<[f64; 6]> {
    let (e, _) = known.forecast(points)?.reading.evaluation(truth, targets)?;
    Ok([targets.len() as f64, e.smse, e.msll, e.nlpd, e.rmse, e.mae])
}
