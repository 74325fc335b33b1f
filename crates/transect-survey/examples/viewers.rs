//! How long the steps of a mission take, with viewers or without: for `scripts/interop live`.
//!
//! `viewers OUT` runs a mission into a folder; `viewers OUT PORT` serves it too, prints the link, and waits for a line on
//! stdin, so that viewers can come before it begins. Prints the time of every step that decides, ms, in one line.

use std::error::Error;
use std::path::Path;
use std::time::Instant;
use transect_survey::audience::Audience;
use transect_survey::document::Source;
use transect_survey::live::LiveAudience;
use transect_survey::run::run;

/// A survey of 300 soundings that decides anew before each: enough decisions for a 99th percentile.
const MISSION: &str = "
    [terrain]
    source = \"quarry\"
    [budget]
    soundings = 300
    [pilot]
    shape = \"curve\"
    travel = \"jump\"
    soundings = 25
    [planner]
    name = \"active\"
";

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, out, port @ ..] = &arguments[..] else {
        return Err("viewers OUT [PORT]".into());
    };
    let mut audience: Box<dyn Audience> = match port {
        [port, ..] => Box::new(LiveAudience::new(port.parse()?, None, |link| {
            println!("{link}");
            let _ = std::io::stdin().read_line(&mut String::new());
        })),
        [] => Box::new(()),
    };
    let source = Source::parse("the example's mission", MISSION)?;
    let (mut last, mut times) = (None, Vec::new());
    let mut watch = |_| {
        let now = Instant::now();
        if let Some(last) = last.replace(now) {
            times.push(1e3 * now.duration_since(last).as_secs_f64());
        }
    };
    run(
        &source,
        Path::new(out),
        false,
        false,
        None,
        &mut *audience,
        &mut watch,
    )?;
    // The steps of the pilot survey decide nothing.
    times.retain(|ms| *ms > 1.0);
    let times: Vec<String> = times.iter().map(|ms| format!("{ms:.3}")).collect();
    println!("{}", times.join(" "));
    Ok(())
}
