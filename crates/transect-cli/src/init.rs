//! `transect init`.

use crate::Failure;
use clap::{Args, ValueEnum};
use transect_lab::experiment::ExperimentDocument;
use transect_lab::vary::SweepTables;
use transect_survey::document::{Part, commented};
use transect_survey::field::FieldDocument;
use transect_survey::mission::MissionDocument;

/// `transect init`
#[derive(Debug, Args)]
#[command(
    after_help = "Keep what you change and delete the rest; whatever is left out has its default:\n  \
    transect init mission > mission.toml\n  transect run mission.toml"
)]
pub(crate) struct Init {
    /// mission for `transect run`, experiment for `transect reproduce`, field for `transect field`
    #[arg(value_name = "DOCUMENT", hide_possible_values = true)]
    kind: Kind,
}

/// The documents there are.
#[derive(Debug, Clone, Copy, ValueEnum)]
enum Kind {
    Mission,
    Experiment,
    /// A mission on a real vehicle, for `transect field`
    Field,
}

impl Init {
    pub(crate) fn run(&self) -> Result<(), Failure> {
        let text = match self.kind {
            Kind::Mission => MissionDocument::default().to_text()?,
            Kind::Experiment => {
                let part = Part::of(&ExperimentDocument::default())
                    .map_err(|error| Failure::Work(error.to_string()))?;
                commented(ExperimentDocument::HEADING, &[part]) + SweepTables::EXAMPLE
            }
            Kind::Field => FieldDocument::default().to_text()?,
        };
        print!("{text}");
        Ok(())
    }
}
