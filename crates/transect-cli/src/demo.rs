//! `transect demo`.

use crate::Failure;
use crate::page;
use crate::progress::SweepBar;
use clap::Args;
use std::path::PathBuf;
use transect_survey::demo::demo;
use transect_survey::outcome::Outcome;

/// `transect demo`
#[derive(Debug, Args)]
pub(crate) struct Demo {
    /// Folder for the report, maps, soundings and models
    #[arg(long, value_name = "DIR", default_value = "demo")]
    out: PathBuf,
    /// Another number gives another survey, the same one always the same
    #[arg(long, value_name = "N", default_value = "0")]
    seed: u64,
    /// Write over what is in --out
    #[arg(long)]
    force: bool,
    /// Open the report in the browser
    #[arg(long)]
    open: bool,
}

impl Demo {
    pub(crate) fn run(&self, quiet: bool, json: bool) -> Result<(), Failure> {
        let bar = SweepBar::new("demo", quiet);
        let outcome = demo(
            &self.out,
            self.seed,
            self.force,
            page::today(),
            &mut |share| bar.show_share(share),
        );
        bar.finish();
        let demo = outcome?;
        if self.open {
            page::open(&demo.page);
        }
        if !json {
            print!("{}", demo.text);
            for warning in &demo.warnings {
                println!("warning: {warning}");
            }
            println!("report: {}", demo.page.display());
            return Ok(());
        }
        let survey = |name: &str, outcome: &Outcome| {
            serde_json::json!({
                "name": name,
                "soundings": outcome.spent.soundings,
                "distance_m": outcome.spent.distance_m,
                "rmse": outcome.result().map(|e| e.rmse),
                "smse": outcome.result().map(|e| e.smse),
                "msll": outcome.result().map(|e| e.msll),
                "coverage_95": outcome.result().map(|e| e.calibration.coverage_95),
            })
        };
        let surveys = [
            survey("adaptive", &demo.adaptive),
            survey("lawnmower", &demo.lawnmower),
        ];
        let page = demo.page.display().to_string();
        println!(
            "{}",
            serde_json::json!({"surveys": surveys, "report": page, "warnings": demo.warnings})
        );
        Ok(())
    }
}
