//! A live page as an audience of a mission.

use super::{Address, Control, Inbox, Live};
use crate::audience::{Audience, grid};
use crate::error::Result;
use transect::mission::{Event, Observer};
use transect_plot::page::{FrameData, PageData};

/// Starts to serve when the mission is about to begin.
pub struct LiveAudience {
    address: Address,
    control: Option<Control>,
    announce: Box<dyn FnMut(&str) + Send>,
    live: Option<Live>,
}

impl LiveAudience {
    /// Will serve at an address and hand the link to `announce`.
    pub fn new(
        address: Address,
        control: Option<Control>,
        announce: impl FnMut(&str) + Send + 'static,
    ) -> Self {
        Self {
            address,
            control,
            announce: Box::new(announce),
            live: None,
        }
    }

    /// Where news go, once it serves.
    #[must_use]
    pub fn inbox(&self) -> Option<Inbox> {
        self.live.as_ref().map(Live::inbox)
    }
}

impl Observer for LiveAudience {
    fn event(&mut self, event: &Event<'_>) {
        if let Some(live) = &self.live {
            live.inbox().event(event);
        }
    }
}

impl Audience for LiveAudience {
    fn begin(&mut self, page: &PageData) -> Result<()> {
        let live = Live::start(&self.address, page, self.control.clone())?;
        (self.announce)(live.link());
        self.live = Some(live);
        Ok(())
    }

    fn frame(&mut self, frame: &FrameData) {
        if let (Some(live), Some(grid)) = (&self.live, grid(frame)) {
            live.inbox().message(frame.time_s, &grid);
        }
    }
}
