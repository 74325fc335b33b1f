//! Soundings in, maps out: logs become a GeoTIFF with uncertainty, contours, water by level, a picture and a page.
//!
//! ```text
//!  logs ──> soundings ──> one per place ──> + shore ──> transect::map ──> clipped to the area
//!       ──> MAP.tif, MAP.contours.{geojson,dxf}, MAP.gpkg, MAP.storage.csv, MAP.flagged.csv, MAP.png, MAP.html
//! ```
//!
//! | file | what |
//! |---|---|
//! | `outlook` | what it will take |
//! | `reach` | which cells are mapped |
//! | `picture`, `page` | what people look at |
//! | `mission` | the map of a mission's model, which is another matter |

mod mission;
mod outlook;
mod page;
mod picture;
mod reach;

pub use mission::MissionMap;
pub use outlook::Outlook;

use crate::error::{Result, SurveyError};
use crate::products::{
    Crossings, Order, Storage, Surfaces, Track, crossings, order_reached, storage,
};
use crate::soundings::{Log, LogRequest, Reason, flagged_csv};
use std::path::{Path, PathBuf};
use transect::geometry::Rect;
use transect::map::{Evidence, Map, MapArea, MapError, MapSettings, make_map_of};
use transect::settings::SettingError;
use transect_io::area::Regions;
use transect_io::atomic::{self, Existing};
use transect_io::contours::{Contour, contours, geojson, suitable_interval};
use transect_io::dxf::dxf;
use transect_io::geopackage::{Feature, Layer, geopackage};
use transect_io::soundings::Quantity;
use transect_io::{Crs, IoError, Raster, geotiff};

/// Most soundings along a shore: more would outnumber those of the boat.
const MOST_SHORE: f64 = 1000.0;
/// Share of the time that the model takes; the rest goes into contours, water by level, pictures and files.
const MODEL_SHARE: f64 = 0.95;
/// Surfaces drawn for the intervals of areas and volumes: ten of them are outside on either side.
const DRAWS: usize = 400;
/// The moment in a GeoPackage's table of contents: the same soundings give the same bytes.
const NO_DATE: &str = "1970-01-01T00:00:00.000Z";

/// What is to be mapped, and how.
#[derive(Debug, Clone)]
pub struct MapRequest {
    /// The logs.
    pub log: LogRequest,
    /// What the map is clipped to: a file of polygons.
    pub area: Option<PathBuf>,
    /// The value along the area's outlines, which then counts as measured: 0 for depths.
    pub shore: Option<f64>,
    /// How far from soundings cells are mapped, m; without it, as the survey's lines are apart.
    pub reach_m: Option<f64>,
    /// Value between contours; without one, it suits the map.
    pub interval: Option<f64>,
    /// The GeoTIFF to write; the others get its name with other endings.
    pub out: PathBuf,
    /// Whether files that are there may be replaced.
    pub existing: Existing,
    /// The map itself.
    pub settings: MapSettings,
}

/// What became of a request.
#[derive(Debug, Clone)]
pub struct MapOutcome {
    /// The logs.
    pub log: Log,
    /// Rows that repeated another.
    pub repeated: usize,
    /// Rows averaged with another of the same place.
    pub averaged: usize,
    /// Places the map is made from, without the shore.
    pub places: usize,
    /// Places along the shore.
    pub shore: usize,
    /// Area inside the outlines, m².
    pub area_m2: Option<f64>,
    /// Names of the kernels whose predictions were pooled.
    pub kernels: Vec<String>,
    /// The map.
    pub map: Map,
    /// Value between contours; none where the map is flat.
    pub interval: Option<f64>,
    /// How many contour lines there are.
    pub contours: usize,
    /// What it was thought to take.
    pub outlook: Outlook,
    /// Soundings that have nothing to do with those around them, the worst first: x, y (as in the file) and value.
    pub suspicious: Vec<[f64; 3]>,
    /// Whether the map was made without these.
    pub ignored: bool,
    /// Water by level; none if the values are neither depths nor heights.
    pub storage: Option<Storage>,
    /// What the track says about itself.
    pub crossings: Crossings,
    /// Orders of IHO S-44, and the one reached; empty if the values are neither depths nor heights.
    pub orders: (Vec<Order>, Option<&'static str>),
    /// The files written, the GeoTIFF first.
    pub files: Vec<PathBuf>,
}

/// What pictures show.
struct Drawn<'a> {
    map: &'a Map,
    places: &'a [[f64; 2]],
    quantity: Quantity,
    name: &'a str,
    crs: Crs,
    area: Option<&'a Regions>,
}

/// What is told on the way.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum News {
    /// What it will take.
    Begins(Outlook),
    /// How much is done, in [0, 1].
    Done(f64),
}

/// Makes the map and writes its files; `watch` hears what it will take and how much is done, from any thread.
///
/// # Errors
/// If the soundings cannot be read or mapped, or a file is there already or cannot be written.
pub fn map(request: &MapRequest, watch: &(dyn Fn(News) + Sync)) -> Result<MapOutcome> {
    let files = Files::beside(&request.out)?;
    if request.existing == Existing::Keep
        && let Some(path) = files.all().into_iter().find(|path| path.exists())
    {
        return Err(IoError::Exists { path }.into());
    }
    let first = request.log.files.first().cloned().unwrap_or_default();
    let refuse = |reason: String| SurveyError::from(IoError::content(&first)(reason));
    let mut log = request.log.prepare()?;
    let crs = log.located.crs;
    let area = open_area(request, crs)?;
    let kept = log.kept();
    let merged = {
        let mut used = log.soundings.clone();
        used.places = kept.iter().map(|i| log.located.metres[*i]).collect();
        used.values = kept.iter().map(|i| log.soundings.values[*i]).collect();
        used.merged()
    };
    let measured = merged.places.len();
    let (mut places, mut values) = (merged.places, merged.values);
    let shore = shore_places(request, area.as_ref(), &places)?;
    places.extend(&shore);
    values.extend(shore.iter().map(|_| request.shore.unwrap_or_default()));
    let mut settings = request.settings.clone();
    // What is within a reach that somebody asked for is mapped as a whole.
    settings.fill |= request.reach_m.is_some();
    let refused = |error: transect::Error| match is_of_the_request(&error) {
        true => refuse(error.to_string()),
        false => error.into(),
    };
    let contains = |at: [f64; 2]| area.as_ref().is_some_and(|area| area.contains(at));
    let bounds = area.as_ref().map(bounds).transpose()?;
    let outlook = Outlook::of(&places, bounds, &settings).map_err(refused)?;
    watch(News::Begins(outlook));
    outlook.require(outlook::free_bytes())?;
    let evidence = Evidence {
        places: &places,
        values: &values,
        given: shore.len(),
        area: bounds.map(|bounds| MapArea {
            bounds,
            contains: &contains,
        }),
        draws: DRAWS,
    };
    let made = make_map_of(&evidence, &settings, &|share| {
        watch(News::Done(MODEL_SHARE * share));
    });
    let mut map = made.map_err(refused)?;
    if let Some(reach_m) = request.reach_m {
        reach::cut(&mut map, &places, reach_m);
    }
    let suspicious: Vec<usize> = map
        .quality
        .suspicious
        .iter()
        .filter(|i| **i < measured)
        .map(|i| kept[merged.first[*i]])
        .collect();
    if settings.ignore_outliers {
        log.flag(suspicious.iter().copied(), Reason::Misfit);
        log.flags.sort_by_key(|flag| flag.index);
    }
    let quantity = log.soundings.quantity;
    let storage = storage(&Surfaces {
        mean: &map.mean,
        std: &map.std,
        cell_m2: map.grid.cell_m * map.grid.cell_m,
        quantity,
        shore: request.shore,
        draws: map.draws.count(),
        deviation: &|draw, cell| map.draws.deviation(draw, cell),
    });
    let used = log.kept();
    let track = |i: &usize| {
        (
            log.located.metres[*i],
            log.soundings.values[*i],
            log.soundings.sources[*i],
        )
    };
    let (at, (read, sources)): (Vec<_>, (Vec<_>, Vec<_>)) =
        used.iter().map(track).map(|(a, b, c)| (a, (b, c))).unzip();
    let crossings = crossings(Track {
        places: &at,
        values: &read,
        sources: &sources,
    });
    let orders = match quantity {
        Quantity::Other => (Vec::new(), None),
        _ => order_reached(&map.mean, &map.std),
    };
    let raster = |values: &[f64]| {
        let grid = &map.grid;
        Raster::from_south_up(values, grid.rows, grid.columns, grid.extent, crs)
    };
    let (mean, std) = (raster(&map.mean)?, raster(&map.std)?);
    let interval = request.interval.or_else(|| suitable_interval(&mean));
    let lines = match interval {
        Some(interval) => contours(&mean, interval).map_err(SurveyError::Request)?,
        None => Vec::new(),
    };
    let suspicious = suspicious.iter().map(|i| {
        let [x, y] = log.soundings.places[*i];
        [x, y, log.soundings.values[*i]]
    });
    let outcome = MapOutcome {
        repeated: merged.repeated,
        averaged: merged.averaged,
        places: measured,
        shore: shore.len(),
        area_m2: area.as_ref().map(Regions::area),
        kernels: map.kernels.clone(),
        suspicious: suspicious.collect(),
        ignored: settings.ignore_outliers,
        interval,
        contours: lines.len(),
        outlook,
        storage,
        crossings,
        orders,
        files: files.all(),
        log,
        map,
    };
    let drawn = Drawn {
        map: &outcome.map,
        places: &places[..measured],
        quantity,
        name: &outcome.log.soundings.names[2],
        crs,
        area: area.as_ref(),
    };
    let convention = quantity.convention();
    let spread = if quantity == Quantity::Other {
        ""
    } else {
        "one standard deviation, in metres"
    };
    let bands = [
        ("mean", convention, &mean),
        ("standard deviation", spread, &std),
    ];
    let bands = bands.map(|(name, meaning, raster)| geotiff::Band {
        name,
        meaning,
        raster,
    });
    geotiff::write(&files.map, &bands, request.existing)?;
    let write = |path: &Path, bytes: &[u8]| atomic::write(path, bytes, request.existing);
    write(&files.contours, geojson(&lines, crs).as_bytes())?;
    write(
        &files.drawing,
        dxf(&lines, quantity == Quantity::Depth).as_bytes(),
    )?;
    let package = geopackage(&layers(&lines, area.as_ref()), crs, NO_DATE);
    write(&files.package, &package.map_err(SurveyError::Request)?)?;
    let table = outcome
        .storage
        .as_ref()
        .map(|storage| storage.to_csv(quantity));
    write(&files.storage, table.unwrap_or_default().as_bytes())?;
    write(&files.flagged, flagged_csv(&outcome.log).as_bytes())?;
    write(&files.picture, &picture::draw(&drawn)?)?;
    write(&files.page, page::html(&outcome, &drawn)?.as_bytes())?;
    Ok(outcome)
}

/// The area in the map's coordinates.
fn open_area(request: &MapRequest, crs: Crs) -> Result<Option<Regions>> {
    let Some(path) = &request.area else {
        if request.shore.is_some() {
            return Err(SurveyError::Request(
                "--shore-depth needs --area: the shore is its outline".into(),
            ));
        }
        return Ok(None);
    };
    let regions = Regions::read(path)?
        .place(crs)
        .map_err(IoError::content(path))?;
    Ok(Some(regions))
}

/// The rectangle around outlines, m.
fn bounds(area: &Regions) -> Result<Rect> {
    let corners = || area.rings.iter().flatten();
    let least = |axis: usize| corners().map(|at| at[axis]).fold(f64::INFINITY, f64::min);
    let most = |axis: usize| {
        let all = corners().map(|at| at[axis]);
        all.fold(f64::NEG_INFINITY, f64::max)
    };
    Ok(Rect::new(least(0), most(0), least(1), most(1))?)
}

/// Places along the shore, about as far apart as soundings follow each other.
fn shore_places(
    request: &MapRequest,
    area: Option<&Regions>,
    places: &[[f64; 2]],
) -> Result<Vec<[f64; 2]>> {
    let (Some(area), Some(depth)) = (area, request.shore) else {
        return Ok(Vec::new());
    };
    if !depth.is_finite() {
        return Err(SurveyError::Request(format!(
            "--shore-depth is {depth}: a number is needed"
        )));
    }
    let mut steps: Vec<f64> = places
        .windows(2)
        .map(|p| (p[1][0] - p[0][0]).hypot(p[1][1] - p[0][1]))
        .collect();
    steps.sort_unstable_by(f64::total_cmp);
    let usual = steps.get(steps.len() / 2).copied().unwrap_or(1.0);
    Ok(area.shore(usual.max(area.perimeter() / MOST_SHORE)))
}

fn layers(lines: &[Contour], area: Option<&Regions>) -> Vec<Layer> {
    let line = |contour: &Contour| Feature {
        value: Some(contour.level),
        parts: vec![contour.line.iter().map(|at| [at.x, at.y]).collect()],
    };
    let mut layers = vec![Layer {
        name: "contours",
        polygons: false,
        features: lines.iter().map(line).collect(),
    }];
    if let Some(area) = area {
        let closed = |ring: &Vec<[f64; 2]>| [ring.as_slice(), &ring[..1]].concat();
        layers.push(Layer {
            name: "area",
            polygons: true,
            features: area
                .polygons()
                .iter()
                .map(|rings| Feature {
                    value: None,
                    parts: rings.iter().map(closed).collect(),
                })
                .collect(),
        });
    }
    layers
}

/// `lake.tif` goes with `lake.contours.geojson`, `lake.png` and so on.
struct Files {
    map: PathBuf,
    contours: PathBuf,
    drawing: PathBuf,
    package: PathBuf,
    storage: PathBuf,
    flagged: PathBuf,
    picture: PathBuf,
    page: PathBuf,
}

impl Files {
    fn beside(out: &Path) -> Result<Self> {
        let ending = out.extension().map(|e| e.to_ascii_lowercase());
        if !ending.is_some_and(|ending| ending == "tif" || ending == "tiff") {
            return Err(SurveyError::Request(format!(
                "--out is `{}`: a map is a GeoTIFF, so its name must end in .tif",
                out.display()
            )));
        }
        let ended = |ending: &str| out.with_extension(ending);
        Ok(Self {
            map: out.to_owned(),
            contours: ended("contours.geojson"),
            drawing: ended("contours.dxf"),
            package: ended("gpkg"),
            storage: ended("storage.csv"),
            flagged: ended("flagged.csv"),
            picture: ended("png"),
            page: ended("report.html"),
        })
    }

    fn all(&self) -> Vec<PathBuf> {
        let Self {
            map,
            contours,
            drawing,
            package,
            storage,
            flagged,
            picture,
            page,
        } = self;
        [
            map, contours, drawing, package, storage, flagged, picture, page,
        ]
        .map(PathBuf::clone)
        .to_vec()
    }
}

/// Whether other soundings or settings would help, rather than other numerics.
fn is_of_the_request(error: &transect::Error) -> bool {
    use transect::Error;
    matches!(
        error,
        Error::Map(MapError::TooFewSoundings { .. })
            | Error::Map(MapError::OnePlace)
            | Error::Map(MapError::NothingInside)
            | Error::Map(MapError::TooManyCells { .. })
            | Error::Setting(SettingError::OutOfRange { .. })
            | Error::Setting(SettingError::UnknownName { .. })
    )
}
