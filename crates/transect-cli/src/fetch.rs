//! `transect fetch`: an SRTM tile, or the paper's terrains, into the cache.

use crate::Failure;
use clap::Args;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde_json::json;
use std::path::Path;
use std::path::PathBuf;
use transect_io::fetch::paper::{FILES, REPOSITORY};
use transect_io::fetch::{BUCKET, FetchError, Tile};
use transect_io::terrain;

/// `transect fetch`
#[derive(Debug, Args)]
pub(crate) struct Fetch {
    /// A tile, named after its south-western corner: N17E073; or paper for the terrains of the paper's experiments
    #[arg(value_name = "TILE|paper")]
    what: String,
    /// Folder for tiles [default: transect in the user's cache]
    #[arg(long, value_name = "DIR")]
    cache: Option<PathBuf>,
    /// Where they come from: a mirror with the same paths [default: public elevation tiles on AWS; the authors' repository]
    #[arg(long, value_name = "URL")]
    from: Option<String>,
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
        if self.what == "paper" {
            return self.paper(&cache.join("paper"), quiet, json);
        }
        let tile = Tile::named(&self.what, &cache)?;
        let there = tile.path().exists() && !self.force;
        if !there {
            let bar = bar(quiet);
            let outcome = tile.fetch(
                self.from.as_deref().unwrap_or(BUCKET),
                &mut |got, length| {
                    if let Some(length) = length {
                        bar.set_length(length);
                    }
                    bar.set_position(got);
                },
            );
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

impl Fetch {
    /// The paper's terrains into a folder; what is there already is not fetched again.
    fn paper(&self, folder: &Path, quiet: bool, json: bool) -> Result<(), Failure> {
        let from = self.from.as_deref().unwrap_or(REPOSITORY);
        let wanted = FILES
            .iter()
            .filter(|file| self.force || !file.is_in(folder));
        let wanted: Vec<_> = wanted.collect();
        for (done, file) in wanted.iter().enumerate() {
            let bar = bar(quiet);
            let outcome = file.fetch(from, folder, &mut |got, length| {
                bar.set_length(length.unwrap_or(file.bytes));
                bar.set_position(got);
            });
            bar.finish_and_clear();
            if let Err(error @ FetchError::Download { .. }) = outcome {
                // Whoever has no network needs the whole list.
                let lines = wanted[done..].iter().map(|file| {
                    let path = file.in_folder(folder);
                    format!("\n  {} as {}", file.url(REPOSITORY), path.display())
                });
                let list: String = lines.collect();
                return Err(Failure::Work(format!("{error}; still missing:{list}")));
            }
            outcome?;
        }
        let shown = folder.display().to_string();
        if json {
            println!("{}", json!({"folder": shown, "downloaded": wanted.len()}));
            return Ok(());
        }
        match wanted.len() {
            0 => println!("{shown} has all of the paper's terrains already"),
            n => println!("{shown}: {n} terrains of the paper, from {from} (MIT licence)"),
        }
        println!("`transect reproduce` finds them there; step and sine need no files");
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
