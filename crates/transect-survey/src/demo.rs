//! The first minute: an adaptive survey of a lake beside a lawnmower in the same hour.
//!
//! The lake is 400 m wide; a volcano has drowned in it, with gullied flanks, a breached rim and a dome. The boat does 2 m/s, turns in a circle of 20 m, and
//! keeps one sounding, good to 0.1 m, every ten seconds.

use crate::beside::beside;
use crate::choice::{AreaChoice, SceneChoice, TerrainChoice};
use crate::document::Source;
use crate::error::Result;
use crate::folder::Folder;
use crate::mission::MissionDocument;
use crate::outcome::Outcome;
use crate::page::{Survey, comparison_text, overview, warnings};
use crate::run::Prepared;
use std::path::{Path, PathBuf};
use transect::budget::Budget;
use transect::settings::{MissionSettings, SensorSettings};
use transect::vehicle::BoatSettings;

/// Time that either boat has, s.
const TIME_S: f64 = 3600.0;
/// The lake without the strip along its shore, m.
const AREA_M: [f64; 4] = [10.0, 10.0, 390.0, 390.0];

const INTRO: &str = "A simulated boat has an hour for a lake that it does not know: coarse lines over the whole area first, then tours through what its \
    model knows least about. Beside it the same boat drives parallel lines, as close as the same time allows. Neither stops on its way, and every turn \
    costs its time.";

/// Both surveys and where their report is.
#[derive(Debug, Clone)]
pub struct Demo {
    /// The adaptive survey.
    pub adaptive: Outcome,
    /// The lawnmower.
    pub lawnmower: Outcome,
    /// Both in numbers, as lines of text.
    pub text: String,
    /// What speaks against using their maps.
    pub warnings: Vec<String>,
    /// The report.
    pub page: PathBuf,
}

/// The mission of the demo.
#[must_use]
pub fn document(seed: u64) -> MissionDocument {
    MissionDocument {
        place: SceneChoice {
            terrain: TerrainChoice {
                source: "crater".into(),
                ..TerrainChoice::default()
            },
            area: AreaChoice {
                rectangle: Some(AREA_M),
                ..AreaChoice::default()
            },
            ..SceneChoice::default()
        },
        settings: MissionSettings {
            seed,
            budget: Budget {
                time_s: Some(TIME_S),
                ..Budget::default()
            },
            boat: BoatSettings {
                max_speed_mps: 2.0,
                max_turn_rate_radps: Some(0.2),
                sampling_rate_hz: 0.1,
                corner_tolerance_m: 5.0,
                ..BoatSettings::default()
            },
            sensor: SensorSettings {
                noise_std: 0.1,
                ..SensorSettings::default()
            },
            ..MissionSettings::default()
        },
    }
}

/// Runs the demo into the folder `out`; `date` is the day that the page shows, `watch` hears how much is done, in [0, 1].
///
/// # Errors
/// If the folder cannot be written to, or is not empty (unless `force`).
pub fn demo(
    out: &Path,
    seed: u64,
    force: bool,
    date: Option<String>,
    watch: &mut dyn FnMut(f64),
) -> Result<Demo> {
    let source = Source::parse("the demo's mission", &document(seed).to_text()?)?;
    let survey = Prepared::from_source(&source)?;
    let folder = Folder::create(out, force)?;
    let adaptive = survey.run_into(&folder, &mut (), &mut |share| watch(0.3 * share))?;

    let beside = beside(&survey, &adaptive, &mut |share| watch(0.3 + 0.7 * share))?;
    let (other, lawnmower) = (beside.prepared, beside.outcome);
    folder.write(
        "lawnmower-mission.toml",
        other.document.to_text()?.as_bytes(),
    )?;
    folder.write_outcome("lawnmower-", &lawnmower, other.scene.crs)?;

    let title = "An hour above a drowned volcano".into();
    let words = beside.words.unwrap_or_default();
    let mut page = survey.page(title, format!("{INTRO} {words}"), date)?;
    page.files = folder.files("", &adaptive);
    page.files.extend(folder.files("lawnmower-", &lawnmower));
    let surveys = [("adaptive", &adaptive), ("lawnmower", &lawnmower)]
        .map(|(name, outcome)| Survey { name, outcome });
    folder.write("report.html", page.to_html(&surveys)?.as_bytes())?;
    folder.write("maps.png", &overview(&surveys, &page)?.to_png(2.0)?)?;
    let text = format!("{}{words}\n", comparison_text(&surveys, &page));
    let warnings = surveys.iter().flat_map(|s| warnings(s, &page)).collect();
    Ok(Demo {
        text,
        warnings,
        page: folder.path("report.html"),
        adaptive,
        lawnmower,
    })
}
