//! Prints what a sonar or GPS receiver says, until so many depths have come.
//!
//! ```text
//! cargo run --example listen -- ping udp:127.0.0.1:6676 10
//! cargo run --example listen -- nmea serial:/dev/ttyUSB0:4800 10
//! ```

use std::process::ExitCode;

use transect_field::clock::Clock;
use transect_field::link::{Link, LinkAddress};
use transect_field::sonar::{DepthReading, Nmea, Ping1d, Sounder};

/// How long to listen at most, s.
const PATIENCE_S: f64 = 60.0;

fn main() -> ExitCode {
    match listen(std::env::args().skip(1).collect()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(reason) => {
            eprintln!("listen: {reason}");
            ExitCode::FAILURE
        }
    }
}

fn listen(arguments: Vec<String>) -> Result<(), String> {
    let [kind, address, count] = arguments.as_slice() else {
        return Err("give `ping` or `nmea`, a link, and a number of depths".to_owned());
    };
    let count: usize = count.parse().map_err(|e| format!("`{count}`: {e}"))?;
    let address: LinkAddress = address.parse().map_err(|e| format!("{e}"))?;
    let link = Link::open(&address).map_err(|e| e.to_string())?;
    match kind.as_str() {
        "ping" => take(count, Ping1d::new(link, 0.2), |_| {}),
        "nmea" => take(count, Nmea::new(link), |nmea| {
            let mut fixes = Vec::new();
            nmea.take_fixes(&mut fixes);
            for fix in fixes {
                println!(
                    "fix {:.7} {:.7}",
                    fix.position.lat_deg, fix.position.lon_deg
                );
            }
        }),
        other => Err(format!("`{other}` is neither ping nor nmea")),
    }
}

fn take<S: Sounder>(count: usize, mut sounder: S, after: impl Fn(&mut S)) -> Result<(), String> {
    let clock = Clock::real();
    let mut heard = 0;
    let mut readings: Vec<DepthReading> = Vec::new();
    while heard < count && clock.now_s() < PATIENCE_S {
        sounder.poll(clock.now_s(), &mut readings);
        after(&mut sounder);
        for reading in readings.drain(..) {
            heard += 1;
            let sure = reading
                .confidence
                .map_or("-".to_owned(), |c| format!("{c:.2}"));
            println!("depth {:.3} {sure} {}", reading.depth_m, reading.source);
        }
        clock.sleep(0.02);
    }
    match heard >= count {
        true => Ok(()),
        false => Err(format!("only {heard} depths in {PATIENCE_S} s")),
    }
}
