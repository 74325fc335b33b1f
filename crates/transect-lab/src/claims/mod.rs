//! What the paper's text claims, and whether the results at hand bear it out.
//!
//! | module | claims about |
//! |---|---|
//! | `tables` | random, active and informative sampling (sections 6.1.6 to 6.1.8) |
//! | `variants` | sensitivity and ablation |
//! | `training` | over-fitting |
//! | `pictures` | what the figures of the volcano, the functions of one variable and the sampled places show |
//!
//! A claim is judged from the paper's profile, by the rule that its evidence states; where runs are missing or cut short it is not
//! judged.

mod pictures;
mod tables;
mod training;
mod variants;

use crate::data::DataFolder;
use crate::error::Result;
use crate::experiment::{Experiment, Selection};
use crate::results::Results;
use serde_json::Value;
use std::fmt::Write;

/// Whether a claim holds here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// In every part.
    Holds,
    /// In some parts.
    Partly,
    /// In none.
    Fails,
    /// The runs that it is about are not there, or not all of them.
    Open,
}

impl Verdict {
    /// Of the parts of a claim.
    fn of(parts: &[bool]) -> Self {
        match parts.iter().filter(|part| **part).count() {
            _ if parts.is_empty() => Self::Open,
            n if n == parts.len() => Self::Holds,
            0 => Self::Fails,
            _ => Self::Partly,
        }
    }

    /// In a word.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Holds => "holds",
            Self::Partly => "partly",
            Self::Fails => "does not hold",
            Self::Open => "not judged",
        }
    }
}

/// A claim and its verdict.
#[derive(Debug, Clone, PartialEq)]
pub struct Claim {
    /// What the paper is about there.
    pub about: &'static str,
    /// What it claims, in short.
    pub text: &'static str,
    /// Whether it holds.
    pub verdict: Verdict,
    /// The numbers, and the rule they were judged by.
    pub evidence: String,
}

impl Claim {
    fn judged(about: &'static str, text: &'static str, parts: &[bool], evidence: String) -> Self {
        Self {
            about,
            text,
            verdict: Verdict::of(parts),
            evidence,
        }
    }

    fn open(about: &'static str, text: &'static str, needs: &str) -> Self {
        Self {
            about,
            text,
            verdict: Verdict::Open,
            evidence: format!("needs {needs}"),
        }
    }
}

/// The finished runs below a folder that have as many samples and training steps as the experiment's runs have by themselves.
fn whole(results: &Results, experiment: Experiment, below: &str) -> Result<Vec<String>> {
    let lengths = |spec: &Value| ["samples", "steps"].map(|key| spec[key].as_u64().unwrap_or(0));
    let jobs = Selection {
        seeds: vec![0],
        ..Selection::default()
    }
    .jobs(experiment)?;
    let full = jobs.first().map_or([0; 2], |job| lengths(&job.spec()));
    let mut found = Vec::new();
    for run in results.finished(below) {
        let own = lengths(&results.spec(&run)?);
        if own.iter().zip(full).all(|(own, full)| *own >= full) {
            found.push(run);
        }
    }
    Ok(found)
}

/// All claims, in the paper's order. Some need the terrains themselves.
///
/// # Errors
/// If a result on disk is damaged.
pub fn judge(results: &Results, data: Option<&DataFolder>) -> Result<Vec<Claim>> {
    let mut claims = pictures::claims(results)?;
    claims.extend(tables::claims(results)?);
    claims.extend(pictures::places(results, data)?);
    claims.extend(variants::claims(results)?);
    claims.extend(training::claims(results)?);
    Ok(claims)
}

/// The claims that were judged, for a terminal; empty if there are none.
#[must_use]
pub fn to_text(claims: &[Claim]) -> String {
    let judged: Vec<&Claim> = claims
        .iter()
        .filter(|c| c.verdict != Verdict::Open)
        .collect();
    if judged.is_empty() {
        return String::new();
    }
    let mut text = String::from("\nwhat the paper claims, and these results\n");
    for claim in &judged {
        let _ = writeln!(
            text,
            "{:>14}  {}: {} [{}]",
            claim.verdict.word(),
            claim.about,
            claim.text,
            claim.evidence
        );
    }
    let open = claims.len() - judged.len();
    if open > 0 {
        let _ = writeln!(
            text,
            "{open} more claims need runs that are not there or were cut short"
        );
    }
    text
}

/// All claims as CSV.
#[must_use]
pub fn to_csv(claims: &[Claim]) -> String {
    let mut text = String::from("about,claim,verdict,evidence\n");
    for claim in claims {
        let quote = |word: &str| format!("\"{}\"", word.replace('"', "\"\""));
        let fields = [
            claim.about,
            claim.text,
            claim.verdict.word(),
            &claim.evidence,
        ]
        .map(quote);
        text.push_str(&fields.join(","));
        text.push('\n');
    }
    text
}

/// All claims for programs.
#[must_use]
pub fn to_json(claims: &[Claim]) -> serde_json::Value {
    let claim = |c: &Claim| serde_json::json!({"about": c.about, "claim": c.text, "verdict": c.verdict.word(), "evidence": c.evidence});
    claims.iter().map(claim).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_that_are_cut_short_bear_nothing_out() {
        let folder = tempfile::tempdir().unwrap();
        let results = Results::open(folder.path()).unwrap();
        for (kernel, steps) in [("gibbs", 2000), ("dkl", 20)] {
            let run = folder
                .path()
                .join(format!("overfit/paper/helens/{kernel}/seed0"));
            std::fs::create_dir_all(&run).unwrap();
            let record = format!(r#"{{"spec": {{"samples": 300, "steps": {steps}}}}}"#);
            std::fs::write(run.join("run.json"), record).unwrap();
        }
        let found = whole(&results, Experiment::Overfit, "overfit/paper").unwrap();
        assert_eq!(found, ["overfit/paper/helens/gibbs/seed0"]);
    }
}
