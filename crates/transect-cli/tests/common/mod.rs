//! A terrain that needs no outside data, the program, and what it left in a folder.
#![allow(dead_code, reason = "each test file uses its part")]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A temporary folder with a terrain in it.
pub struct Place(tempfile::TempDir);

impl Place {
    pub fn new() -> Self {
        let place = Self(tempfile::tempdir().unwrap());
        std::fs::create_dir(place.data()).unwrap();
        place.write_terrain("N17E073", |row, column| {
            let (x, y) = (column as f64 / 40.0, row as f64 / 40.0);
            100.0 * ((7.0 * x).sin() * (5.0 * y).cos() + 0.3 * (31.0 * x * y).sin())
        });
        place
    }

    pub fn path(&self) -> &Path {
        self.0.path()
    }

    pub fn data(&self) -> PathBuf {
        self.path().join("terrain")
    }

    /// A terrain of 40 x 40 cells as NumPy writes it.
    pub fn write_terrain(&self, name: &str, value: impl Fn(usize, usize) -> f64) {
        const SIDE: usize = 40;
        let mut header =
            format!("{{'descr': '<f8', 'fortran_order': False, 'shape': ({SIDE}, {SIDE}), }}");
        header += &" ".repeat(127 - 10 - header.len());
        header.push('\n');
        let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
        bytes.extend((header.len() as u16).to_le_bytes());
        bytes.extend(header.as_bytes());
        for row in 0..SIDE {
            for column in 0..SIDE {
                bytes.extend(value(row, column).to_le_bytes());
            }
        }
        std::fs::write(self.data().join(format!("{name}.npy")), bytes).unwrap();
    }

    /// A small sweep of this place's terrain; `more` says the rest. Results go to `out`.
    pub fn sweep(&self, out: &str, more: &str) -> Command {
        let mut command = transect();
        command.args(["reproduce", "tables", "--terrain", "N17E073"]);
        command.args(["--strategy", "random", "--samples", "60"]);
        command.arg("--data").arg(self.data());
        command.arg("--out").arg(self.path().join(out));
        command.args(more.split_whitespace());
        command
    }
}

pub fn transect() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_transect"));
    // Pages show the day: let it be the same one also around midnight.
    command.env("SOURCE_DATE_EPOCH", "1700000000");
    command
}

/// Exit code and stderr.
pub fn verdict(command: &mut Command) -> (i32, String) {
    let output = command.output().unwrap();
    (output.status.code().unwrap_or(-1), text(&output.stderr))
}

/// Runs a command that must succeed.
pub fn succeed(command: &mut Command) -> Output {
    let output = command.output().unwrap();
    let stderr = text(&output.stderr);
    assert!(output.status.success(), "{command:?}: {stderr}");
    output
}

pub fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Every file of a results folder. The page and the seconds of `run.json` tell how long it took:
/// they are left out.
pub fn contents(root: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut open = vec![root.to_owned()];
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path);
                continue;
            }
            let mut bytes = std::fs::read(&path).unwrap();
            if path.ends_with("run.json") {
                let mut record: serde_json::Value = serde_json::from_slice(&bytes).unwrap();
                assert!(record["seconds"].take().is_object());
                bytes = record.to_string().into_bytes();
            }
            found.insert(path.strip_prefix(root).unwrap().to_owned(), bytes);
        }
    }
    found.remove(Path::new("report.html"));
    found
}

/// Two results folders hold the same files with the same bytes.
#[track_caller]
pub fn assert_same(one: &Path, other: &Path) {
    let (one, other) = (contents(one), contents(other));
    let names = |of: &BTreeMap<PathBuf, Vec<u8>>| of.keys().cloned().collect::<Vec<_>>();
    assert_eq!(names(&one), names(&other));
    for (name, bytes) in &one {
        assert!(bytes == &other[name], "{} differs", name.display());
    }
    assert!(one.keys().any(|name| name.ends_with("metrics.csv")));
}
