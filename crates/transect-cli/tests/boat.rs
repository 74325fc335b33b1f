//! The program on a boat that somebody else runs: a bench boat in this process, over loopback sockets, in real time.
#![cfg(unix)]
#![allow(missing_docs)]

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use transect::sensor::seeded_uniform;
use transect_field::GeoPosition;
use transect_field::autopilot::Mode;
use transect_field::bench::{BenchBoat, BenchSettings, Heard, RunningBoat};
use transect_field::clock::Clock;
use transect_survey::field::Past;

/// A lake of 110 m by 110 m, and a place in it.
const LAKE: &str = r#"{"type":"Polygon","coordinates":[
    [[-84.2,36.6],[-84.1988,36.6],[-84.1988,36.601],[-84.2,36.601]]]}"#;
const LAUNCH: GeoPosition = GeoPosition::new(36.6002, -84.1998);
const SPEED_MPS: f64 = 3.0;

struct Water {
    folder: tempfile::TempDir,
    boat: RunningBoat,
}

impl Water {
    fn new(bench: BenchSettings) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let settings = BenchSettings {
            home: LAUNCH,
            speed_mps: SPEED_MPS,
            turn_rate_radps: 2.0,
            ..bench
        };
        let boat = BenchBoat::open(settings, |_| Some(6.0)).unwrap();
        let document = format!(
            "area = {{ file = \"lake.geojson\" }}\n\
             vehicle = {{ link = \"{}\" }}\n\
             sonar = {{ source = \"ping\", link = \"{}\" }}\n\
             boat = {{ speed_mps = {SPEED_MPS}, turn_rate_radps = 2.0 }}\n\
             budget = {{ time_s = 6000.0 }}\n\
             pilot = {{ soundings = 8 }}\n\
             kernel = {{ name = \"rbf\" }}\n\
             companions = []\n\
             planner = {{ candidates = 100 }}\n",
            boat.autopilot_address(),
            boat.sonar_address(),
        );
        std::fs::write(folder.path().join("lake.geojson"), LAKE).unwrap();
        std::fs::write(folder.path().join("field.toml"), document).unwrap();
        let boat = boat.run(Clock::real());
        Self { folder, boat }
    }

    fn out(&self) -> std::path::PathBuf {
        self.folder.path().join("out")
    }

    fn transect(&self, more: &[&str]) -> Child {
        Command::new(env!("CARGO_BIN_EXE_transect"))
            .current_dir(self.folder.path())
            .args(["--json", "field", "field.toml", "--out", "out"])
            .args(more)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap()
    }

    fn way_from_launch_m(&self) -> f64 {
        self.boat.record().position.distance_m(LAUNCH)
    }
}

/// Waits for something, for a minute and a half at most.
fn wait_for(what: &str, mut done: impl FnMut() -> bool) {
    let until = Instant::now() + Duration::from_secs(90);
    while !done() {
        assert!(Instant::now() < until, "{what}");
        std::thread::sleep(Duration::from_millis(50));
    }
}

fn soundings(out: &Path) -> usize {
    Past::of(out).map_or(0, |past| past.soundings.len())
}

fn interrupt(child: &Child) {
    let sent = Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status();
    assert!(sent.unwrap().success());
}

/// What the program said when it had ended, on both of its lines.
fn ended(child: Child) -> (bool, serde_json::Value, String) {
    let output = child.wait_with_output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    let result = serde_json::from_slice(&output.stdout).unwrap_or_default();
    (output.status.success(), result, said)
}

#[test]
fn a_second_interrupt_stops_the_boat_before_the_program_ends() {
    let water = Water::new(BenchSettings {
        coast_s: 1.0,
        ..BenchSettings::default()
    });
    let child = water.transect(&["--yes"]);
    wait_for("under way", || soundings(&water.out()) > 5);
    interrupt(&child);
    std::thread::sleep(Duration::from_millis(300));
    interrupt(&child);
    let (success, result, said) = ended(child);
    let record = water.boat.record();
    assert_eq!((record.mode, record.armed), (Mode::HOLD, false), "{said}");
    assert!(record.speed_mps < 0.3, "{} m/s", record.speed_mps);
    assert!(
        success && result["conclusion"] == "stopped",
        "{result} {said}"
    );
    assert!(
        said.contains("the vehicle is stopped and disarmed"),
        "{said}"
    );
    std::thread::sleep(Duration::from_secs(1));
    let later = water.boat.record();
    assert_eq!(later.heard.len(), record.heard.len());
}

#[test]
fn three_interrupts_at_once_stop_the_boat_all_the_same() {
    let water = Water::new(BenchSettings::default());
    let mut child = water.transect(&["--yes"]);
    wait_for("under way", || soundings(&water.out()) > 5);
    for _ in 0..3 {
        interrupt(&child);
        std::thread::sleep(Duration::from_millis(30));
    }
    wait_for("the end", || child.try_wait().unwrap().is_some());
    std::thread::sleep(Duration::from_millis(200));
    let record = water.boat.record();
    assert_eq!(record.mode, Mode::HOLD, "{:?}", record.heard);
}

#[test]
fn a_mission_without_a_home_comes_home_to_where_it_was_launched_after_a_kill() {
    let water = Water::new(BenchSettings::default());
    let mut child = water.transect(&["--yes"]);
    wait_for("under way", || {
        soundings(&water.out()) > 5 && water.way_from_launch_m() > 25.0
    });
    child.kill().unwrap();
    child.wait().unwrap();
    let cut_off_m = water.way_from_launch_m();
    assert!(cut_off_m > 20.0, "{cut_off_m}");
    let kept = soundings(&water.out());
    let child = water.transect(&["--yes", "--resume"]);
    wait_for("taken up", || soundings(&water.out()) > kept + 3);
    interrupt(&child);
    let (success, result, said) = ended(child);
    assert!(success && result["conclusion"] == "home", "{result} {said}");
    assert!(
        water.way_from_launch_m() < 5.0,
        "{} m: {said}",
        water.way_from_launch_m()
    );
    assert!(said.contains("home is 36.600"), "{said}");
    let log = std::fs::read_to_string(water.out().join("field.log")).unwrap();
    let stamped = |line: &str| line.starts_with("20") && line.as_bytes().get(19) == Some(&b'Z');
    assert!(log.lines().all(stamped), "{log}");
    let page = std::fs::read_to_string(water.out().join("report.html")).unwrap();
    assert!(page.contains("It ended at 20"));
    // Places are degrees everywhere.
    assert!(!log.contains("heading for ("), "{log}");
}

#[test]
fn motors_do_not_start_at_once_unless_that_is_asked_for() {
    let water = Water::new(BenchSettings::default());
    let mut child = water.transect(&[]);
    std::thread::sleep(Duration::from_secs(6));
    assert_eq!(water.boat.record().heard, []);
    interrupt(&child);
    wait_for("the end", || child.try_wait().unwrap().is_some());
    let (_, _, said) = ended(child);
    assert!(said.contains("motors will start in 10 s"), "{said}");
    assert!(!water.boat.record().heard.contains(&(0.0, Heard::Arm)));
    assert!(!water.boat.record().armed);
}

#[test]
fn what_is_missing_at_the_start_is_said() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("lake.geojson"), LAKE).unwrap();
    let run = |link: &str| {
        let document = format!(
            "area = {{ file = \"lake.geojson\" }}\nsonar = {{ source = \"autopilot\" }}\nbudget = {{ time_s = 6000.0 }}\n\
             vehicle = {{ link = \"{link}\" }}\nfallback = {{ ready_within_s = 3.0 }}\n"
        );
        std::fs::write(folder.path().join("field.toml"), document).unwrap();
        let output = Command::new(env!("CARGO_BIN_EXE_transect"))
            .current_dir(folder.path())
            .args(["field", "field.toml", "--out", "out", "--yes"])
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(1));
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    // A port that nobody listens on.
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let closed = port.local_addr().unwrap();
    drop(port);
    let said = run(&format!("tcp:{closed}"));
    assert!(said.contains("refused"), "{said}");
    let said = run("udpin:127.0.0.1:0");
    assert!(
        said.contains("open, but no vehicle is heard on it"),
        "{said}"
    );
    // One that is heard, but has no position.
    let settings = BenchSettings {
        fix_after_s: 1e9,
        ..BenchSettings::default()
    };
    let boat = BenchBoat::open(settings, |_| Some(6.0)).unwrap();
    let link = boat.autopilot_address();
    let _running = boat.run(Clock::real());
    let said = run(&link.to_string());
    assert!(
        said.contains("vehicle 1 is heard, but no position"),
        "{said}"
    );
}

/// What happened to one boat.
#[derive(Debug, Default)]
struct Days {
    kills: usize,
    stops: usize,
    recalls: usize,
}

/// Runs the program on one boat again and again, without ever saying where home is, and ends it at random moments: by a kill, by
/// one interrupt or by two. What the boat hears last must be right each time.
fn days(seed: u64, count: usize) -> Days {
    let mut uniform = seeded_uniform(seed);
    let current_mps = 0.3 * uniform();
    let water = Water::new(BenchSettings {
        coast_s: 0.5,
        current_east_mps: current_mps,
        seed,
        ..BenchSettings::default()
    });
    let mut days = Days::default();
    for day in 0..=count {
        let more: &[&str] = if day == 0 {
            &["--yes"]
        } else {
            &["--yes", "--resume"]
        };
        let mut child = water.transect(more);
        let pause = |seconds: f64| std::thread::sleep(Duration::from_secs_f64(seconds));
        // The first one is to have a home to remember.
        pause(if day == 0 { 6.0 } else { 0.0 } + 0.5 + 10.0 * uniform());
        let end = if day == count { 1.0 } else { uniform() };
        if end < 0.6 {
            child.kill().unwrap();
            child.wait().unwrap();
            days.kills += 1;
            continue;
        }
        let twice = end < 0.8;
        interrupt(&child);
        if twice {
            pause(uniform());
            interrupt(&child);
        }
        let (success, result, said) = ended(child);
        let record = water.boat.record();
        let seen = format!(
            "seed {seed} day {day}: {result} {:?} {said}",
            record.heard.last()
        );
        // A program that is interrupted before it listens to interrupts has not said anything to the boat.
        if result.is_null() {
            assert!(!said.contains("in command"), "{seen}");
            continue;
        }
        assert!(success, "{seen}");
        let quiet_m = 20.0 * current_mps;
        match result["conclusion"].as_str() {
            Some("home") => assert!(water.way_from_launch_m() < 5.0 + quiet_m, "{seen}"),
            Some("stopped") => assert!(twice || !said.contains("in command"), "{seen}"),
            _ => panic!("{seen}"),
        }
        let untouched = record.mode != Mode::GUIDED;
        let left = (record.mode, record.armed) == (Mode::HOLD, false);
        assert!(left || untouched, "{seen}");
        assert!(
            record.speed_mps < current_mps + 0.3,
            "{} m/s: {seen}",
            record.speed_mps
        );
        days.stops += usize::from(twice);
        days.recalls += usize::from(!twice);
    }
    days
}

/// A hundred of each: `TRANSECT_DAYS=200 cargo test --release -p transect-cli --test boat -- --nocapture random`
#[test]
fn whatever_ends_the_program_at_random_moments_the_boat_hears_the_right_word_last() {
    let days_wanted = std::env::var("TRANSECT_DAYS").ok();
    let wanted: usize = days_wanted.and_then(|text| text.parse().ok()).unwrap_or(4);
    let boats = wanted.div_ceil(10).clamp(1, 8);
    let each: Vec<Days> = std::thread::scope(|scope| {
        let seeds: Vec<u64> = (0..boats as u64).collect();
        let boats: Vec<_> = seeds
            .into_iter()
            .map(|seed| scope.spawn(move || days(seed, wanted.div_ceil(boats))))
            .collect();
        boats.into_iter().map(|boat| boat.join().unwrap()).collect()
    });
    let sum = |of: fn(&Days) -> usize| each.iter().map(of).sum::<usize>();
    eprintln!(
        "{} boats: {} kills, {} stops by two interrupts, {} recalls by one",
        each.len(),
        sum(|d| d.kills),
        sum(|d| d.stops),
        sum(|d| d.recalls)
    );
    assert!(sum(|d| d.recalls) > 0);
}
