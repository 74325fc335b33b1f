//! Who has the helm: takes orders from a mission, and sees to it that the vehicle is never without.
//!
//! ```text
//!  mission ──Order──> Skipper ──targets──> Helm
//!     ^                  │  ^
//!     └────── Told ──────┘  └──depths── Sounder
//! ```
//!
//! Before every leg a [`Guard`] is asked whether it stays inside the fence and whether the way home from its end
//! still fits into what is left. A leg that it refuses is replaced by the next place of a lawnmower survey,
//! or by staying in place. So is a plan that comes too late. When what is left is needed for the way home, or the operator wants
//! it, the skipper goes home without asking anybody.
//!
//! - [`Skipper`]: polled with the time, like the drivers
//! - [`Order`], [`Told`]: what a mission and a skipper say to each other
//! - [`Logbook`], [`Entry`]: what is written down, as it happens
//! - [`Plane`]: degrees to metres

mod command;
mod fallback;
mod listen;
mod logbook;
mod odometer;
mod operator;
mod orders;
mod path;
mod plane;
mod settings;
mod status;
mod turning;

pub use logbook::{Entry, Logbook, Why};
pub use operator::{Operator, Wanted};
pub use orders::{Conclusion, HomeReason, Order, Report, Told};
pub use plane::Plane;
pub use settings::{FallbackSettings, Limits, Silence, Want};
pub use status::Status;

use std::collections::VecDeque;

use transect::Error;
use transect::budget::Spent;
use transect::fence::{Endurance, Guard};
use transect::geometry::Position;
use transect::mission::{LegState, Whereabouts};
use transect::vehicle::Pose;

use crate::GeoPosition;
use crate::autopilot::{Helm, HelmEvent, Parting, Phase};
use crate::join::Joiner;
use crate::sonar::{Nmea, Sounder};
use fallback::Fallback;
use odometer::Odometer;

/// A home that is moved inside by more than this is announced, m.
const ANNOUNCED_M: f64 = 0.1;
/// A vehicle that has not set out is at home within this distance, m.
const FROM_HOME_M: f64 = 10.0;
/// Messages that a screen shows.
const MESSAGES_KEPT: usize = 50;

/// What the vehicle is doing.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Doing {
    /// Waiting for orders.
    Idle { since_s: f64 },
    /// Under way.
    Leg(Leg),
    /// In place for a while, for want of a place to go.
    Holding { until_s: f64 },
    /// At home, coming to rest.
    Resting { since_s: f64 },
    /// The vehicle was told how it is left; all is over when it confirms.
    Parting { since_s: f64, then: Conclusion },
    /// Over.
    Over(Conclusion),
}

/// A leg.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Leg {
    goal: Position,
    target: GeoPosition,
    why: Why,
    /// The closest it has come to the goal, m, and when.
    closest_m: f64,
    closer_at_s: f64,
}

/// The devices of a vehicle.
pub struct Crew {
    /// The autopilot.
    pub helm: Box<dyn Helm + Send>,
    /// The sonar; none when depths come through the autopilot.
    pub sounder: Option<Box<dyn Sounder + Send>>,
    /// A receiver of our own, for places while the autopilot does not tell; a sonar's line may have one, too.
    pub receiver: Option<Nmea>,
    /// Gives depths their place.
    pub joiner: Joiner,
    /// Keeps what happens.
    pub logbook: Box<dyn Logbook>,
}

/// What has been spent before: by a mission that was cut off.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Before {
    /// Soundings, way and time.
    pub spent: Spent,
    /// It was cut off: the vehicle may be anywhere, and under way.
    pub cut_off: bool,
}

/// Has the helm.
pub struct Skipper {
    crew: Crew,
    plane: Plane,
    guard: Guard,
    limits: Limits,
    settings: FallbackSettings,
    fallback: Fallback,
    /// Where to go after this leg, without stopping in between.
    path: VecDeque<Position>,
    /// The closest that this leg has come to the boundary, m, if it began where it should.
    closest_m: Option<f64>,
    /// Plans in a row that there was too little left for.
    too_far: u32,
    odometer: Odometer,
    operator: Operator,
    /// The operator wants the vehicle to wait.
    paused: bool,
    /// When the clock of the mission started: at the first command.
    started_s: Option<f64>,
    first_poll_s: Option<f64>,
    before: Before,
    now_s: f64,
    here: Option<Pose>,
    doing: Doing,
    homeward: Option<HomeReason>,
    /// The mission waits for the end of a leg.
    ordered: bool,
    /// Something came between the vehicle and its orders; they are given again when it is over.
    interrupted: bool,
    silent: bool,
    /// The autopilot does not tell where the vehicle is.
    without_places: bool,
    /// Our own receiver does meanwhile.
    own_places: bool,
    told_of_places: bool,
    /// The last usable depth.
    heard_s: f64,
    /// Why the last depth was not used.
    unusable: String,
    /// Why the vehicle did not take the last mode, or did not arm.
    refusal: String,
    next_sample_s: f64,
    lost_from_s: Option<f64>,
    paused_from_s: Option<f64>,
    soundings: u64,
    rejected: u64,
    /// The last sounding, m.
    depth_m: Option<f64>,
    outbox: Vec<Told>,
    messages: VecDeque<(f64, String)>,
}

impl Skipper {
    /// Takes the helm, and listens to the operator.
    ///
    /// # Errors
    /// If no fallback survey can be laid out inside the fence.
    pub fn new(
        mut crew: Crew,
        plane: Plane,
        guard: Guard,
        limits: Limits,
        settings: FallbackSettings,
        before: Before,
        operator: Operator,
    ) -> Result<Self, Error> {
        let area = guard.fence().area().clone();
        crew.helm.hold_only(Box::new(move |place| {
            plane.metres(place).is_some_and(|at| area.contains(at))
        }));
        Ok(Self {
            fallback: Fallback::new(guard.fence().safe(), settings.line_spacing_m)?,
            odometer: Odometer::new(
                limits.speed_mps,
                before.spent.distance_m,
                limits.battery_percent_per_m,
            ),
            crew,
            plane,
            guard,
            limits,
            settings,
            path: VecDeque::new(),
            closest_m: None,
            too_far: 0,
            operator,
            paused: false,
            started_s: None,
            first_poll_s: None,
            soundings: before.spent.soundings,
            before,
            now_s: 0.0,
            here: None,
            doing: Doing::Idle { since_s: 0.0 },
            homeward: None,
            ordered: false,
            interrupted: false,
            silent: false,
            without_places: false,
            own_places: false,
            told_of_places: false,
            heard_s: f64::NEG_INFINITY,
            unusable: String::new(),
            refusal: String::new(),
            next_sample_s: f64::NEG_INFINITY,
            lost_from_s: None,
            paused_from_s: None,
            rejected: 0,
            depth_m: None,
            outbox: Vec::new(),
            messages: VecDeque::new(),
        })
    }

    /// Does what is due at `now_s` and tells what happened. Call it ten times a second or more often.
    pub fn poll(&mut self, now_s: f64) -> Vec<Told> {
        self.now_s = self.now_s.max(now_s);
        self.first_poll_s.get_or_insert(self.now_s);
        for event in self.crew.helm.poll(self.now_s) {
            self.heed(event);
        }
        self.listen();
        self.heed_operator();
        if !matches!(self.doing, Doing::Over(_)) {
            self.decide();
        }
        if let Some(text) = self.crew.logbook.settle(self.now_s) {
            self.note(text);
        }
        std::mem::take(&mut self.outbox)
    }

    /// Takes an order.
    pub fn order(&mut self, order: Order) {
        match order {
            Order::Go(goal) => self.follow(&[goal]),
            Order::Follow(path) => self.follow(&path),
            Order::Append(path) => self.append(&path),
            Order::ComeHome(reason) => self.come_home(reason),
            Order::StopNow => self.stop_now(),
        }
    }

    /// Where the vehicle is, and what the way there took.
    pub fn whereabouts(&self) -> Whereabouts {
        Whereabouts {
            pose: self.here.unwrap_or(Pose {
                position: self.guard.homeward().home(),
                heading_rad: 0.0,
            }),
            distance_m: self.odometer.travelled_m(),
            time_s: self.mission_time_s(self.now_s),
        }
    }

    /// Time of the mission, s: from the first command on, with what was spent before.
    fn mission_time_s(&self, now_s: f64) -> f64 {
        let since_s = self.started_s.map_or(0.0, |start_s| now_s - start_s);
        self.before.spent.time_s + since_s.max(0.0)
    }

    fn spent(&self) -> Spent {
        Spent {
            soundings: self.soundings,
            distance_m: self.odometer.travelled_m(),
            time_s: self.mission_time_s(self.now_s),
        }
    }

    /// The longest way that can still be planned, m.
    fn reach_m(&self) -> f64 {
        self.endurance().reach_m()
    }

    /// What ends first of what is left.
    fn first_to_end(&self) -> HomeReason {
        self.endurance()
            .limit()
            .map_or(HomeReason::MissionOver, HomeReason::from)
    }

    fn endurance(&self) -> Endurance {
        let battery = self.crew.helm.state().battery_percent.map(f64::from);
        let Limits {
            budget, reserve, ..
        } = self.limits;
        self.odometer
            .endurance(budget, self.spent(), battery, reserve)
    }

    /// Says where home is, and where it is not quite what was asked for.
    pub fn announce_home(&mut self, asked: GeoPosition) {
        let home = self.guard.homeward().home();
        let Some(place) = self.plane.degrees(home) else {
            return;
        };
        self.note(format!("home is {place}"));
        let moved_m = asked.distance_m(place);
        if moved_m > ANNOUNCED_M {
            self.note(format!(
                "that is {moved_m:.1} m from {asked}, the home that was asked for: it keeps {:.1} m from the fence",
                self.guard.fence().kept_m()
            ));
        }
    }

    /// What the vehicle did.
    fn heed(&mut self, event: HelmEvent) {
        match &event {
            HelmEvent::Fix(fix) => {
                self.crew.joiner.fix(*fix);
                if self.crew.helm.state().position_trouble.is_none()
                    && let Some(position) = self.plane.metres(fix.position)
                {
                    let heading_rad = match fix.heading_deg {
                        Some(heading) => (90.0 - heading).to_radians().sin_cos(),
                        None => self
                            .here
                            .map_or((0.0, 1.0), |pose| pose.heading_rad.sin_cos()),
                    };
                    let heading_rad = heading_rad.0.atan2(heading_rad.1);
                    self.here = Some(Pose {
                        position,
                        heading_rad,
                    });
                    if self.started_s.is_some() {
                        self.odometer.moved_to(position);
                    }
                }
            }
            HelmEvent::PositionGood => {
                self.crew.joiner.trust(self.now_s, None);
                self.without_places = false;
            }
            _ => {}
        }
        if let HelmEvent::PositionLost { trouble } = event {
            self.crew.joiner.trust(self.now_s, Some(trouble));
            self.without_places = true;
            self.own_places = false;
            self.told_of_places = false;
        }
        match &event {
            HelmEvent::TakenOver { .. } | HelmEvent::PositionLost { .. }
                if !matches!(self.doing, Doing::Parting { .. } | Doing::Over(_)) =>
            {
                // The old target must not be sent again by itself: the way to it may be another then.
                self.interrupted = true;
                self.crew.helm.hold();
            }
            HelmEvent::Arrived { target } => self.arrived(*target),
            HelmEvent::ArmingRefused { reason, .. } | HelmEvent::ModeRefused { reason, .. } => {
                self.refusal.clone_from(reason);
            }
            _ => {}
        }
        self.write(Entry::Vehicle { event });
    }

    fn heed_operator(&mut self) {
        match self.operator.wants() {
            Wanted::GoOn => self.pause(false),
            Wanted::Pause => self.pause(true),
            Wanted::Home => self.come_home(HomeReason::Operator),
            Wanted::Stop => self.stop_now(),
        }
    }

    /// Remembers that the vehicle is to wait where it is, or to go on.
    fn pause(&mut self, wait: bool) {
        if std::mem::replace(&mut self.paused, wait) != wait
            && !matches!(self.doing, Doing::Over(_))
        {
            self.note(match (wait, self.homeward) {
                (true, None) => "paused: the vehicle waits where it is, until what is left is needed for the way home",
                (true, Some(_)) => "the vehicle does not pause on its way home: stop it if it must not go on",
                (false, _) => "the vehicle goes on",
            });
        }
    }

    /// The operator wants the vehicle to wait, and it is not on its way home.
    fn is_paused(&self) -> bool {
        self.paused && self.homeward.is_none()
    }

    fn come_home(&mut self, reason: HomeReason) {
        if self.homeward.is_some() || matches!(self.doing, Doing::Over(_)) {
            return;
        }
        self.homeward = Some(reason);
        self.path.clear();
        self.doing = Doing::Idle {
            since_s: self.now_s,
        };
        self.write(Entry::Homeward { reason });
        self.tell(Report::Recalled(reason));
        // One that was cut off is brought home, wherever it is by now.
        if self.started_s.is_none() && !self.before.cut_off {
            // It has not set out.
            let home = self.guard.homeward().home();
            let away = |pose: Pose| pose.position.distance_to(home) > FROM_HOME_M;
            let then = match self.here {
                Some(pose) if away(pose) => Conclusion::Stopped,
                _ => Conclusion::Home,
            };
            self.part(Parting::Disarm, then);
        }
    }

    fn stop_now(&mut self) {
        let stopping = matches!(
            self.doing,
            Doing::Over(_)
                | Doing::Parting {
                    then: Conclusion::Stopped,
                    ..
                }
        );
        if !stopping {
            self.recall(HomeReason::Operator);
            self.note("stopping where it is");
            self.part(Parting::Disarm, Conclusion::Stopped);
        }
    }

    /// No more legs of the mission, if that was not said before.
    fn recall(&mut self, reason: HomeReason) {
        if self.homeward.is_none() {
            self.homeward = Some(reason);
            self.tell(Report::Recalled(reason));
        }
    }

    /// Leaves the vehicle like this. What it confirms, or does not, is told before all is over.
    fn part(&mut self, parting: Parting, then: Conclusion) {
        self.path.clear();
        self.crew.helm.release(parting);
        self.doing = Doing::Parting {
            since_s: self.now_s,
            then,
        };
    }

    fn conclude(&mut self, conclusion: Conclusion) {
        self.doing = Doing::Over(conclusion);
        self.write(Entry::Concluded { conclusion });
        self.tell(Report::Concluded(conclusion));
    }

    fn tell(&mut self, report: Report) {
        let vehicle = self.whereabouts();
        self.outbox.push(Told { report, vehicle });
    }

    fn note(&mut self, text: impl Into<String>) {
        self.write(Entry::Note { text: text.into() });
    }

    fn write(&mut self, entry: Entry) {
        if !entry.is_routine() {
            self.remember(entry.to_string());
        }
        let time_s = self.mission_time_s(self.now_s);
        self.crew.logbook.entry(time_s, &entry);
    }

    fn remember(&mut self, text: String) {
        if self.messages.len() == MESSAGES_KEPT {
            self.messages.pop_front();
        }
        let time_s = self.mission_time_s(self.now_s);
        self.messages.push_back((time_s, text));
    }

    fn leg_over(&mut self, state: LegState) {
        self.path.clear();
        self.measured_turn();
        self.doing = Doing::Idle {
            since_s: self.now_s,
        };
        if std::mem::take(&mut self.ordered) {
            self.tell(Report::LegOver(state));
        }
    }
}
