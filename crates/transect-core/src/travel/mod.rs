//! What a path costs: the one model of travel that planners, lawnmower, budgets and the way home share.
//!
//! A vehicle that does not stop: it follows a line of legs at its speed v and rounds every corner on an arc.
//! With the turn rate ω an arc of radius ρ is driven at `min(v, ω ρ)`, so that a turn by θ takes
//! `max(ρ θ / v, θ / ω)`. At a corner the radius is the largest of at most `v / ω` for which
//!
//! ```text
//! ρ (1 / cos(θ/2) - 1) <= tolerance      the arc passes the corner no farther away than that
//! ρ tan(θ/2)           <= half a leg     what two corners share, each has half of
//! ```
//!
//! A reversal leaves no room for an arc: ρ is 0 and the vehicle turns on the spot, which takes `π / ω`.
//! Arcs lie inside the triangle of the corner, so that the track of a path in a convex area stays in it.
//!
//! In water that moves with the current c, the speed over ground along a direction u is
//! `u·c + sqrt(v² - |c - (u·c) u|²)`: the vehicle points up the current by as much as keeps it on its line.
//!
//! - [`TravelModel`]: speed, turning, current; what a path costs
//! - [`Track`]: a path as it is driven, with a time at every place

mod model;
mod track;

pub(crate) use model::CORNER_TOLERANCE_M;
pub use model::TravelModel;
pub use track::Track;
