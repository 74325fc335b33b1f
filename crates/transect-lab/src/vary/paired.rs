//! Differences between runs that share everything but what is compared.
//!
//! Two groups of runs are compared pair by pair: the same terrain, the same seed, the same value of anything else that is varied.
//! What terrain and seed do to both cancels out. The interval is Student's: mean difference ± t · s / √n.

use super::student::reach_95;
use super::tidy::{SweepResults, VariedRun};
use std::collections::BTreeMap;
use std::fmt::Write;

/// What one group has over the reference in a metric.
#[derive(Debug, Clone, PartialEq)]
pub struct Difference {
    /// The metric.
    pub metric: String,
    /// Where; none for all terrains together.
    pub terrain: Option<String>,
    /// What is compared.
    pub group: String,
    /// With what.
    pub reference: String,
    /// Pairs of runs.
    pub pairs: usize,
    /// The group's mean.
    pub mean: f64,
    /// The reference's mean, over the same pairs.
    pub reference_mean: f64,
    /// The mean difference.
    pub difference: f64,
    /// Half the width of the 95 % interval; none with fewer than two pairs.
    pub reach: Option<f64>,
}

impl Difference {
    /// Whether the interval leaves out zero.
    #[must_use]
    pub fn is_clear(&self) -> bool {
        self.reach
            .is_some_and(|reach| self.difference.abs() > reach)
    }
}

/// Mean difference of pairs, and half the width of its 95 % interval.
#[must_use]
pub fn interval(differences: &[f64]) -> (f64, Option<f64>) {
    let n = differences.len();
    let mean = differences.iter().sum::<f64>() / n as f64;
    if n < 2 {
        return (mean, None);
    }
    let squares: f64 = differences.iter().map(|d| (d - mean) * (d - mean)).sum();
    let error = (squares / (n - 1) as f64 / n as f64).sqrt();
    (mean, Some(reach_95(n - 1) * error))
}

/// Every group against the reference (the first, unless one is named), in the last evaluation of each run: over all
/// terrains, then in each.
///
/// # Errors
/// If no group is called like the reference: the names there are.
pub fn differences(
    sweep: &SweepResults,
    by: &[String],
    metrics: &[String],
    reference: Option<&str>,
) -> Result<Vec<Difference>, Vec<String>> {
    let groups = sweep.groups(by);
    let names: Vec<String> = groups.iter().map(|(name, _)| name.clone()).collect();
    let place = match reference {
        None => 0,
        Some(wanted) => match names.iter().position(|name| name == wanted) {
            Some(place) => place,
            None => return Err(names),
        },
    };
    let Some((reference, yardstick)) = groups.get(place) else {
        return Ok(Vec::new());
    };
    let terrains = sweep.terrains();
    let mut places: Vec<Option<&String>> = vec![None];
    if terrains.len() > 1 {
        places.extend(terrains.iter().map(Some));
    }
    let twin = |run: &VariedRun| (run.terrain.clone(), run.rest(by), run.seed);
    let mut found = Vec::new();
    for metric in metrics {
        let ends: BTreeMap<_, f64> = yardstick
            .iter()
            .filter_map(|run| Some((twin(run), run.last(metric)?)))
            .collect();
        for terrain in &places {
            for (group, runs) in groups
                .iter()
                .enumerate()
                .filter(|(i, _)| *i != place)
                .map(|(_, g)| g)
            {
                let here = runs
                    .iter()
                    .filter(|r| terrain.is_none_or(|t| r.terrain == *t));
                let pairs: Vec<(f64, f64)> = here
                    .filter_map(|run| Some((run.last(metric)?, *ends.get(&twin(run))?)))
                    .collect();
                if pairs.is_empty() {
                    continue;
                }
                let mean = |of: fn(&(f64, f64)) -> f64| {
                    pairs.iter().map(of).sum::<f64>() / pairs.len() as f64
                };
                let apart: Vec<f64> = pairs.iter().map(|(a, b)| a - b).collect();
                let (difference, reach) = interval(&apart);
                found.push(Difference {
                    metric: metric.clone(),
                    terrain: terrain.cloned(),
                    group: group.clone(),
                    reference: reference.clone(),
                    pairs: pairs.len(),
                    mean: mean(|p| p.0),
                    reference_mean: mean(|p| p.1),
                    difference,
                    reach,
                });
            }
        }
    }
    Ok(found)
}

/// The table as CSV.
#[must_use]
pub fn to_csv(differences: &[Difference]) -> String {
    let mut text = String::from(
        "metric,terrain,group,reference,pairs,mean,reference_mean,difference,low_95,high_95\n",
    );
    for d in differences {
        let end = |sign: f64| {
            d.reach
                .map_or(String::new(), |r| (d.difference + sign * r).to_string())
        };
        let terrain = d.terrain.as_deref().unwrap_or("all");
        let words = [&d.metric, terrain, &d.group, &d.reference].map(super::tidy::quoted);
        let _ = writeln!(
            text,
            "{},{},{},{},{},{},{}",
            words.join(","),
            d.pairs,
            d.mean,
            d.reference_mean,
            d.difference,
            end(-1.0),
            end(1.0)
        );
    }
    text
}

/// The differences over all terrains, for a terminal.
#[must_use]
pub fn to_text(name: &str, differences: &[Difference]) -> String {
    let Some(first) = differences.first() else {
        return String::new();
    };
    let widest = differences.iter().map(|d| d.group.len()).max().unwrap_or(0);
    let mut text = format!(
        "\n{name}: against {}, at the end of each run, paired by terrain and seed\n{:7} {:widest$} {:>5} {:>10} {:>10} {:>10}  95 % interval\n",
        first.reference, "metric", "group", "pairs", "mean", "reference", "difference"
    );
    for d in differences.iter().filter(|d| d.terrain.is_none()) {
        let interval = d.reach.map_or("-".into(), |r| {
            format!("{:+.4} to {:+.4}", d.difference - r, d.difference + r)
        });
        let _ = writeln!(
            text,
            "{:7} {:widest$} {:>5} {:>10.4} {:>10.4} {:>+10.4}  {interval}{}",
            d.metric,
            d.group,
            d.pairs,
            d.mean,
            d.reference_mean,
            d.difference,
            if d.is_clear() { " *" } else { "" }
        );
    }
    text.push_str("* the interval leaves out zero\n");
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_interval_is_students() {
        // Mean 2, s = 1, n = 4: 2 ± 3.182 / 2.
        let (mean, reach) = interval(&[1.0, 2.0, 2.0, 3.0]);
        let expected = 3.1824 * (2.0_f64 / 3.0).sqrt() / 2.0;
        assert_eq!(mean, 2.0);
        assert!((reach.unwrap() - expected).abs() < 1e-3);
        assert_eq!(interval(&[5.0]), (5.0, None));
    }
}
