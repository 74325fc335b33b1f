//! Missions on random lakes with islands, budgets, currents, faults, operators who take over and interrupts: no leg leaves
//! the fence, every boat comes home within its budget, hears the right word last and is taken from nobody, nothing panics.
//!
//! The thousand missions, on all cores:
//!
//! ```text
//! TRANSECT_MISSIONS=1000 cargo test --release -p transect-survey --test missions -- --nocapture
//! ```
//!
//! One of them, with all that was said on board:
//!
//! ```text
//! TRANSECT_FIRST_SEED=335 TRANSECT_MISSIONS=1 TRANSECT_TELL=1 cargo test --release -p transect-survey --test missions -- --nocapture no_leg
//! ```
#![allow(missing_docs)]

#[path = "support/fleet/mod.rs"]
mod fleet;

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};

use fleet::{Scenario, Verdict};
use transect_field::bench::{Fault, FaultKind};

/// Missions without being asked for more.
const FEW: u64 = 6;
/// Missions that went wrong once, run beside the few: carried away from home, without a fix, while coming to rest there (465).
const ONCE_WRONG: [u64; 1] = [465];

#[test]
fn no_leg_leaves_the_fence_and_every_boat_comes_home() {
    let number = |name: &str, default: u64| {
        std::env::var(name)
            .ok()
            .and_then(|text| text.parse().ok())
            .unwrap_or(default)
    };
    let (count, first) = (
        number("TRANSECT_MISSIONS", FEW),
        number("TRANSECT_FIRST_SEED", 0),
    );
    let mut seeds: Vec<u64> = (first..first + count).collect();
    if (count, first) == (FEW, 0) {
        seeds.extend(ONCE_WRONG);
    }
    let next = AtomicUsize::new(0);
    let work = || {
        let mut done = Vec::new();
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(&seed) = seeds.get(at) else {
                return done;
            };
            let verdict = Scenario::random(seed).sail();
            for text in verdict.wrong() {
                eprintln!("{text}");
            }
            done.push(verdict);
            if (at + 1).is_multiple_of(50) {
                eprintln!("{} missions", at + 1);
            }
        }
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let verdicts: Vec<Verdict> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        workers
            .into_iter()
            .flat_map(|worker| worker.join().unwrap())
            .collect()
    });
    let sum = |of: fn(&Verdict) -> usize| verdicts.iter().map(of).sum::<usize>();
    eprintln!(
        "{} missions, {} legs, {} soundings, {} recoveries: {} legs or tracks outside, {} not home, {} disobeyed, {} panics",
        verdicts.len(),
        sum(|v| v.legs),
        sum(|v| v.soundings),
        sum(|v| v.recoveries),
        sum(|v| v.outside.len()),
        sum(|v| v.not_home.len()),
        sum(|v| v.disobeyed.len()),
        sum(|v| v.panics.len()),
    );
    let mut trials = BTreeMap::new();
    for trial in verdicts.iter().flat_map(|v| &v.trials) {
        *trials.entry(trial).or_insert(0) += 1;
    }
    let mut conclusions = BTreeMap::new();
    for verdict in &verdicts {
        let conclusion = format!("{:?}", verdict.conclusion);
        *conclusions.entry(conclusion).or_insert(0) += 1;
    }
    eprintln!("{trials:?} {conclusions:?}");
    assert_eq!(verdicts.len(), seeds.len());
    assert!(sum(|v| v.legs) > 5 * verdicts.len() && sum(|v| v.soundings) > 10 * verdicts.len());
    assert_eq!(
        (
            sum(|v| v.outside.len()),
            sum(|v| v.not_home.len()),
            sum(|v| v.disobeyed.len()),
            sum(|v| v.panics.len())
        ),
        (0, 0, 0, 0)
    );
}

/// A boat that believes to be far outside from the first fix on is not told to stay there: that is a place outside, too.
#[test]
fn no_place_outside_the_fence_is_held() {
    let elsewhere = Fault {
        at_s: 0.0,
        for_s: Some(20.0),
        kind: FaultKind::PositionJump(200.0),
    };
    let scenario = Scenario {
        faults: vec![elsewhere],
        interrupts: Vec::new(),
        ..Scenario::random(0)
    };
    let verdict = scenario.sail();
    assert_eq!(verdict.wrong().count(), 0, "{verdict:?}");
}
