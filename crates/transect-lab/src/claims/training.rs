//! Claims about over-fitting: training goes on while the error on the test grid turns up.

use super::{Claim, whole};
use crate::error::Result;
use crate::experiment::{Experiment, Profile, TERRAINS, VOLCANO};
use crate::results::{METRICS, Results, Table};

const ABOUT: &str = "over-fitting";
/// A test MSLL that ends this much above its lowest, in nats, has turned up.
const TURNED: f64 = 0.05;

/// By how much the test MSLL ends above its lowest, and whether the training MSLL fell meanwhile.
fn rise(results: &Results, terrain: &str, kernel: &str) -> Result<Option<(f64, bool)>> {
    let profile = Profile::Paper.name();
    let below = format!(
        "{}/{profile}/{terrain}/{kernel}",
        Experiment::Overfit.name()
    );
    let Some(run) = whole(results, Experiment::Overfit, &below)?
        .into_iter()
        .next()
    else {
        return Ok(None);
    };
    let read = |file: &str| Table::read(&results.folder(&run).join(file), &METRICS);
    let (test, train) = (read("test.csv")?, read("train.csv")?);
    let (test, train) = (test.column("msll"), train.column("msll"));
    let lowest = test.iter().enumerate().min_by(|a, b| a.1.total_cmp(b.1));
    Ok(lowest.and_then(|(at, least)| Some((test.last()? - least, train.last()? < train.get(at)?))))
}

pub(super) fn claims(results: &Results) -> Result<Vec<Claim>> {
    let mut found = Vec::new();
    let all = |terrain: &str| -> Result<Option<[(f64, bool); 3]>> {
        let one = |kernel: &str| rise(results, terrain, kernel);
        Ok(match (one("ak")?, one("gibbs")?, one("dkl")?) {
            (Some(ak), Some(gibbs), Some(dkl)) => Some([ak, gibbs, dkl]),
            _ => None,
        })
    };
    let shown = |rises: &[(f64, bool); 3]| {
        let [ak, gibbs, dkl] = rises.map(|r| r.0);
        format!(
            "test MSLL ends above its lowest by AK {ak:.2}, Gibbs {gibbs:.2}, DKL {dkl:.2}; {TURNED} or more is over-fitting"
        )
    };
    let over = |rise: (f64, bool)| rise.0 >= TURNED && rise.1;
    let (volcano, rough) = (all(VOLCANO)?, all(TERRAINS[0])?);
    let text = "in the volcano AK is fairly robust, while Gibbs and DKL over-fit";
    found.push(match &volcano {
        Some(rises) => Claim::judged(
            ABOUT,
            text,
            &[!over(rises[0]), over(rises[1]), over(rises[2])],
            shown(rises),
        ),
        None => Claim::open(ABOUT, text, "whole runs of ak, gibbs and dkl on helens"),
    });
    let text = "in N17E073 all non-stationary kernels over-fit";
    found.push(match &rough {
        Some(rises) => Claim::judged(ABOUT, text, &rises.map(over), shown(rises)),
        None => Claim::open(ABOUT, text, "whole runs of ak, gibbs and dkl on N17E073"),
    });
    let text = "AK is more robust than the other non-stationary kernels";
    let both: Vec<[(f64, bool); 3]> = [volcano, rough].into_iter().flatten().collect();
    found.push(match &both[..] {
        [] => Claim::open(ABOUT, text, "whole runs of ak, gibbs and dkl"),
        some => {
            let parts: Vec<bool> = some
                .iter()
                .flat_map(|r| [r[0].0 < r[1].0, r[0].0 < r[2].0])
                .collect();
            let won = parts.iter().filter(|p| **p).count();
            Claim::judged(
                ABOUT,
                text,
                &parts,
                format!(
                    "its test MSLL rises less in {won} of {} comparisons",
                    parts.len()
                ),
            )
        }
    });
    Ok(found)
}
