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
mod long;
mod samples;

use damage::damage;
use proptest::prelude::*;
use samples::{READERS, Sample, samples};
use std::path::Path;
use transect_io::area::{Area, Format};
use transect_io::soundings::{self, Columns};
use transect_io::{Crs, terrain};

/// Reads a file as the reader of its sample does.
fn read(name: &str, bytes: &[u8]) -> Result<(), String> {
    if let Some(format) = Format::of(Path::new(name)) {
        let plane = |[lon, lat]: [f64; 2]| Ok([1e5 * lon, 1e5 * lat]);
        Area::parse(format, bytes)?.in_metres(plane)?;
    } else if name.starts_with("soundings") {
        let merged = soundings::parse(bytes, &Columns::default())?.merged();
        assert_eq!(merged.places.len(), merged.values.len());
    } else {
        terrain::decode(bytes, name, Crs::Local)?;
    }
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
    fn noise_does_not_panic(noise in prop::collection::vec(any::<u8>(), 0..400)) {
        for Sample { name, bytes } in READERS.into_iter().flat_map(samples) {
            // What a file is, is told by its first bytes.
            let start = &bytes[..bytes.len().min(8)];
            let _ = read(name, &[start, &noise].concat());
        }
    }
}
