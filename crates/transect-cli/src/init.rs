//! `transect init`.

use crate::Failure;
use clap::{Args, ValueEnum};
use transect_survey::mission::MissionDocument;

/// `transect init`
#[derive(Debug, Args)]
pub(crate) struct Init {
    /// What the document is for
    kind: Kind,
}

/// The documents there are.
#[derive(Debug, Clone, Copy, ValueEnum)]
enum Kind {
    /// A simulated mission, for `transect run`
    Mission,
}

impl Init {
    pub(crate) fn run(&self) -> Result<(), Failure> {
        let text = match self.kind {
            Kind::Mission => MissionDocument::default().to_text()?,
        };
        print!("{text}");
        Ok(())
    }
}
