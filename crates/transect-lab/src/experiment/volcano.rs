//! A map of Mount St. Helens from fixed samples.

use super::fixed::{FixedJob, SIDE, refuse_trouble};
use super::job::{Stopwatch, Watch};
use super::mission::map_table;
use crate::data::DataFolder;
use crate::error::Result;
use crate::results::{Output, SOUNDINGS, Table};
use transect::surrogate::Surrogate;

/// Learns, and draws the map.
pub(super) fn run(
    job: &FixedJob,
    data: &DataFolder,
    watch: Watch<'_>,
    clock: &mut Stopwatch,
) -> Result<Vec<Output>> {
    let (mut fixed, steps) = job.draw(data)?;
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
