//! What is written down, as it happens.

use std::fmt;

use serde::Serialize;
use transect::Sounding;
use transect::geometry::Position;

use super::{Conclusion, HomeReason};
use crate::GeoPosition;
use crate::autopilot::HelmEvent;
use crate::sonar::DepthReading;

/// Why a vehicle is sent somewhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Why {
    /// The mission planned it.
    Planned,
    /// For want of a plan, or of one that is allowed.
    Fallback,
    /// It is on the way home.
    Home,
    /// It is the way back into the fence.
    Recovery,
}

/// One entry. Its `Display` is the sentence for the operator.
#[derive(Debug, Clone, Serialize)]
#[serde(tag = "entry", rename_all = "kebab-case")]
pub enum Entry {
    /// The vehicle did or said something.
    Vehicle {
        /// What.
        #[serde(flatten)]
        event: HelmEvent,
    },
    /// A sounding was kept.
    Sounding {
        /// The sounding.
        sounding: Sounding,
        /// The way so far, m.
        distance_m: f64,
    },
    /// A depth was not used.
    Rejected {
        /// The depth.
        reading: DepthReading,
        /// Why.
        reason: String,
    },
    /// A leg begins.
    Leg {
        /// From where.
        from: Position,
        /// To where.
        goal: Position,
        /// The same in degrees.
        place: GeoPosition,
        /// Why.
        why: Why,
    },
    /// A leg was not allowed.
    Refused {
        /// To where.
        goal: Position,
        /// The same in degrees; none for what is not on the map.
        place: Option<GeoPosition>,
        /// Why not.
        reason: String,
    },
    /// The vehicle goes home.
    Homeward {
        /// Why.
        reason: HomeReason,
    },
    /// All is over.
    Concluded {
        /// How.
        conclusion: Conclusion,
    },
    /// Something to tell.
    Note {
        /// In words.
        text: String,
    },
}

impl Entry {
    /// Comes so often that an operator does not want to read each.
    pub fn is_routine(&self) -> bool {
        matches!(
            self,
            Self::Sounding { .. }
                | Self::Rejected { .. }
                | Self::Vehicle {
                    event: HelmEvent::Fix(_)
                }
        )
    }
}

impl fmt::Display for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Vehicle { event } => event.fmt(f),
            Self::Sounding { sounding, .. } => {
                write!(
                    f,
                    "sounding {:.2} at {:.1}",
                    sounding.value, sounding.position
                )
            }
            Self::Rejected { reading, reason } => {
                write!(
                    f,
                    "{} of {:.2} m not used: {reason}",
                    reading.source, reading.depth_m
                )
            }
            Self::Leg {
                from,
                goal,
                place,
                why,
            } => {
                let way_m = from.distance_to(*goal);
                match why {
                    Why::Planned => write!(f, "heading for {place}, {way_m:.0} m"),
                    Why::Fallback => write!(
                        f,
                        "heading for {place}, {way_m:.0} m, the next place of the fallback survey"
                    ),
                    Why::Home => write!(f, "heading for {place}, {way_m:.0} m, on the way home"),
                    Why::Recovery => write!(
                        f,
                        "outside the margin: heading back inside, to {place}, {way_m:.0} m"
                    ),
                }
            }
            Self::Refused {
                place: Some(place),
                reason,
                ..
            } => write!(f, "not heading for {place}: {reason}"),
            Self::Refused { goal, reason, .. } => {
                write!(f, "not heading for {goal:.1}: {reason}")
            }
            Self::Homeward { reason } => write!(f, "coming home: {reason}"),
            Self::Concluded { conclusion } => conclusion.fmt(f),
            Self::Note { text } => f.write_str(text),
        }
    }
}

/// Keeps entries.
pub trait Logbook: Send {
    /// Writes one entry down. It must not block for long, and must not fail: what cannot be written is told
    /// at the next [`Logbook::settle`].
    fn entry(&mut self, time_s: f64, entry: &Entry);

    /// Called with every poll: makes what was written durable when that is due. Says what went wrong, once.
    fn settle(&mut self, _time_s: f64) -> Option<String> {
        None
    }
}

/// Keeps nothing.
impl Logbook for () {
    fn entry(&mut self, _: f64, _: &Entry) {}
}

impl Logbook for Vec<Box<dyn Logbook>> {
    fn entry(&mut self, time_s: f64, entry: &Entry) {
        for logbook in self {
            logbook.entry(time_s, entry);
        }
    }

    fn settle(&mut self, time_s: f64) -> Option<String> {
        let troubles: Vec<String> = self.iter_mut().filter_map(|l| l.settle(time_s)).collect();
        (!troubles.is_empty()).then(|| troubles.join("; "))
    }
}
