//! Carrying out runs side by side.
//!
//! Every process that shares a results folder goes through the same list of runs and does those
//! that nobody has finished or is doing. For more machines than one, `--shard` or a scheduler
//! starts more processes; there is no scheduler here.

use crate::data::DataFolder;
use crate::error::Result;
use crate::experiment::Job;
use crate::results::Results;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

/// How far a sweep is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SweepProgress {
    /// Runs finished, including those that were finished before.
    pub finished: usize,
    /// Runs in all.
    pub total: usize,
    /// The share of the work done, counting runs in flight by their own progress.
    pub share: f64,
}

/// Does every job that is not finished yet, `workers` at a time; `watch` hears of progress, from
/// any thread.
///
/// # Errors
/// The first failure; runs in flight are finished first.
pub fn sweep(
    jobs: &[Job],
    results: &Results,
    data: &DataFolder,
    workers: usize,
    watch: &(dyn Fn(SweepProgress) + Sync),
) -> Result<()> {
    let state = State {
        next: AtomicUsize::new(0),
        failed: AtomicBool::new(false),
        failure: Mutex::new(None),
        shares: jobs.iter().map(|_| AtomicUsize::new(0)).collect(),
        watch,
    };
    std::thread::scope(|scope| {
        for _ in 0..workers.clamp(1, jobs.len().max(1)) {
            scope.spawn(|| state.work(jobs, results, data));
        }
    });
    let failure = state
        .failure
        .into_inner()
        .unwrap_or_else(|poisoned| poisoned.into_inner());
    results.tidy();
    failure.map_or(Ok(()), Err)
}

/// Shares are counted in so many parts.
const WHOLE: usize = 10_000;

struct State<'a> {
    next: AtomicUsize,
    failed: AtomicBool,
    failure: Mutex<Option<crate::LabError>>,
    shares: Vec<AtomicUsize>,
    watch: &'a (dyn Fn(SweepProgress) + Sync),
}

impl State<'_> {
    fn work(&self, jobs: &[Job], results: &Results, data: &DataFolder) {
        let mut busy_elsewhere = Vec::new();
        loop {
            let number = self.next.fetch_add(1, Ordering::Relaxed);
            let Some(job) = jobs.get(number) else { break };
            if self.failed.load(Ordering::Relaxed) {
                return;
            }
            if !self.attempt(number, job, results, data) {
                busy_elsewhere.push(number);
            }
        }
        // Another process is at these; should it die, they fall to us.
        while let Some(number) = busy_elsewhere.pop() {
            if self.failed.load(Ordering::Relaxed) {
                return;
            }
            if !self.attempt(number, &jobs[number], results, data) {
                std::thread::sleep(Duration::from_millis(500));
                busy_elsewhere.insert(0, number);
            }
        }
    }

    /// Does a run unless it is finished; `false` if somebody else is doing it.
    fn attempt(&self, number: usize, job: &Job, results: &Results, data: &DataFolder) -> bool {
        let outcome = (|| -> Result<bool> {
            let path = job.path();
            if results.is_finished(&path) {
                results.require_spec(&path, &job.spec())?;
                return Ok(true);
            }
            let Some(claim) = results.claim(&path)? else {
                return Ok(false);
            };
            // It may have been finished between the two lines above.
            if !results.is_finished(&path) {
                let outputs = job.run(data, &mut |share| self.report(number, share))?;
                results.publish(&path, &claim, &outputs)?;
            }
            Ok(true)
        })();
        match outcome {
            Ok(done) => {
                if done {
                    self.report(number, 1.0);
                }
                done
            }
            Err(error) => {
                self.failed.store(true, Ordering::Relaxed);
                let mut failure = self
                    .failure
                    .lock()
                    .unwrap_or_else(|poisoned| poisoned.into_inner());
                failure.get_or_insert(error);
                true
            }
        }
    }

    fn report(&self, number: usize, share: f64) {
        let parts = (share.clamp(0.0, 1.0) * WHOLE as f64) as usize;
        self.shares[number].store(parts, Ordering::Relaxed);
        let parts = || {
            self.shares
                .iter()
                .map(|share| share.load(Ordering::Relaxed))
        };
        (self.watch)(SweepProgress {
            finished: parts().filter(|parts| *parts == WHOLE).count(),
            total: self.shares.len(),
            share: parts().sum::<usize>() as f64 / (WHOLE * self.shares.len()) as f64,
        });
    }
}
