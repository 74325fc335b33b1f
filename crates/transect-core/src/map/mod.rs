//! A map with uncertainty from soundings that already exist.
//!
//! ```text
//!  soundings ──> grid (cells, and which of them are mapped)
//!           └──> one exact model, or a nearest-neighbour one of many soundings ──> mean, std per cell
//! ```
//!
//! | file | what |
//! |---|---|
//! | `grid` | cell size, extent, and which cells are near enough to soundings to be mapped |
//! | `training` | learning the kernels' parameters from a data set that stays as it is |
//! | `exact` | one model of all soundings |
//! | `nearest` | a nearest-neighbour model of many soundings |
//! | `track` | bad pings (of `transect soundings` and of missions too), and means of pings along a track |
//! | `passes` | pieces of track that contradict the others |
//! | `bank` | how the bed falls away from a shore whose depth is given |
//! | `draws` | surfaces that the map takes for possible, for totals |
//! | `pooling` | one prediction from several processes, with error bars that hold |
//! | `quality` | what the soundings say about the map: each predicted without itself |
//!
//! Exact models are those of missions ([`crate::surrogate`]). Either is a committee of kernels, with error bars as wide as the errors of left-out soundings say.
//!
//! ```
//! use transect::map::{MapSettings, make_map};
//! let places: Vec<[f64; 2]> = (0..100).map(|i| [f64::from(i % 10), f64::from(i / 10)]).collect();
//! let depths: Vec<f64> = places.iter().map(|[x, y]| (0.5 * x).sin() + 0.1 * y).collect();
//! let map = make_map(&places, &depths, &MapSettings::default(), &|_share| ())?;
//! let (row, column) = map.grid.cell_at([4.6, 4.4]).unwrap();
//! let [x, y] = map.grid.centre(row, column);
//! let there = row * map.grid.columns + column;
//! assert!((map.mean[there] - (0.5 * x).sin() - 0.1 * y).abs() < 0.05);
//! assert!(map.quality.rmse < 0.05);
//! # Ok::<(), transect::Error>(())
//! ```

mod bank;
mod draws;
mod error;
mod exact;
mod grid;
mod index;
mod nearest;
mod passes;
mod pooling;
mod quality;
pub(crate) mod track;
mod training;

pub use bank::Bank;
pub use draws::Draws;
pub use error::MapError;
pub use grid::MapGrid;
pub use quality::Quality;
pub use track::{bad_pings, rounding};

use crate::Error;
use crate::geometry::Rect;
use crate::metrics::MetricError;
use crate::posterior::Standing;
use crate::settings::{KernelChoice, MissionSettings};
use index::Index;

/// The fewest places a map can be made from.
const FEWEST: usize = 3;
/// Multiplications that two cores do in about ten seconds, where no outliers are found: 3,000 soundings of `jacksboro` took 8 s.
const EXACT_WORK: f64 = 1e12;
/// How often a model of all soundings is turned round to judge it by its errors.
const INVERSIONS: usize = 4;
/// How far beyond the range of soundings a map may go, in shares of it.
const BEYOND: f64 = 0.05;

/// How a map is made.
#[derive(Debug, Clone, PartialEq)]
pub struct MapSettings {
    /// Side of a cell, m; without one, about half the distance between neighbouring soundings.
    pub cell_m: Option<f64>,
    /// Map every cell of the bounding rectangle, however far from soundings.
    pub fill: bool,
    /// Kernels of the models whose predictions are pooled, at least one. Where there are fewer soundings than a kernel has parameters, it must earn its
    /// place.
    pub kernels: Vec<KernelChoice>,
    /// Most multiplications for which one exact model of all soundings is made; beyond, a nearest-neighbour model.
    pub exact_work: f64,
    /// Has soundings that have nothing to do with those around them count for nothing. They are told of in any case.
    pub ignore_outliers: bool,
    /// Decides the first weights of networks and what training looks at.
    pub seed: u64,
}

impl Default for MapSettings {
    /// Cell size by the data, only near soundings, without outliers, exact up to about ten seconds.
    fn default() -> Self {
        // Chosen on soundings of `jacksboro`, where it predicts left-out ones better than the paper's bases. A mission's
        // kernel is chosen for data that are still coming in.
        let attentive = KernelChoice::named("ak")
            .with("base", "matern32")
            .with("components", 6)
            .with("min_lengthscale", 0.02)
            .with("max_lengthscale", 1.0);
        // A rough companion keeps the attentive kernel from being too sure of itself between tracks.
        let companions = MissionSettings::default().companions;
        Self {
            cell_m: None,
            fill: false,
            kernels: [vec![attentive], companions].concat(),
            exact_work: EXACT_WORK,
            ignore_outliers: true,
            seed: 0,
        }
    }
}

impl MapSettings {
    /// Whether one exact model is made of this many soundings for this many cells.
    #[must_use]
    pub fn is_exact(&self, soundings: usize, cells: usize) -> bool {
        let each = (soundings as f64).powi(2) * (INVERSIONS * soundings + cells) as f64;
        self.kernels.len() as f64 * each <= self.exact_work
    }
}

/// What a map is made from.
#[derive(Clone, Copy)]
pub struct Evidence<'a> {
    /// Where the values are, m; no place twice.
    pub places: &'a [[f64; 2]],
    /// Values there.
    pub values: &'a [f64],
    /// How many of the last were given rather than measured, such as the depth along a shore: error bars are not judged by them, and the surface is
    /// taken to depart from them as the soundings say.
    pub given: usize,
    /// What is mapped as a whole, instead of what is near soundings.
    pub area: Option<MapArea<'a>>,
    /// Surfaces to draw, for totals.
    pub draws: usize,
}

/// An area to be mapped.
#[derive(Clone, Copy)]
pub struct MapArea<'a> {
    /// A rectangle around it, m.
    pub bounds: Rect,
    /// Whether a place is inside.
    pub contains: &'a (dyn Fn([f64; 2]) -> bool + Sync),
}

impl<'a> Evidence<'a> {
    /// Values measured at places.
    #[must_use]
    pub fn measured(places: &'a [[f64; 2]], values: &'a [f64]) -> Self {
        Self {
            places,
            values,
            given: 0,
            area: None,
            draws: 0,
        }
    }

    /// The cells, and which of them are mapped.
    fn grid(
        &self,
        settings: &MapSettings,
        index: &Index<'_>,
    ) -> Result<(MapGrid, Vec<bool>), Error> {
        let bounds = self.area.map(|area| area.bounds);
        let grid = MapGrid::over(self.places, bounds, settings.cell_m)?;
        let mapped = match self.area {
            Some(area) => (0..grid.cells())
                .map(|cell| (area.contains)(grid.centre(cell / grid.columns, cell % grid.columns)))
                .collect(),
            None if settings.fill => vec![true; grid.cells()],
            None => grid.near(self.places, index),
        };
        if !mapped.contains(&true) {
            return Err(MapError::NothingInside.into());
        }
        Ok((grid, mapped))
    }
}

/// How the soundings were used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// One model of all of them.
    Exact,
    /// Each cell from the soundings that say most about it.
    Nearest {
        /// Means of soundings along the track that the model has.
        points: usize,
    },
}

/// Mean and standard deviation of the surface, cell by cell.
#[derive(Debug, Clone)]
pub struct Map {
    /// Where the cells are.
    pub grid: MapGrid,
    /// The expected surface; NaN where a cell is not mapped. Row by row, the southernmost first.
    pub mean: Vec<f64>,
    /// Standard deviation of the surface itself, without the noise of readings; NaN like the mean.
    pub std: Vec<f64>,
    /// How the soundings were used.
    pub method: Method,
    /// How many soundings the kernels were trained on.
    pub trained_on: usize,
    /// Names of the kernels that were used.
    pub kernels: Vec<String>,
    /// Standard deviations of the noise that the kernels see in readings, the least and the most, in their unit. What one takes for noise and
    /// another can explain counts as surface.
    pub noise_stds: [f64; 2],
    /// How well each sounding is predicted by the others.
    pub quality: Quality,
    /// Surfaces that are possible, as many as were asked for.
    pub draws: Draws,
    /// How the surface departs from what was given; none where nothing was, or soundings do not bear it out.
    pub bank: Option<Bank>,
    /// Share of the area that is farther from what was measured than four times the usual distance; 0 where no area was asked for.
    pub far_share: f64,
}

impl Map {
    /// Root mean square of the standard deviations of the cells that are mapped: what the map says its own error is. On a
    /// dense track it is far more than what leaving out single soundings shows.
    #[must_use]
    pub fn expected_error(&self) -> f64 {
        let squares = self.std.iter().filter(|std| std.is_finite());
        let (sum, count) = squares.fold((0.0, 0), |(sum, count), std| (sum + std * std, count + 1));
        (sum / f64::from(count)).sqrt()
    }
}

/// The cells that a map of soundings at `places` (m), or of an area within `bounds`, will have.
///
/// # Errors
/// If there are too few places, numbers that are not finite, or too many cells.
pub fn grid_of(
    places: &[[f64; 2]],
    bounds: Option<Rect>,
    settings: &MapSettings,
) -> Result<MapGrid, Error> {
    require_places(places)?;
    MapGrid::over(places, bounds, settings.cell_m)
}

fn require_places(places: &[[f64; 2]]) -> Result<(), Error> {
    if places.len() < FEWEST {
        return Err(MapError::TooFewSoundings {
            got: places.len(),
            needed: FEWEST,
        }
        .into());
    }
    require_finite("place", places.as_flattened())
}

/// Makes a map of `values` measured at `places` (m); no place may occur twice. `watch` hears how much is
/// done, in [0, 1], from any thread.
///
/// # Errors
/// If there are too few places, numbers that are not finite, too many cells, or numbers with which the
/// engine cannot work.
pub fn make_map(
    places: &[[f64; 2]],
    values: &[f64],
    settings: &MapSettings,
    watch: &(dyn Fn(f64) + Sync),
) -> Result<Map, Error> {
    make_map_of(&Evidence::measured(places, values), settings, watch)
}

/// As [`make_map`], of an area, with values that were not measured, or with surfaces drawn.
///
/// # Errors
/// As [`make_map`], and if the area holds no cell.
pub fn make_map_of(
    evidence: &Evidence<'_>,
    settings: &MapSettings,
    watch: &(dyn Fn(f64) + Sync),
) -> Result<Map, Error> {
    let (places, values) = (evidence.places, evidence.values);
    if places.len() != values.len() {
        return Err(MetricError::LengthMismatch {
            what: "places",
            expected: values.len(),
            got: places.len(),
        }
        .into());
    }
    require_places(places)?;
    require_finite("value", values)?;
    let index = Index::new(places);
    let (grid, mapped) = evidence.grid(settings, &index)?;
    let cells = (&grid, &mapped[..]);
    let measured = places.len() - evidence.given.min(places.len());
    let shore = Index::new(&places[measured..]);
    let bank = Bank::fit(places, values, &shore, evidence.given);
    let departures: Vec<f64> = match &bank {
        Some(bank) => (places.iter().zip(values))
            .map(|(place, value)| value - bank.at(shore.distance(*place)))
            .collect(),
        None => values.to_vec(),
    };
    let evidence = &Evidence {
        values: &departures,
        ..*evidence
    };
    let made = if settings.is_exact(places.len(), grid.cells()) {
        exact::predict(settings, evidence, &index, cells, watch)?
    } else {
        nearest::predict(settings, evidence, cells, watch)?
    };
    let mut surface = made.surface;
    if let Some(bank) = &bank {
        let good = (values.iter().zip(&surface.suspicious)).filter(|(_, suspicious)| !**suspicious);
        let (low, high) = range_of_map(good.map(|(value, _)| *value));
        for (cell, mean) in surface.mean.iter_mut().enumerate() {
            let centre = grid.centre(cell / grid.columns, cell % grid.columns);
            *mean = (*mean + bank.at(shore.distance(centre))).clamp(low, high);
        }
    }
    for (cell, is_mapped) in mapped.iter().enumerate() {
        if !is_mapped {
            (surface.mean[cell], surface.std[cell]) = (f64::NAN, f64::NAN);
        }
    }
    let far_share = match evidence.area {
        Some(_) => grid.far_share(&places[..measured], &mapped),
        None => 0.0,
    };
    Ok(Map {
        grid,
        far_share,
        quality: Quality::of(&surface, &departures, settings.ignore_outliers),
        mean: surface.mean,
        std: surface.std,
        method: made.method,
        trained_on: made.trained_on,
        kernels: made.kernels,
        noise_stds: made.noise_stds,
        draws: made.draws,
        bank,
    })
}

/// What a map of these soundings may reach from and to.
fn range_of_map(values: impl Iterator<Item = f64>) -> (f64, f64) {
    let range = (f64::INFINITY, f64::NEG_INFINITY);
    let (low, high) = values.fold(range, |(low, high), v| (low.min(v), high.max(v)));
    let more = BEYOND * (high - low);
    (low - more, high + more)
}

/// What a method of prediction hands back.
struct Made {
    surface: Surface,
    draws: Draws,
    method: Method,
    trained_on: usize,
    noise_stds: [f64; 2],
    kernels: Vec<String>,
}

/// The cells, and what soundings say about them.
struct Surface {
    mean: Vec<f64>,
    std: Vec<f64>,
    /// Soundings predicted without themselves; none for those that were not looked at.
    left_out: Vec<Option<Standing>>,
    /// Which soundings are outliers.
    suspicious: Vec<bool>,
    /// As in [`Quality`].
    coverage_apart: f64,
}

fn require_finite(what: &'static str, numbers: &[f64]) -> Result<(), Error> {
    match numbers.iter().position(|number| !number.is_finite()) {
        None => Ok(()),
        Some(index) => Err(Error::Metric(MetricError::BadValue {
            what,
            index,
            value: numbers[index],
            accepted: "a finite number is needed",
        })),
    }
}
