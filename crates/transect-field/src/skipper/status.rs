//! How things stand, for a screen.

use transect::budget::Spent;
use transect::geometry::Position;
use transect::mission::Whereabouts;

use super::{Doing, Skipper};
use crate::GeoPosition;
use crate::autopilot::{HelmState, Phase};

/// How things stand.
#[derive(Debug, Clone)]
pub struct Status {
    /// What the vehicle is doing, in words.
    pub doing: String,
    /// The autopilot.
    pub vehicle: HelmState,
    /// Where the vehicle is, and what the way there took.
    pub whereabouts: Whereabouts,
    /// The operator wants it to wait.
    pub paused: bool,
    /// Where it is headed.
    pub goal: Option<Position>,
    /// The same in degrees.
    pub goal_place: Option<GeoPosition>,
    /// Where it comes home to.
    pub home: Option<GeoPosition>,
    /// What has been spent.
    pub spent: Spent,
    /// The longest way that can still be planned, m.
    pub reach_m: f64,
    /// The way home, m.
    pub home_m: Option<f64>,
    /// The last sounding, m.
    pub depth_m: Option<f64>,
    /// Depths that were not used.
    pub rejected: u64,
    /// Seconds since the sonar was last heard.
    pub sonar_age_s: Option<f64>,
    /// What was told, oldest first, with the time of the mission, s.
    pub messages: Vec<(f64, String)>,
}

impl Skipper {
    /// How things stand.
    pub fn status(&self) -> Status {
        let whereabouts = self.whereabouts();
        let vehicle = self.crew.helm.state().clone();
        let leg = match self.doing {
            Doing::Leg(leg) => Some(leg),
            _ => None,
        };
        Status {
            doing: self.in_words(&vehicle),
            vehicle,
            whereabouts,
            paused: self.is_paused(),
            goal: leg.map(|leg| leg.goal),
            goal_place: leg.map(|leg| leg.target),
            home: self.plane.degrees(self.guard.homeward().home()),
            spent: self.spent(),
            reach_m: self.reach_m(),
            home_m: self.guard.homeward().length_m(whereabouts.pose.position),
            depth_m: self.depth_m,
            rejected: self.rejected,
            sonar_age_s: match &self.crew.sounder {
                Some(sounder) => sounder.age_s(self.now_s),
                None => self.crew.helm.depth_age_s(),
            },
            messages: self.messages.iter().cloned().collect(),
        }
    }

    fn in_words(&self, vehicle: &HelmState) -> String {
        match (vehicle.phase, self.doing) {
            (_, Doing::Over(conclusion)) => conclusion.to_string(),
            (_, Doing::Parting { .. }) => {
                "waiting for the vehicle to confirm that it is stopped".into()
            }
            (Phase::NoLink, _) if vehicle.system_id.is_none() => {
                format!("waiting for the vehicle: its link is {}", vehicle.link)
            }
            (Phase::NoLink, _) => "waiting for the link".into(),
            (Phase::Paused { by }, _) => format!("paused: {by}"),
            (Phase::NoPosition { trouble }, _) => format!("waiting for a position: {trouble}"),
            _ if self.is_paused() => "paused: waiting where it is".into(),
            (Phase::Standby | Phase::Engaging, _) => "asking for guided mode and arming".into(),
            (Phase::Returning, _) => "returning by its own means".into(),
            (_, Doing::Resting { .. }) => "home: coming to rest".into(),
            (_, Doing::Holding { .. }) => "holding in place".into(),
            (_, Doing::Idle { .. }) => "planning".into(),
            (_, Doing::Leg(_)) if self.homeward.is_some() => "coming home".into(),
            (_, Doing::Leg(_)) => "surveying".into(),
        }
    }
}
