//! The first minute: an adaptive survey of a built-in terrain beside a lawnmower in the same time.
//!
//! The Jacksboro fault at the paper's scale: the boat of the paper, 1 m/s and one sounding a second, on a model of it
//! 22 m wide.

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
use transect::settings::MissionSettings;

/// Time that either boat has, s; one sounding a second.
const TIME_S: f64 = 400.0;
/// Half the side of the area, and of the terrain around it, m.
const HALF: f64 = 10.0;
const TERRAIN_HALF: f64 = 11.0;

const INTRO: &str = "A simulated boat maps a terrain that it does not know: coarse lines over the whole area first, then tours through what its \
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
    let around = |half: f64| Some([-half, -half, half, half]);
    MissionDocument {
        place: SceneChoice {
            terrain: TerrainChoice {
                source: "jacksboro".into(),
                extent: around(TERRAIN_HALF),
                ..TerrainChoice::default()
            },
            area: AreaChoice {
                rectangle: around(HALF),
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

    let title = "An adaptive survey of the Jacksboro fault".into();
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
