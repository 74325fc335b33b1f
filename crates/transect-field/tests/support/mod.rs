//! A bench boat with the drivers that speak to it, over the real sockets, in simulated time.
#![allow(dead_code, missing_docs)] // Not every test file uses everything.

use transect_field::GeoPosition;
use transect_field::autopilot::{Autopilot, AutopilotSettings, Helm, HelmEvent, Phase};
use transect_field::bench::{BenchBoat, BenchSettings, Fault, FaultKind};
use transect_field::join::{Joined, Joiner, PlacedSounding, Rejection, SoundingSettings};
use transect_field::link::Link;
use transect_field::sonar::{Ping1d, Sounder};

pub const HOME: GeoPosition = GeoPosition::new(36.6, -84.2);
const TICK_S: f64 = 0.05;
pub const SPEED_MPS: f64 = 0.6;

/// A bed that tells the place: 5 m at home, a metre deeper for every ten to the north.
pub fn depth_m(at: GeoPosition) -> f64 {
    5.0 + 0.1 * HOME.offset_to(at).0
}

pub struct Rig {
    pub boat: BenchBoat,
    pub helm: Autopilot,
    pub sonar: Ping1d,
    pub joiner: Joiner,
    pub now_s: f64,
    pub events: Vec<(f64, HelmEvent)>,
    pub joined: Vec<Joined>,
}

impl Rig {
    pub fn new(faults: &[Fault]) -> Self {
        Self::with(BenchSettings {
            home: HOME,
            faults: faults.to_vec(),
            ..BenchSettings::default()
        })
    }

    pub fn with(settings: BenchSettings) -> Self {
        let boat = BenchBoat::open(settings, |at| Some(depth_m(at))).unwrap();
        let settings = AutopilotSettings {
            link: boat.autopilot_address(),
            ..AutopilotSettings::default()
        };
        Self {
            helm: Autopilot::open(settings).unwrap().at_speed(SPEED_MPS),
            sonar: Ping1d::new(Link::open(&boat.sonar_address()).unwrap(), 0.5),
            joiner: Joiner::new(SoundingSettings::default()).unwrap(),
            boat,
            now_s: 0.0,
            events: Vec::new(),
            joined: Vec::new(),
        }
    }

    pub fn tick(&mut self) {
        self.now_s += TICK_S;
        self.boat.step(self.now_s);
        for event in self.helm.poll(self.now_s) {
            match &event {
                HelmEvent::Fix(fix) => self.joiner.fix(*fix),
                HelmEvent::PositionLost { trouble } => {
                    self.joiner.trust(self.now_s, Some(*trouble))
                }
                HelmEvent::PositionGood => self.joiner.trust(self.now_s, None),
                _ => {}
            }
            self.events.push((self.now_s, event));
        }
        let mut readings = Vec::new();
        self.sonar.poll(self.now_s, &mut readings);
        readings
            .into_iter()
            .for_each(|reading| self.joiner.reading(reading));
        self.joined.extend(self.joiner.poll(self.now_s));
    }

    pub fn run(&mut self, seconds: f64) {
        let end_s = self.now_s + seconds;
        while self.now_s < end_s {
            self.tick();
        }
    }

    /// Runs until `done`, for no more than `most_s`; says what happened if it never is.
    pub fn until(&mut self, most_s: f64, done: impl Fn(&Self) -> bool) {
        let end_s = self.now_s + most_s;
        while !done(self) {
            assert!(
                self.now_s < end_s,
                "{:?} {:#?}",
                self.helm.state(),
                self.told()
            );
            self.tick();
        }
    }

    /// Takes command and drives to a place so many metres north of home.
    pub fn drive_north(&mut self, north_m: f64) {
        self.helm.engage();
        self.helm.go_to(HOME.moved(north_m, 0.0));
        self.until(60.0, |rig| rig.helm.state().phase == Phase::Ready);
    }

    pub fn arrived(&self) -> bool {
        self.has(|event| matches!(event, HelmEvent::Arrived { .. }))
    }

    pub fn has(&self, wanted: impl Fn(&HelmEvent) -> bool) -> bool {
        self.when(wanted).is_some()
    }

    /// When it first happened.
    pub fn when(&self, wanted: impl Fn(&HelmEvent) -> bool) -> Option<f64> {
        self.events
            .iter()
            .find(|(_, event)| wanted(event))
            .map(|&(at_s, _)| at_s)
    }

    pub fn count(&self, wanted: impl Fn(&HelmEvent) -> bool) -> usize {
        self.events
            .iter()
            .filter(|(_, event)| wanted(event))
            .count()
    }

    /// What an operator would have been told.
    pub fn told(&self) -> Vec<String> {
        let told = self
            .events
            .iter()
            .filter(|(_, event)| !matches!(event, HelmEvent::Fix(_)));
        told.map(|(at_s, event)| format!("{at_s:.1} {event}"))
            .collect()
    }

    pub fn soundings(&self) -> Vec<PlacedSounding> {
        let sounding = |joined: &Joined| match joined {
            Joined::Sounding(sounding) => Some(*sounding),
            Joined::Rejected { .. } => None,
        };
        self.joined.iter().filter_map(sounding).collect()
    }

    pub fn rejections(&self) -> Vec<(f64, Rejection)> {
        let rejected = |joined: &Joined| match joined {
            Joined::Sounding(_) => None,
            Joined::Rejected { reading, rejection } => Some((reading.time_s, *rejection)),
        };
        self.joined.iter().filter_map(rejected).collect()
    }

    /// The largest difference between a sounding and the bed at the place it claims, m.
    pub fn worst_error_m(&self) -> f64 {
        let error_m = |s: &PlacedSounding| (s.depth_m - depth_m(s.position)).abs();
        self.soundings().iter().map(error_m).fold(0.0, f64::max)
    }
}

pub fn fault(kind: FaultKind, at_s: f64, for_s: f64) -> [Fault; 1] {
    let for_s = for_s.is_finite().then_some(for_s);
    [Fault { at_s, for_s, kind }]
}
