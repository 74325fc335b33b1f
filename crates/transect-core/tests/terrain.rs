//! Terrain lookups against the paper's program and against closed forms.

use transect::Error;
use transect::geometry::{Position, Rect};
use transect::terrain::TerrainError;
use transect::terrain::{Lookup, Terrain};

fn extent(xmin: f64, xmax: f64, ymin: f64, ymax: f64) -> Rect {
    Rect::new(xmin, xmax, ymin, ymax).unwrap()
}

/// Cells hold their row-major index, as `numpy.arange(rows * columns).reshape(rows, columns)`.
fn counting(rows: usize, columns: usize, extent: Rect) -> Terrain {
    let values = (0..rows * columns).map(|i| i as f64).collect();
    Terrain::new(values, rows, columns, extent).unwrap()
}

/// Values that pypolo's GridMap gives for the same grids.
#[test]
fn paper_lookup_reads_the_cells_of_the_papers_program() {
    let coarse = counting(7, 5, extent(-11.0, 11.0, -3.0, 4.0));
    let fine = counting(360, 360, extent(0.0, 1.0, 0.0, 1.0));
    for (terrain, x, y, value) in [
        (&coarse, -11.0, -3.0, 0.0),
        (&coarse, 11.0, 4.0, 34.0),
        (&coarse, -6.6, -2.0, 0.0),
        (&coarse, -6.5998, -1.9999, 6.0),
        (&coarse, -6.5999, -1.9998, 6.0),
        (&coarse, 2.2, 1.0, 17.0),
        (&coarse, 2.2002, 0.99999, 17.0),
        (&coarse, 10.99, 3.999, 34.0),
        (&coarse, 0.0, 0.0, 12.0),
        (&fine, 1.0, 1.0, 125267.0),
        (&fine, 0.5, 0.25, 31133.0),
        (&fine, 0.999, 0.001, 347.0),
        (&fine, 1.0 / 3.0, 2.0 / 3.0, 83275.0),
    ] {
        let at = Position::new(x, y);
        assert_eq!(terrain.value(at, Lookup::PaperNearest), Some(value), "{at}");
    }
}

#[test]
fn nearest_reads_the_cell_the_position_is_in() {
    let terrain = counting(360, 360, extent(0.0, 36.0, 0.0, 36.0));
    for row in 0..360 {
        for column in [0, 1, 179, 358, 359] {
            let at = Position::new(0.1 * (column as f64 + 0.5), 0.1 * (row as f64 + 0.5));
            let value = (360 * row + column) as f64;
            assert_eq!(terrain.value(at, Lookup::Nearest), Some(value));
            assert_eq!(
                terrain.value(at, Lookup::Bilinear).map(f64::round),
                Some(value)
            );
        }
    }
    let far_corner = Position::new(36.0, 36.0);
    assert_eq!(
        terrain.value(far_corner, Lookup::Nearest),
        Some(360.0 * 360.0 - 1.0)
    );
}

#[test]
fn bilinear_reproduces_bilinear_surfaces_between_centres() {
    let surface = |x: f64, y: f64| 3.0 + 2.0 * x - 0.5 * y + 0.25 * x * y;
    let values = (0..8 * 12)
        .map(|i| surface((i % 12) as f64 + 0.5, 2.0 * (i / 12) as f64 + 1.0))
        .collect();
    let terrain = Terrain::new(values, 8, 12, extent(0.0, 12.0, 0.0, 16.0)).unwrap();
    for i in 0..=100 {
        let (x, y) = (0.5 + 0.11 * i as f64, 15.0 - 0.14 * i as f64);
        let value = terrain
            .value(Position::new(x, y), Lookup::Bilinear)
            .unwrap();
        assert!((value - surface(x, y)).abs() < 1e-12, "{x} {y}");
    }
    // Constant beyond the outermost centres.
    let corner = terrain
        .value(Position::new(12.0, 0.0), Lookup::Bilinear)
        .unwrap();
    assert!((corner - surface(11.5, 1.0)).abs() < 1e-12);
}

#[test]
fn outside_and_voids_have_no_value() {
    let v = f64::NAN;
    let values = vec![1.0, 2.0, v, 4.0, 5.0, 6.0];
    let terrain = Terrain::new(values, 2, 3, extent(0.0, 3.0, 0.0, 2.0)).unwrap();
    let value = |x, y, lookup| terrain.value(Position::new(x, y), lookup);
    for lookup in [Lookup::Nearest, Lookup::PaperNearest, Lookup::Bilinear] {
        assert_eq!(value(2.5, 0.5, lookup), None, "void {lookup:?}");
        for (x, y) in [(-0.01, 1.0), (3.01, 1.0), (1.0, 2.01), (f64::NAN, 1.0)] {
            assert_eq!(value(x, y, lookup), None, "{x} {y} {lookup:?}");
        }
    }
    assert_eq!(
        value(1.6, 0.5, Lookup::Bilinear),
        None,
        "the void has a share"
    );
    assert_eq!(
        value(1.5, 0.5, Lookup::Bilinear),
        Some(2.0),
        "the void has none"
    );
}

#[test]
fn rounding_does_not_push_a_reading_off_the_edge() {
    let terrain = counting(2, 2, extent(0.0, 1.0, 0.0, 1.0));
    for lookup in [Lookup::Nearest, Lookup::PaperNearest, Lookup::Bilinear] {
        assert_eq!(
            terrain.value(Position::new(-1e-16, -1e-16), lookup),
            Some(0.0)
        );
        assert_eq!(
            terrain.value(Position::new(1.0 + 1e-15, 1.0), lookup),
            Some(3.0)
        );
    }
}

#[test]
fn summary_is_of_the_valid_cells() {
    let values = vec![2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0, f64::NAN];
    let summary = Terrain::new(values, 3, 3, extent(0.0, 1.0, 0.0, 1.0))
        .unwrap()
        .summary();
    // The textbook series with mean 5 and population standard deviation 2.
    assert_eq!((summary.mean, summary.std), (5.0, 2.0));
    assert_eq!((summary.min, summary.max, summary.voids), (2.0, 9.0, 1));
}

#[test]
fn refuses_what_is_no_terrain() {
    let unit = extent(0.0, 1.0, 0.0, 1.0);
    let refusal =
        |values: Vec<f64>, rows, columns| Terrain::new(values, rows, columns, unit).unwrap_err();
    assert!(matches!(
        refusal(vec![], 0, 4),
        Error::Terrain(TerrainError::Empty { .. })
    ));
    assert!(matches!(
        refusal(vec![1.0; 5], 2, 3),
        Error::Terrain(TerrainError::Size { values: 5, .. })
    ));
    assert!(matches!(
        refusal(vec![], usize::MAX, 2),
        Error::Terrain(TerrainError::Size { .. })
    ));
    assert!(matches!(
        refusal(vec![f64::NAN; 4], 2, 2),
        Error::Terrain(TerrainError::AllVoid { cells: 4 })
    ));
    assert!(matches!(
        refusal(vec![0.0, 1.0, 2.0, f64::INFINITY], 2, 2),
        Error::Terrain(TerrainError::Infinite {
            row: 1,
            column: 1,
            ..
        })
    ));
    let flat = Terrain::new(vec![0.1; 9], 3, 3, unit).unwrap();
    assert!(flat.is_constant());
    assert!(!counting(2, 2, unit).is_constant());
}
