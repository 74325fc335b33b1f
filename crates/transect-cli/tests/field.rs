//! Field missions on the bench, through the program itself.
//!
//! A hundred kills: `TRANSECT_KILLS=100 cargo test --release -p transect-cli --test field -- --nocapture`.
#![allow(missing_docs)]

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use transect::sensor::seeded_uniform;
use transect_field::mission::Past;

const LAKE: &str = r#"{"type":"Polygon","coordinates":[
    [[-84.2,36.6],[-84.1993,36.6],[-84.1993,36.6006],[-84.2,36.6006]],
    [[-84.1997,36.6002],[-84.1996,36.6002],[-84.1996,36.6003]]]}"#;

const DOCUMENT: &str = r#"
area = { file = "lake.geojson" }
sonar = { source = "autopilot" }
budget = { time_s = 300.0 }
pilot = { soundings = 8 }
kernel = { name = "rbf" }
planner = { candidates = 100 }
"#;

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("lake.geojson"), LAKE).unwrap();
    std::fs::write(folder.path().join("field.toml"), DOCUMENT).unwrap();
    folder
}

fn rehearsal(folder: &Path, more: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_transect"));
    command
        .current_dir(folder)
        .args([
            "field",
            "field.toml",
            "--simulate",
            "--speed-up",
            "20",
            "--out",
            "out",
        ])
        .args(more);
    command
}

fn number(result: &serde_json::Value, key: &str) -> f64 {
    result[key].as_f64().unwrap_or(f64::NAN)
}

fn soundings_csv(folder: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(folder.join("out/soundings.csv")).unwrap();
    text.lines().skip(1).map(str::to_string).collect()
}

#[test]
fn a_rehearsal_comes_home_with_a_map() {
    let folder = folder();
    let output = rehearsal(folder.path(), &["--json", "--quiet"])
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{said}");
    let result: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(result["conclusion"], "home");
    assert!(number(&result, "time_s") <= 300.0, "{result}");
    assert!(number(&result, "soundings") > 60.0, "{result}");
    assert_eq!(
        soundings_csv(folder.path()).len() as f64,
        number(&result, "soundings")
    );
    for file in [
        "map.tif",
        "model.json",
        "track.geojson",
        "journal.mcap",
        "mission.toml",
        "field.log",
    ] {
        assert!(folder.path().join("out").join(file).exists(), "{file}");
    }
    // Nothing is overwritten.
    let again = rehearsal(folder.path(), &["--quiet"]).output().unwrap();
    assert_eq!(again.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&again.stderr).contains("--resume"));
}

#[test]
fn wrong_documents_are_refused_with_the_line() {
    let folder = folder();
    let refused = |document: &str| {
        std::fs::write(folder.path().join("field.toml"), document).unwrap();
        let output = rehearsal(folder.path(), &["--quiet"]).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    let said = refused(&DOCUMENT.replace("time_s = 300.0", "time = 300.0"));
    assert!(said.contains("line 4") && said.contains("`time`"), "{said}");
    let said = refused(&DOCUMENT.replace("lake.geojson", "sea.geojson"));
    assert!(said.contains("sea.geojson"), "{said}");
    let said = refused(&DOCUMENT.replace("candidates = 100", "name = \"active\""));
    assert!(
        said.contains("cannot jump") && said.contains("myopic"),
        "{said}"
    );
    let said = refused(&format!("{DOCUMENT}\nfence = {{ margin_m = 50.0 }}"));
    assert!(said.contains("smaller margin"), "{said}");
}

/// Waits for so many milliseconds, or until the program ends by itself.
fn ended_within(child: &mut Child, milliseconds: u64) -> bool {
    let until = Instant::now() + Duration::from_millis(milliseconds);
    while Instant::now() < until {
        if child.try_wait().unwrap().is_some() {
            return true;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    false
}

#[test]
fn kills_lose_no_sounding_and_the_mission_completes() {
    let kills = std::env::var("TRANSECT_KILLS")
        .ok()
        .and_then(|text| text.parse().ok());
    let kills: usize = kills.unwrap_or(2);
    let mut uniform = seeded_uniform(7);
    let (mut done, mut completed) = (0, 0);
    while done < kills || completed == 0 {
        let folder = folder();
        let out = folder.path().join("out");
        let mut acknowledged = Vec::new();
        loop {
            let resume: &[&str] = if out.exists() { &["--resume"] } else { &[] };
            let mut child = rehearsal(folder.path(), resume)
                .args(["--quiet"])
                .stdout(Stdio::null())
                .spawn()
                .unwrap();
            let patience_ms = match done < kills {
                true => 300 + (6000.0 * uniform()) as u64,
                false => 600_000,
            };
            if ended_within(&mut child, patience_ms) {
                assert!(child.wait().unwrap().success());
                completed += 1;
                break;
            }
            child.kill().unwrap(); // SIGKILL
            child.wait().unwrap();
            done += 1;
            acknowledged = Past::of(&out).unwrap().soundings;
        }
        let kept = soundings_csv(folder.path());
        for sounding in &acknowledged {
            let (at, value, time_s) = (sounding.position, sounding.value, sounding.time_s);
            let line = format!("{},{},{value},{time_s}", at.x, at.y);
            assert!(kept.contains(&line), "{line} is missing");
        }
    }
    eprintln!("{done} kills, {completed} missions completed");
}
