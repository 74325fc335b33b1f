//! `transect map`: what it writes, and what users are told when something is wrong.

mod common;

use common::{succeed, text, transect, verdict};
use std::fs;
use std::path::Path;
use std::process::Command;

/// 150 soundings on a grid near the Jacksboro fault, one gap, one repetition, two values of one place.
fn soundings() -> String {
    let mut csv = "Lon [deg];Lat [deg];Depth (m)\n".to_string();
    for i in 0..150 {
        let (column, row) = (f64::from(i % 15), f64::from(i / 15));
        let depth = 10.0 + (0.5 * column).sin() + 0.2 * row;
        csv += &format!(
            "{};{};{depth:.3}\n",
            -84.2 + 1e-4 * column,
            36.6 + 1e-4 * row
        );
    }
    csv + "-84,2;36,6;\n-84.2;36.6;10.000\n-84,2;36,6;10,5\n"
}

fn map(folder: &Path, flags: &str) -> Command {
    let mut command = transect();
    command
        .current_dir(folder)
        .arg("map")
        .args(flags.split_whitespace());
    command
}

/// A folder with `s.csv` in it.
fn place(csv: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("s.csv"), csv).unwrap();
    folder
}

#[test]
fn soundings_in_degrees_become_a_map_in_their_zone() {
    let folder = place(&soundings());
    let output = succeed(
        map(folder.path(), "s.csv --out m.tif --kernel matern52 --json")
            .env("RAYON_NUM_THREADS", "1"),
    );
    let report: serde_json::Value = serde_json::from_str(&text(&output.stdout)).unwrap();
    for (key, count) in [
        ("rows", 153),
        ("gaps", 1),
        ("repeated", 1),
        ("averaged", 1),
        ("places", 150),
    ] {
        assert_eq!(report[key], count, "{key}");
    }
    assert_eq!(report["crs"], "EPSG:32616");
    assert_eq!(report["method"]["name"], "exact");
    assert!(report["leave_one_out"]["rmse"].as_f64().unwrap() < 0.2);
    let expected = report["expected_error"].as_f64().unwrap();
    assert!((1e-3..0.1).contains(&expected), "{expected}");
    // (-84.2, 36.6) is (750460.98, 4054151.09) by `cs2cs` of PROJ: the south-western corner of the survey.
    let extent: Vec<f64> = serde_json::from_value(report["grid"]["extent"].clone()).unwrap();
    assert!((extent[0] - 750_460.98).abs() < 60.0, "{extent:?}");
    assert!((extent[1] - 4_054_151.09).abs() < 60.0, "{extent:?}");
    let bytes = |name: &str| fs::read(folder.path().join(name)).unwrap();
    assert!(bytes("m.tif").starts_with(b"II") && bytes("m.png").starts_with(b"\x89PNG"));
    let contours: serde_json::Value = serde_json::from_slice(&bytes("m.contours.geojson")).unwrap();
    let first = &contours["features"][0];
    let at: Vec<f64> = serde_json::from_value(first["geometry"]["coordinates"][0].clone()).unwrap();
    assert!(
        (-84.2011..-84.1975).contains(&at[0]) && (36.5995..36.6015).contains(&at[1]),
        "{at:?}"
    );
    assert_eq!(
        report["contours"],
        contours["features"].as_array().unwrap().len()
    );

    // The same bytes again, with more threads.
    succeed(
        map(folder.path(), "s.csv --out n.tif --kernel matern52 --quiet")
            .env("RAYON_NUM_THREADS", "2"),
    );
    for ending in ["tif", "png", "contours.geojson"] {
        assert!(
            bytes(&format!("m.{ending}")) == bytes(&format!("n.{ending}")),
            "{ending}"
        );
    }
}

#[test]
fn the_report_is_for_people_unless_asked_otherwise() {
    let folder = place(&soundings());
    let flags = "s.csv --out m.tif --kernel matern32 --interval 0.5 --cell 20 --fill";
    let output = text(&succeed(&mut map(folder.path(), flags)).stdout);
    for part in [
        "153 read, 1 skipped",
        "Depth (m) at (Lon [deg], Lat [deg])",
        "EPSG:32616",
        "cells of 20 m",
        "exact regression on 150",
        "RMSE",
        "every 0.5",
        "m.tif",
        "m.contours.geojson",
        "m.png",
    ] {
        assert!(output.contains(part), "`{part}` is not in: {output}");
    }
}

#[test]
fn soundings_that_do_not_fit_are_named_and_ignored_unless_told_otherwise() {
    let csv = soundings().replacen(";11.198\n", ";-9999\n", 1);
    assert_ne!(csv, soundings());
    let folder = place(&csv);
    let report = |flags: &str| -> serde_json::Value {
        let flags = format!("s.csv --out m.tif --force --json {flags}");
        let output = succeed(&mut map(folder.path(), &flags));
        serde_json::from_str(&text(&output.stdout)).unwrap()
    };
    let careful = report("");
    assert_eq!(careful["kernels"], serde_json::json!(["ak", "matern12"]));
    assert_eq!(careful["suspicious"]["ignored"], true);
    let named = careful["suspicious"]["soundings"].as_array().unwrap();
    assert_eq!(named.len(), 1, "{named:?}");
    assert_eq!(named[0][2], -9999.0);
    assert!(careful["expected_error"].as_f64().unwrap() < 1.0);
    let following = report("--keep-all");
    assert_eq!(following["suspicious"]["ignored"], false);
    let expected = following["expected_error"].as_f64().unwrap();
    assert!(expected > 10.0, "{following}");
    let said = succeed(&mut map(folder.path(), "s.csv --out m.tif --force"));
    let said = text(&said.stdout);
    assert!(said.contains("1 sounding off by more than"), "{said}");
    assert!(said.contains("the worst: -9999 at (-84."), "{said}");
}

#[test]
fn the_date_line_is_no_border() {
    // 200 places, 1.8 km either side of 180 degrees, on the plane of 10 m per degree of longitude east of it.
    let mut csv = "lon,lat,depth\n".to_string();
    for i in 0..200 {
        let (east, lat) = (
            0.0018 * f64::from(i % 20 - 10),
            -17.0 + 0.0018 * f64::from(i / 20),
        );
        let lon = if east < 0.0 {
            180.0 + east
        } else {
            -180.0 + east
        };
        csv += &format!("{lon:.6},{lat:.6},{}\n", 20.0 + 1000.0 * east);
    }
    let folder = place(&csv);
    let output = succeed(&mut map(
        folder.path(),
        "s.csv --out m.tif --kernel rbf --json --quiet",
    ));
    let report: serde_json::Value = serde_json::from_str(&text(&output.stdout)).unwrap();
    let extent: Vec<f64> = serde_json::from_value(report["grid"]["extent"].clone()).unwrap();
    // 19 steps of 0.0018 degrees are 3.64 km there.
    assert!(
        (3_500.0..4_000.0).contains(&(extent[2] - extent[0])),
        "{extent:?}"
    );
    assert!(
        ["EPSG:32701", "EPSG:32760"].contains(&report["crs"].as_str().unwrap()),
        "{report}"
    );
    let contours = fs::read(folder.path().join("m.contours.geojson")).unwrap();
    let contours: serde_json::Value = serde_json::from_slice(&contours).unwrap();
    let mut sides = [0, 0];
    for feature in contours["features"].as_array().unwrap() {
        let value = feature["properties"]["value"].as_f64().unwrap();
        let geometry = &feature["geometry"];
        let pieces = match geometry["type"].as_str() {
            Some("MultiLineString") => geometry["coordinates"].as_array().unwrap().clone(),
            _ => vec![geometry["coordinates"].clone()],
        };
        for place in pieces.iter().flat_map(|piece| piece.as_array().unwrap()) {
            let lon = place[0].as_f64().unwrap();
            assert!((179.98..=180.0).contains(&lon.abs()), "{lon}");
            let east = if lon > 0.0 { lon - 180.0 } else { lon + 180.0 };
            assert!(
                (20.0 + 1000.0 * east - value).abs() < 0.5,
                "{value} at {lon}"
            );
            sides[usize::from(lon > 0.0)] += 1;
        }
    }
    assert!(sides[0] > 10 && sides[1] > 10, "{sides:?}");
}

#[track_caller]
fn assert_refused(csv: &str, flags: &str, code: i32, parts: &[&str]) {
    let folder = place(csv);
    let (got, message) = verdict(&mut map(folder.path(), flags));
    assert_eq!(got, code, "{flags}: {message}");
    for part in parts {
        assert!(
            message.contains(part),
            "{flags}: `{part}` is not in: {message}"
        );
    }
    assert!(!message.contains("panicked"), "{message}");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "{flags}");
}

#[test]
fn wrong_files_are_refused_with_their_place() {
    let out = "s.csv --out m.tif";
    assert_refused(
        "lon,lat,depth\n1,2,3\n\n1,2,abc\n",
        out,
        2,
        &["s.csv: line 4, column `depth`: `abc` is not a number"],
    );
    assert_refused("", out, 2, &["s.csv", "no readings"]);
    assert_refused("a,b,c\n1,2,3\n", out, 2, &["`a`, `b`, `c`", "--x"]);
    assert_refused(
        "x,y,z\n1,2,3\n2,3,4\n",
        out,
        2,
        &["s.csv", "2 soundings", "at least 3"],
    );
    assert_refused(
        "x,y,z\n1,2,3\n1,2,4\n1,2,5\n",
        out,
        2,
        &["1 soundings at different places"],
    );
    assert_refused(
        "lat,lon,z\n200,1,2\n",
        out,
        2,
        &["y 200 to 200", "no place on the earth", "--x"],
    );
    assert_refused("PK\u{3}\u{4}\0\0", out, 2, &["s.csv", "zip archive"]);
    assert_refused("x,y\0,z\n", out, 2, &["s.csv", "not text"]);
    assert_refused("x,y,z\n", "t.csv --out m.tif", 2, &["t.csv"]);
}

#[test]
fn wrong_flags_are_refused_with_their_value() {
    let csv = &soundings();
    for (flags, parts) in [
        ("s.csv --out m.png", ["`m.png`", ".tif"]),
        ("s.csv", ["--out", "MAP.tif"]),
        ("s.csv --out m.tif --value temp", ["`temp`", "`Depth (m)`"]),
        (
            "s.csv --out m.tif --crs EPSG:99999",
            ["`EPSG:99999`", "EPSG:326"],
        ),
        ("s.csv --out m.tif --cell 0", ["cell is 0", "positive"]),
        (
            "s.csv --out m.tif --cell 0.001",
            ["0.001 m", "larger cells"],
        ),
        (
            "s.csv --out m.tif --kernel mattern32",
            ["`mattern32`", "`matern32`"],
        ),
        (
            "s.csv --out m.tif --kernel rbf --interval=-1",
            ["every -1", "positive"],
        ),
        (
            "s.csv --out m.tif --kernel rbf --interval 1e-9",
            ["levels", "larger interval"],
        ),
    ] {
        assert_refused(csv, flags, 2, &parts);
    }
}

/// The most memory a process may take while it reads a long log, KiB.
#[cfg(target_os = "linux")]
const MOST_KIB: u64 = 600_000;

#[test]
fn lines_without_an_end_are_refused_without_reading_them_all() {
    let folder = place("x,y,z\n1,2,3\n");
    // A gigabyte of zeros that takes no room on the disk.
    let file = fs::File::options()
        .write(true)
        .open(folder.path().join("s.csv"));
    file.unwrap().set_len(1 << 30).unwrap();
    let (code, message) = verdict(&mut map(folder.path(), "s.csv --out m.tif"));
    assert_eq!(code, 2, "{message}");
    assert!(
        message.contains("s.csv: line 3 is longer than 256 KiB"),
        "{message}"
    );
}

/// A log of 400 MB, most of it other sentences, read within 100 MB more than the program itself takes.
#[cfg(target_os = "linux")]
#[test]
fn a_long_log_is_read_as_a_stream() {
    use std::io::Write;
    let folder = tempfile::tempdir().unwrap();
    let mut log =
        std::io::BufWriter::new(fs::File::create(folder.path().join("long.log")).unwrap());
    let with_sum = |body: String| {
        let sum = body.bytes().fold(0_u8, |sum, byte| sum ^ byte);
        format!("${body}*{sum:02X}\r\n")
    };
    let other = with_sum("GPGSV,3,1,12,05,52,200,46,08,31,049,40,09,35,052,46,10,06,159,34".into())
        .repeat(200);
    for second in 0..28_000_u32 {
        let (h, m, s) = (second / 3600, second / 60 % 60, second % 60);
        let lat = 5309.0 + 0.0005 * f64::from(second % 100);
        log.write_all(
            with_sum(format!(
                "GPGGA,{h:02}{m:02}{s:02},{lat:.4},N,00838.0,E,1,08,1.0,1,M,,M,,"
            ))
            .as_bytes(),
        )
        .unwrap();
        log.write_all(
            with_sum(format!(
                "SDDPT,{:.1},0.0",
                3.0 + 0.001 * f64::from(second % 1000)
            ))
            .as_bytes(),
        )
        .unwrap();
        log.write_all(other.as_bytes()).unwrap();
    }
    drop(log);
    let length = fs::metadata(folder.path().join("long.log")).unwrap().len();
    assert!(length > 380_000_000, "{length}");
    // The limit is on addresses, which are more than memory.
    let program = transect();
    let line = format!(
        "ulimit -v {MOST_KIB}; {} soundings long.log --out c.csv --json",
        program.get_program().to_string_lossy()
    );
    let output = Command::new("sh")
        .current_dir(folder.path())
        .env("RAYON_NUM_THREADS", "1")
        .args(["-c", &line])
        .output()
        .unwrap();
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap_or_default();
    assert_eq!(report["soundings"], 27_999, "{}", text(&output.stderr));
}

#[test]
fn nothing_is_overwritten_without_force() {
    let folder = place(&soundings());
    let there = folder.path().join("m.contours.geojson");
    fs::write(&there, "mine").unwrap();
    let flags = "s.csv --out m.tif --kernel rbf";
    let (code, message) = verdict(&mut map(folder.path(), flags));
    assert_eq!(code, 2, "{message}");
    assert!(
        message.contains("m.contours.geojson") && message.contains("--force"),
        "{message}"
    );
    assert_eq!(fs::read(&there).unwrap(), b"mine");
    assert!(!folder.path().join("m.tif").exists());
    succeed(&mut map(folder.path(), &format!("{flags} --force --quiet")));
    assert!(fs::read(&there).unwrap().len() > 100);
}

#[test]
fn a_folder_that_is_not_there_fails_the_work() {
    let folder = place(&soundings());
    let (code, message) = verdict(&mut map(
        folder.path(),
        "s.csv --out no/m.tif --kernel rbf --quiet",
    ));
    assert_eq!(code, 1, "{message}");
    assert!(message.contains("no/m.tif"), "{message}");
}

/// Depths of hundreds of metres in a pond, as a logger that writes centimetres gives them.
#[test]
fn water_deeper_than_it_is_wide_is_doubted() {
    let mut csv = String::from("lon,lat,depth\n");
    for i in 0..64 {
        let (x, y) = (i % 8, i / 8);
        let (lon, lat) = (20.0 + 1e-5 * f64::from(x), 50.0 + 1e-5 * f64::from(y));
        csv += &format!("{lon:.6},{lat:.6},{}\n", 300 + 5 * x + 3 * y);
    }
    let folder = place(&csv);
    let said = |flags: &str| {
        let flags = format!("s.csv --out m.tif --force {flags}");
        text(&succeed(&mut map(folder.path(), &flags)).stdout)
    };
    assert!(said("").contains("are its depths in another unit?"));
    assert!(!said("--unit cm").contains("another unit"));
}

/// A table of soundings, in metres.
fn table(rows: impl Iterator<Item = [f64; 3]>) -> String {
    let row = |[x, y, depth]: [f64; 3]| format!("{x:.3},{y:.3},{depth:.3}\n");
    "x,y,depth\n".to_string() + &rows.map(row).collect::<String>()
}

/// What a map of soundings is said to be.
fn report(csv: &str) -> serde_json::Value {
    let folder = place(csv);
    let output = succeed(&mut map(folder.path(), "s.csv --out m.tif --json"));
    serde_json::from_str(&text(&output.stdout)).unwrap()
}

fn bed(x: f64, y: f64) -> f64 {
    10.0 + (x / 90.0).sin() + 1.5 * (y / 70.0).cos()
}

#[test]
fn soundings_along_one_line_are_mapped_along_it() {
    let at = |i: i32| [0.8 * f64::from(i), 0.6 * f64::from(i)];
    let told = report(&table((0..400).map(at).map(|[x, y]| [x, y, bed(x, y)])));
    assert_eq!(told["places"], 400);
    assert!(
        told["leave_one_out"]["rmse"].as_f64().unwrap() < 0.1,
        "{told}"
    );
    // A strip: nothing is claimed far from the line.
    let cells = |name: &str| told["grid"][name].as_f64().unwrap();
    assert!(cells("mapped") > 0.0 && cells("mapped") < 0.2 * cells("rows") * cells("columns"));
}

#[test]
fn ten_thousand_soundings_at_one_place_are_one() {
    let anchored = || (0..10_000).map(|i| [150.0, 150.0, 9.0 + 0.001 * f64::from(i % 7)]);
    let around = (0..100).map(|i| [f64::from(i % 10) * 30.0 + 5.0, f64::from(i / 10) * 30.0]);
    let around = around.map(|[x, y]| [x, y, bed(x, y)]);
    assert_eq!(report(&table(anchored().chain(around)))["places"], 101);
    assert_refused(
        &table(anchored()),
        "s.csv --out m.tif",
        2,
        &["too few", "at least 3"],
    );
}

#[test]
fn a_dense_patch_in_a_wide_survey_does_not_spoil_it() {
    let spread = |i: i32| (f64::from(i) * 0.618_034).fract();
    let wide = (0..300).map(|i| [spread(i) * 5000.0, f64::from(i) * 5000.0 / 300.0]);
    let dense = (0..300).map(|i| [2500.0 + 5.0 * spread(i), 2500.0 + f64::from(i) / 60.0]);
    let told = report(&table(
        wide.chain(dense)
            .map(|[x, y]| [x, y, bed(x / 10.0, y / 10.0)]),
    ));
    assert_eq!(told["places"], 600);
    assert!(told["expected_error"].as_f64().unwrap() < 0.5, "{told}");
}

#[test]
fn lines_that_cross_at_another_level_are_doubted() {
    let along = |k: i32, s: i32| [f64::from(s) * 5.0, f64::from(k) * 50.0 + 0.3];
    let across = |k: i32, s: i32| [f64::from(k) * 50.0 + 25.2, f64::from(s) * 5.0];
    let lines = |way: fn(i32, i32) -> [f64; 2], tide: f64| {
        (0..8 * 80).map(move |i| {
            let [x, y] = way(i / 80, i % 80);
            [x, y, bed(x, y) + tide]
        })
    };
    let told = report(&table(lines(along, 0.0).chain(lines(across, 2.0))));
    assert_eq!(told["crossings"]["contradict"], true, "{told}");
    let same = report(&table(lines(along, 0.0).chain(lines(across, 0.0))));
    assert_eq!(same["crossings"]["contradict"], false, "{same}");
}

#[test]
fn what_a_map_takes_is_said_before_it_begins() {
    let folder = place(&soundings());
    let output = succeed(&mut map(
        folder.path(),
        "s.csv --out m.tif --kernel matern32",
    ));
    let said = text(&output.stderr);
    assert!(said.contains("a map of 150 soundings"), "{said}");
    assert!(said.contains("GB of memory"), "{said}");
}
