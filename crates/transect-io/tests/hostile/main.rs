//! No bytes make a reader panic, hang or take much memory: damaged and hostile files of every format.
//!
//! The short tests run with all others. The long ones take each reader for some time and watch the memory; a file
//! that one of them stumbles over is kept, and its path is printed:
//!
//! ```text
//! FUZZ_SECONDS=600 cargo test --release -p transect-io --test hostile -- --ignored --nocapture --test-threads 1
//! ```

mod bombs;
mod damage;
mod drawings;
mod long;
mod samples;

use damage::damage;
use drawings::drawing;
use proptest::prelude::*;
use samples::{READERS, Sample, samples};
use std::path::Path;
use transect::fence::{Fence, Guard};
use transect::geometry::Position;
use transect_io::area::{Area, Format, Regions};
use transect_io::soundings::{self, Columns, LevelTable, Unit};
use transect_io::{Crs, terrain};

/// Kept from the shore, m.
const MARGIN_M: f64 = 2.0;

/// Reads a file as the reader of its sample does.
fn read(name: &str, bytes: &[u8]) -> Result<(), String> {
    if let Some(format) = Format::of(Path::new(name)) {
        fence_in(&Area::parse(format, bytes)?)?;
    } else if name.starts_with("levels") {
        LevelTable::parse(bytes, Unit::Metre)?;
    } else if name.ends_with(".shp") || name.ends_with(".gpkg") {
        let regions = Regions::parse(name, bytes)?;
        assert!(regions.perimeter() >= 0.0);
        let _ = (regions.contains([7.01, 47.05]), regions.polygons());
    } else if name.starts_with("soundings") {
        let merged = soundings::parse(bytes, &Columns::default())?.merged();
        assert_eq!(merged.places.len(), merged.values.len());
    } else {
        terrain::decode(bytes, name, Crs::Local)?;
    }
    Ok(())
}

/// Does with an area what a mission does.
fn fence_in(area: &Area) -> Result<(), String> {
    let crs = Crs::utm_at(area.middle()).ok_or("near a pole")?;
    let project = |place| {
        let at = crs.position(place).filter(|at: &Position| at.is_finite());
        at.map(<[f64; 2]>::from).ok_or("far away".to_string())
    };
    let polygon = area.in_metres(project)?;
    assert!(polygon.area() > 0.0 && polygon.area().is_finite());
    let corner = polygon.outer()[0];
    let fence = Fence::new(polygon, MARGIN_M, corner).map_err(|refused| refused.to_string())?;
    let guard = Guard::new(fence, corner);
    assert!(guard.fence().area().contains(guard.homeward().home()));
    Ok(())
}

#[test]
fn whole_files_are_read() {
    for Sample { name, bytes } in READERS.into_iter().flat_map(samples) {
        assert_eq!(read(name, &bytes), Ok(()), "{name}");
    }
    let decoded = |name: &str| {
        let mut all = READERS.into_iter().flat_map(samples);
        let sample = all.find(|sample| sample.name == name).unwrap();
        terrain::decode(&sample.bytes, name, Crs::Local).unwrap()
    };
    let heights = decoded("lzw.tif");
    assert_eq!((heights.at(0, 7), heights.at(5, 0)), (7.0, 40.0));
    let luminance = decoded("a.jpg").at(3, 7);
    assert!((luminance - 80.0).abs() < 4.0, "a lossy 80: {luminance}");
    assert!(decoded("a.tif").same_grid(&samples::raster()));
    // ITU-R BT.601 weighs green most: 0.587 of 200.
    assert!((decoded("picture.tif").at(1, 2) - 117.4).abs() < 1e-9);
}

/// Text that is cut off may still be a smaller file; for others there is no excuse.
#[test]
fn files_that_are_cut_off_are_refused() {
    for reader in ["numpy", "srtm", "geotiff", "picture"] {
        for Sample { name, bytes } in samples(reader) {
            let cut = read(name, &bytes[..bytes.len() / 2]);
            assert!(cut.is_err(), "half of {name} was read");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    #[test]
    fn damaged_files_do_not_panic(damage in damage()) {
        for Sample { name, bytes } in READERS.into_iter().flat_map(samples) {
            let _ = read(name, &damage.done_to(bytes));
        }
    }

    #[test]
    fn odd_drawings_do_not_panic(
        geojson in drawing("geojson").unwrap(), kml in drawing("kml").unwrap(), plan in drawing("plan").unwrap(),
    ) {
        let _ = read("lake.geojson", &geojson);
        let _ = read("lake.kml", &kml);
        let _ = read("lake.plan", &plan);
    }

    #[test]
    fn noise_does_not_panic(noise in prop::collection::vec(any::<u8>(), 0..400)) {
        for Sample { name, bytes } in READERS.into_iter().flat_map(samples) {
            // What a file is, is told by its first bytes.
            let start = &bytes[..bytes.len().min(8)];
            let _ = read(name, &[start, &noise].concat());
        }
    }
}
