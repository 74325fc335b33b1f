//! One screen with everything that an operator wants to know.

use std::fmt::Write as _;
use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;
use transect_field::mission::{Knowledge, View};
use transect_field::skipper::Status;

/// Time between two pictures.
const PAUSE: Duration = Duration::from_millis(250);
/// Messages that are shown.
const MESSAGES: usize = 12;
/// To the top left corner; the rest of each line and of the screen is cleared while drawing.
const TOP: &str = "\x1b[H";
const CLEAR_SCREEN: &str = "\x1b[2J";
const CLEAR_LINE: &str = "\x1b[K";
const CLEAR_BELOW: &str = "\x1b[J";

/// Draws until it is dropped.
pub(super) struct Screen {
    over: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Screen {
    pub(super) fn start(view: View) -> Self {
        let over = Arc::new(AtomicBool::new(false));
        let ended = Arc::clone(&over);
        let thread = std::thread::spawn(move || {
            // A terminal that is gone is no reason to stop.
            let _ = write!(std::io::stderr(), "{CLEAR_SCREEN}");
            loop {
                let last = ended.load(Ordering::Relaxed);
                draw(&view);
                if last {
                    return;
                }
                std::thread::sleep(PAUSE);
            }
        });
        Self {
            over,
            thread: Some(thread),
        }
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        self.over.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

fn draw(view: &View) {
    let status = view
        .status
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .clone();
    let knowledge = *view
        .knowledge
        .lock()
        .unwrap_or_else(PoisonError::into_inner);
    let lines = picture(&status, knowledge);
    let body = lines.join(&format!("{CLEAR_LINE}\r\n"));
    let mut stderr = std::io::stderr().lock();
    let _ = write!(stderr, "{TOP}{body}{CLEAR_LINE}\r\n{CLEAR_BELOW}");
    let _ = stderr.flush();
}

/// The lines of the screen.
fn picture(status: &Status, knowledge: Option<Knowledge>) -> Vec<String> {
    let Status {
        vehicle,
        whereabouts,
        spent,
        ..
    } = status;
    let age =
        |age_s: Option<f64>| age_s.map_or("never heard".into(), |s| format!("heard {s:.1} s ago"));
    let place = vehicle
        .fix
        .map_or("unknown".into(), |fix| fix.position.to_string());
    let mode = vehicle
        .mode
        .map_or("unknown mode".into(), |mode| mode.to_string());
    let armed = if vehicle.armed { "armed" } else { "disarmed" };
    let mut next = String::from("none");
    if let Some(goal) = status.goal {
        let away_m = whereabouts.pose.position.distance_to(goal);
        next = format!("{goal}, {away_m:.1} m away");
    }
    let mut known = String::from("no map yet");
    if let Some(knowledge) = knowledge {
        known = format!("expected error {:.2} m", knowledge.expected_error_m);
        if let Some(share) = knowledge.share {
            // Writing to a string does not fail.
            let _ = write!(known, ", {:.0} % of the area good enough", 100.0 * share);
        }
    }
    let mut left = match status.reach_m.is_finite() {
        true => format!("good for {:.0} m", status.reach_m),
        false => "no limit on the way".into(),
    };
    if let Some(home_m) = status.home_m {
        let _ = write!(left, "; home is {home_m:.0} m away");
    }
    if let Some(percent) = vehicle.battery_percent {
        let _ = write!(left, "; battery {percent} %");
    }
    let mut lines = vec![
        format!("transect field    {}", status.doing),
        String::new(),
        format!("vehicle    {mode}, {armed}, {}", age(vehicle.link_age_s)),
        format!("position   {place}"),
        format!("next       {next}"),
        format!(
            "sonar      {}; {} not used",
            age(status.sonar_age_s),
            status.rejected
        ),
        format!(
            "soundings  {} on {:.0} m in {:.0} s",
            spent.soundings, spent.distance_m, spent.time_s
        ),
        format!("map        {known}"),
        format!("left       {left}"),
        String::new(),
    ];
    let skipped = status.messages.len().saturating_sub(MESSAGES);
    let told = status.messages.iter().skip(skipped);
    lines.extend(told.map(|(at_s, text)| format!("{at_s:8.1} {text}")));
    lines
}
