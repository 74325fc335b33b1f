//! Claims about the tables and their curves.

use super::{Claim, Verdict};
use crate::error::Result;
use crate::experiment::{KERNELS, Profile, TERRAINS};
use crate::results::Results;
use crate::tables::{FULL_SAMPLES, TABLE_METRICS, collect};
use std::collections::BTreeMap;

const SMSE: usize = 0;
const MSLL: usize = 1;
/// The paper's improvements of the attentive kernel by active sampling, in percent, in the order of [`TERRAINS`].
const IMPROVEMENTS: [f64; 4] = [9.0, 15.0, 23.0, 6.0];
const RANDOM: &str = "random sampling";
const ACTIVE: &str = "active sampling";
const MYOPIC: &str = "informative planning";

/// Means by strategy, terrain and kernel.
struct Means(BTreeMap<(String, String, String), [f64; 5]>);

impl Means {
    fn get(&self, strategy: &str, terrain: &str, kernel: &str) -> Option<[f64; 5]> {
        let key = (strategy.into(), terrain.into(), kernel.into());
        self.0.get(&key).copied()
    }

    /// All kernels on all terrains under a strategy, by terrain, in the order of [`KERNELS`].
    fn whole(&self, strategy: &str) -> Option<[[[f64; 5]; 4]; 4]> {
        let mut all = [[[0.0; 5]; 4]; 4];
        for (t, terrain) in TERRAINS.iter().enumerate() {
            for (k, kernel) in KERNELS.iter().enumerate() {
                all[t][k] = self.get(strategy, terrain, kernel)?;
            }
        }
        Some(all)
    }
}

/// Places in [`KERNELS`].
const RBF: usize = 0;
const AK: usize = 1;
const GIBBS: usize = 2;
const DKL: usize = 3;

pub(super) fn claims(results: &Results) -> Result<Vec<Claim>> {
    let rows = collect(results, Profile::Paper)?;
    let whole = rows.into_iter().filter(|row| row.samples >= FULL_SAMPLES);
    let whole: Vec<_> = whole.collect();
    let seeds = whole.iter().map(|row| row.seeds).min().unwrap_or(0);
    let means = Means(
        whole
            .into_iter()
            .map(|row| {
                let cell = row.cell;
                (
                    (cell.strategy, cell.terrain, cell.kernel),
                    row.ours.map(|s| s.mean),
                )
            })
            .collect(),
    );
    let (random, active, myopic) = (
        means.whole("random"),
        means.whole("active"),
        means.whole("myopic"),
    );
    let mut found = Vec::new();
    found.push(best(
        RANDOM,
        "AK is best in every metric and terrain",
        random.as_ref(),
    ));
    found.extend(random_claims(random.as_ref()));
    found.extend(active_claims(random.as_ref(), active.as_ref()));
    found.push(best(
        MYOPIC,
        "AK leads in every metric and terrain",
        myopic.as_ref(),
    ));
    found.extend(myopic_claims(myopic.as_ref()));
    for claim in found
        .iter_mut()
        .filter(|claim| claim.verdict != Verdict::Open)
    {
        claim.evidence += &match seeds {
            1 => "; 1 seed".to_string(),
            n => format!("; {n} seeds or more"),
        };
    }
    Ok(found)
}

type All = [[[f64; 5]; 4]; 4];
const NEEDED: &str = "whole runs of all kernels on all four terrains";

fn best(about: &'static str, text: &'static str, all: Option<&All>) -> Claim {
    let Some(all) = all else {
        return Claim::open(about, text, NEEDED);
    };
    let mut parts = Vec::new();
    let mut lost = Vec::new();
    for (t, kernels) in all.iter().enumerate() {
        for (m, metric) in TABLE_METRICS.iter().enumerate() {
            let first = (0..4).all(|k| kernels[AK][m] <= kernels[k][m]);
            parts.push(first);
            if !first {
                lost.push(format!("{metric} in {}", TERRAINS[t]));
            }
        }
    }
    let won = parts.iter().filter(|p| **p).count();
    let mut evidence = format!("lowest mean in {won} of {} cells", parts.len());
    if !lost.is_empty() {
        evidence += &format!("; not {}", lost.join(", "));
    }
    Claim::judged(about, text, &parts, evidence)
}

/// By how much AK's SMSE is below RBF's, in percent.
fn advantage(kernels: &[[f64; 5]; 4]) -> f64 {
    100.0 * (1.0 - kernels[AK][SMSE] / kernels[RBF][SMSE])
}

fn random_claims(all: Option<&All>) -> Vec<Claim> {
    const ORDER: &str = "AK's advantage in SMSE is largest in N47W124, then N17E073, then N45W123";
    const LEVEL: &str = "in N43W080 the kernels hardly differ in SMSE";
    const STANDS_OUT: &str = "AK's MSLL stands out in every terrain, N43W080 too";
    const GIBBS_FIRST: &str = "Gibbs has better MSLL than RBF and DKL";
    let Some(all) = all else {
        return [ORDER, LEVEL, STANDS_OUT, GIBBS_FIRST]
            .map(|text| Claim::open(RANDOM, text, NEEDED))
            .to_vec();
    };
    let ahead = all.each_ref().map(advantage);
    let spreads = all.each_ref().map(|kernels| {
        let smse = kernels.map(|k| k[SMSE]);
        let most = smse.iter().copied().fold(f64::MIN, f64::max);
        let least = smse.iter().copied().fold(f64::MAX, f64::min);
        100.0 * (most - least) / (smse.iter().sum::<f64>() / 4.0)
    });
    let outstanding: Vec<f64> = all
        .iter()
        .map(|k| {
            [RBF, GIBBS, DKL]
                .map(|o| k[o][MSLL])
                .iter()
                .copied()
                .fold(f64::MAX, f64::min)
                - k[AK][MSLL]
        })
        .collect();
    let gibbs: Vec<bool> = all
        .iter()
        .flat_map(|k| [RBF, DKL].map(|o| k[GIBBS][MSLL] < k[o][MSLL]))
        .collect();
    let won = gibbs.iter().filter(|g| **g).count();
    vec![
        Claim::judged(
            RANDOM,
            ORDER,
            &[ahead[3] > ahead[0], ahead[0] > ahead[2]],
            format!("SMSE below RBF's: {}", by_terrain(&ahead, "%")),
        ),
        Claim::judged(
            RANDOM,
            LEVEL,
            &[[0, 2, 3].iter().all(|t| spreads[1] < spreads[*t])],
            format!(
                "range of the kernels' SMSE over its mean: {}",
                by_terrain(&spreads, "%")
            ),
        ),
        Claim::judged(
            RANDOM,
            STANDS_OUT,
            &outstanding.iter().map(|o| *o > 0.0).collect::<Vec<_>>(),
            format!(
                "MSLL below the next best: {}",
                by_terrain(
                    &[
                        outstanding[0],
                        outstanding[1],
                        outstanding[2],
                        outstanding[3]
                    ],
                    ""
                )
            ),
        ),
        Claim::judged(
            RANDOM,
            GIBBS_FIRST,
            &gibbs,
            format!("in {won} of 8 comparisons"),
        ),
    ]
}

fn active_claims(random: Option<&All>, active: Option<&All>) -> Vec<Claim> {
    const BEST: &str = "AK is best in every metric and terrain";
    const IMPROVES: &str = "active sampling lowers AK's SMSE by 9, 15, 23 and 6 %";
    const OTHERS: &str = "it lowers the other kernels' SMSE in N45W123 and N47W124";
    const OTHERS_NOT: &str = "it does not lower the other kernels' SMSE in N17E073 and N43W080";
    const GAP: &str = "AK's lead shrinks in N47W124 and grows in N43W080";
    let mut found = vec![best(ACTIVE, BEST, active)];
    let (Some(random), Some(active)) = (random, active) else {
        found.extend(
            [IMPROVES, OTHERS, OTHERS_NOT, GAP].map(|text| Claim::open(ACTIVE, text, NEEDED)),
        );
        return found;
    };
    let gain = |t: usize, k: usize| 100.0 * (1.0 - active[t][k][SMSE] / random[t][k][SMSE]);
    let gains = [0, 1, 2, 3].map(|t| gain(t, AK));
    found.push(Claim::judged(
        ACTIVE,
        IMPROVES,
        &gains.map(|g| g > 0.0),
        format!(
            "lower by {} (the paper: {})",
            by_terrain(&gains, "%"),
            IMPROVEMENTS.map(|p| format!("{p}")).join(", ")
        ),
    ));
    for (text, terrains, improves) in [(OTHERS, [2, 3], true), (OTHERS_NOT, [0, 1], false)] {
        let mut parts = Vec::new();
        let mut said = Vec::new();
        for t in terrains {
            for k in [RBF, GIBBS, DKL] {
                parts.push((gain(t, k) > 0.0) == improves);
                said.push(format!(
                    "{} {} {:+.0} %",
                    TERRAINS[t],
                    KERNELS[k],
                    gain(t, k)
                ));
            }
        }
        found.push(Claim::judged(
            ACTIVE,
            text,
            &parts,
            format!("lower by {}", said.join(", ")),
        ));
    }
    let lead = |all: &All, t: usize| advantage(&all[t]);
    found.push(Claim::judged(
        ACTIVE,
        GAP,
        &[lead(active, 3) < lead(random, 3), lead(active, 1) > lead(random, 1)],
        format!(
            "SMSE below RBF's, random to active: N47W124 {:.0} to {:.0} %, N43W080 {:.0} to {:.0} %",
            lead(random, 3),
            lead(active, 3),
            lead(random, 1),
            lead(active, 1)
        ),
    ));
    found
}

fn myopic_claims(all: Option<&All>) -> Vec<Claim> {
    const FASTEST: &str = "AK has the fastest error reduction, most of all in N47W124";
    const BETTER: &str = "all non-stationary kernels have better MSLL than RBF";
    const RANKS: &str = "AK ranks first in MSLL, and Gibbs is better than DKL";
    let Some(all) = all else {
        return [FASTEST, BETTER, RANKS]
            .map(|text| Claim::open(MYOPIC, text, NEEDED))
            .to_vec();
    };
    let ahead = all.each_ref().map(advantage);
    let better: Vec<bool> = all
        .iter()
        .flat_map(|k| [AK, GIBBS, DKL].map(|o| k[o][MSLL] < k[RBF][MSLL]))
        .collect();
    let ranks: Vec<bool> = all
        .iter()
        .flat_map(|k| {
            let first = [RBF, GIBBS, DKL].iter().all(|o| k[AK][MSLL] < k[*o][MSLL]);
            [first, k[GIBBS][MSLL] < k[DKL][MSLL]]
        })
        .collect();
    let count = |parts: &[bool]| parts.iter().filter(|p| **p).count();
    vec![
        Claim::judged(
            MYOPIC,
            FASTEST,
            &[
                ahead.iter().all(|a| *a > 0.0),
                (0..3).all(|t| ahead[3] > ahead[t]),
            ],
            format!("SMSE along runs below RBF's: {}", by_terrain(&ahead, "%")),
        ),
        Claim::judged(
            MYOPIC,
            BETTER,
            &better,
            format!("in {} of 12 comparisons", count(&better)),
        ),
        Claim::judged(
            MYOPIC,
            RANKS,
            &ranks,
            format!("in {} of 8 comparisons", count(&ranks)),
        ),
    ]
}

fn by_terrain(values: &[f64; 4], unit: &str) -> String {
    let one = |(name, value): (&&str, &f64)| match unit {
        "" => format!("{name} {value:.2}"),
        unit => format!("{name} {value:.0} {unit}"),
    };
    TERRAINS
        .iter()
        .zip(values)
        .map(one)
        .collect::<Vec<_>>()
        .join(", ")
}
