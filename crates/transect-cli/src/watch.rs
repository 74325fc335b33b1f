//! `transect watch`.

use crate::Failure;
use crate::page;
use clap::Args;
use std::path::PathBuf;
use transect_survey::live::{Address, Watch as Watched};

/// `transect watch`
#[derive(Debug, Args)]
pub(crate) struct Watch {
    /// A mission folder, or a journal
    #[arg(value_name = "DIR|JOURNAL")]
    recording: PathBuf,
    /// A port, or an address of this machine, then with a token in the link [default: 7878, on this machine only]
    #[arg(
        long,
        value_name = "ADDR",
        default_value = "",
        hide_default_value = true
    )]
    live: Address,
    /// Show the mission from its beginning, so many of its seconds in a real one
    #[arg(long, value_name = "TIMES")]
    speed: Option<f64>,
    /// Open the page in the browser
    #[arg(long)]
    open: bool,
}

impl Watch {
    pub(crate) fn run(self, quiet: bool, json: bool) -> Result<(), Failure> {
        if let Some(speed) = self.speed.filter(|s| !(*s > 0.0 && *s <= 1e6)) {
            let text = format!("--speed is {speed}: a number above 0, at most 1000000, is needed");
            return Err(Failure::Request(text));
        }
        let watched = Watched {
            recording: self.recording,
            address: self.live,
            speed: self.speed,
        };
        let mut waiting = |path: &std::path::Path| {
            if !quiet {
                eprintln!("waiting for {}", path.display());
            }
        };
        let mut announce = |link: &str| {
            if json {
                println!("{}", serde_json::json!({"live": link}));
            } else {
                println!("live: {link}");
            }
            if self.open {
                page::open(std::path::Path::new(link));
            }
        };
        Ok(watched.run(&mut waiting, &mut announce)?)
    }
}
