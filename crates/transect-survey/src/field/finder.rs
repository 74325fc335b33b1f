//! Where the vehicle is before anything is asked of it.

use super::VoyageError;
use super::deck::POLL_S;
use super::document::FieldDocument;
use transect_field::GeoPosition;
use transect_field::autopilot::{Autopilot, Helm};
use transect_field::clock::Clock;

/// Waits for a position that can be trusted. `tell` hears what is still missing, whenever that changes.
///
/// # Errors
/// If none comes within `fallback.ready_within_s`, or the link can never work.
pub fn find_vehicle(
    document: &FieldDocument,
    clock: &Clock,
    tell: &mut dyn FnMut(&str),
) -> Result<GeoPosition, VoyageError> {
    let mut helm = Autopilot::open(document.vehicle.clone())?;
    let until_s = clock.now_s() + document.fallback.ready_within_s;
    let mut told = String::new();
    while clock.now_s() < until_s {
        helm.poll(clock.now_s());
        let state = helm.state();
        if let (Some(fix), None) = (state.fix, state.position_trouble) {
            return Ok(fix.position);
        }
        let missing = match (state.system_id, state.position_trouble) {
            (None, _) => format!("{}: {}", document.vehicle.link, state.link),
            (Some(id), Some(trouble)) => format!("vehicle {id} is heard, but {trouble}"),
            (Some(id), None) => format!("vehicle {id} is heard, but not its position yet"),
        };
        if missing != told {
            tell(&missing);
            told = missing;
        }
        clock.sleep(POLL_S);
    }
    let link = document.vehicle.link.to_string();
    Err(VoyageError::NoVehicle {
        link,
        within_s: document.fallback.ready_within_s,
    })
}
