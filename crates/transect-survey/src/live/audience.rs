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
    inbox: Inbox,
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
            inbox: Inbox::default(),
            live: None,
        }
    }

    /// Where news go.
    #[must_use]
    pub fn inbox(&self) -> Inbox {
        self.inbox.clone()
    }
}

impl Observer for LiveAudience {
    fn event(&mut self, event: &Event<'_>) {
        if self.live.is_some() {
            self.inbox.event(event);
        }
    }
}

impl Audience for LiveAudience {
    fn begin(&mut self, page: &PageData) -> Result<()> {
        let live = Live::start(
            &self.address,
            page,
            self.inbox.clone(),
            self.control.clone(),
        )?;
        (self.announce)(live.link());
        self.live = Some(live);
        Ok(())
    }

    fn frame(&mut self, frame: &FrameData) {
        if let (Some(_), Some(grid)) = (&self.live, grid(frame)) {
            self.inbox.message(frame.time_s, &grid);
        }
    }
}
