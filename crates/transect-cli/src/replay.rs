//! `transect replay`.

use crate::Failure;
use crate::progress::SweepBar;
use clap::Args;
use std::path::PathBuf;
use transect_survey::replay::replay;

/// `transect replay`
#[derive(Debug, Args)]
pub(crate) struct Replay {
    /// A mission folder, or a journal
    #[arg(value_name = "DIR|JOURNAL")]
    recording: PathBuf,
}

impl Replay {
    pub(crate) fn run(&self, quiet: bool, json: bool) -> Result<(), Failure> {
        let bar = SweepBar::new("replay", quiet);
        let outcome = replay(&self.recording, &mut |share| bar.show_share(share));
        bar.finish();
        let replayed = outcome?;
        if json {
            let (decisions, complete) = (replayed.decisions, replayed.complete);
            let line = serde_json::json!({"decisions": decisions, "complete": complete});
            println!("{line}");
            return Ok(());
        }
        println!("{} decisions, all the same", replayed.decisions);
        if !replayed.complete {
            println!("the journal was cut off; it was compared up to there");
        }
        Ok(())
    }
}
