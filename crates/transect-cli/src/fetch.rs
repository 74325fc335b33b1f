//! `transect fetch`: an SRTM tile from the public elevation tiles on AWS into the cache.

use crate::Failure;
use clap::Args;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde_json::json;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::Duration;
use transect_io::atomic::{self, Existing};
use transect_io::{Crs, IoError, terrain};

/// The public bucket; below it are `skadi/N17/N17E073.hgt.gz` and so on.
const BUCKET: &str = "https://elevation-tiles-prod.s3.amazonaws.com";
/// A packed tile has at most 26 MB; what is larger is none.
const LARGEST_TILE: u64 = 64 << 20;
const PATIENCE: Duration = Duration::from_secs(20);
const WHOLE_PATIENCE: Duration = Duration::from_secs(900);

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

impl Fetch {
    pub(crate) fn run(&self, quiet: bool, json: bool) -> Result<(), Failure> {
        let name = self.tile.to_ascii_uppercase();
        if !terrain::is_tile(&name) {
            return Err(Failure::Request(format!(
                "`{}` is no tile; tiles are named after their south-western corner, N17E073 or S34W070 say",
                self.tile
            )));
        }
        let cache = self
            .cache
            .clone()
            .or_else(terrain::cache_folder)
            .ok_or_else(|| {
                Failure::Request(
                    "there is no home folder to keep tiles in; name one with --cache".into(),
                )
            })?;
        let path = terrain::cached_tile(&cache, &name);
        let there = path.exists() && !self.force;
        if !there {
            self.download(&name, &path, quiet)?;
        }
        let shown = path.display().to_string();
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

    fn download(&self, name: &str, path: &Path, quiet: bool) -> Result<(), Failure> {
        let url = format!(
            "{}/skadi/{}/{name}.hgt.gz",
            self.from.trim_end_matches('/'),
            &name[..3]
        );
        let failed = |error: &dyn std::fmt::Display| {
            Failure::Work(format!(
                "{url}: {error}; check the network, or download it elsewhere and save it as {}",
                path.display()
            ))
        };
        let agent: ureq::Agent = ureq::Agent::config_builder()
            .timeout_connect(Some(PATIENCE))
            .timeout_recv_response(Some(PATIENCE))
            .timeout_global(Some(WHOLE_PATIENCE))
            .build()
            .into();
        let mut response = match agent.get(&url).call() {
            Ok(response) => response,
            Err(ureq::Error::StatusCode(403 | 404)) => {
                return Err(Failure::Request(format!(
                    "there is no tile {name} at {}; tiles without land are left out",
                    self.from
                )));
            }
            Err(error @ (ureq::Error::BadUri(_) | ureq::Error::Http(_))) => {
                return Err(Failure::Request(format!("--from {}: {error}", self.from)));
            }
            Err(error) => return Err(failed(&error)),
        };
        let length = response.body().content_length();
        let bar = progress(length, quiet);
        let mut bytes = Vec::new();
        bar.wrap_read(response.body_mut().as_reader().take(LARGEST_TILE + 1))
            .read_to_end(&mut bytes)
            .map_err(|error| failed(&error))?;
        bar.finish_and_clear();
        if bytes.len() as u64 > LARGEST_TILE {
            return Err(failed(&"it is larger than any tile"));
        }
        // Only a whole tile goes to the cache.
        terrain::decode(&bytes, &format!("{name}.hgt.gz"), Crs::Local)
            .map_err(|reason| failed(&reason))?;
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder).map_err(|source| IoError::Write {
                path: folder.to_owned(),
                source,
            })?;
        }
        Ok(atomic::write(path, &bytes, Existing::Replace)?)
    }
}

fn progress(length: Option<u64>, quiet: bool) -> ProgressBar {
    let target = match quiet {
        true => ProgressDrawTarget::hidden(),
        false => ProgressDrawTarget::stderr(),
    };
    let bar = ProgressBar::with_draw_target(length, target);
    if let Ok(style) =
        ProgressStyle::with_template("fetch [{bar:30}] {bytes}/{total_bytes} ETA {eta}")
    {
        bar.set_style(style.progress_chars("=> "));
    }
    bar
}
