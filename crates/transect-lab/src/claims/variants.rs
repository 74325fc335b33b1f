//! Claims about sensitivity and ablation. Differences are between pairs of runs of the same terrain and seed; one is clear when its 95 %
//! interval leaves out zero.

use super::{Claim, whole};
use crate::error::Result;
use crate::experiment::{Experiment, Profile};
use crate::results::Results;
use crate::variants::{Runs, by_variant, compare};
use std::collections::BTreeMap;

const SENSITIVITY: &str = "sensitivity";
const ABLATION: &str = "ablation";
const SMSE: usize = 0;
const MSLL: usize = 1;
/// Changes of SMSE below this share of it are called small.
const SMALL: f64 = 0.05;

/// A difference with its interval, as text.
fn shown((mean, reach): (f64, Option<f64>)) -> String {
    match reach {
        Some(reach) => format!("{mean:+.4} \u{b1} {reach:.4}"),
        None => format!("{mean:+.4} (one pair)"),
    }
}

fn is_clearly_worse((mean, reach): (f64, Option<f64>)) -> bool {
    reach.is_some_and(|reach| mean > reach)
}

pub(super) fn claims(results: &Results) -> Result<Vec<Claim>> {
    let mut found = sensitivity(results)?;
    found.extend(ablation(results)?);
    Ok(found)
}

/// Whole runs of the paper's profile by variant.
fn whole_runs(results: &Results, experiment: Experiment) -> Result<BTreeMap<String, Runs>> {
    let below = format!("{}/{}", experiment.name(), Profile::Paper.name());
    by_variant(results, whole(results, experiment, &below)?)
}

fn sensitivity(results: &Results) -> Result<Vec<Claim>> {
    let variants = whole_runs(results, Experiment::Sensitivity)?;
    let pair = |a: &str, b: &str| compare(variants.get(a)?, variants.get(b)?);
    let level = |name: &str| {
        let runs = variants.get(name)?;
        Some(runs.values().map(|m| m[SMSE]).sum::<f64>() / runs.len() as f64)
    };
    let mut found = Vec::new();
    let text = "more base kernels help, with diminishing return; M should be above 2";
    found.push(match (pair("m-2", "m-5"), pair("m-5", "m-17")) {
        (Some(few), Some(many)) => Claim::judged(
            SENSITIVITY,
            text,
            &[few[MSLL].0 > 0.0, few[MSLL].0 > many[MSLL].0],
            format!(
                "MSLL of M = 2 over 5: {}; of 5 over 17: {}",
                shown(few[MSLL]),
                shown(many[MSLL])
            ),
        ),
        _ => Claim::open(SENSITIVITY, text, "whole runs of m-2, m-5 and m-17"),
    });
    let text = "AK is not sensitive to the hidden units, but for H = 2, where MSLL suffers";
    found.push(match (pair("h-2", "h-11"), pair("h-5", "h-17"), level("h-11")) {
        (Some(two), Some(more), Some(smse)) => Claim::judged(
            SENSITIVITY,
            text,
            &[two[MSLL].0 > 0.0, more[SMSE].0.abs() < SMALL * smse],
            format!(
                "MSLL of H = 2 over 11: {}; SMSE of 5 over 17: {} (small is below {SMALL} of {smse:.3})",
                shown(two[MSLL]),
                shown(more[SMSE])
            ),
        ),
        _ => Claim::open(SENSITIVITY, text, "whole runs of h-2, h-5, h-11 and h-17"),
    });
    let text = "a smaller least length-scale is better, with nothing to gain below 0.01";
    found.push(
        match (
            pair("lmin-0.2", "lmin-0.01"),
            pair("lmin-0.01", "lmin-0.005"),
            level("lmin-0.01"),
        ) {
            (Some(large), Some(least), Some(smse)) => Claim::judged(
                SENSITIVITY,
                text,
                &[large[SMSE].0 > 0.0, least[SMSE].0.abs() < SMALL * smse],
                format!(
                    "SMSE of 0.2 over 0.01: {}; of 0.01 over 0.005: {}",
                    shown(large[SMSE]),
                    shown(least[SMSE])
                ),
            ),
            _ => Claim::open(
                SENSITIVITY,
                text,
                "whole runs of lmin-0.2, lmin-0.01 and lmin-0.005",
            ),
        },
    );
    let text = "AK is robust to the greatest length-scale from 0.5 on; 0.2 and 0.3 are too small";
    found.push(
        match (
            pair("lmax-0.2", "lmax-0.5"),
            pair("lmax-1.1", "lmax-0.5"),
            level("lmax-0.5"),
        ) {
            (Some(small), Some(large), Some(smse)) => Claim::judged(
                SENSITIVITY,
                text,
                &[small[SMSE].0 > 0.0, large[SMSE].0.abs() < SMALL * smse],
                format!(
                    "SMSE of 0.2 over 0.5: {}; of 1.1 over 0.5: {}",
                    shown(small[SMSE]),
                    shown(large[SMSE])
                ),
            ),
            _ => Claim::open(
                SENSITIVITY,
                text,
                "whole runs of lmax-0.2, lmax-0.5 and lmax-1.1",
            ),
        },
    );
    Ok(found)
}

fn ablation(results: &Results) -> Result<Vec<Claim>> {
    let variants = whole_runs(results, Experiment::Ablation)?;
    let pair = |a: &str| compare(variants.get(a)?, variants.get("ak")?);
    let mut found = Vec::new();
    let text = "instance selection alone (mask) is significantly worse";
    found.push(match pair("ak-mask") {
        Some(mask) => Claim::judged(
            ABLATION,
            text,
            &[is_clearly_worse(mask[SMSE]), is_clearly_worse(mask[MSLL])],
            format!(
                "over the whole kernel, SMSE {}, MSLL {}",
                shown(mask[SMSE]),
                shown(mask[MSLL])
            ),
        ),
        None => Claim::open(ABLATION, text, "whole runs of ak and ak-mask"),
    });
    let text = "without instance selection (weight) there is no obvious change";
    let whole = variants
        .get("ak")
        .map(|runs| runs.values().map(|m| m[SMSE]).sum::<f64>() / runs.len() as f64);
    found.push(match (pair("ak-weight"), whole) {
        (Some(weight), Some(smse)) => Claim::judged(
            ABLATION,
            text,
            &[weight[SMSE].0.abs() < SMALL * smse],
            format!(
                "over the whole kernel, SMSE {} (small is below {SMALL} of {smse:.3}), MSLL {}",
                shown(weight[SMSE]),
                shown(weight[MSLL])
            ),
        ),
        _ => Claim::open(ABLATION, text, "whole runs of ak and ak-weight"),
    });
    let text = "a network of its own for each (NNx2) is no better";
    found.push(match pair("ak-nnx2") {
        Some(double) => {
            let clearly_better = |d: (f64, Option<f64>)| is_clearly_worse((-d.0, d.1));
            Claim::judged(
                ABLATION,
                text,
                &[!clearly_better(double[SMSE]), !clearly_better(double[MSLL])],
                format!(
                    "over the whole kernel, SMSE {}, MSLL {}",
                    shown(double[SMSE]),
                    shown(double[MSLL])
                ),
            )
        }
        None => Claim::open(ABLATION, text, "whole runs of ak and ak-nnx2"),
    });
    Ok(found)
}
