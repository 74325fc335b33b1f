//! `init`, `run` and `replay`: folders that repeat to the byte, journals that survive, errors that name the place.

mod common;

use common::{Place, contents, succeed, text, transect, verdict};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const FILES: [&str; 9] = [
    "contours.geojson",
    "journal.mcap",
    "map.png",
    "map.tif",
    "metrics.csv",
    "mission.toml",
    "model.json",
    "soundings.csv",
    "track.geojson",
];

/// A mission over this place's terrain: a lake with an island in it, and a void in the terrain.
fn small_mission(place: &Place) -> PathBuf {
    place.write_terrain("lake", |row, column| match (row, column) {
        (10..14, 25..30) => f64::NAN,
        _ => (0.2 * row as f64).sin() * 10.0 + (0.1 * (row * column) as f64).cos(),
    });
    let path = place.path().join("lake.toml");
    let document = r#"
        seed = 5
        [terrain]
        source = "terrain/lake.npy"
        extent = [0, 0, 20, 20]
        [area]
        outline = [[1, 1], [19, 1], [19, 19], [10, 15], [1, 19]]
        holes = [[[8, 8], [11, 8], [10, 11]]]
        [budget]
        distance_m = 150
        [pilot]
        soundings = 20
        [planner]
        candidates = 100
        [kernel]
        name = "matern32"
        [sensor]
        noise_std = 0.1
    "#;
    std::fs::write(&path, document).unwrap();
    path
}

fn run(document: &Path, out: &Path) -> Command {
    let mut command = transect();
    command.arg("run").arg(document).arg("--out").arg(out);
    command
}

fn replay(what: &Path) -> Command {
    let mut command = transect();
    command.arg("replay").arg(what);
    command
}

#[track_caller]
fn assert_refused(command: &mut Command, code: i32, part: &str) {
    let (got, message) = verdict(command);
    assert!(message.contains(part), "`{part}` is not in: {message}");
    assert_eq!(got, code, "{message}");
    assert!(!message.contains("panicked"), "{message}");
}

#[test]
fn the_same_mission_gives_the_same_bytes() {
    let place = Place::new();
    let document = small_mission(&place);
    let out = |name: &str| place.path().join(name);
    succeed(run(&document, &out("one")).env("RAYON_NUM_THREADS", "1"));
    succeed(run(&document, &out("two")).env("RAYON_NUM_THREADS", "2"));
    // What was kept of a mission is enough to run it again, from anywhere.
    succeed(&mut run(&out("one").join("mission.toml"), &out("again")));
    let first = contents(&out("one"));
    let names: Vec<_> = first.keys().map(|name| name.to_str().unwrap()).collect();
    assert_eq!(names, FILES);
    for other in ["two", "again"] {
        for (name, bytes) in contents(&out(other)) {
            assert!(bytes == first[&name], "{other}: {} differs", name.display());
        }
        let page = |folder: &str| std::fs::read(out(folder).join("report.html")).unwrap();
        assert!(page(other) == page("one"), "{other}: report.html differs");
    }
    let other_seed = run(&document, &out("seed")).args(["--seed", "6"]).output();
    assert!(other_seed.unwrap().status.success());
    assert!(
        contents(&out("seed"))[Path::new("soundings.csv")] != first[Path::new("soundings.csv")]
    );
}

#[test]
fn the_folder_holds_what_the_boat_did() {
    let place = Place::new();
    let out = place.path().join("out");
    let mut command = run(&small_mission(&place), &out);
    let printed = succeed(command.arg("--json"));
    let printed: serde_json::Value = serde_json::from_slice(&printed.stdout).unwrap();
    let read = |name: &str| text(&std::fs::read(out.join(name)).unwrap());
    let soundings = read("soundings.csv");
    assert!(soundings.starts_with("x,y,value,time_s\n"));
    let rows: Vec<Vec<f64>> = soundings
        .lines()
        .skip(1)
        .map(|line| line.split(',').map(|cell| cell.parse().unwrap()).collect())
        .collect();
    assert_eq!(
        rows.len() as u64,
        printed["spent"]["soundings"].as_u64().unwrap()
    );
    let distance_m = printed["spent"]["distance_m"].as_f64().unwrap();
    // A tour ends when nothing more can be driven within the budget.
    assert!((145.0..150.2).contains(&distance_m), "{distance_m}");
    // The boat kept to the water: off the island, off the shore, and the void gave no readings.
    for row in &rows {
        let (x, y) = (row[0], row[1]);
        assert!(
            (1.0 - 1e-9..=19.0 + 1e-9).contains(&x) && y >= 1.0 - 1e-9,
            "{x} {y}"
        );
        assert!(
            !((8.5..10.0).contains(&x) && (8.1..8.4).contains(&y)),
            "on the island"
        );
        assert!(
            !((12.5..15.0).contains(&x) && (5.0..7.0).contains(&y)),
            "in the void"
        );
    }
    let track: serde_json::Value = serde_json::from_str(&read("track.geojson")).unwrap();
    let path = track["features"][0]["geometry"]["coordinates"]
        .as_array()
        .unwrap();
    let driven: f64 = path
        .windows(2)
        .map(|leg| {
            let at = |point: usize, axis: usize| leg[point][axis].as_f64().unwrap();
            (at(1, 0) - at(0, 0)).hypot(at(1, 1) - at(0, 1))
        })
        .sum();
    assert!(
        driven <= distance_m + 1e-6 && driven > 0.8 * distance_m,
        "{driven}"
    );
    let page = read("report.html");
    for part in [
        "id=\"map-data\"",
        "What was gained",
        "SMSE",
        "soundings.csv\">",
        "[budget]",
        "Made on 2023-11-14 by transect",
        "Can the error bars be believed?",
    ] {
        assert!(page.contains(part), "{part}");
    }
}

#[test]
fn the_printed_document_runs() {
    let place = Place::new();
    let printed = succeed(transect().args(["init", "mission"]));
    let path = place.path().join("printed.toml");
    std::fs::write(&path, printed.stdout).unwrap();
    let mut command = run(&path, &place.path().join("out"));
    let sets = "kernel.name=rbf budget.soundings=60 planner.candidates=50";
    for set in sets.split(' ') {
        command.args(["--set", set]);
    }
    succeed(&mut command);
}

#[test]
fn replays_agree_or_say_where_they_differ() {
    let place = Place::new();
    let out = place.path().join("out");
    // A planner that draws random numbers, so that another seed leads elsewhere.
    let mut command = run(&small_mission(&place), &out);
    succeed(command.args(["--set", "planner.name=myopic"]));
    // The terrain is not needed any more.
    std::fs::remove_dir_all(place.data()).unwrap();
    let said = text(&succeed(&mut replay(&out)).stdout);
    assert!(said.contains("decisions, all the same"), "{said}");

    let journal = out.join("journal.mcap");
    let whole = std::fs::read(&journal).unwrap();
    let cut = place.path().join("cut.mcap");
    std::fs::write(&cut, &whole[..whole.len() * 2 / 3]).unwrap();
    let said = text(&succeed(&mut replay(&cut)).stdout);
    assert!(said.contains("cut off"), "{said}");

    // Another seed leads elsewhere.
    let from: &[u8] = br#""seed":5"#;
    let at = whole.windows(from.len()).position(|w| w == from).unwrap();
    let mut forged = whole.clone();
    forged[at + from.len() - 1] = b'6';
    std::fs::write(&cut, forged).unwrap();
    assert_refused(&mut replay(&cut), 1, "the replay differs at decision");

    std::fs::write(&cut, b"x,y,value\n").unwrap();
    assert_refused(&mut replay(&cut), 2, "not a journal");
    std::fs::write(&cut, &whole[..8]).unwrap();
    assert_refused(&mut replay(&cut), 2, "how the mission began");
    assert_refused(&mut replay(&place.path().join("nothing")), 2, "nothing");
}

#[test]
fn a_killed_mission_leaves_a_journal_that_replays() {
    let place = Place::new();
    let out = place.path().join("out");
    let mut command = run(&small_mission(&place), &out);
    // Many short legs.
    for set in [
        "planner.name=myopic",
        "pilot.shape=curve",
        "budget.distance_m=100000",
    ] {
        command.args(["--set", set]);
    }
    command.arg("--quiet");
    let mut child = command.stdout(Stdio::null()).spawn().unwrap();
    let journal = out.join("journal.mcap");
    let begun = Instant::now();
    let length = || journal.metadata().map_or(0, |file| file.len());
    while length() < 600_000 && begun.elapsed() < Duration::from_secs(60) {
        std::thread::sleep(Duration::from_millis(5));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let printed = succeed(replay(&out).arg("--json"));
    let printed: serde_json::Value = serde_json::from_slice(&printed.stdout).unwrap();
    assert_eq!(printed["complete"], false);
    assert!(printed["decisions"].as_u64().unwrap() > 50, "{printed}");
}

#[test]
fn wrong_requests_are_refused_before_anything_is_written() {
    let place = Place::new();
    let document = small_mission(&place);
    let out = place.path().join("out");
    for (set, part) in [
        (
            "planner.candidats=5",
            "--set planner.candidats=5: unknown key `candidats` in [planner]; did you mean",
        ),
        (
            "kernel.name=rfb",
            "--set kernel.name=rfb: kernel.name is `rfb`: did you mean `rbf`?",
        ),
        ("terrain.source=nowhere.npy", "no such file"),
        ("terrain.source=jaksboro", "did you mean `jacksboro`?"),
        ("terrain.source=S89W179", "transect fetch S89W179"),
        ("terrain.source=lake.toml", "lake.toml"),
        ("terrain.cell_m=3", "not both"),
        ("terrain.extent=[5, 0, 1, 9]", "terrain.extent"),
        (
            "area.rectangle=[0, 0, 5, 5]",
            "one of file, rectangle and outline",
        ),
        ("area.outline=[[0, 0], [1, 1]]", "area.outline"),
        ("area.holes=[[[0, 0], [30, 0], [0, 30]]]", "area.outline"),
        ("prior=nowhere.csv", "nowhere.csv"),
        ("seed=-1", "--set seed=-1"),
    ] {
        assert_refused(run(&document, &out).args(["--set", set]), 2, part);
        assert!(!out.exists(), "{set}");
    }
    assert_refused(&mut run(Path::new("nowhere.toml"), &out), 2, "nowhere.toml");
    assert_refused(
        run(&document, &out).args(["--seed", "9223372036854775808"]),
        2,
        "--seed",
    );
    let elsewhere = "area.outline=[[100, 100], [120, 100], [110, 120]]";
    let mut apart = run(&document, &out);
    apart.args(["--set", elsewhere, "--set", "area.holes=[]"]);
    assert_refused(&mut apart, 2, "do not overlap");
    std::fs::create_dir(&out).unwrap();
    std::fs::write(out.join("precious"), "mine").unwrap();
    assert_refused(&mut run(&document, &out), 2, "is not empty");
    assert_refused(&mut run(&document, &out.join("precious")), 2, "is a file");
    assert_refused(
        &mut run(&document, &out.join("precious/below")),
        1,
        "precious/below",
    );
    let mut demo = transect();
    demo.arg("demo").arg("--out").arg(&out);
    assert_refused(&mut demo, 2, "--force");
    assert_eq!(std::fs::read_dir(&out).unwrap().count(), 1);
    // Who insists gets the mission, and keeps what else is there.
    succeed(run(&document, &out).arg("--force"));
    assert_eq!(std::fs::read(out.join("precious")).unwrap(), b"mine");
    assert!(out.join("report.html").exists());
}

#[test]
fn earlier_soundings_are_taken_in() {
    let place = Place::new();
    let document = small_mission(&place);
    let mut prior = String::from("x,y,depth\n");
    for i in 0..100 {
        let (x, y) = (f64::from(i % 10) * 2.0, f64::from(i / 10) * 2.0);
        prior += &format!("{x},{y},{}\n", (0.4 * y).sin() * 10.0);
    }
    std::fs::write(place.path().join("old.csv"), prior).unwrap();
    let samples = |sets: &[&str], out: &str| {
        let mut command = run(&document, &place.path().join(out));
        for set in sets {
            command.args(["--set", set]);
        }
        let printed = succeed(command.arg("--json")).stdout;
        let printed: serde_json::Value = serde_json::from_slice(&printed).unwrap();
        let number = |value: &serde_json::Value| value.as_u64().unwrap();
        number(&printed["evaluation"]["samples"]) - number(&printed["spent"]["soundings"])
    };
    assert_eq!(samples(&[], "without"), 0);
    assert_eq!(samples(&["prior=old.csv"], "with"), 100);
    succeed(&mut replay(&place.path().join("with")));
}

#[test]
fn a_survey_on_the_earth_stays_where_it_belongs() {
    let place = Place::new();
    // About 450 x 440 m of Tennessee.
    let corners = "[[-84.25,36.6],[-84.245,36.6],[-84.245,36.604],[-84.25,36.604],[-84.25,36.6]]";
    let area = format!(r#"{{"type": "Polygon", "coordinates": [{corners}]}}"#);
    std::fs::write(place.path().join("area.geojson"), area).unwrap();
    let document = place.path().join("fault.toml");
    let text_of_document = r#"
        terrain.source = "jacksboro"
        area.file = "area.geojson"
        budget.soundings = 60
        kernel.name = "rbf"
    "#;
    std::fs::write(&document, text_of_document).unwrap();
    let out = place.path().join("out");
    succeed(&mut run(&document, &out));
    let track = std::fs::read(out.join("track.geojson")).unwrap();
    let track: serde_json::Value = serde_json::from_slice(&track).unwrap();
    let path = track["features"][0]["geometry"]["coordinates"].as_array();
    for at in path.unwrap() {
        let (lon, lat) = (at[0].as_f64().unwrap(), at[1].as_f64().unwrap());
        assert!((-84.25001..-84.24499).contains(&lon), "{lon}");
        assert!((36.59999..36.60401).contains(&lat), "{lat}");
    }
    // Heights there are those of the hills, in metres.
    let soundings = text(&std::fs::read(out.join("soundings.csv")).unwrap());
    for line in soundings.lines().skip(1) {
        let value: f64 = line.split(',').nth(2).unwrap().parse().unwrap();
        assert!((230.0..1080.0).contains(&value), "{line}");
    }
    // Without coordinates the area cannot be placed.
    let mut lost = run(&document, &place.path().join("lost"));
    lost.args(["--set", "terrain.source=quarry"]);
    assert_refused(
        &mut lost,
        2,
        "where the terrain is on the earth is not known",
    );
}
