//! Drives a MAVLink boat to a place some metres from where it is, stops it there and disarms it.
//!
//! ```text
//! cargo run --example drive -- udp:127.0.0.1:14550 20 0
//! ```
//!
//! The arguments are the link and the metres north and east. What happens is told line by line.

use std::process::ExitCode;

use transect_field::autopilot::{Autopilot, AutopilotSettings, Helm, HelmEvent, Parting, Phase};
use transect_field::clock::Clock;

/// Longer than any drive that this is for, s.
const PATIENCE_S: f64 = 180.0;

fn main() -> ExitCode {
    match drive(std::env::args().skip(1).collect()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(reason) => {
            eprintln!("drive: {reason}");
            ExitCode::FAILURE
        }
    }
}

fn drive(arguments: Vec<String>) -> Result<(), String> {
    let [link, north_m, east_m] = arguments.as_slice() else {
        return Err("give a link, metres north and metres east".to_owned());
    };
    let metres = |text: &String| text.parse::<f64>().map_err(|e| format!("`{text}`: {e}"));
    let (north_m, east_m) = (metres(north_m)?, metres(east_m)?);
    let settings = AutopilotSettings {
        link: link.parse().map_err(|e| format!("{e}"))?,
        ..AutopilotSettings::default()
    };
    let mut helm = Autopilot::open(settings).map_err(|e| e.to_string())?;
    let clock = Clock::real();
    let (mut engaged, mut arrived) = (false, false);
    let mut depths = Vec::new();
    while clock.now_s() < PATIENCE_S {
        for event in helm.poll(clock.now_s()) {
            arrived |= matches!(event, HelmEvent::Arrived { .. });
            if !matches!(event, HelmEvent::Fix(_)) {
                println!("{:7.2} {event}", clock.now_s());
            }
            if arrived {
                helm.release(Parting::Disarm);
            }
        }
        helm.take_depths(&mut depths);
        for depth in depths.drain(..) {
            println!(
                "{:7.2} depth {:.3} {}",
                clock.now_s(),
                depth.depth_m,
                depth.source
            );
        }
        let state = helm.state();
        if state.phase == Phase::Standby
            && !engaged
            && let Some(fix) = state.fix
        {
            engaged = true;
            helm.engage();
            helm.go_to(fix.position.moved(north_m, east_m));
        } else if state.phase == Phase::Standby && arrived && !state.armed {
            return Ok(());
        }
        clock.sleep(0.05);
    }
    Err(format!(
        "not there after {PATIENCE_S} s: {:?}",
        helm.state().phase
    ))
}
