//! `transect demo`.

use crate::Failure;
use crate::progress::SweepBar;
use clap::Args;
use std::path::PathBuf;
use transect_lab::demo::{demo, demo_over, text};
use transect_lab::sweep::SweepProgress;

/// `transect demo`
#[derive(Debug, Args)]
pub(crate) struct Demo {
    /// Folder for the report, soundings and models
    #[arg(long, default_value = "demo")]
    out: PathBuf,
    /// Decides all random numbers
    #[arg(long, default_value = "0")]
    seed: u64,
    /// Write over what is in --out
    #[arg(long)]
    force: bool,
}

impl Demo {
    pub(crate) fn run(&self, quiet: bool, json: bool) -> Result<(), Failure> {
        let bar = SweepBar::new("demo", quiet);
        let mut watch = |share: f64| {
            let finished = usize::from(share >= 0.5) + usize::from(share >= 1.0);
            bar.show(SweepProgress {
                finished,
                total: 2,
                share,
            });
        };
        let outcome = match self.force {
            true => demo_over(&self.out, self.seed, &mut watch),
            false => demo(&self.out, self.seed, &mut watch),
        };
        bar.finish();
        let demo = outcome?;
        if !json {
            print!("{}", text(&demo.surveys));
            println!("report: {}", demo.page.display());
            return Ok(());
        }
        let survey = |survey: &transect_lab::demo::Survey| {
            serde_json::json!({
                "name": survey.name,
                "soundings": survey.spent.soundings,
                "distance_m": survey.spent.distance_m,
                "rmse": survey.result().map(|e| e.rmse),
                "smse": survey.result().map(|e| e.smse),
                "msll": survey.result().map(|e| e.msll),
                "coverage_95": survey.result().map(|e| e.calibration.coverage_95),
            })
        };
        let surveys: Vec<_> = demo.surveys.iter().map(survey).collect();
        let page = demo.page.display().to_string();
        println!(
            "{}",
            serde_json::json!({"surveys": surveys, "report": page})
        );
        Ok(())
    }
}
