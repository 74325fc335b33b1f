//! `transect fetch`: an SRTM tile into the cache.

use crate::Failure;
use clap::Args;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde_json::json;
use std::path::PathBuf;
use transect_io::fetch::{BUCKET, FetchError, Tile};
use transect_io::terrain;

/// `transect fetch`
#[derive(Debug, Args)]
pub(crate) struct Fetch {
    /// The tile, named after its south-western corner: N17E073
    #[arg(value_name = "TILE")]
    tile: String,
    /// Folder for tiles [default: transect in the user's cache]
    #[arg(long, value_name = "DIR")]
    cache: Option<PathBuf>,
    /// Where tiles come from: a mirror with the same paths
    #[arg(long, value_name = "URL", default_value = BUCKET)]
    from: String,
    /// Fetch again what is there already
    #[arg(long)]
    force: bool,
}

impl From<FetchError> for Failure {
    fn from(error: FetchError) -> Self {
        let message = match &error {
            FetchError::Address { .. } => format!("--from {error}"),
            other => other.to_string(),
        };
        if error.is_request() {
            Self::Request(message)
        } else {
            Self::Work(message)
        }
    }
}

impl Fetch {
    pub(crate) fn run(&self, quiet: bool, json: bool) -> Result<(), Failure> {
        let cache = self.cache.clone().or_else(terrain::cache_folder);
        let cache = cache.ok_or_else(|| {
            Failure::Request(
                "there is no home folder to keep tiles in; name one with --cache".into(),
            )
        })?;
        let tile = Tile::named(&self.tile, &cache)?;
        let there = tile.path().exists() && !self.force;
        if !there {
            let bar = bar(quiet);
            let outcome = tile.fetch(&self.from, &mut |got, length| {
                if let Some(length) = length {
                    bar.set_length(length);
                }
                bar.set_position(got);
            });
            bar.finish_and_clear();
            outcome?;
        }
        let (name, shown) = (tile.name(), tile.path().display().to_string());
        match (json, there) {
            (true, _) => println!(
                "{}",
                json!({"tile": name, "path": shown, "downloaded": !there})
            ),
            (false, true) => println!("{shown} is there already"),
            (false, false) => println!("{shown}\n`transect terrain {name}` shows what is in it"),
        }
        Ok(())
    }
}

fn bar(quiet: bool) -> ProgressBar {
    let target = if quiet {
        ProgressDrawTarget::hidden()
    } else {
        ProgressDrawTarget::stderr()
    };
    let bar = ProgressBar::with_draw_target(None, target);
    if let Ok(style) =
        ProgressStyle::with_template("fetch [{bar:30}] {bytes}/{total_bytes} ETA {eta}")
    {
        bar.set_style(style.progress_chars("=> "));
    }
    bar
}
