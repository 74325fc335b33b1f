//! What is promised before a vehicle is sent anywhere.
//!
//! - [`Fence`]: an area and a margin; says whether a straight leg keeps its distance from the boundary
//! - [`Homeward`]: the shortest way home inside the fence, from anywhere
//! - [`Endurance`]: how far the vehicle gets on what is left of distance, time and battery; [`Limit`]: which of them ends first
//! - [`Guard`]: refuses legs that leave the fence, or from whose end the way home is too far

mod area;
mod endurance;
mod guard;
mod homeward;

pub use area::Fence;
pub use endurance::{Battery, Endurance, Limit, Reserve};
pub use guard::{Guard, Refusal};
pub use homeward::Homeward;
