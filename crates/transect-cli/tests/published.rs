//! The published results come out again.

mod common;

use common::{succeed, transect};
use std::path::{Path, PathBuf};

/// Runs a sample of the rows of `docs/results` afresh. Needs the paper's terrains, in the folder that `TRANSECT_DATA` names.
#[test]
#[cfg_attr(not(transect_data), ignore = "set TRANSECT_DATA to the reference data")]
fn a_sample_of_published_rows_comes_out_again() {
    let data = PathBuf::from(std::env::var_os("TRANSECT_DATA").unwrap());
    let published = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/results/runs-paper.csv");
    let published = std::fs::read_to_string(published).unwrap();
    let rows: Vec<Vec<&str>> = published
        .lines()
        .skip(1)
        .map(|l| l.split(',').collect())
        .collect();
    // The cheapest kernel under two strategies.
    for strategy in ["random", "myopic"] {
        let rbf = |row: &&Vec<&str>| row[0] == strategy && row[2] == "rbf";
        let row = rows.iter().rfind(rbf).expect("a published row");
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("out");
        let mut again = transect();
        again.args([
            "--quiet",
            "reproduce",
            "tables",
            "--strategy",
            row[0],
            "--terrain",
            row[1],
        ]);
        again.args(["--kernel", row[2], "--seeds", row[3]]);
        succeed(again.arg("--data").arg(&data).arg("--out").arg(&out));
        let fresh = std::fs::read_to_string(out.join("runs-paper.csv")).unwrap();
        let fresh: Vec<&str> = fresh.lines().nth(1).unwrap().split(',').collect();
        assert_eq!(fresh[..5], row[..5]);
        for (ours, theirs) in fresh[5..10].iter().zip(&row[5..10]) {
            let [ours, theirs]: [f64; 2] = [ours, theirs].map(|n| n.parse().unwrap());
            assert!(
                (ours - theirs).abs() <= 1e-9 * theirs.abs(),
                "{row:?}: {fresh:?}"
            );
        }
    }
}
