//! The surveyor's desk: real logs of other people, and what the program makes of them; areas, shores, plans.

mod common;

use common::{succeed, text, transect, verdict};
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

/// A file of the reference data.
#[cfg_attr(not(transect_data), allow(dead_code))]
fn real(name: &str) -> PathBuf {
    Path::new(&std::env::var_os("TRANSECT_DATA").unwrap_or_default()).join(name)
}

/// Its lines, whatever their ends and letters.
fn lines_of(name: &str) -> Vec<String> {
    let bytes = fs::read(real(name)).unwrap();
    let bytes = if name.ends_with(".gz") {
        let mut inside = Vec::new();
        flate2::read::MultiGzDecoder::new(&bytes[..])
            .read_to_end(&mut inside)
            .unwrap();
        inside
    } else {
        bytes
    };
    let text: String = bytes.iter().map(|byte| char::from(*byte)).collect();
    text.split(['\r', '\n'])
        .filter(|line| !line.is_empty())
        .map(String::from)
        .collect()
}

/// Runs `transect soundings`; gives the rows of what it wrote as numbers x, y, value and the line, and its report.
fn soundings(name: &str, flags: &str) -> (Vec<[f64; 4]>, serde_json::Value) {
    let folder = tempfile::tempdir().unwrap();
    let mut command = transect();
    command
        .current_dir(folder.path())
        .arg("soundings")
        .arg(real(name));
    command
        .args(flags.split_whitespace())
        .args(["--out", "c.csv", "--json", "--keep-all"]);
    let output = succeed(&mut command);
    let report = serde_json::from_str(&text(&output.stdout)).unwrap();
    let table = fs::read_to_string(folder.path().join("c.csv")).unwrap();
    let row = |line: &str| {
        let cells: Vec<&str> = line.split(',').collect();
        [0, 1, 2, 5].map(|k| cells[k].parse::<f64>().unwrap())
    };
    (table.lines().skip(1).map(row).collect(), report)
}

/// Every so many rows of the file, ten in all, are found where and as the file has them: `read` takes x, y and value of a line.
#[track_caller]
fn assert_ten(name: &str, flags: &str, read: impl Fn(&[&str]) -> Option<[f64; 3]>) {
    let separator = if name.ends_with("agh.csv") { ';' } else { ',' };
    let (found, _) = soundings(name, flags);
    let lines = lines_of(name);
    let step = found.len() / 10;
    assert!(step > 0, "{name}: {} soundings", found.len());
    for row in found.iter().step_by(step).take(10) {
        let line = &lines[row[3] as usize - 1];
        let cells: Vec<&str> = line
            .split(separator)
            .map(|cell| cell.trim().trim_matches('"'))
            .collect();
        let expected = read(&cells).unwrap_or_else(|| panic!("{name}: {line}"));
        for k in 0..3 {
            assert!(
                (row[k] - expected[k]).abs() < 2e-8 * (1.0 + expected[k].abs()).max(5e3),
                "{name}: {row:?} {expected:?}"
            );
        }
    }
}

fn at(cells: &[&str], columns: [usize; 3]) -> Option<[f64; 3]> {
    let number = |k: usize| cells.get(columns[k])?.parse().ok();
    Some([number(0)?, number(1)?, number(2)?])
}

#[test]
#[cfg_attr(not(transect_data), ignore = "needs TRANSECT_DATA")]
fn tables_of_real_boats_keep_their_places_and_values() {
    assert_ten("real/csv/agh.csv", "", |cells| at(cells, [11, 10, 12]));
    assert_ten("real/csv/agh.csv", "--x lonDegree --y latDegree", |cells| {
        at(cells, [11, 10, 12])
    });
    assert_ten("real/grohn/grohn26082021.csv", "", |cells| {
        at(cells, [4, 3, 2])
    });
    for name in ["real/grohn/grohn26082021_raw.csv", "real/grohn/261005.LOG"] {
        assert_ten(name, "--x 5 --y 4 --value 3", |cells| at(cells, [4, 3, 2]));
    }
    assert_ten("real/csv/jura__jura.pred.csv", "--value Cd", |cells| {
        at(cells, [2, 3, 6])
    });
    assert_ten("real/csv/jura__jura.val.csv", "--value Cd", |cells| {
        at(cells, [2, 3, 6])
    });
    assert_ten("real/csv/sic_obs.csv", "", |cells| at(cells, [1, 2, 3]));
    assert_ten("real/csv/sic_full.csv", "", |cells| at(cells, [1, 2, 3]));
    assert_ten(
        "real/csv/sic2004__sic.train.csv",
        "--value day01",
        |cells| at(cells, [1, 2, 3]),
    );
    assert_ten("real/csv/sic2004__sic.test.csv", "--value dayx", |cells| {
        at(cells, [1, 2, 3])
    });
    assert_ten("real/csv/sic2004__sic.val.csv", "--value dayx", |cells| {
        at(cells, [1, 2, 3])
    });
    assert_ten("real/csv/walker.csv", "--value V", |cells| {
        at(cells, [1, 2, 3])
    });
    assert_ten("real/csv/walker_test.csv.gz", "--value V", |cells| {
        at(cells, [2, 3, 1])
    });
    assert_ten(
        "real/heaton/satellite.csv.gz",
        "--value TrueTemp",
        |cells| at(cells, [0, 1, 3]),
    );
}

/// `52° 20' 34.77"`, in Latin-1 with CR at the ends of lines.
#[test]
#[cfg_attr(not(transect_data), ignore = "needs TRANSECT_DATA")]
fn degrees_minutes_and_seconds_of_a_real_sonar() {
    let angle = |text: &str| {
        let parts: Vec<f64> = text
            .split(['\u{b0}', '\'', '"'])
            .filter_map(|part| part.trim().parse().ok())
            .collect();
        Some(parts.first()? + parts.get(1)? / 60.0 + parts.get(2)? / 3600.0)
    };
    for name in [
        "real/caputh/20250122122110.sum",
        "real/caputh/20250130113805.sum",
    ] {
        assert_ten(name, "", |cells| {
            Some([angle(cells[6])?, angle(cells[5])?, cells[4].parse().ok()?])
        });
    }
}

/// By `cs2cs` of PROJ 9.1, the first two points of the file are here.
#[test]
#[cfg_attr(not(transect_data), ignore = "needs TRANSECT_DATA")]
fn metres_under_the_names_of_degrees_need_a_word() {
    let folder = tempfile::tempdir().unwrap();
    let mut command = transect();
    command
        .current_dir(folder.path())
        .arg("soundings")
        .arg(real("real/caputh/all_edgepoints.csv"))
        .args(["--out", "c.csv"]);
    let (code, message) = verdict(&mut command);
    assert_eq!(code, 2);
    assert!(
        message.contains("no place on the earth") && message.contains("--crs EPSG:n"),
        "{message}"
    );
    let (found, report) = soundings("real/caputh/all_edgepoints.csv", "--crs EPSG:25833");
    assert_eq!(
        (found.len(), report["crs"].as_str()),
        (56, Some("EPSG:25833"))
    );
    // Inside the outline of the lake beside it, or within a hundred metres: 52.333 to 52.345 N, 12.989 to 13.002 E.
    assert!(
        found
            .iter()
            .all(|[lon, lat, ..]| (12.988..13.002).contains(lon) && (52.333..52.345).contains(lat)),
        "{found:?}"
    );
    let header = ["real/grohn/grohn26082021_raw.csv", "real/grohn/261005.LOG"];
    for name in header {
        let mut command = transect();
        command
            .current_dir(folder.path())
            .arg("soundings")
            .arg(real(name))
            .args(["--out", "c.csv"]);
        let (code, message) = verdict(&mut command);
        assert_eq!(code, 2);
        assert!(
            message.contains("no header") && message.contains("--x 5 --y 4 --value 3"),
            "{message}"
        );
    }
}

/// Files that are no logs say what they are good for.
#[test]
#[cfg_attr(not(transect_data), ignore = "needs TRANSECT_DATA")]
fn what_lies_beside_logs_is_told_where_it_belongs() {
    let folder = tempfile::tempdir().unwrap();
    for (name, flag) in [
        ("real/caputh/waterbody.shp", "--area"),
        ("real/caputh/waterbody.shx", "--area"),
        ("real/caputh/waterbody.dbf", "--area"),
        ("real/caputh/waterbody.prj", "--area"),
        ("real/caputh/waterlevel.csv", "--level"),
        ("real/grohn/tidal_data.csv", "--level"),
    ] {
        let mut command = transect();
        command
            .current_dir(folder.path())
            .arg("soundings")
            .arg(real(name))
            .args(["--out", "c.csv"]);
        let (code, message) = verdict(&mut command);
        assert!(code == 2 && message.contains(flag), "{name}: {message}");
    }
}

/// Lake Caputh: the sonar's logs, the shore from a Shapefile in another system, the level by day. `ogrinfo -sql "select
/// OGR_GEOM_AREA from waterbody"` has its area.
#[test]
#[cfg_attr(not(transect_data), ignore = "needs TRANSECT_DATA")]
fn a_real_shore_closes_a_real_survey() {
    let folder = tempfile::tempdir().unwrap();
    let mut command = transect();
    command
        .current_dir(folder.path())
        .args("--quiet --json map --kernel matern32 --cell 10 --shore-depth 0 --datum 0.77 --out c.tif".split(' '))
        .arg(real("real/caputh/20250122122110.sum"))
        .arg(real("real/caputh/20250130113805.sum"))
        .arg("--area")
        .arg(real("real/caputh/waterbody.shp"))
        .arg("--level")
        .arg(real("real/caputh/waterlevel.csv"));
    let report: serde_json::Value =
        serde_json::from_str(&text(&succeed(&mut command).stdout)).unwrap();
    let full = &report["storage"][0];
    let area = full["area_m2"].as_f64().unwrap();
    assert!((area / 494_409.0 - 1.0).abs() < 0.01, "{report}");
    // Along the track the sonar says 4.4 m on average; nearer to the shore the lake is shallower.
    let mean = full["mean_depth_m"].as_f64().unwrap();
    assert!((1.0..4.4).contains(&mean), "{report}");
}

#[test]
#[cfg_attr(not(transect_data), ignore = "needs TRANSECT_DATA")]
fn longitudes_beyond_180_are_where_they_should_be() {
    // xz is not at hand here: the interop check reads the file with another program. Baja California is at 115 to 105 W.
    let (found, report) = soundings("real/baja/baja-bathymetry.csv.xz", "");
    assert_eq!(found.len(), 82_970);
    assert!(
        found
            .iter()
            .all(|[lon, lat, ..]| (-116.0..-104.0).contains(lon) && (20.0..30.0).contains(lat))
    );
    assert_eq!(report["quantity"], "elevation_m");
}

/// Depths of DBT in the order of the log, between the fixes around them.
#[test]
#[cfg_attr(not(transect_data), ignore = "needs TRANSECT_DATA")]
fn sentences_of_real_boats_become_soundings() {
    for (name, kind, lat_field) in [
        ("real/nmea/8399.nmea.gz", "GGA", 2),
        ("real/nmea/plaka.log.gz", "GLL", 1),
    ] {
        let (found, _) = soundings(name, "");
        let lines = lines_of(name);
        let step = found.len() / 10;
        for [lon, lat, depth, line] in found.iter().step_by(step).take(10) {
            let here = *line as usize - 1;
            let cells: Vec<&str> = lines[here].split(',').collect();
            assert!(
                cells[0].ends_with("DBT")
                    && (cells[3].parse::<f64>().unwrap() - depth).abs() < 1e-4,
                "{}",
                lines[here]
            );
            // Degrees and minutes of the nearest fixes; a place between them is in their box.
            let fix = |line: &String| {
                let cells: Vec<&str> = line.split(',').collect();
                let angle = |k: usize| {
                    let number: f64 = cells.get(k)?.parse().ok()?;
                    Some((number / 100.0).trunc() + number % 100.0 / 60.0)
                };
                (cells[0].ends_with(kind))
                    .then(|| Some([angle(lat_field + 2)?, angle(lat_field)?]))?
            };
            let near: Vec<[f64; 2]> = lines[here.saturating_sub(60)..(here + 60).min(lines.len())]
                .iter()
                .filter_map(fix)
                .collect();
            let inside = |axis: usize, value: f64| {
                let all = near.iter().map(|place| place[axis]);
                let (low, high) = all.fold((f64::MAX, f64::MIN), |(a, b), v| (a.min(v), b.max(v)));
                (low - 1e-6..=high + 1e-6).contains(&value)
            };
            assert!(inside(0, *lon) && inside(1, *lat), "{lon} {lat}: {near:?}");
        }
    }
}

/// What was planted in the simulated lake's logs is found, and nothing else.
#[test]
#[cfg_attr(not(transect_data), ignore = "needs TRANSECT_DATA")]
fn planted_bad_pings_are_set_aside_and_good_ones_are_not() {
    for (rate, least) in [("1hz", 10), ("10hz", 190)] {
        let folder = tempfile::tempdir().unwrap();
        let mut command = transect();
        command
            .current_dir(folder.path())
            .arg("soundings")
            .arg(real(&format!("lake/soundings_{rate}.csv.gz")));
        succeed(command.args(["--out", "c.csv"]));
        let flagged = fs::read_to_string(folder.path().join("c.flagged.csv")).unwrap();
        let lines: Vec<usize> = flagged
            .lines()
            .skip(1)
            .map(|row| row.split(',').nth(5).unwrap().parse().unwrap())
            .collect();
        // Row 0 is line 2 of the log.
        let planted: Vec<usize> = lines_of(&format!("lake/planted_bad_{rate}.csv"))[1..]
            .iter()
            .map(|row| row.parse::<usize>().unwrap() + 2)
            .collect();
        let found = lines.iter().filter(|line| planted.contains(line)).count();
        assert!(found >= least, "{rate}: {found} of {}", planted.len());
        assert_eq!(found, lines.len(), "{rate}: good ones set aside");
    }
}

/// The tide of the harbour of Grohn brings the depths of crossings closer together.
#[test]
#[cfg_attr(not(transect_data), ignore = "needs TRANSECT_DATA")]
fn a_tide_table_brings_crossings_together() {
    let folder = tempfile::tempdir().unwrap();
    let rms = |more: &[&str]| {
        let mut command = transect();
        command
            .current_dir(folder.path())
            .arg("map")
            .arg(real("real/grohn/grohn26082021.csv"));
        command
            .args([
                "--out", "g.tif", "--force", "--json", "--quiet", "--kernel", "matern32", "--cell",
                "5",
            ])
            .args(more);
        let output = succeed(&mut command);
        let report: serde_json::Value = serde_json::from_str(&text(&output.stdout)).unwrap();
        report["crossings"]["rms"].as_f64().unwrap()
    };
    let table = real("real/grohn/tidal_data.csv");
    let (without, with) = (rms(&[]), rms(&["--level", table.to_str().unwrap()]));
    assert!(with < 0.9 * without, "{with} of {without}");
}

/// 400 soundings of a paraboloid of 8 m depth in a lake of 100 m radius with an island, in longitude and latitude near Bremen.
fn lake(folder: &Path) {
    let (lon, lat) = (8.64, 53.16);
    let (east, north) = (
        1.0 / (111_320.0 * 53.16_f64.to_radians().cos()),
        1.0 / 111_320.0,
    );
    let mut csv = "lon,lat,depth\n".to_string();
    for i in 0..400 {
        let (x, y) = (
            f64::from(i % 20) * 10.0 - 95.0,
            f64::from(i / 20) * 10.0 - 95.0,
        );
        let r = f64::hypot(x, y);
        if r < 95.0 && f64::hypot(x - 40.0, y) > 15.0 {
            csv += &format!(
                "{:.8},{:.8},{:.3}\n",
                lon + x * east,
                lat + y * north,
                8.0 * (1.0 - r * r / 1e4)
            );
        }
    }
    fs::write(folder.join("s.csv"), csv).unwrap();
    let ring = |cx: f64, radius: f64| {
        let corner = |k: i32| {
            let turn = f64::from(k) * std::f64::consts::TAU / 48.0;
            format!(
                "[{},{}]",
                lon + (cx + radius * turn.cos()) * east,
                lat + radius * turn.sin() * north
            )
        };
        (0..=48).map(corner).collect::<Vec<_>>().join(",")
    };
    let text = format!(
        r#"{{"type":"Polygon","coordinates":[[{}],[{}]]}}"#,
        ring(0.0, 100.0),
        ring(40.0, 10.0)
    );
    fs::write(folder.join("shore.geojson"), text).unwrap();
}

#[test]
fn an_area_clips_the_map_and_its_shore_counts_as_measured() {
    let folder = tempfile::tempdir().unwrap();
    lake(folder.path());
    let mut command = transect();
    command.current_dir(folder.path()).args("map s.csv --out m.tif --area shore.geojson --shore-depth 0 --kernel matern52 --cell 2 --json --quiet".split(' '));
    let output = succeed(&mut command);
    let report: serde_json::Value = serde_json::from_str(&text(&output.stdout)).unwrap();
    // Circles of 48 corners: their area is 0.9971 of the disc's.
    let area = 0.9971 * std::f64::consts::PI * (1e4 - 100.0);
    let full = &report["storage"][0];
    assert!(
        (full["area_m2"].as_f64().unwrap() / area - 1.0).abs() < 0.01,
        "{full}"
    );
    // Half of the cylinder, less the island's column of 8 * 0.84 m; the shore of the island pulls the map up around it.
    let volume = std::f64::consts::PI * (1e4 * 4.0 - 100.0 * 6.72);
    let found = full["volume_m3"].as_f64().unwrap();
    assert!((0.93..1.01).contains(&(found / volume)), "{full}");
    assert!(report["shore"].as_u64().unwrap() > 50);
    for name in [
        "m.gpkg",
        "m.contours.dxf",
        "m.storage.csv",
        "m.flagged.csv",
        "m.report.html",
        "m.png",
    ] {
        assert!(
            fs::metadata(folder.path().join(name)).unwrap().len() > 20,
            "{name}"
        );
    }
    let mut command = transect();
    command
        .current_dir(folder.path())
        .args("map s.csv --out n.tif --shore-depth 0".split(' '));
    let (code, message) = verdict(&mut command);
    assert!(code == 2 && message.contains("--area"), "{message}");
}

#[test]
fn the_next_lines_fit_the_time_and_stay_in_the_lake() {
    let folder = tempfile::tempdir().unwrap();
    lake(folder.path());
    let mut command = transect();
    command.current_dir(folder.path()).args(
        "next s.csv --area shore.geojson --time 5min --speed 1.5 --out tomorrow --json --quiet"
            .split(' '),
    );
    let output = succeed(&mut command);
    let report: serde_json::Value = serde_json::from_str(&text(&output.stdout)).unwrap();
    let length = report["length_m"].as_f64().unwrap();
    assert!((200.0..=450.0).contains(&length), "{report}");
    let minutes = report["minutes"].as_f64().unwrap();
    assert!((3.0..=5.0001).contains(&minutes), "{report}");
    let error = |when: &str| report["expected_error"][when].as_f64().unwrap();
    assert!(error("after") < error("before"), "{report}");
    let plan: serde_json::Value =
        serde_json::from_slice(&fs::read(folder.path().join("tomorrow.plan")).unwrap()).unwrap();
    assert_eq!(plan["fileType"], "Plan");
    assert_eq!(plan["geoFence"]["polygons"].as_array().unwrap().len(), 2);
    for item in plan["mission"]["items"].as_array().unwrap() {
        let (lat, lon) = (
            item["params"][4].as_f64().unwrap(),
            item["params"][5].as_f64().unwrap(),
        );
        let (x, y) = (
            (lon - 8.64) * 111_320.0 * 53.16_f64.to_radians().cos(),
            (lat - 53.16) * 111_320.0,
        );
        assert!(x.hypot(y) < 101.0 && (x - 40.0).hypot(y) > 9.5, "{x} {y}");
    }
    // It comes back to where it started, unless it need not.
    let ends = |flags: &str, out: &str| {
        let mut command = transect();
        let line = format!(
            "next s.csv --area shore.geojson --time 5min --out {out} --json --quiet{flags}"
        );
        command.current_dir(folder.path()).args(line.split(' '));
        let report = text(&succeed(&mut command).stdout);
        let report: serde_json::Value = serde_json::from_str(&report).unwrap();
        let minutes = report["minutes"].as_f64().unwrap();
        assert!((3.0..=5.0001).contains(&minutes), "{report}");
        let last = report["places"].as_array().unwrap().last().unwrap().clone();
        [0, 1].map(|axis| last[axis].as_f64().unwrap())
    };
    let first_line = fs::read_to_string(folder.path().join("s.csv")).unwrap();
    let start: Vec<f64> = (first_line.lines().nth(1).unwrap().split(','))
        .map(|cell| cell.parse().unwrap_or(f64::NAN))
        .collect();
    let near = |[lon, lat]: [f64; 2]| {
        start.iter().any(|v| (v - lon).abs() < 1e-5) && start.iter().any(|v| (v - lat).abs() < 1e-5)
    };
    assert!(near(ends("", "back")), "{start:?}");
    assert!(!near(ends(" --one-way", "there")), "{start:?}");
    let [lon, lat] = ends(" --home 8.6401,53.1604", "home");
    assert!((lon - 8.6401).abs() < 1e-5 && (lat - 53.1604).abs() < 1e-5);
    let mut command = transect();
    command
        .current_dir(folder.path())
        .args("next s.csv --area shore.geojson --time 1".split(' '));
    let (code, message) = verdict(&mut command);
    assert!(code == 2 && message.contains("1h, 90min"), "{message}");
}

#[test]
fn nothing_changes_between_a_map_and_itself() {
    let folder = tempfile::tempdir().unwrap();
    lake(folder.path());
    succeed(
        transect()
            .current_dir(folder.path())
            .args("map s.csv --out m.tif --kernel matern52 --cell 5 --quiet".split(' ')),
    );
    let output = succeed(
        transect()
            .current_dir(folder.path())
            .args("compare m.tif m.tif --out d.tif --json".split(' ')),
    );
    let report: serde_json::Value = serde_json::from_str(&text(&output.stdout)).unwrap();
    assert_eq!(
        (report["significant"].as_u64(), report["volume_m3"].as_f64()),
        (Some(0), Some(0.0))
    );
    assert!(report["shared"].as_u64().unwrap() > 1000);
}
