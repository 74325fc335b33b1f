//! Classic sets of geostatistics against ordinary kriging (R's gstat with a fitted variogram) at the same held-out places: rain in
//! Switzerland (Spatial Interpolation Comparison 1997), gamma dose rates in Germany (2004), cadmium in the soil of the Jura,
//! and the Walker Lake set (Isaaks and Srivastava 1989).

use std::collections::HashSet;
use std::io::Read;
use transect::map::{MapSettings, make_map};

/// How much worse than ordinary kriging a map may be.
const MOST: f64 = 1.02;

struct Set {
    /// Soundings to learn from, and those to predict.
    files: [&'static str; 2],
    columns: [&'static str; 3],
    /// Metres in a unit of the coordinates.
    unit_m: f64,
    cell_m: f64,
    /// Root mean squared error of ordinary kriging.
    kriging: f64,
}

type Row = ([f64; 2], f64);

fn rows(file: &str, columns: [&str; 3], unit_m: f64) -> Vec<Row> {
    let folder = std::env::var("TRANSECT_DATA").expect("TRANSECT_DATA names the data folder");
    let path = format!("{folder}/real/csv/{file}");
    let text = if file.ends_with(".gz") {
        let mut text = String::new();
        flate2::read::GzDecoder::new(std::fs::File::open(path).unwrap())
            .read_to_string(&mut text)
            .unwrap();
        text
    } else {
        std::fs::read_to_string(path).unwrap()
    };
    let mut lines = text.lines();
    let unquoted = |field: &str| field.trim_matches('"').to_string();
    let names: Vec<String> = lines.next().unwrap().split(',').map(unquoted).collect();
    let at = columns.map(|name| names.iter().position(|other| other == name).unwrap());
    lines
        .map(|line| {
            let fields: Vec<&str> = line.split(',').collect();
            let [x, y, value] = at.map(|i| fields[i].parse::<f64>().unwrap());
            ([x * unit_m, y * unit_m], value)
        })
        .collect()
}

/// A map's mean at places, along straight lines between the middles of cells.
fn error_of_map(set: &Set) -> f64 {
    let known = rows(set.files[0], set.columns, set.unit_m);
    let taken: HashSet<[u64; 2]> = known.iter().map(|(at, _)| at.map(f64::to_bits)).collect();
    let places: Vec<[f64; 2]> = known.iter().map(|(at, _)| *at).collect();
    let values: Vec<f64> = known.iter().map(|(_, value)| *value).collect();
    let settings = MapSettings {
        cell_m: Some(set.cell_m),
        fill: true,
        ..MapSettings::default()
    };
    let map = make_map(&places, &values, &settings, &|_| ()).unwrap();
    let grid = &map.grid;
    let (mut squares, mut count) = (0.0, 0.0);
    for (at, value) in rows(set.files[1], set.columns, set.unit_m) {
        if taken.contains(&at.map(f64::to_bits)) {
            continue;
        }
        let step = |from: f64, x: f64, cells: usize| {
            let steps = ((x - from) / grid.cell_m - 0.5).clamp(0.0, (cells - 1) as f64);
            let first = (steps as usize).min(cells - 2);
            (first, steps - first as f64)
        };
        let (column, right) = step(grid.extent.xmin(), at[0], grid.columns);
        let (row, up) = step(grid.extent.ymin(), at[1], grid.rows);
        let mean = |i: usize, j: usize| map.mean[(row + i) * grid.columns + column + j];
        let along = |i: usize| mean(i, 0) + right * (mean(i, 1) - mean(i, 0));
        let predicted = along(0) + up * (along(1) - along(0));
        squares += (predicted - value).powi(2);
        count += 1.0;
    }
    f64::sqrt(squares / count)
}

fn check(set: &Set) {
    let error = error_of_map(set);
    assert!(
        error <= MOST * set.kriging,
        "{error}, kriging {}",
        set.kriging
    );
}

#[test]
#[cfg_attr(not(transect_data), ignore = "set TRANSECT_DATA to the data folder")]
fn rain_in_switzerland() {
    check(&Set {
        files: ["sic_obs.csv", "sic_full.csv"],
        columns: ["X", "Y", "rainfall"],
        unit_m: 1.0,
        cell_m: 2000.0,
        kriging: 55.4,
    });
}

#[test]
#[cfg_attr(not(transect_data), ignore = "set TRANSECT_DATA to the data folder")]
fn gamma_dose_rates_in_germany() {
    check(&Set {
        files: ["sic2004__sic.val.csv", "sic2004__sic.test.csv"],
        columns: ["x", "y", "dayx"],
        unit_m: 1.0,
        cell_m: 3000.0,
        kriging: 12.49,
    });
}

#[test]
#[cfg_attr(not(transect_data), ignore = "set TRANSECT_DATA to the data folder")]
fn cadmium_in_the_jura() {
    check(&Set {
        files: ["jura__jura.pred.csv", "jura__jura.val.csv"],
        columns: ["Xloc", "Yloc", "Cd"],
        unit_m: 1000.0,
        cell_m: 25.0,
        kriging: 0.732,
    });
}

/// 470 samples of V, judged at all others of the exhaustive set.
#[test]
#[cfg_attr(not(transect_data), ignore = "set TRANSECT_DATA to the data folder")]
fn walker_lake() {
    check(&Set {
        files: ["walker.csv", "walker_test.csv.gz"],
        columns: ["X", "Y", "V"],
        unit_m: 1.0,
        cell_m: 1.0,
        kriging: 145.3,
    });
}
