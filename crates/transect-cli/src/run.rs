//! `transect run`.

use crate::Failure;
use crate::live::LiveFlags;
use crate::page;
use crate::progress::SweepBar;
use clap::Args;
use std::path::PathBuf;
use transect_survey::document::Source;
use transect_survey::run::run;

/// `transect run`
#[derive(Debug, Args)]
pub(crate) struct Run {
    /// The mission's document; `transect init mission` prints one
    #[arg(value_name = "MISSION.toml")]
    mission: PathBuf,
    /// Set a key of the document, as in planner.candidates=500; may be repeated
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,
    /// Decides all random numbers, in place of the document's seed
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Folder for report, map, soundings, track, journal and model [default: the document's name]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Write over what is in --out
    #[arg(long)]
    force: bool,
    /// Open the report in the browser when it is there
    #[arg(long)]
    open: bool,
    /// `lawnmower`: drive parallel lines too, with the same boat in the same time, and compare
    #[arg(long, value_name = "NAME", value_parser = ["lawnmower"], hide_possible_values = true)]
    beside: Option<String>,
    #[command(flatten)]
    live: LiveFlags,
}

impl Run {
    pub(crate) fn run(&self, quiet: bool, json: bool) -> Result<(), Failure> {
        let mut source = Source::read(&self.mission)?;
        for assignment in &self.set {
            source.set(assignment)?;
        }
        if let Some(seed) = self.seed {
            source.assign(&format!("seed={seed}"), format!("--seed {seed}"))?;
        }
        let bar = SweepBar::new("mission", quiet);
        let outcome = run(
            &source,
            &self.out()?,
            self.force,
            self.beside.is_some(),
            page::today(),
            &mut *self.live.audience(),
            &mut |share| bar.show_share(share),
        );
        bar.finish();
        let finished = outcome?;
        if let Some(pace) = finished.outcome.pace.text().filter(|_| !quiet) {
            eprintln!("{pace}");
        }
        if self.open {
            page::open(&finished.page);
        }
        if json {
            let evaluation = finished.outcome.result();
            let line = serde_json::json!({
                "ending": finished.outcome.ending,
                "spent": finished.outcome.spent,
                "evaluation": evaluation,
                "warnings": finished.warnings,
                "report": finished.page.display().to_string(),
                "lawnmower": finished.beside.map(|beside| serde_json::json!({
                    "ending": beside.outcome.ending,
                    "spent": beside.outcome.spent,
                    "evaluation": beside.outcome.result(),
                    "in_words": beside.words,
                })),
            });
            println!("{line}");
            return Ok(());
        }
        print!("{}", finished.text);
        for warning in &finished.warnings {
            println!("warning: {warning}");
        }
        println!("report: {}", finished.page.display());
        Ok(())
    }

    fn out(&self) -> Result<PathBuf, Failure> {
        let stem = || {
            let has_ending = self.mission.extension().is_some();
            let stem = self.mission.file_stem().filter(|_| has_ending);
            stem.map(PathBuf::from)
        };
        self.out.clone().or_else(stem).ok_or_else(|| {
            let name = self.mission.display();
            Failure::Request(format!("{name} does not give a folder its name: set --out"))
        })
    }
}
