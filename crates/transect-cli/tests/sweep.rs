//! Sweeps over any setting of a mission.

mod common;

use common::{Place, contents, succeed, text, transect, verdict};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

/// Planners, weights, terrains and seeds: sixteen runs.
const DOCUMENT: &str = r#"
data = "terrain"
jobs = 2

[mission]
budget.soundings = 40
terrain.extent = [-11.0, -11.0, 11.0, 11.0]
area.rectangle = [-10.0, -10.0, 10.0, 10.0]
kernel.name = "rbf"
companions = []
training.pilot_steps = 5

[vary]
planner.name = ["myopic", "random"]
planner.distance_weight = [0.25, 1.0]
terrain.source = ["N17E073", "crater"]
seed = "0..1"
"#;

fn reproduce(place: &Place, document: &str, out: &str) -> Command {
    let path = place.path().join("weights.toml");
    std::fs::write(&path, document).unwrap();
    let mut command = transect();
    command.args(["--quiet", "reproduce"]).arg(path);
    command.arg("--out").arg(place.path().join(out));
    command
}

fn read(path: PathBuf) -> String {
    std::fs::read_to_string(path).unwrap()
}

/// Everything but processor times, which differ between any two runs.
fn results(root: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let report = std::fs::read(root.join("report.html")).unwrap();
    let kept = contents(root)
        .into_iter()
        .filter(|(path, _)| !path.ends_with("cpu.csv"));
    let mut kept: Vec<_> = kept.collect();
    kept.push(("report.html".into(), report));
    kept
}

#[test]
fn a_sweep_that_is_killed_ends_with_the_same_bytes() {
    let place = Place::new();
    succeed(&mut reproduce(&place, DOCUMENT, "whole"));
    let mut kills = 0;
    for _ in 0..40 {
        let mut sweep = reproduce(&place, DOCUMENT, "cut");
        let mut sweep = sweep
            .arg("--no-report")
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        let wanted = (2 * kills + 1).min(12);
        let done = loop {
            std::thread::sleep(Duration::from_millis(2));
            let there = finished(&place.path().join("cut"));
            if sweep.try_wait().unwrap().is_some() {
                break true;
            }
            if there >= wanted {
                break false;
            }
        };
        if done {
            break;
        }
        sweep.kill().unwrap();
        sweep.wait().unwrap();
        kills += 1;
    }
    assert!(kills >= 2, "only {kills} kills came in the middle");
    succeed(&mut reproduce(&place, DOCUMENT, "cut"));
    let (cut, whole) = (place.path().join("cut"), place.path().join("whole"));
    let (cut, whole) = (results(&cut), results(&whole));
    for (one, other) in cut.iter().zip(&whole) {
        assert!(one == other, "{} differs", one.0.display());
    }
    assert_eq!(cut.len(), whole.len());
}

fn finished(root: &Path) -> usize {
    let mut open = vec![root.join("sweep")];
    let mut count = 0;
    while let Some(folder) = open.pop() {
        for path in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = path.path();
            if path.extension().is_some_and(|e| e == "partial") {
                continue;
            }
            match path.is_dir() {
                true => open.push(path),
                false => count += usize::from(path.ends_with("run.json")),
            }
        }
    }
    count
}

#[test]
fn every_evaluation_is_a_row_and_every_setting_a_column() {
    let place = Place::new();
    let printed = succeed(&mut reproduce(&place, DOCUMENT, "out"));
    let out = place.path().join("out");
    let table = read(out.join("sweep-weights.csv"));
    let mut lines = table.lines();
    assert_eq!(
        lines.next().unwrap(),
        "planner.name,planner.distance_weight,terrain.source,seed,samples,smse,msll,nlpd,rmse,mae,coverage_50,\
         coverage_90,coverage_95,distance_m,time_s"
    );
    let run = out.join(
        "sweep/weights/planner.name=myopic/planner.distance_weight=0.25/terrain.source=crater/seed1",
    );
    let metrics = read(run.join("metrics.csv"));
    let own: Vec<&str> = metrics.lines().skip(1).collect();
    let rows: Vec<&str> = lines
        .filter_map(|line| line.strip_prefix("myopic,0.25,crater,1,"))
        .collect();
    assert!(own.len() > 1 && rows == own);
    let parquet = std::fs::read(out.join("sweep-weights.parquet")).unwrap();
    assert!(parquet.starts_with(b"PAR1"));
    // Four pairs (two terrains, two seeds) for each of three groups against the first.
    let paired = read(out.join("sweep-weights-paired.csv"));
    let all: Vec<&str> = paired
        .lines()
        .filter(|l| l.starts_with("smse,all,"))
        .collect();
    assert_eq!(all.len(), 3, "{paired}");
    assert!(
        all.iter()
            .all(|line| line.contains(",myopic \u{b7} 0.25,4,")),
        "{paired}"
    );
    assert!(text(&printed.stdout).contains("paired by terrain and seed"));

    // Another view of the same results.
    let mut report = transect();
    report.arg("report").arg(&out);
    report.args([
        "--metric",
        "mae",
        "--against",
        "distance",
        "--by",
        "planner.name",
    ]);
    succeed(report.args(["--reference", "random"]));
    assert!(out.join("figures/sweep-weights-mae.svg").exists());
    let paired = read(out.join("sweep-weights-paired.csv"));
    assert!(paired.contains("mae,all,myopic,random,8,"), "{paired}");
    let (code, said) = verdict(transect().arg("report").arg(&out).args(["--metric", "mea"]));
    assert!(code == 2 && said.contains("did you mean `mae`?"), "{said}");
}

/// The mission of a sweep is the one that `transect run` does, and that `tables` does under the paper's profile.
#[test]
fn a_sweeps_missions_are_those_of_run_and_of_tables() {
    let place = Place::new();
    let document = "profile = \"paper\"\ndata = \"terrain\"\nsamples = 60\n[mission]\n\
        terrain.extent = [-11.0, -11.0, 11.0, 11.0]\narea.rectangle = [-10.0, -10.0, 10.0, 10.0]\n\
        [vary]\nplanner.name = [\"random\"]\nkernel.name = [\"rbf\", \"ak\"]\nterrain.source = [\"N17E073\"]\nseed = [3]\n";
    succeed(reproduce(&place, document, "sweep").arg("--no-report"));
    succeed(&mut place.sweep("tables", "--quiet --kernel rbf,ak --seeds 3 --no-report"));
    for kernel in ["rbf", "ak"] {
        let varied = place.path().join(format!(
            "sweep/sweep/weights/planner.name=random/kernel.name={kernel}/terrain.source=N17E073/seed3"
        ));
        let paper = place
            .path()
            .join(format!("tables/tables/paper/N17E073/random/{kernel}/seed3"));
        let soundings = "soundings.csv";
        assert_eq!(read(varied.join(soundings)), read(paper.join(soundings)));
        let (ours, theirs) = (
            read(varied.join("metrics.csv")),
            read(paper.join("metrics.csv")),
        );
        for (one, other) in ours.lines().zip(theirs.lines()) {
            assert!(one.starts_with(&format!("{other},")), "{one}\n{other}");
        }
        assert_eq!(ours.lines().count(), theirs.lines().count());
    }

    let own = DOCUMENT.replace("\"random\"", "\"active\"");
    let one = [
        "--terrain",
        "crater",
        "--strategy",
        "active",
        "--seeds",
        "1",
        "--no-report",
    ];
    succeed(reproduce(&place, &own, "own").args(one));
    let mission = place.path().join("mission.toml");
    let settings = DOCUMENT.split("[mission]").nth(1).unwrap();
    let settings = settings.split("[vary]").next().unwrap();
    std::fs::write(&mission, settings).unwrap();
    let mut run = transect();
    run.args([
        "run",
        "--seed",
        "1",
        "--set",
        "planner.name=active",
        "--set",
        "planner.distance_weight=0.25",
    ]);
    run.args(["--set", "terrain.source=crater"]).arg(mission);
    succeed(run.arg("--out").arg(place.path().join("run")));
    let varied = "own/sweep/weights/planner.name=active/planner.distance_weight=0.25/terrain.source=crater/seed1";
    let metrics = |folder: &str| read(place.path().join(folder).join("metrics.csv"));
    assert_eq!(metrics(varied), metrics("run"));
}

#[test]
fn what_is_wrong_with_a_sweep_is_named_with_its_line() {
    let place = Place::new();
    let refused = |document: &str, said: &[&str]| {
        let (code, error) = verdict(&mut reproduce(&place, document, "out"));
        assert_eq!(code, 2, "{error}");
        for words in said {
            assert!(error.contains(words), "{error} does not say {words}");
        }
        assert!(!place.path().join("out").exists());
    };
    let with = |from: &str, to: &str| DOCUMENT.replace(from, to);
    refused(
        &with("planner.distance_weight", "planner.distance_wieght"),
        &["weights.toml:15", "did you mean `distance_weight`?"],
    );
    refused(
        &with("\"myopic\", ", "\"myopik\", "),
        &["weights.toml:14", "did you mean `myopic`?"],
    );
    refused(&with("\"crater\"]", "\"craten\"]"), &["craten"]);
    refused(&with("[0.25, 1.0]", "[]"), &["weights.toml:15", "no value"]);
    refused(&with("[0.25, 1.0]", "[1.0, 1.0]"), &["1.0 is there twice"]);
    refused(&format!("seeds = [1]\n{DOCUMENT}"), &["vary.seed"]);
    refused(
        &format!("experiment = \"tables\"\n{DOCUMENT}"),
        &["not both"],
    );
    refused("[mission]\nseed = 1\n", &["no [vary] table"]);
}
