//! What the operator wants, from wherever it is said: interrupts at the keyboard, or commands of a live page.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// The operator of a program: shared by everybody who listens to one, and by the [`Skipper`](super::Skipper).
#[derive(Debug, Clone, Default)]
pub struct Operator(Arc<Said>);

#[derive(Debug, Default)]
struct Said {
    interrupts: AtomicUsize,
    paused: AtomicBool,
}

/// What an operator wants, the strongest wish alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wanted {
    /// Nothing but that the mission goes on.
    GoOn,
    /// The vehicle waits where it is, and goes on afterwards.
    Pause,
    /// The survey ends and the vehicle comes home.
    Home,
    /// The vehicle stops where it is and is disarmed.
    Stop,
}

impl Operator {
    /// An interrupt: the first one calls the vehicle home, the second one stops it. Says how many there were before.
    pub fn interrupt(&self) -> usize {
        self.0.interrupts.fetch_add(1, Ordering::Relaxed)
    }

    /// Calls the vehicle home, unless it was told to stop.
    pub fn come_home(&self) {
        self.0.interrupts.fetch_max(1, Ordering::Relaxed);
    }

    /// Stops the vehicle.
    pub fn stop(&self) {
        self.0.interrupts.fetch_max(2, Ordering::Relaxed);
    }

    /// Lets the vehicle wait where it is, or go on.
    pub fn pause(&self, wait: bool) {
        self.0.paused.store(wait, Ordering::Relaxed);
    }

    /// What is wanted now.
    pub fn wants(&self) -> Wanted {
        match self.0.interrupts.load(Ordering::Relaxed) {
            0 if self.0.paused.load(Ordering::Relaxed) => Wanted::Pause,
            0 => Wanted::GoOn,
            1 => Wanted::Home,
            _ => Wanted::Stop,
        }
    }
}
