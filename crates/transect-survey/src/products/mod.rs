//! What is made of a map: water by level with error bars, crossings, the order of survey reached, change since another.
//!
//! | file | what |
//! |---|---|
//! | `storage` | area, volume and mean depth by level |
//! | `crossings` | what a track says about itself where it crosses |
//! | `order` | the order of IHO S-44 that the vertical uncertainty allows |
//! | `difference` | one map less another, and where that is more than chance |

mod crossings;
mod difference;
mod order;
mod storage;

pub use crossings::{Crossings, Track, crossings};
pub use difference::{Difference, difference};
pub use order::{Order, order_reached};
pub use storage::{Storage, StorageRow, Surfaces, storage};
