//! The report from results on disk: whatever is there, and nothing if something is damaged.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use transect_lab::LabError;
use transect_lab::experiment::{LINE_TEST, LINE_TRAIN, attention_columns};
use transect_lab::report::{SweepView, write};
use transect_lab::results::{MAP, METRICS, Output, Results, SOUNDINGS, Table};

/// A fresh results folder.
fn results(folder: &Path) -> Results {
    Results::open(&folder.join("out")).unwrap()
}

/// Publishes a run made of tables.
fn publish(results: &Results, run: &str, files: &[(&str, &Table)]) {
    let claim = results.claim(run).unwrap().unwrap();
    let mut outputs: Vec<Output> = files
        .iter()
        .map(|(name, table)| Output::text(name, table.to_csv()))
        .collect();
    outputs.push(Output::text("run.json", "{}\n".into()));
    results.publish(run, &claim, &outputs).unwrap();
    drop(claim);
    results.tidy();
}

/// A curve that is judged every `every` samples.
fn metrics(every: usize) -> Table {
    let mut table = Table::new(&METRICS);
    for n in (50..=120).step_by(every) {
        let n = n as f64;
        table.push(&[n, 30.0 / n, -n / 100.0, 5.0, 20.0, 15.0]);
    }
    table
}

fn soundings() -> Table {
    let mut table = Table::new(&SOUNDINGS);
    for i in 0..120 {
        let t = f64::from(i) / 10.0;
        table.push(&[9.0 * t.sin(), 9.0 * (1.3 * t).cos(), t]);
    }
    table
}

/// A grid of five columns and four rows.
fn map() -> Table {
    let mut table = Table::new(&MAP);
    for (row, column) in (0..4).flat_map(|r| (0..5).map(move |c| (f64::from(r), f64::from(c)))) {
        let (x, y) = (-10.0 + 5.0 * column, -10.0 + 20.0 * row / 3.0);
        table.push(&[x, y, x + y, x + y + 1.0, 2.0 + column]);
    }
    table
}

/// A mission with a snapshot.
fn mission(results: &Results, run: &str, every: usize) {
    let (metrics, soundings, map) = (metrics(every), soundings(), map());
    let files = [
        ("metrics.csv", &metrics),
        ("soundings.csv", &soundings),
        ("map100.csv", &map),
    ];
    publish(results, run, &files);
}

/// One run of everything else.
fn the_rest(results: &Results) {
    let curve = metrics(1);
    for run in [
        "ablation/paper/N17E073/ak-mask/seed0",
        "sensitivity/paper/N17E073/lmin-0.05/seed0",
    ] {
        publish(results, run, &[("metrics.csv", &curve)]);
    }
    let files = [("train.csv", &curve), ("test.csv", &curve)];
    publish(results, "overfit/paper/helens/dkl/seed0", &files);
    let (map, soundings) = (map(), soundings());
    let files = [("map.csv", &map), ("soundings.csv", &soundings)];
    publish(results, "volcano/paper/helens/ak/seed0", &files);
    let (mut test, mut train) = (Table::new(&LINE_TEST), Table::new(&LINE_TRAIN));
    let names = attention_columns(2);
    let mut attention = Table::new(&names.iter().map(String::as_str).collect::<Vec<_>>());
    for i in 0..=20 {
        let x = f64::from(i) / 10.0 - 1.0;
        test.push(&[x, x * x, x * x + 0.1, 0.1]);
        train.push(&[x, x * x]);
        attention.push(&[x, 0.25, 0.75, 0.5, 0.5]);
    }
    let files = [
        ("prediction.csv", &test),
        ("train.csv", &train),
        ("attention.csv", &attention),
    ];
    publish(results, "step/paper/ak/seed0", &files);
    publish(results, "sine/default/ak/seed0", &files);
}

/// Every file below a folder.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut open = vec![folder.to_owned()];
    while let Some(next) = open.pop() {
        for path in fs::read_dir(next)
            .unwrap()
            .map(|entry| entry.unwrap().path())
        {
            if path.is_dir() {
                open.push(path);
            } else {
                let name = path.strip_prefix(folder).unwrap().display().to_string();
                found.insert(name, fs::read(&path).unwrap());
            }
        }
    }
    found
}

#[test]
fn an_empty_folder_gives_a_page_that_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let page = write(&results(folder.path()), None, &SweepView::default()).unwrap();
    let html = fs::read_to_string(&page).unwrap();
    assert_eq!(page, folder.path().join("out").join("report.html"));
    assert!(html.contains("no finished runs"));
    assert!(!html.contains("<figure>"));
}

#[test]
fn one_run_gives_its_table_curves_and_snapshot() {
    let folder = tempfile::tempdir().unwrap();
    let results = results(folder.path());
    mission(&results, "tables/paper/N17E073/random/rbf/seed0", 1);
    let html = fs::read_to_string(write(&results, None, &SweepView::default()).unwrap()).unwrap();
    let there = files(results.root());
    for name in ["paper-curves-random", "paper-snapshots-random-N17E073"] {
        for kind in ["svg", "png"] {
            let file = format!("figures/{name}.{kind}");
            assert!(
                there.contains_key(&file),
                "{file} is not in {:?}",
                there.keys()
            );
        }
    }
    // The paper's own entry for this row is of runs of 700 samples: it does not stand beside these.
    assert!(!html.contains("0.133 \u{b1} 0.003") && !html.contains("standard deviations."));
    assert!(html.contains("stop at 120 samples"));
    assert_eq!(html.matches("<figure>").count(), 2);
    assert!(!html.contains("src=\"http") && !html.contains("href=\"http"));
}

#[test]
fn every_experiment_has_its_part_and_each_profile_its_own() {
    let folder = tempfile::tempdir().unwrap();
    let results = results(folder.path());
    the_rest(&results);
    // Seeds of a planner whose epochs end at different sample counts.
    mission(&results, "tables/default/N45W123/myopic/ak/seed0", 7);
    mission(&results, "tables/default/N45W123/myopic/ak/seed1", 11);
    let html = fs::read_to_string(write(&results, None, &SweepView::default()).unwrap()).unwrap();
    for heading in [
        "As the paper \u{b7} A volcano",
        "As the paper \u{b7} A function with jumps",
        "As the paper \u{b7} Sensitivity",
        "As the paper \u{b7} Ablation",
        "As the paper \u{b7} Over-fitting",
        "Our defaults \u{b7} A function that turns",
        "Our defaults \u{b7} Informative planning",
    ] {
        assert!(html.contains(heading), "{heading}");
    }
    assert!(
        !html.contains("how much less error, in per cent"),
        "gains of runs that were cut short"
    );
}

#[test]
fn the_same_results_give_the_same_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let results = results(folder.path());
    the_rest(&results);
    mission(&results, "tables/paper/N43W080/active/ak/seed0", 1);
    write(&results, None, &SweepView::default()).unwrap();
    let first = files(results.root());
    write(&results, None, &SweepView::default()).unwrap();
    assert!(first == files(results.root()), "the second report differs");
}

#[test]
fn a_damaged_result_is_named_and_nothing_is_overwritten() {
    let folder = tempfile::tempdir().unwrap();
    let results = results(folder.path());
    let run = "tables/paper/N17E073/random/rbf/seed0";
    mission(&results, run, 1);
    write(&results, None, &SweepView::default()).unwrap();
    for (file, text, expected_line) in [
        (
            "metrics.csv",
            "samples,smse,msll,nlpd,rmse,mae\n50,1,2,3,4,5\n51,oops\n",
            Some(3),
        ),
        ("soundings.csv", "x,y\n", Some(1)),
        (
            "map100.csv",
            "x,y,truth,mean,std\n0,0,1,1,1\n1,0,1,1,1\n0,1,1,1,1\n",
            None,
        ),
    ] {
        let path = results.folder(run).join(file);
        let sound = fs::read(&path).unwrap();
        fs::write(&path, text).unwrap();
        let before = files(results.root());
        match write(&results, None, &SweepView::default()).unwrap_err() {
            LabError::Corrupt {
                path: named, line, ..
            } => {
                assert_eq!((named, line), (path.clone(), expected_line));
            }
            other => panic!("{other}"),
        }
        assert!(
            before == files(results.root()),
            "{file}: something was written"
        );
        fs::write(&path, sound).unwrap();
    }
}
