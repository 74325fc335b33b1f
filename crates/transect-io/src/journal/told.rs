//! Events of a mission as a journal tells them.

use super::message::{
    Begun, Evaluated, Finished, LegOver, Lost, Message, PilotOver, Planned, Taken, Trained,
    Troubled,
};
use schemars::{Schema, schema_for};
use transect::mission::Event;

/// What a journal says of an event.
#[derive(Debug, Clone)]
pub struct Told {
    /// What it is filed under.
    pub topic: &'static str,
    /// The mission's clock, s, where the event has one.
    pub time_s: Option<f64>,
    /// The message.
    pub value: serde_json::Value,
    pub(super) name: Option<&'static str>,
    pub(super) schema: fn() -> Schema,
}

impl Told {
    /// The message of an event.
    ///
    /// # Errors
    /// Never, as long as messages are made of what JSON has.
    pub fn of(event: &Event<'_>) -> Result<Self, serde_json::Error> {
        match *event {
            Event::Started {
                settings,
                workspace,
                vehicle,
                prior,
            } => Self::message(
                Some(vehicle.time_s),
                &Begun {
                    program: concat!("transect ", env!("CARGO_PKG_VERSION")).into(),
                    settings: settings.clone(),
                    workspace: workspace.clone(),
                    vehicle,
                    prior: prior.to_vec(),
                },
            ),
            Event::Planned {
                phase,
                plan,
                vehicle,
            } => Self::message(
                Some(vehicle.time_s),
                &Planned {
                    phase,
                    plan: plan.clone(),
                    vehicle,
                },
            ),
            Event::Sounding {
                phase,
                sounding,
                vehicle,
            } => Self::message(
                Some(vehicle.time_s),
                &Taken {
                    phase,
                    sounding: *sounding,
                    vehicle,
                },
            ),
            Event::Lost { vehicle } => Self::message(Some(vehicle.time_s), &Lost { vehicle }),
            Event::LegEnded { end, vehicle } => {
                Self::message(Some(vehicle.time_s), &LegOver { end, vehicle })
            }
            Event::PilotDone { soundings } => {
                let soundings = soundings.len();
                Self::message(None, &PilotOver { soundings })
            }
            Event::Trained { training, .. } => Self::message(None, &Trained(training)),
            Event::Evaluated { evaluation, .. } => {
                Self::message(None, &Evaluated(evaluation.clone()))
            }
            Event::Trouble { trouble } => {
                let text = trouble.to_string();
                Self::message(None, &Troubled { text })
            }
            Event::Finished { ending, spent } => {
                Self::message(Some(spent.time_s), &Finished { ending, spent })
            }
        }
    }

    pub(super) fn message<M: Message>(
        time_s: Option<f64>,
        message: &M,
    ) -> Result<Self, serde_json::Error> {
        Ok(Self {
            topic: M::TOPIC,
            time_s,
            value: serde_json::to_value(message)?,
            name: M::SCHEMA,
            schema: || schema_for!(M),
        })
    }
}
