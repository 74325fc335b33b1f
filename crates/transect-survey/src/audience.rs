//! Who looks on while a mission runs: its journal, a live page.

use transect::mission::{Event, Observer};
use transect_io::journal::JournalWriter;
use transect_io::journal::foxglove::{Cells, Grid};
pub use transect_plot::page::{FrameData, PageData};

use crate::error::Result;

/// An observer who is shown the page before the mission begins, and the map now and then.
pub trait Audience: Observer {
    /// The mission is about to begin: this is known of it.
    ///
    /// # Errors
    /// If it cannot be watched as was asked.
    fn begin(&mut self, _page: &PageData) -> Result<()> {
        Ok(())
    }

    /// The map as it is known now.
    fn frame(&mut self, _frame: &FrameData) {}
}

impl Audience for () {}

impl Audience for JournalWriter {
    fn frame(&mut self, frame: &FrameData) {
        if let Some(grid) = grid(frame) {
            self.keep(frame.time_s, &grid);
        }
    }
}

/// Two at once.
pub struct Both<'a>(pub &'a mut dyn Audience, pub &'a mut dyn Audience);

impl Observer for Both<'_> {
    fn event(&mut self, event: &Event<'_>) {
        self.0.event(event);
        self.1.event(event);
    }
}

impl Audience for Both<'_> {
    fn begin(&mut self, page: &PageData) -> Result<()> {
        self.0.begin(page)?;
        self.1.begin(page)
    }

    fn frame(&mut self, frame: &FrameData) {
        self.0.frame(frame);
        self.1.frame(frame);
    }
}

/// A map as journals and live pages hold it; none if it covers nothing.
pub fn grid(frame: &FrameData) -> Option<Grid> {
    let [west, south, east, north] = frame.extent;
    let cells = Cells {
        columns: frame.columns,
        rows: frame.rows,
        extent: transect::geometry::Rect::new(west, east, south, north).ok()?,
        mean: frame.mean.clone(),
        std: frame.std.clone(),
    };
    Some(Grid::of(frame.time_s, &cells))
}
