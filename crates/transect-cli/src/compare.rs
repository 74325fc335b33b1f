//! `transect compare`: the change between two maps, and where it is more than chance.

use crate::Failure;
use clap::Args;
use serde_json::json;
use std::path::PathBuf;
use transect_io::atomic::Existing;
use transect_io::geotiff::{self, Band, MapFile};
use transect_survey::products::difference;

/// `transect compare`
#[derive(Debug, Args)]
#[command(
    after_help = "Writes the later map less the earlier one, and one standard deviation of that, as a GeoTIFF."
)]
pub(crate) struct Compare {
    /// The map of the earlier survey, as `transect map` writes it
    #[arg(value_name = "EARLIER.tif")]
    earlier: PathBuf,
    /// The map of the later survey
    #[arg(value_name = "LATER.tif")]
    later: PathBuf,
    /// The GeoTIFF to write
    #[arg(long, value_name = "CHANGE.tif")]
    out: PathBuf,
    /// Write over the file if it is there
    #[arg(long)]
    force: bool,
}

impl Compare {
    pub(crate) fn run(self, json: bool) -> Result<(), Failure> {
        let (earlier, later) = (MapFile::read(&self.earlier)?, MapFile::read(&self.later)?);
        let found = difference(&earlier, &later).map_err(Failure::Request)?;
        let existing = if self.force {
            Existing::Replace
        } else {
            Existing::Keep
        };
        let bands = [
            ("change", &found.change),
            ("standard deviation", &found.std),
        ];
        let bands = bands.map(|(name, raster)| Band {
            name,
            meaning: "later less earlier, in metres",
            raster,
        });
        geotiff::write(&self.out, &bands, existing)?;
        let share = found.significant as f64 / found.shared as f64;
        let [gained, lost] = found.significant_m3;
        if json {
            println!(
                "{}",
                json!({
                    "shared": found.shared, "significant": found.significant, "volume_m3": found.volume_m3,
                    "significant_gain_m3": gained, "significant_loss_m3": lost, "file": self.out,
                })
            );
        } else {
            println!(
                "{:14} {} cells that both maps have",
                "compared", found.shared
            );
            println!(
                "{:14} {:+.1} m\u{b3} (later less earlier)",
                "change", found.volume_m3
            );
            println!(
                "{:14} {} cells ({:.1} %) beyond 95 % chance (5 % would be by chance alone): {gained:+.1} and {lost:+.1} m\u{b3}",
                "significant",
                found.significant,
                100.0 * share
            );
            println!("{:14} {}", "wrote", self.out.display());
        }
        Ok(())
    }
}
