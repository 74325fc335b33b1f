//! The `transect` program: arguments, progress, exit codes. The work is done in the libraries.
#![forbid(unsafe_code)]

// First, so that all others use its macros.
#[macro_use]
mod stdout;

mod compare;
mod demo;
mod fetch;
mod field;
mod init;
mod live;
mod map;
mod next;
mod page;
mod progress;
mod replay;
mod reproduce;
mod run;
mod seeds;
mod soundings;
mod terrain;
#[cfg(feature = "live")]
mod watch;

use clap::{ArgAction, CommandFactory, Parser, Subcommand};
use std::process::ExitCode;
use transect_io::IoError;
use transect_lab::LabError;
use transect_survey::SurveyError;
use transect_survey::document::DocumentError;

/// Where the flags that all commands share stand in the help.
const EVERYWHERE: &str = "Options of all commands";

/// Tells a survey robot where to measure next.
#[derive(Debug, Parser)]
#[command(
    name = "transect",
    version,
    disable_help_subcommand = true,
    disable_help_flag = true,
    after_help = "`transect demo` is a good start; `transect COMMAND --help` says more about a command."
)]
struct Arguments {
    /// Say nothing about progress
    #[arg(long, short, global = true, help_heading = EVERYWHERE)]
    quiet: bool,
    /// Print results as JSON
    #[arg(long, global = true, help_heading = EVERYWHERE)]
    json: bool,
    /// Print this help
    // The short form for --help too: it fits a screen.
    #[arg(long = "help", short = 'h', global = true, help_heading = EVERYWHERE, action = ArgAction::HelpShort)]
    _help: Option<bool>,
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Survey a built-in terrain, adaptively and by lawnmower, and show both maps
    Demo(demo::Demo),
    /// Print a document with every setting, its default and its meaning
    Init(init::Init),
    /// Run a simulated survey, as a document describes it
    Run(run::Run),
    /// Run a recorded mission again and check that every decision is the same
    Replay(replay::Replay),
    /// Survey with a real vehicle, or rehearse with one on the bench
    Field(field::Field),
    /// Read logs of any kind, correct and clean them, and write one table
    Soundings(Box<soundings::SoundingsCommand>),
    /// Make a map with uncertainty from logs of soundings
    Map(Box<map::Map>),
    /// Show a mission in the browser while it runs, or one that has ended, from its journal
    #[cfg(feature = "live")]
    Watch(watch::Watch),
    /// Plan the best extra lines for the time there is, from a survey that exists
    Next(Box<next::Next>),
    /// Show how the ground has changed between two maps
    Compare(compare::Compare),
    /// Run the paper's experiments and compare with its numbers
    Reproduce(Box<reproduce::Reproduce>),
    /// Rebuild tables, figures and report.html from results on disk
    Report(reproduce::Report),
    /// Show what is in a terrain file, or list the built-in terrains
    Terrain(terrain::TerrainCommand),
    /// Download an SRTM tile of real heights, or the terrains of the paper
    Fetch(fetch::Fetch),
    /// Print completions for a shell
    Completions {
        /// The shell to complete for
        shell: clap_complete::Shell,
    },
}

/// Why the program ends otherwise than well.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The request was wrong: exit code 2.
    Request(String),
    /// The work failed: exit code 1.
    Work(String),
}

impl From<LabError> for Failure {
    fn from(error: LabError) -> Self {
        match error.is_request() {
            true => Self::Request(error.to_string()),
            false => Self::Work(error.to_string()),
        }
    }
}

impl From<IoError> for Failure {
    fn from(error: IoError) -> Self {
        match error.is_request() {
            true => Self::Request(error.to_string()),
            false => Self::Work(error.to_string()),
        }
    }
}

impl From<SurveyError> for Failure {
    fn from(error: SurveyError) -> Self {
        match error.is_request() {
            true => Self::Request(error.to_string()),
            false => Self::Work(error.to_string()),
        }
    }
}

impl From<DocumentError> for Failure {
    fn from(error: DocumentError) -> Self {
        Self::Request(error.to_string())
    }
}

fn main() -> ExitCode {
    let Arguments {
        quiet,
        json,
        command,
        ..
    } = Arguments::parse();
    let outcome = match command {
        Command::Demo(demo) => demo.run(quiet, json),
        Command::Init(init) => init.run(),
        Command::Run(run) => run.run(quiet, json),
        Command::Replay(replay) => replay.run(quiet, json),
        Command::Field(field) => field.run(quiet, json),
        Command::Soundings(soundings) => soundings.run(json),
        #[cfg(feature = "live")]
        Command::Watch(watch) => watch.run(quiet, json),
        Command::Map(map) => map.run(quiet, json),
        Command::Next(next) => next.run(json),
        Command::Compare(compare) => compare.run(json),
        Command::Reproduce(reproduce) => reproduce.run(quiet, json),
        Command::Report(report) => report.run(json),
        Command::Terrain(terrain) => terrain.run(json),
        Command::Fetch(fetch) => fetch.run(quiet, json),
        Command::Completions { shell } => {
            let mut script = Vec::new();
            let mut command = Arguments::command();
            clap_complete::generate(shell, &mut command, "transect", &mut script);
            print!("{}", String::from_utf8_lossy(&script));
            Ok(())
        }
    };
    let (code, message) = match outcome {
        Ok(()) => return ExitCode::SUCCESS,
        Err(Failure::Work(message)) => (1, message),
        Err(Failure::Request(message)) => (2, message),
    };
    eprintln!("error: {message}");
    ExitCode::from(code)
}
