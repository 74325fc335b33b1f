//! `transect field`.

#[cfg(feature = "live")]
mod feed;
mod lines;
mod picture;
mod screen;

use crate::Failure;
use clap::Args;
use lines::{Lines, say};
use screen::Screen;
use std::io::IsTerminal;
use std::path::PathBuf;
use std::time::Duration;
use transect_field::GeoPosition;
use transect_field::bench::RunningBoat;
use transect_field::clock::Clock;
use transect_field::skipper::{Conclusion, Logbook, Operator};
use transect_survey::document::Source;
use transect_survey::field::{
    Begin, FieldDocument, Lake, Pace, Past, Results, Survey, Voyage, VoyageError, find_vehicle,
};

/// Time to change one's mind before motors start, s.
const COUNT_DOWN_S: u64 = 10;
/// The vehicle is spoken to ten times a second: by then it has heard that it is to stop.
const TOLD_TO_STOP: Duration = Duration::from_millis(500);

/// `transect field`
#[derive(Debug, Args)]
pub(crate) struct Field {
    /// The field document; `transect init field` prints one. Without it, a rehearsal on the built-in quarry lake
    #[arg(required_unless_present = "simulate")]
    document: Option<PathBuf>,
    /// Set a key of the document, as in budget.time_s=600
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,
    /// Decides all random numbers
    #[arg(long)]
    seed: Option<u64>,
    /// Folder for the results
    #[arg(long, default_value = "field")]
    out: PathBuf,
    /// Write over what is in --out
    #[arg(long)]
    force: bool,
    /// Continue the mission in --out that was cut off
    #[arg(long, conflicts_with = "force")]
    resume: bool,
    /// Start the motors without asking; without it they start after Enter, or after ten seconds where nobody can be asked
    #[arg(long, conflicts_with = "simulate")]
    yes: bool,
    /// Rehearse with a boat on the bench: vehicle and sonar on loopback
    #[arg(long)]
    simulate: bool,
    /// The bed of the lake to rehearse on: a built-in terrain or a file
    #[arg(long, requires = "simulate", value_name = "NAME|FILE")]
    terrain: Option<PathBuf>,
    /// Seconds of the rehearsal that pass in a real one; as many as this machine can when left out
    #[arg(long, requires = "simulate", value_name = "TIMES")]
    speed_up: Option<f64>,
    #[cfg(feature = "live")]
    #[command(flatten)]
    live: crate::live::LiveFlags,
    /// Let viewers who have the link pause the vehicle, call it home or stop it; they are asked twice
    #[cfg(feature = "live")]
    #[arg(long, requires = "live")]
    live_control: bool,
}

impl From<VoyageError> for Failure {
    fn from(error: VoyageError) -> Self {
        match error.is_request() {
            true => Self::Request(error.to_string()),
            false => Self::Work(error.to_string()),
        }
    }
}

impl Field {
    pub(crate) fn run(&self, quiet: bool, json: bool) -> Result<(), Failure> {
        if let Some(factor) = self.speed_up.filter(|f| !(*f > 0.0 && *f <= 100.0)) {
            let text = format!("--speed-up is {factor}: a number above 0, at most 100, is needed");
            return Err(Failure::Request(text));
        }
        let source = self.source()?;
        let document = FieldDocument::from_source(&source)?;
        let (mut voyage, _boat) = match self.simulate {
            true => self.rehearsal(document, &source)?,
            false => (self.real(document, quiet)?, None),
        };
        if !self.simulate && !self.yes {
            consent(&voyage.document)?;
        }
        let on_screen = !quiet && std::io::stderr().is_terminal();
        voyage.operator = operator(on_screen)?;
        let mut logbooks: Vec<Box<dyn Logbook>> = Vec::new();
        if !quiet && !on_screen {
            logbooks.push(Box::new(Lines::default()));
        }
        #[cfg(feature = "live")]
        let inbox = self.serve(&mut voyage, &mut logbooks);
        let mut watching: Vec<Box<dyn std::any::Any>> = Vec::new();
        let results = voyage.sail(Box::new(logbooks), |view| {
            #[cfg(feature = "live")]
            if let Some(inbox) = inbox {
                watching.push(Box::new(feed::Feed::start(view.clone(), inbox)));
            }
            if on_screen {
                watching.push(Box::new(Screen::start(view)));
            }
        });
        drop(watching);
        let results = results?;
        if let Some(pace) = results.pace.as_ref().filter(|_| !quiet) {
            say(pace);
        }
        self.tell(&results, json);
        match results.outcome.conclusion {
            Conclusion::Home | Conclusion::Stopped => Ok(()),
            other => Err(Failure::Work(format!(
                "{other}; all soundings are in {}",
                self.out.display()
            ))),
        }
    }

    /// Has the mission served, if that was asked for.
    #[cfg(feature = "live")]
    fn serve(
        &self,
        voyage: &mut Voyage,
        logbooks: &mut Vec<Box<dyn Logbook>>,
    ) -> Option<transect_survey::live::Inbox> {
        let address = self.live.live.clone()?;
        let control = self
            .live_control
            .then(|| feed::control(voyage.operator.clone()));
        let audience =
            transect_survey::live::LiveAudience::new(address, control, crate::live::announce);
        let inbox = audience.inbox();
        logbooks.push(Box::new(feed::Remarks(inbox.clone())));
        voyage.audience = Box::new(audience);
        Some(inbox)
    }

    fn source(&self) -> Result<Source, Failure> {
        let mut source = match &self.document {
            Some(path) => Source::read(path)?,
            None => Source::parse("the default document", &FieldDocument::default().to_text()?)?,
        };
        if let Some(terrain) = &self.terrain {
            // A path on the command line starts from here, not from the document.
            let name = match terrain.exists() {
                true => std::path::absolute(terrain).unwrap_or(terrain.clone()),
                false => terrain.clone(),
            };
            let flag = format!("--terrain {}", terrain.display());
            source.assign_text("terrain.source", &name.to_string_lossy(), flag)?;
        }
        for assignment in &self.set {
            source.set(assignment)?;
        }
        if let Some(seed) = self.seed {
            source.assign(&format!("seed={seed}"), format!("--seed {seed}"))?;
        }
        Ok(source)
    }

    fn begin(&self) -> Begin {
        match (self.resume, self.force) {
            (true, _) => Begin::Resume,
            (_, true) => Begin::Over,
            _ => Begin::Anew,
        }
    }

    /// What is there of a mission that is continued.
    fn past(&self) -> Result<Past, VoyageError> {
        if !self.resume {
            return Ok(Past::default());
        }
        if !self.out.exists() {
            return Err(VoyageError::NothingToResume {
                path: self.out.clone(),
            });
        }
        Ok(Past::of(&self.out)?)
    }

    /// On the water.
    fn real(&self, document: FieldDocument, quiet: bool) -> Result<Voyage, VoyageError> {
        let file = document.area.file.as_ref().ok_or(VoyageError::NoArea)?;
        let survey = Survey::read(file, None)?;
        let clock = Clock::real();
        let past = self.past()?;
        // A mission that goes on comes home to where it set out, not to where it was cut off.
        let home = document.area.home.or(past.home).or(survey.home);
        if home.is_none() && past.journals > 0 {
            return Err(VoyageError::NoHome {
                path: self.out.clone(),
            });
        }
        let home = match home {
            Some(home) => home,
            None => {
                if !quiet {
                    say("waiting for the vehicle's position: it will be home");
                }
                find_vehicle(&document, &clock, &mut |text| {
                    if !quiet {
                        say(text);
                    }
                })?
            }
        };
        Ok(self.voyage(document, survey, home, Pace::Clock(clock)))
    }

    /// On the bench; a boat that runs by itself does so until it is dropped.
    fn rehearsal(
        &self,
        document: FieldDocument,
        source: &Source,
    ) -> Result<(Voyage, Option<RunningBoat>), VoyageError> {
        self.past()?;
        let lake = Lake::of(&document, source)?;
        let (home, start) = lake.home(&document)?;
        let (boat, devices) = lake.launch(&document, start)?;
        let (pace, running) = match self.speed_up {
            None => (Pace::Bench(Box::new(boat)), None),
            Some(factor) => {
                let clock = Clock::faster(factor);
                (Pace::Clock(clock.clone()), Some(boat.run(clock)))
            }
        };
        let mut voyage = self.voyage(document, lake.survey, home, pace);
        (voyage.devices, voyage.bed) = (Some(devices), Some(lake.bed));
        Ok((voyage, running))
    }

    fn voyage(
        &self,
        document: FieldDocument,
        survey: Survey,
        home: GeoPosition,
        pace: Pace,
    ) -> Voyage {
        Voyage {
            document,
            devices: None,
            survey,
            bed: None,
            home,
            folder: self.out.clone(),
            begin: self.begin(),
            pace,
            date: crate::page::today(),
            audience: Box::new(()),
            operator: Operator::default(),
        }
    }

    fn tell(&self, results: &Results, json: bool) {
        let outcome = &results.outcome;
        let spent = &outcome.spent;
        let expected_error_m = outcome.knowledge.map(|known| known.expected_error_m);
        let report = results.page.as_ref().map(|page| page.display().to_string());
        if json {
            let result = serde_json::json!({
                "conclusion": outcome.conclusion,
                "home_reason": outcome.home_reason,
                "ending": outcome.ending,
                "soundings": spent.soundings,
                "distance_m": spent.distance_m,
                "time_s": spent.time_s,
                "expected_error_m": expected_error_m,
                "evaluation": results.evaluation,
                "warnings": results.warnings,
                "folder": self.out.display().to_string(),
                "report": report,
            });
            println!("{result}");
            return;
        }
        if let Some(failure) = &outcome.failure {
            println!("the mission could not go on, the fallback survey did: {failure}");
        }
        match outcome.home_reason {
            Some(reason) => println!("{}: {reason}", outcome.conclusion),
            None => println!("{}", outcome.conclusion),
        }
        print!("{}", results.text);
        if let Some(error_m) = expected_error_m {
            println!("{:26}{:>13}", "Expected error", format!("{error_m:.2} m"));
        }
        for warning in &results.warnings {
            println!("warning: {warning}");
        }
        match report {
            Some(report) => println!("report: {report}"),
            None => println!("there is no map; soundings are in {}", self.out.display()),
        }
    }
}

/// Asks before motors start. Where nobody can be asked there is time to interrupt.
fn consent(document: &FieldDocument) -> Result<(), Failure> {
    let link = &document.vehicle.link;
    if std::io::stdin().is_terminal() {
        say(&format!(
            "the vehicle on {link} will be armed and its motors will start: Enter goes on, Ctrl-C leaves it alone"
        ));
        let mut answer = String::new();
        let read = std::io::stdin().read_line(&mut answer);
        return match read {
            Ok(bytes) if bytes > 0 => Ok(()),
            _ => Err(Failure::Request(
                "nobody said that the motors may start; --yes says so".into(),
            )),
        };
    }
    say(&format!(
        "the vehicle on {link} will be armed and its motors will start in {COUNT_DOWN_S} s: interrupt to leave it alone; --yes \
         does not wait"
    ));
    std::thread::sleep(Duration::from_secs(COUNT_DOWN_S));
    Ok(())
}

/// Counts the operator's interrupts: one calls the vehicle home, two stop it, three end the program. By then the vehicle
/// has been told to stop.
fn operator(on_screen: bool) -> Result<Operator, Failure> {
    let operator = Operator::default();
    let heard = operator.clone();
    let handler = move || match heard.interrupt() {
        0 if !on_screen => say("coming home; once more stops the vehicle where it is"),
        1 if !on_screen => {
            say("stopping; once more ends the program without waiting for the vehicle to confirm")
        }
        0 | 1 => {}
        _ => {
            std::thread::sleep(TOLD_TO_STOP);
            std::process::exit(1)
        }
    };
    ctrlc::set_handler(handler)
        .map_err(|error| Failure::Work(format!("interrupts cannot be handled: {error}")))?;
    Ok(operator)
}
