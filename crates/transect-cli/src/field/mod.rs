//! `transect field`.

mod lines;
mod screen;

use crate::Failure;
use clap::Args;
use lines::Lines;
use screen::Screen;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use transect_field::bench::RunningBoat;
use transect_field::clock::Clock;
use transect_field::mission::{
    FieldDocument, Outcome, Survey, Voyage, find_vehicle, lake_bed, rehearse,
};
use transect_field::skipper::{Conclusion, Logbook};
use transect_field::{FieldError, GeoPosition};

/// `transect field`
#[derive(Debug, Args)]
pub(crate) struct Field {
    /// The field document
    document: PathBuf,
    /// Folder for the results
    #[arg(long, default_value = "field")]
    out: PathBuf,
    /// Continue the mission in --out that was cut off
    #[arg(long)]
    resume: bool,
    /// Rehearse with a boat on the bench: vehicle and sonar on loopback
    #[arg(long)]
    simulate: bool,
    /// Seconds of the rehearsal that pass in a real one
    #[arg(long, requires = "simulate", default_value = "1", value_name = "TIMES")]
    speed_up: f64,
}

impl From<FieldError> for Failure {
    fn from(error: FieldError) -> Self {
        match error.is_request() {
            true => Self::Request(error.to_string()),
            false => Self::Work(error.to_string()),
        }
    }
}

impl Field {
    pub(crate) fn run(&self, quiet: bool, json: bool) -> Result<(), Failure> {
        if !(self.speed_up > 0.0 && self.speed_up <= 100.0) {
            let text = format!(
                "--speed-up is {}: a number above 0, at most 100, is needed",
                self.speed_up
            );
            return Err(Failure::Request(text));
        }
        let mut document = FieldDocument::read(&self.document)?;
        let base = self.document.parent().unwrap_or(Path::new("."));
        let survey = Survey::read(&base.join(&document.area.file))?;
        let clock = Clock::faster(self.speed_up);
        let home = document.area.home.or(survey.home);
        let (home, _boat) = match self.simulate {
            true => {
                let (home, boat) = bench(&mut document, &survey, home, &clock)?;
                (home, Some(boat))
            }
            false => (home_of(&document, home, &clock, quiet)?, None),
        };
        let voyage = Voyage {
            document,
            survey,
            home,
            folder: self.out.clone(),
            resume: self.resume,
            clock,
            interrupts: interrupts()?,
        };
        let on_screen = !quiet && std::io::stderr().is_terminal();
        let logbook: Box<dyn Logbook> = match quiet || on_screen {
            true => Box::new(()),
            false => Box::new(Lines::default()),
        };
        let mut screen = None;
        let outcome = voyage.sail(logbook, |view| {
            screen = on_screen.then(|| Screen::start(view));
        });
        drop(screen);
        let outcome = outcome?;
        self.tell(&outcome, json);
        match outcome.conclusion {
            Conclusion::Home | Conclusion::Stopped => Ok(()),
            other => Err(Failure::Work(format!(
                "{other}; all soundings are in {}",
                self.out.display()
            ))),
        }
    }

    fn tell(&self, outcome: &Outcome, json: bool) {
        let spent = &outcome.spent;
        let expected_error_m = outcome.knowledge.map(|known| known.expected_error_m);
        if json {
            let result = serde_json::json!({
                "conclusion": outcome.conclusion,
                "home_reason": outcome.home_reason,
                "ending": outcome.ending,
                "soundings": spent.soundings,
                "distance_m": spent.distance_m,
                "time_s": spent.time_s,
                "expected_error_m": expected_error_m,
                "folder": self.out.display().to_string(),
            });
            println!("{result}");
            return;
        }
        if let Some(failure) = &outcome.failure {
            println!("the mission could not go on, the fallback survey did: {failure}");
        }
        if let Some(reason) = outcome.home_reason {
            println!("came home because {reason}");
        }
        println!(
            "{}: {} soundings on {:.0} m in {:.0} s",
            outcome.conclusion, spent.soundings, spent.distance_m, spent.time_s
        );
        if let Some(error_m) = expected_error_m {
            println!("expected error of the map: {error_m:.2} m");
        }
        println!("results: {}", self.out.display());
    }
}

/// A running boat at home; home is the place inside that is nearest to the area's first corner if nobody says.
fn bench(
    document: &mut FieldDocument,
    survey: &Survey,
    home: Option<GeoPosition>,
    clock: &Clock,
) -> Result<(GeoPosition, RunningBoat), FieldError> {
    let corner = survey.area.outer().first().copied().unwrap_or_default();
    let somewhere = survey
        .plane
        .degrees(corner)
        .unwrap_or(GeoPosition::new(0.0, 0.0));
    let guard = survey.guard(document.fence.margin_m, home.unwrap_or(somewhere))?;
    let inside = survey.plane.degrees(guard.homeward().home());
    let home = home.or(inside).unwrap_or(somewhere);
    let boat = rehearse(document, survey, inside.unwrap_or(home), lake_bed(survey)?)?;
    Ok((home, boat.run(clock.clone())))
}

/// Home as set, or where the vehicle is.
fn home_of(
    document: &FieldDocument,
    home: Option<GeoPosition>,
    clock: &Clock,
    quiet: bool,
) -> Result<GeoPosition, FieldError> {
    if let Some(home) = home {
        return Ok(home);
    }
    if !quiet {
        eprintln!("waiting for the vehicle's position: it will be home");
    }
    find_vehicle(document, clock)
}

/// Counts the operator's interrupts: one calls the vehicle home, two stop it, three end the program.
fn interrupts() -> Result<Arc<AtomicUsize>, Failure> {
    let count = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&count);
    let handler = move || match counted.fetch_add(1, Ordering::Relaxed) {
        0 => eprintln!("coming home; once more stops the vehicle where it is"),
        1 => eprintln!("stopping; once more ends the program at once"),
        _ => std::process::exit(1),
    };
    ctrlc::set_handler(handler)
        .map_err(|error| Failure::Work(format!("interrupts cannot be handled: {error}")))?;
    Ok(count)
}
