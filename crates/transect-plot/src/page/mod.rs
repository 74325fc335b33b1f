//! The page of a survey: a map that can be moved, zoomed and asked, and below it what is known about it.
//!
//! Plain numbers go in ([`PageData`]), one HTML file comes out. It needs no network: scripts and styles are in it, and its
//! content security policy forbids every request. A simulated mission, one on the water, a map of old soundings and a live view
//! all fill the same data.
//!
//! | file | what |
//! |---|---|
//! | `data` | what a page shows |
//! | `pack` | how grids are written into it |
//! | `bounded` | keeps pages of large surveys small, and says what was left out |
//! | `html` | the page |
//! | `web/` | the script: plain JavaScript without a build step |

mod bounded;
mod data;
mod html;
mod pack;

pub use data::{
    CalibrationData, Curve, Degrees, FileLink, FrameData, GridData, MapData, NumberRow,
    NumberTable, PageData, SurveyData,
};
