//! The first minute: an adaptive survey of a built-in terrain beside a lawnmower of the same
//! length.
//!
//! The Jacksboro fault at the paper's scale: the boat of the paper, 1 m/s and one sounding a
//! second, on a 20 x 20 m model of it.

use crate::error::{LabError, Result};
use crate::results::Table;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use transect::budget::{Budget, Spent};
use transect::geometry::{Position, Rect, Workspace};
use transect::gp::{Compute, Of, Prediction, Threads};
use transect::metrics::Evaluation;
use transect::mission::{Event, Mission, SimulatedWorld};
use transect::settings::{KernelChoice, MissionSettings};
use transect::terrain::Terrain;
use transect_plot::report::{Cell, Illustration, Section, Table as PageTable};
use transect_plot::{
    Axis, Bars, ColorMap, ColorScale, Extent, Figure, Grid, Heatmap, Lines, Report, Series,
    Surface3d,
};

/// Soundings of the adaptive survey; the lawnmower drives as far.
const SOUNDINGS: u64 = 400;
/// Half the side of the workspace, and of the terrain around it.
const HALF: f64 = 10.0;
const TERRAIN_HALF: f64 = 11.0;
/// Points along each side of the maps.
const SIDE: usize = 100;

/// What one survey came to.
#[derive(Debug, Clone)]
pub struct Survey {
    /// Its name.
    pub name: &'static str,
    /// What it took.
    pub spent: Spent,
    /// How good its map is, soundings by soundings.
    pub curve: Vec<Evaluation>,
    path: Vec<[f64; 2]>,
    map: Prediction,
    soundings: Table,
    model: String,
}

impl Survey {
    /// How good its final map is.
    #[must_use]
    pub fn result(&self) -> Option<&Evaluation> {
        self.curve.last()
    }
}

/// Both surveys and where their report is.
#[derive(Debug, Clone)]
pub struct Demo {
    /// The adaptive survey, then the lawnmower.
    pub surveys: [Survey; 2],
    /// The report.
    pub page: PathBuf,
}

/// Runs the demo into the folder `out`; `watch` hears how much is done, in [0, 1].
///
/// # Errors
/// If the folder is not empty or cannot be written to.
pub fn demo(out: &Path, seed: u64, watch: &mut dyn FnMut(f64)) -> Result<Demo> {
    if out.read_dir().is_ok_and(|mut files| files.next().is_some()) {
        return Err(LabError::Request(format!(
            "{} is not empty; choose another --out, or --force to write into it",
            out.display()
        )));
    }
    demo_over(out, seed, watch)
}

/// As [`demo`], but writes over what is there.
///
/// # Errors
/// If the folder cannot be written to.
pub fn demo_over(out: &Path, seed: u64, watch: &mut dyn FnMut(f64)) -> Result<Demo> {
    fs::create_dir_all(out).map_err(LabError::writing(out))?;
    let array = transect_io::builtin::jacksboro().map_err(LabError::Request)?;
    let extent = Rect::new(-TERRAIN_HALF, TERRAIN_HALF, -TERRAIN_HALF, TERRAIN_HALF)?;
    let terrain = Arc::new(Terrain::new(
        array.values,
        array.rows,
        array.columns,
        extent,
    )?);
    let budget = Budget::of_soundings(SOUNDINGS);
    let planner = ("adaptive", "myopic");
    let adaptive = survey(planner, budget, &terrain, seed, &mut |s| watch(0.5 * s))?;
    let budget = Budget {
        soundings: None,
        distance_m: Some(adaptive.spent.distance_m),
        time_s: None,
    };
    let planner = ("lawnmower", "lawnmower");
    let mut second_half = |s| watch(0.5 + 0.5 * s);
    let lawnmower = survey(planner, budget, &terrain, seed, &mut second_half)?;
    let surveys = [adaptive, lawnmower];
    let page = write(out, &terrain, &surveys)?;
    Ok(Demo { surveys, page })
}

fn survey(
    (name, planner): (&'static str, &str),
    budget: Budget,
    terrain: &Arc<Terrain>,
    seed: u64,
    watch: &mut dyn FnMut(f64),
) -> Result<Survey> {
    let workspace = Workspace::from(Rect::new(-HALF, HALF, -HALF, HALF)?);
    let mut settings = MissionSettings {
        seed,
        budget,
        kernel: KernelChoice::named("ak"),
        ..MissionSettings::default()
    };
    settings.planner.name = planner.into();
    let mission: Mission<SimulatedWorld> =
        Mission::simulated(Arc::clone(terrain), workspace, settings)?;
    let mut mission = mission.with_compute(Compute::with_threads(Threads::All));
    let mut curve = Vec::new();
    let mut observer = |event: &Event<'_>| {
        if let Event::Evaluated { evaluation, .. } = event {
            curve.push((*evaluation).clone());
        }
    };
    loop {
        let progress = mission.step(&mut observer)?;
        watch(1.0 - progress.remaining);
        if progress.ending.is_some() {
            break;
        }
    }
    let mut soundings = Table::new(&["x", "y", "value", "time_s"]);
    for s in mission.soundings() {
        soundings.push(&[s.position.x, s.position.y, s.value, s.time_s]);
    }
    let path = mission
        .soundings()
        .iter()
        .map(|s| [s.position.x, s.position.y])
        .collect();
    let spent = mission.spent();
    let Some(model) = mission.model_mut() else {
        return Err(LabError::Request(
            "the survey ended before there was a model".into(),
        ));
    };
    let axis: Vec<f64> = (0..SIDE).map(place).collect();
    let points = transect::gp::Points::grid(&[&axis, &axis])?;
    let map = model.predict(&points, Of::Quantity)?;
    let model = model.regression().save()?;
    Ok(Survey {
        name,
        spent,
        curve,
        path,
        map,
        soundings,
        model,
    })
}

/// Coordinate number `i` of the maps.
fn place(i: usize) -> f64 {
    -HALF + 2.0 * HALF * (i as f64 + 0.5) / SIDE as f64
}

/// Writes the folder; returns the page's path.
fn write(out: &Path, terrain: &Terrain, surveys: &[Survey; 2]) -> Result<PathBuf> {
    let save = |name: &str, contents: &str| {
        let path = out.join(name);
        fs::write(&path, contents).map_err(LabError::writing(&path))
    };
    for (survey, prefix) in surveys.iter().zip(["", "lawnmower-"]) {
        save(
            &format!("{prefix}soundings.csv"),
            &survey.soundings.to_csv(),
        )?;
        save(&format!("{prefix}model.json"), &survey.model)?;
    }
    let maps = maps(terrain, surveys)?;
    let picture = out.join("maps.png");
    fs::write(&picture, maps.to_png(2.0)?).map_err(LabError::writing(&picture))?;
    save("report.html", &page(terrain, surveys, &maps)?)?;
    Ok(out.join("report.html"))
}

fn page(terrain: &Terrain, surveys: &[Survey; 2], maps: &Figure) -> Result<String> {
    let relief = relief(terrain)?;
    let mut report = Report::new("An adaptive survey of the Jacksboro fault").intro(
        "A simulated boat maps a terrain it does not know: a short pilot survey first, then always \
         towards the place its model knows least about, weighed against the way there. Beside it, a \
         lawnmower that drives as far.",
    );
    report = report.section(Section::new("What it gained").table(comparison(surveys)));
    report = report.section(
        Section::new("Maps")
            .text(
                "Predictions share one scale, errors another. Uncertainty is one standard deviation \
                 of the surface itself.",
            )
            .figure(
                Illustration::png(maps, 2.0)?
                    .caption("Soundings in order, prediction, uncertainty and absolute error")
                    .alt("Maps of both surveys"),
            ),
    );
    report = report.section(
        Section::new("Learning")
            .figure(
                Illustration::svg(&learning(surveys)?)
                    .caption("Error against soundings")
                    .alt("Error curves of both surveys"),
            )
            .figure(
                Illustration::svg(&calibration(surveys)?)
                    .caption("Where the truth lies in the predicted distribution: flat is honest")
                    .alt("Histogram of predicted probabilities of the truth"),
            ),
    );
    report = report.section(
        Section::new("The terrain").figure(
            Illustration::png(&relief, 2.0)?
                .caption("Public-domain SRTM elevations, at the paper's scale")
                .alt("The terrain in perspective"),
        ),
    );
    Ok(report.to_html())
}

/// Rows of the table: a name, the number per survey, whether smaller is better.
fn rows(survey: &Survey) -> Vec<(&'static str, String)> {
    let Some(e) = survey.result() else {
        return Vec::new();
    };
    vec![
        ("Soundings", survey.spent.soundings.to_string()),
        ("Distance", format!("{:.0} m", survey.spent.distance_m)),
        ("RMSE", format!("{:.1} m", e.rmse)),
        ("SMSE", format!("{:.3}", e.smse)),
        ("MSLL", format!("{:.2}", e.msll)),
        (
            "Inside 95 % intervals",
            format!("{:.1} %", 100.0 * e.calibration.coverage_95),
        ),
        (
            "Inside 50 % intervals",
            format!("{:.1} %", 100.0 * e.calibration.coverage_50),
        ),
    ]
}

/// The comparison as lines of text.
#[must_use]
pub fn text(surveys: &[Survey; 2]) -> String {
    let [ours, theirs] = surveys.each_ref().map(rows);
    let mut text = format!("{:24}{:>12}{:>12}\n", "", surveys[0].name, surveys[1].name);
    for ((name, ours), (_, theirs)) in ours.iter().zip(&theirs) {
        text.push_str(&format!("{name:24}{ours:>12}{theirs:>12}\n"));
    }
    text
}

fn comparison(surveys: &[Survey; 2]) -> PageTable {
    let mut table = PageTable::new(["", "Adaptive", "Lawnmower"]);
    let [ours, theirs] = surveys.each_ref().map(rows);
    for ((name, ours), (_, theirs)) in ours.into_iter().zip(theirs) {
        table = table.row([Cell::text(name), Cell::number(&ours), Cell::number(&theirs)]);
    }
    table
}

fn maps(terrain: &Terrain, surveys: &[Survey; 2]) -> Result<Figure> {
    let extent = Extent::new(-HALF, HALF, -HALF, HALF)?;
    let lookup = MissionSettings::default().sensor.lookup;
    let at = |i: usize| Position::new(place(i % SIDE), place(i / SIDE));
    let truth: Vec<f64> = (0..SIDE * SIDE)
        .map(|i| terrain.value(at(i), lookup).unwrap_or(f64::NAN))
        .collect();
    let errors = surveys.each_ref().map(|survey| -> Vec<f64> {
        survey
            .map
            .mean
            .iter()
            .zip(&truth)
            .map(|(mean, truth)| (mean - truth).abs())
            .collect()
    });
    let heights = ColorScale::covering(ColorMap::Terrain, &[&truth]).label("Elevation", "m");
    let error_scale =
        ColorScale::covering(ColorMap::Cividis, &[&errors[0], &errors[1]]).label("Error", "m");
    let stds = [&surveys[0].map.std[..], &surveys[1].map.std[..]];
    let std_scale = ColorScale::covering(ColorMap::Viridis, &stds).label("Std", "m");
    let mut figure = Figure::new("")
        .columns(4)
        .row_labels(["Adaptive", "Lawnmower"]);
    for (survey, error) in surveys.iter().zip(&errors) {
        let map = |values: &[f64], scale: &ColorScale, title: &str| -> Result<Heatmap> {
            let grid = Grid::new(values, SIDE, extent)?;
            Ok(Heatmap::new(&grid, scale.clone()).title(title).width(220.0))
        };
        figure = figure
            .panel(map(&truth, &heights, "Truth and path")?.path(&survey.path))
            .panel(map(&survey.map.mean, &heights, "Prediction")?)
            .panel(map(&survey.map.std, &std_scale, "Uncertainty")?.samples(&survey.path))
            .panel(map(error, &error_scale, "Error")?);
    }
    Ok(figure)
}

fn learning(surveys: &[Survey; 2]) -> Result<Figure> {
    let mut lines =
        Lines::new(Axis::new("Soundings"), Axis::new("RMSE").unit("m")).size(420.0, 260.0);
    for survey in surveys {
        let x: Vec<f64> = survey.curve.iter().map(|e| e.samples as f64).collect();
        let y: Vec<f64> = survey.curve.iter().map(|e| e.rmse).collect();
        lines = lines.series(Series::new(survey.name, &x, &y)?);
    }
    Ok(Figure::new("Error against soundings").panel(lines))
}

fn calibration(surveys: &[Survey; 2]) -> Result<Figure> {
    let edges: Vec<f64> = (0..=10).map(|i| f64::from(i) / 10.0).collect();
    let mut figure = Figure::new("Calibration").columns(2);
    for survey in surveys {
        let Some(e) = survey.result() else { continue };
        let total: u64 = e.calibration.pit_histogram.iter().sum();
        let heights: Vec<f64> = e
            .calibration
            .pit_histogram
            .iter()
            .map(|count| 10.0 * *count as f64 / total.max(1) as f64)
            .collect();
        let bars = Bars::new("Predicted probability", "Density", &edges, &heights)?
            .reference(1.0, "Perfectly calibrated")
            .title(survey.name);
        figure = figure.panel(bars);
    }
    Ok(figure)
}

fn relief(terrain: &Terrain) -> Result<Figure> {
    let e = terrain.extent();
    let extent = Extent::new(e.xmin(), e.xmax(), e.ymin(), e.ymax())?;
    let grid = Grid::new(terrain.values(), terrain.columns(), extent)?;
    let scale =
        ColorScale::covering(ColorMap::Terrain, &[terrain.values()]).label("Elevation", "m");
    Ok(Figure::new("").panel(Surface3d::new(&grid, scale)))
}
