//! A mission to watch while it runs: its page in a browser, over HTTP.
//!
//! ```text
//!  mission ──> inbox ──> hub thread ──> state ──> one server thread ──> any number of viewers
//!            (never waits)            (latest only)   (Server-Sent Events)
//! ```
//!
//! The mission puts what happens into an inbox and goes on: nobody holds that inbox for longer than it takes to swap a list.
//! The hub works out what there is to see; each viewer asks for what is new to it when it can take more. A slow one gets
//! fewer, larger messages and only the newest map; one that takes nothing for half a minute is let go.
//!
//! Only the mission's own page is served, to programs on this machine unless an address was given, and then only to those who
//! know the token in the link. Viewers cannot change anything, except with [`Control`].
//!
//! Why hyper: it is maintained (tiny_http's last release is of 2022), it has the limits that an open port needs (time for a
//! request's head, its size, the number of headers), and its connections are tasks of one thread: a thousand of them cost a
//! mission no more than one thread. `--no-default-features` leaves all of this out.
//!
//! | file | what |
//! |---|---|
//! | `state` | what there is to see, and what of it is new to a viewer |
//! | `message` | how it is written |
//! | `hub` | from the mission to the state |
//! | `access` | who may see it |
//! | `control` | commands to the vehicle, where they are allowed |
//! | `answer` | what a request gets |
//! | `server` | connections |
//! | `audience` | a live page as an observer of a mission |
//! | `watch` | a live page from a journal |

mod access;
mod answer;
mod audience;
mod control;
mod hub;
mod message;
mod server;
mod state;
mod watch;

pub use access::Address;
pub use audience::LiveAudience;
pub use control::{Command, Control};
pub use hub::{Inbox, News};
pub use message::{Budgets, Link, Message};
pub use watch::Watch;

use crate::error::{Result, SurveyError};
use access::Access;
use hub::Hub;
use std::sync::Arc;
use transect_plot::page::PageData;

/// A mission that is being served. Ends when it is dropped, after viewers were told.
pub struct Live {
    link: String,
    _hub: Hub,
}

impl Live {
    /// Serves `page`, and what will be put into `inbox`, at an address. `control` takes commands.
    ///
    /// # Errors
    /// If the address cannot be had; the error says what to do.
    pub fn start(
        address: &Address,
        page: &PageData,
        inbox: Inbox,
        control: Option<Control>,
    ) -> Result<Self> {
        let listener = address.listen()?;
        let at = listener.local_addr().map_err(|error| {
            SurveyError::Request(format!("the live page has no address: {error}"))
        })?;
        let access = Access::new(at, address.is_open(), control.is_some())?;
        let link = access.link();
        let mut page = page.clone();
        page.map.live = true;
        page.map.control = control.is_some();
        let html = page.to_html()?;
        let hub = Hub::start(inbox, listener, Arc::new(access), html, control)
            .map_err(|error| SurveyError::Request(format!("the live page: {error}")))?;
        Ok(Self { link, _hub: hub })
    }

    /// What to open in a browser.
    #[must_use]
    pub fn link(&self) -> &str {
        &self.link
    }
}
