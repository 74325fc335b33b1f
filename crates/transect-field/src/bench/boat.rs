//! The boat: autopilot, hull and sonar together.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;

use super::fault::Trouble;
use super::sonar::Sonar;
use super::vehicle::Vehicle;
use super::{BenchRecord, BenchSettings, Fault};
use crate::clock::Clock;
use crate::link::LinkAddress;
use crate::{FieldError, GeoPosition};

/// Time between two steps of a boat that runs by itself, s on its clock.
const STEP_S: f64 = 0.05;

/// A boat on the bench: an autopilot and a sonar on two ports of this machine.
pub struct BenchBoat {
    vehicle: Vehicle,
    sonar: Sonar,
    faults: Vec<Fault>,
    now_s: f64,
}

impl BenchBoat {
    /// Opens both ports. `depth_at` gives the depth below the reference level at a place, m, or `None` where there is no bed to be heard.
    ///
    /// # Errors
    /// When no port is free, or a setting is out of range.
    pub fn open(
        settings: BenchSettings,
        depth_at: impl Fn(GeoPosition) -> Option<f64> + Send + 'static,
    ) -> Result<Self, FieldError> {
        settings.sounding.validate()?;
        Ok(Self {
            vehicle: Vehicle::open(&settings)?,
            sonar: Sonar::open(&settings, Box::new(depth_at))?,
            faults: settings.faults,
            now_s: 0.0,
        })
    }

    /// Where its autopilot is reached.
    pub fn autopilot_address(&self) -> LinkAddress {
        LinkAddress::Udp(format!("127.0.0.1:{}", self.vehicle.port()))
    }

    /// Where its sonar is reached.
    pub fn sonar_address(&self) -> LinkAddress {
        LinkAddress::Udp(format!("127.0.0.1:{}", self.sonar.port()))
    }

    /// Lets time pass up to `now_s`: obeys, moves, reports, answers.
    pub fn step(&mut self, now_s: f64) {
        self.now_s = self.now_s.max(now_s);
        let trouble = Trouble::now(&self.faults, self.now_s);
        self.vehicle.step(self.now_s, &trouble);
        let (at, heading_deg) = (
            self.vehicle.hull.position(),
            self.vehicle.hull.heading_deg(),
        );
        self.sonar.step(self.now_s, at, heading_deg, &trouble);
    }

    /// What it was asked to do and did.
    pub fn record(&self) -> BenchRecord {
        self.vehicle.record()
    }

    /// Lets the boat run by itself on `clock`, until what is returned is dropped.
    pub fn run(mut self, clock: Clock) -> RunningBoat {
        let (stop, record) = (
            Arc::new(AtomicBool::new(false)),
            Arc::new(Mutex::new(self.record())),
        );
        let (stop_seen, record_kept) = (Arc::clone(&stop), Arc::clone(&record));
        let addresses = (self.autopilot_address(), self.sonar_address());
        let thread = std::thread::spawn(move || {
            while !stop_seen.load(Ordering::Relaxed) {
                self.step(clock.now_s());
                *record_kept.lock().unwrap_or_else(PoisonError::into_inner) = self.record();
                clock.sleep(STEP_S);
            }
        });
        RunningBoat {
            addresses,
            stop,
            record,
            thread: Some(thread),
        }
    }
}

/// A boat that runs by itself. Dropping it stops it.
pub struct RunningBoat {
    addresses: (LinkAddress, LinkAddress),
    stop: Arc<AtomicBool>,
    record: Arc<Mutex<BenchRecord>>,
    thread: Option<JoinHandle<()>>,
}

impl RunningBoat {
    /// Where its autopilot is reached.
    pub fn autopilot_address(&self) -> LinkAddress {
        self.addresses.0.clone()
    }

    /// Where its sonar is reached.
    pub fn sonar_address(&self) -> LinkAddress {
        self.addresses.1.clone()
    }

    /// What it was asked to do and did, as of its last step.
    pub fn record(&self) -> BenchRecord {
        let record = self.record.lock().unwrap_or_else(PoisonError::into_inner);
        record.clone()
    }
}

impl Drop for RunningBoat {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            // A boat that panicked has stopped too.
            drop(thread.join());
        }
    }
}
