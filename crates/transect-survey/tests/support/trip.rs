//! A skipper with a bench boat, over the real sockets, in simulated time. As in the program, nothing is sent any more once
//! the skipper has said that all is over; the boat goes on.
#![allow(dead_code, missing_docs)] // Not every test file uses everything.

use std::sync::{Arc, Mutex};

use transect::budget::Budget;
use transect::geometry::{Polygon, Position};
use transect::mission::Reading;
use transect_field::GeoPosition;
use transect_field::bench::{BenchBoat, BenchRecord, BenchSettings};
use transect_field::skipper::{
    Before, Conclusion, Entry, Logbook, Operator, Order, Plane, Report, Skipper, Told,
};
use transect_survey::field::{FieldDocument, SonarSettings, Survey};

pub const HOME: GeoPosition = GeoPosition::new(36.6, -84.2);
const TICK_S: f64 = 0.05;

pub struct Trip {
    pub boat: BenchBoat,
    pub skipper: Skipper,
    pub operator: Operator,
    pub now_s: f64,
    pub told: Vec<Told>,
    pub entries: Entries,
    pub plane: Plane,
    pub lake: Polygon,
    /// The true track, with the times.
    pub track: Vec<(f64, GeoPosition)>,
    ticks: u64,
}

/// A lake of 120 m by 120 m around home.
pub fn square(plane: Plane) -> Polygon {
    let Position { x, y } = plane.metres(HOME).unwrap();
    let corners = [(-60.0, -60.0), (60.0, -60.0), (60.0, 60.0), (-60.0, 60.0)];
    let ring = corners.map(|(dx, dy)| Position::new(x + dx, y + dy));
    Polygon::new(ring.to_vec(), vec![]).unwrap()
}

/// The document of these trips: a budget that does not end by itself, and no waiting for plans.
pub fn document() -> FieldDocument {
    let mut document = FieldDocument {
        budget: Budget {
            time_s: Some(3000.0),
            ..Budget::default()
        },
        ..FieldDocument::default()
    };
    document.fallback.plan_within_s = 1e6;
    document
}

impl Trip {
    pub fn new(bench: BenchSettings, document: FieldDocument) -> Self {
        Self::on(bench, document, Before::default())
    }

    pub fn on(bench: BenchSettings, document: FieldDocument, before: Before) -> Self {
        let bench = BenchSettings {
            home: HOME,
            speed_mps: document.boat.speed_mps,
            ..bench
        };
        let boat = BenchBoat::open(bench, |_| Some(6.0)).unwrap();
        Self::with(boat, document, before, 0)
    }

    /// The same boat, with another program at the helm: the one before was killed.
    pub fn taken_up(self, document: FieldDocument) -> Self {
        let before = Before {
            cut_off: true,
            ..Before::default()
        };
        Self::with(self.boat, document, before, self.ticks)
    }

    fn with(boat: BenchBoat, mut document: FieldDocument, before: Before, ticks: u64) -> Self {
        document.vehicle.link = boat.autopilot_address();
        document.sonar = SonarSettings::Ping {
            link: boat.sonar_address(),
            interval_s: SonarSettings::USUAL_INTERVAL_S,
        };
        document.validate().unwrap();
        let plane = Plane::around(HOME).unwrap();
        let lake = square(plane);
        let survey = Survey {
            plane,
            area: lake.clone(),
            home: None,
        };
        let entries = Entries::default();
        let operator = Operator::default();
        let skipper = Skipper::new(
            document.crew(Box::new(entries.clone())).unwrap(),
            plane,
            survey.guard(&document, HOME).unwrap(),
            document.limits(),
            document.fallback,
            before,
            operator.clone(),
        )
        .unwrap();
        Self {
            boat,
            skipper,
            operator,
            now_s: TICK_S * ticks as f64,
            told: Vec::new(),
            entries,
            plane,
            lake,
            track: Vec::new(),
            ticks,
        }
    }

    pub fn tick(&mut self) {
        self.ticks += 1;
        self.now_s = TICK_S * self.ticks as f64;
        self.boat.step(self.now_s);
        // The program polls half as often as the boat moves.
        if self.ticks.is_multiple_of(2) {
            if self.conclusion().is_none() {
                self.told.extend(self.skipper.poll(self.now_s));
            }
            self.track.push((self.now_s, self.boat.record().position));
        }
    }

    pub fn run(&mut self, seconds: f64) {
        let end_s = self.now_s + seconds;
        while self.now_s < end_s {
            self.tick();
        }
    }

    pub fn until(&mut self, most_s: f64, done: impl Fn(&Self) -> bool) {
        let end_s = self.now_s + most_s;
        while !done(self) {
            assert!(
                self.now_s < end_s,
                "{:#?} {:#?}",
                self.entries.lines(),
                self.record().heard
            );
            self.tick();
        }
    }

    /// A place so many metres north and east of home.
    pub fn at(&self, north_m: f64, east_m: f64) -> Position {
        self.plane.metres(HOME.moved(north_m, east_m)).unwrap()
    }

    /// Under way to a place so many metres north and east of home.
    pub fn under_way(&mut self, north_m: f64, east_m: f64) {
        self.until(60.0, |trip| trip.has(|report| *report == Report::Ready));
        self.skipper.order(Order::Go(self.at(north_m, east_m)));
        self.until(30.0, |trip| trip.record().speed_mps > 0.5);
    }

    pub fn interrupt(&mut self) {
        self.operator.interrupt();
    }

    pub fn has(&self, wanted: impl Fn(&Report) -> bool) -> bool {
        self.told.iter().any(|told| wanted(&told.report))
    }

    pub fn legs_over(&self) -> usize {
        let over = |told: &&Told| matches!(told.report, Report::LegOver(_));
        self.told.iter().filter(over).count()
    }

    pub fn soundings(&self) -> usize {
        let taken = |told: &&Told| matches!(told.report, Report::Reading(Reading::Taken(_)));
        self.told.iter().filter(taken).count()
    }

    pub fn conclusion(&self) -> Option<Conclusion> {
        self.told.iter().find_map(|told| match told.report {
            Report::Concluded(conclusion) => Some(conclusion),
            _ => None,
        })
    }

    pub fn record(&self) -> BenchRecord {
        self.boat.record()
    }

    /// How far the true boat is from home, m.
    pub fn way_home_m(&self) -> f64 {
        self.record().position.distance_m(HOME)
    }

    /// The least distance to the shore on the way since `since_s`, m.
    pub fn clearance_m(&self, since_s: f64) -> f64 {
        let places = self.track.iter().filter(|(at_s, _)| *at_s >= since_s);
        places
            .map(|(_, place)| self.lake.clearance(self.plane.metres(*place).unwrap()))
            .fold(f64::INFINITY, f64::min)
    }
}

/// Keeps what was written down.
#[derive(Clone, Default)]
pub struct Entries(Arc<Mutex<Vec<(f64, Entry)>>>);

impl Entries {
    pub fn all(&self) -> Vec<(f64, Entry)> {
        self.0.lock().unwrap().clone()
    }

    /// What an operator reads.
    pub fn lines(&self) -> Vec<String> {
        let all = self.all();
        let told = all.iter().filter(|(_, entry)| !entry.is_routine());
        told.map(|(at_s, entry)| format!("{at_s:.1} {entry}"))
            .collect()
    }

    pub fn say(&self, text: &str) -> bool {
        self.lines().iter().any(|line| line.contains(text))
    }
}

impl Logbook for Entries {
    fn entry(&mut self, time_s: f64, entry: &Entry) {
        self.0.lock().unwrap().push((time_s, entry.clone()));
    }
}
