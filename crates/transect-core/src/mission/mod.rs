//! The one loop: plan, move, measure, learn, again (the paper's algorithm 1).
//!
//! - [`Mission`]: the loop, step by step; it prints nothing, reads no clock and draws no random number
//!   that was not handed in
//! - [`World`]: what it acts in: a simulation, the field, a recorded log
//! - [`SimulatedWorld`]: terrain, sensor and boat
//! - [`RecordedWorld`]: a recorded mission, once more
//! - [`Observer`], [`Event`]: who watches, and what there is to see
//! - [`Evaluator`]: judges maps where the truth is known

mod drive;
mod evaluator;
mod event;
mod observers;
mod recorded;
mod run;
mod simulated;
mod step;
mod world;

pub use evaluator::Evaluator;
pub use event::{Ending, Event, LegEnd, Phase};
pub use observers::Observer;
pub use recorded::{Recorded, RecordedWorld};
pub use run::{Mission, Progress};
pub use simulated::SimulatedWorld;
pub use world::{Advance, LegState, Reading, Whereabouts, World};
