//! Claims about what figures show: the volcano, functions of one variable, and where samples are taken.

use super::{Claim, whole};
use crate::data::DataFolder;
use crate::error::Result;
use crate::experiment::{
    ATTENTION_FILE, Experiment, LINE_LENGTHSCALES, LINE_TEST, Profile, QUARRY, VOLCANO,
    attention_columns, field_extent,
};
use crate::results::{MAP, Results, SOUNDINGS, Table};
use transect::geometry::{Position, Rect};
use transect::terrain::{Lookup, Terrain};

const VOLCANO_ABOUT: &str = "the volcano (figure 2)";
const LINES_ABOUT: &str = "functions of one variable (figures 4 to 7)";
const PLACES_ABOUT: &str = "where samples are taken";
/// Soundings of the pilot survey, which no kernel has chosen.
const PILOT: usize = 50;
/// Ground is rugged where it is among this share of the roughest.
const RUGGED: f64 = 1.0 / 3.0;

/// The folder of an experiment's first whole run.
fn first(
    results: &Results,
    experiment: Experiment,
    below: &str,
) -> Result<Option<std::path::PathBuf>> {
    let runs = whole(results, experiment, below)?;
    Ok(runs.first().map(|run| results.folder(run)))
}

pub(super) fn claims(results: &Results) -> Result<Vec<Claim>> {
    let mut found = volcano(results)?;
    found.extend(lines(results)?);
    Ok(found)
}

/// Mean absolute error of a map, and the rank correlation of its error bars with its errors.
fn trust(table: &Table) -> (f64, f64) {
    let (truth, mean) = (table.column("truth"), table.column("mean"));
    let errors: Vec<f64> = truth.iter().zip(mean).map(|(t, m)| (t - m).abs()).collect();
    let average = errors.iter().sum::<f64>() / errors.len() as f64;
    (
        average,
        correlation(&ranks(&errors), &ranks(table.column("std"))),
    )
}

fn ranks(values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|a, b| values[*a].total_cmp(&values[*b]));
    let mut ranks = vec![0.0; values.len()];
    for (rank, place) in order.into_iter().enumerate() {
        ranks[place] = rank as f64;
    }
    ranks
}

fn correlation(a: &[f64], b: &[f64]) -> f64 {
    let mean = |v: &[f64]| v.iter().sum::<f64>() / v.len() as f64;
    let (ma, mb) = (mean(a), mean(b));
    let sum = |of: &dyn Fn(f64, f64) -> f64| {
        a.iter()
            .zip(b)
            .map(|(x, y)| of(x - ma, y - mb))
            .sum::<f64>()
    };
    sum(&|x, y| x * y) / (sum(&|x, _| x * x) * sum(&|_, y| y * y)).sqrt()
}

fn volcano(results: &Results) -> Result<Vec<Claim>> {
    const FINER: &str = "AK maps the volcano at finer detail than RBF";
    const HONEST: &str = "AK is unsure where it errs, RBF is not";
    let read = |kernel: &str| -> Result<Option<(f64, f64)>> {
        let below = format!(
            "{}/{}/{VOLCANO}/{kernel}",
            Experiment::Volcano.name(),
            Profile::Paper.name()
        );
        let table = first(results, Experiment::Volcano, &below)?
            .map(|folder| Table::read(&folder.join("map.csv"), &MAP));
        Ok(table.transpose()?.as_ref().map(trust))
    };
    let (Some(rbf), Some(ak)) = (read("rbf")?, read("ak")?) else {
        return Ok([FINER, HONEST]
            .map(|text| Claim::open(VOLCANO_ABOUT, text, "whole volcano runs of rbf and ak"))
            .to_vec());
    };
    Ok(vec![
        Claim::judged(
            VOLCANO_ABOUT,
            FINER,
            &[ak.0 < rbf.0],
            format!("mean absolute error {:.2} and {:.2}", ak.0, rbf.0),
        ),
        Claim::judged(
            VOLCANO_ABOUT,
            HONEST,
            &[ak.1 > rbf.1],
            format!(
                "rank correlation of error bars with errors: AK {:.2}, RBF {:.2}",
                ak.1, rbf.1
            ),
        ),
    ])
}

fn lines(results: &Results) -> Result<Vec<Claim>> {
    const STEP: &str = "a single length-scale cannot fit the step function; AK can";
    const SHIFT: &str = "on x sin(40 x\u{2074}) weight moves from long to short length-scales";
    let mut found = Vec::new();
    let error = |kernel: &str| -> Result<Option<f64>> {
        let below = format!(
            "{}/{}/{kernel}",
            Experiment::Step.name(),
            Profile::Paper.name()
        );
        let Some(folder) = first(results, Experiment::Step, &below)? else {
            return Ok(None);
        };
        let table = Table::read(&folder.join("prediction.csv"), &LINE_TEST)?;
        let pairs = table.column("truth").iter().zip(table.column("mean"));
        let sum: f64 = pairs.map(|(t, m)| (t - m) * (t - m)).sum();
        Ok(Some((sum / table.len() as f64).sqrt()))
    };
    // However it starts: the better of the two.
    let stationary = [error("rbf-wiggly")?, error("rbf-smooth")?, error("rbf")?];
    let stationary = stationary.into_iter().flatten().reduce(f64::min);
    found.push(match (stationary, error("ak")?) {
        (Some(rbf), Some(ak)) => Claim::judged(
            LINES_ABOUT,
            STEP,
            &[ak < rbf],
            format!("RMSE {ak:.3} with AK, {rbf:.3} with the best start of RBF"),
        ),
        _ => Claim::open(LINES_ABOUT, STEP, "whole step runs of rbf and ak"),
    });
    let below = format!("{}/{}/ak", Experiment::Sine.name(), Profile::Paper.name());
    let attention = first(results, Experiment::Sine, &below)?
        .map(|folder| folder.join(ATTENTION_FILE))
        .filter(|path| path.exists());
    found.push(match attention {
        None => Claim::open(LINES_ABOUT, SHIFT, "a whole sine run of ak"),
        Some(path) => {
            let header = std::fs::read_to_string(&path).unwrap_or_default();
            let columns = header.lines().next().map_or(0, |line| line.split(',').count());
            let count = columns.saturating_sub(1) / 2;
            let names = attention_columns(count);
            let table = Table::read(&path, &names.iter().map(String::as_str).collect::<Vec<_>>())?;
            let (shortest, longest) = LINE_LENGTHSCALES;
            let scale = |m: usize| shortest + (longest - shortest) * m as f64 / (count.max(2) - 1) as f64;
            let mean_scale = |row: usize| {
                let weight = |m: usize| table.column(&format!("w{}", m + 1))[row];
                let (sum, total) = (0..count).fold((0.0, 0.0), |(s, t), m| (s + weight(m) * scale(m), t + weight(m)));
                sum / total
            };
            let fifth = table.len() / 5;
            let over = |rows: std::ops::Range<usize>| rows.clone().map(mean_scale).sum::<f64>() / rows.len().max(1) as f64;
            let (left, right) = (over(0..fifth), over(table.len() - fifth..table.len()));
            Claim::judged(
                LINES_ABOUT,
                SHIFT,
                &[left > right],
                format!("mean length-scale by weight {left:.3} in the first fifth, {right:.3} in the last"),
            )
        }
    });
    Ok(found)
}

/// How rough the ground is around a place: the standard deviation of heights within `reach`.
fn roughness(terrain: &Terrain, at: Position, reach: f64) -> f64 {
    let offsets = [-1.0, -0.5, 0.0, 0.5, 1.0].map(|share| share * reach);
    let around = offsets
        .iter()
        .flat_map(|dx| offsets.map(|dy| Position::new(at.x + dx, at.y + dy)));
    let heights: Vec<f64> = around
        .filter_map(|p| terrain.value(p, Lookup::Nearest))
        .collect();
    crate::tables::Spread::of(&heights).std
}

/// The share of chosen soundings on the roughest third of the ground.
fn share_on_rugged_in(
    results: &Results,
    ground: &Terrain,
    experiment: Experiment,
    below: &str,
) -> Result<Option<f64>> {
    let extent = ground.extent();
    let along = |low: f64, high: f64, k: usize| low + (high - low) * (k as f64 + 0.5) / 50.0;
    let grid = (0..50).flat_map(|i| {
        (0..50).map(move |j| {
            Position::new(
                along(extent.xmin(), extent.xmax(), i),
                along(extent.ymin(), extent.ymax(), j),
            )
        })
    });
    // Half a metre on the paper's terrains.
    let reach = (extent.xmax() - extent.xmin()) / 44.0;
    let mut all: Vec<f64> = grid.map(|at| roughness(ground, at, reach)).collect();
    all.sort_by(f64::total_cmp);
    let limit = all[((1.0 - RUGGED) * all.len() as f64) as usize];
    let (mut rugged, mut total) = (0, 0);
    for run in whole(results, experiment, below)? {
        let table = Table::read(&results.folder(&run).join("soundings.csv"), &SOUNDINGS)?;
        for (x, y) in table.column("x").iter().zip(table.column("y")).skip(PILOT) {
            total += 1;
            rugged += usize::from(roughness(ground, Position::new(*x, *y), reach) >= limit);
        }
    }
    Ok((total > 0).then(|| f64::from(rugged as u32) / f64::from(total)))
}

/// The share of a run's chosen soundings on the roughest third of one of the paper's terrains.
fn share_on_rugged(
    results: &Results,
    data: &DataFolder,
    (terrain, strategy, kernel): (&str, &str, &str),
) -> Result<Option<f64>> {
    let below = format!(
        "{}/{}/{terrain}/{strategy}/{kernel}",
        Experiment::Tables.name(),
        Profile::Paper.name()
    );
    let Ok(ground) = data.terrain(terrain, Rect::new(-11.0, 11.0, -11.0, 11.0)?) else {
        return Ok(None);
    };
    share_on_rugged_in(results, &ground, Experiment::Tables, &below)
}

/// Claims about where samples are taken; they need the terrains.
pub(super) fn places(results: &Results, data: Option<&DataFolder>) -> Result<Vec<Claim>> {
    let mut found = Vec::new();
    for (text, terrain, strategy, needs) in [
        (
            "with AK, active samples are drawn to the rough spots of N43W080",
            "N43W080",
            "active",
            "whole active runs of ak and rbf on N43W080, and --data",
        ),
        (
            "in N17E073 RBF's path covers everything evenly, AK's favours the rugged side",
            "N17E073",
            "myopic",
            "whole myopic runs of ak and rbf on N17E073, and --data",
        ),
    ] {
        let share = |kernel: &str| match data {
            Some(data) => share_on_rugged(results, data, (terrain, strategy, kernel)),
            None => Ok(None),
        };
        found.push(match (share("ak")?, share("rbf")?) {
            (Some(ak), Some(rbf)) => Claim::judged(
                PLACES_ABOUT,
                text,
                &[ak > RUGGED && ak > rbf],
                format!(
                    "soundings on the roughest third of the ground: AK {:.0} %, RBF {:.0} %",
                    100.0 * ak,
                    100.0 * rbf
                ),
            ),
            _ => Claim::open(PLACES_ABOUT, text, needs),
        });
    }
    let text = "in the field, most samples are taken where the bottom is rugged";
    let ground = data.and_then(|data| data.terrain(QUARRY, field_extent().ok()?).ok());
    let share = |kernel: &str| -> Result<Option<f64>> {
        let below = format!(
            "{}/{}/{QUARRY}/{kernel}",
            Experiment::Field.name(),
            Profile::Paper.name()
        );
        match &ground {
            Some(ground) => share_on_rugged_in(results, ground, Experiment::Field, &below),
            None => Ok(None),
        }
    };
    found.push(match (share("ak")?, share("rbf")?) {
        (Some(ak), rbf) => Claim::judged(
            "the field experiment (figure 24), rehearsed",
            text,
            &[ak > 0.5],
            format!(
                "soundings on the roughest third of the bottom: AK {:.0} %{}",
                100.0 * ak,
                rbf.map_or(String::new(), |rbf| format!(", RBF {:.0} %", 100.0 * rbf))
            ),
        ),
        _ => Claim::open(
            "the field experiment (figure 24), rehearsed",
            text,
            "a whole field run of ak, and --data",
        ),
    });
    Ok(found)
}
