//! Many training steps on fixed samples, judged after each on the training set and a test grid.

use super::fixed::{FixedJob, refuse_trouble};
use super::job::{Stopwatch, Watch};
use crate::data::DataFolder;
use crate::error::Result;
use crate::results::{METRICS, Output, Table};
use transect::gp::Points;
use transect::posterior::Posterior;
use transect::surrogate::Surrogate;

/// Learns step by step, and judges after each.
pub(super) fn run(
    job: &FixedJob,
    data: &DataFolder,
    watch: Watch<'_>,
    clock: &mut Stopwatch,
) -> Result<Vec<Output>> {
    let (mut fixed, steps) = job.draw(data)?;
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
