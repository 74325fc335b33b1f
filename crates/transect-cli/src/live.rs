//! `--live`: the page of a mission while it runs.

use clap::Args;
use transect_survey::audience::Audience;
#[cfg(feature = "live")]
use transect_survey::live::{Address, LiveAudience};

/// What says whether a mission is served.
#[derive(Debug, Args)]
pub(crate) struct LiveFlags {
    /// Serve the page while the mission runs: on this machine, or at an address of it, then with a token in the link
    #[cfg(feature = "live")]
    #[arg(long, value_name = "ADDR", num_args = 0..=1, default_missing_value = "")]
    pub(crate) live: Option<Address>,
}

impl LiveFlags {
    /// Whoever was asked to look on.
    pub(crate) fn audience(&self) -> Box<dyn Audience> {
        #[cfg(feature = "live")]
        if let Some(address) = &self.live {
            return Box::new(LiveAudience::new(address.clone(), None, announce));
        }
        Box::new(())
    }
}

/// Says where the page is, also to those who want to hear no more than they asked for.
#[cfg(feature = "live")]
pub(crate) fn announce(link: &str) {
    eprintln!("live: {link}");
}
