//! A sweep that is killed again and again ends as if nothing had happened.

mod common;

use common::{Place, assert_same, succeed};
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

const KILLS: usize = 20;
const SWEEP: &str = "--quiet --kernel rbf --seeds 0..5 --jobs 2";
/// The same without the report, which would take longer than these small runs: the kills are meant
/// for the runs.
const RUNS: &str = "--quiet --kernel rbf --seeds 0..5 --jobs 2 --no-report";

/// Numbers in [0, 1) that look random: a linear congruential generator (Knuth's MMIX).
struct Dice(u64);

impl Dice {
    fn roll(&mut self) -> f64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }
}

#[test]
fn killed_at_twenty_moments_a_sweep_ends_with_the_same_bytes() {
    let place = Place::new();
    let whole = place.path().join("whole");
    let started = Instant::now();
    succeed(&mut place.sweep("whole", RUNS));
    let needed = started.elapsed();

    let cut = place.path().join("cut");
    let mut dice = Dice(17);
    let (mut kills, mut passes, mut runs_seen) = (0, 0, Vec::new());
    for _ in 0..20 * KILLS {
        if kills == KILLS {
            break;
        }
        let mut sweep = place.sweep("cut", RUNS);
        let mut sweep = sweep.stdout(Stdio::null()).spawn().unwrap();
        let moment = needed.mul_f64(dice.roll());
        if let Some(status) = ended_within(&mut sweep, moment) {
            // It was done before the moment came: judge it, and begin anew.
            assert!(status.success());
            assert_same(&cut, &whole);
            std::fs::remove_dir_all(&cut).unwrap();
            passes += 1;
            continue;
        }
        sweep.kill().unwrap();
        sweep.wait().unwrap();
        kills += 1;
        runs_seen.push(whole_runs(&cut));
    }
    assert_eq!(kills, KILLS, "the sweep was too quick to be killed");
    assert!(
        runs_seen.iter().any(|runs| (1..6).contains(runs)),
        "no kill came in the middle: {runs_seen:?}"
    );
    succeed(&mut place.sweep("whole", SWEEP));
    succeed(&mut place.sweep("cut", SWEEP));
    assert_same(&cut, &whole);
    println!("{kills} kills, {passes} sweeps finished in between; runs there: {runs_seen:?}");
}

/// The exit status if the process ends within that time.
fn ended_within(
    process: &mut std::process::Child,
    moment: Duration,
) -> Option<std::process::ExitStatus> {
    let started = Instant::now();
    while started.elapsed() < moment {
        if let Some(status) = process.try_wait().unwrap() {
            return Some(status);
        }
        std::thread::sleep(Duration::from_micros(200));
    }
    process.try_wait().unwrap()
}

/// How many runs look whole; each must be.
fn whole_runs(root: &Path) -> usize {
    let seeds = root.join("tables/paper/N17E073/random/rbf");
    let mut count = 0;
    for folder in std::fs::read_dir(seeds).into_iter().flatten() {
        let folder = folder.unwrap().path();
        let partial = folder.extension().is_some_and(|e| e == "partial");
        if partial || !folder.join("run.json").exists() {
            continue;
        }
        let read = |name: &str| std::fs::read_to_string(folder.join(name)).unwrap();
        let record: serde_json::Value = serde_json::from_str(&read("run.json")).unwrap();
        assert_eq!(record["spec"]["samples"], 60);
        // 50 soundings of the pilot survey, ten more: eleven evaluations.
        for (name, columns, rows) in [("metrics.csv", 6, 11), ("soundings.csv", 3, 60)] {
            let table = read(name);
            assert!(table.ends_with('\n'), "{}", folder.display());
            assert_eq!(table.lines().count(), rows + 1, "{}", folder.display());
            for line in table.lines().skip(1) {
                let numbers = line.split(',').map(|word| word.parse::<f64>().unwrap());
                assert_eq!(numbers.count(), columns, "{}", folder.display());
            }
        }
        count += 1;
    }
    count
}
