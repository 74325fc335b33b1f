//! The results folder.
//!
//! ```text
//! tables/<profile>/<terrain>/<strategy>/<kernel>/seed<N>/{metrics.csv, soundings.csv, run.json}
//! overfit/<profile>/<terrain>/<kernel>/seed<N>/{train.csv, test.csv, run.json}
//! ...
//! ```
//!
//! A run's folder appears under its name only when it is whole: it is written under another name
//! and renamed. While a run is being done, its lock is held; the lock dies with its process.

mod table;

pub use table::{COVERAGE, MAP, METRICS, SOUNDINGS, Table};

use crate::error::{LabError, Result};
use serde::{Deserialize, Serialize};
use std::fs::{self, File, TryLockError};
use std::io::ErrorKind::{AlreadyExists, NotFound};
use std::io::Write;
use std::path::{Path, PathBuf};

/// The version of the layout.
pub const FORMAT: u32 = 1;
const MARK: &str = ".transect-results";
const LOCKS: &str = ".locks";

/// A results folder.
#[derive(Debug, Clone)]
pub struct Results {
    root: PathBuf,
}

/// A file of a finished run.
#[derive(Debug, Clone)]
pub struct Output {
    /// Its name.
    pub name: String,
    /// Its contents.
    pub contents: Vec<u8>,
}

impl Output {
    /// A text file.
    #[must_use]
    pub fn text(name: &str, contents: String) -> Self {
        Self {
            name: name.into(),
            contents: contents.into_bytes(),
        }
    }
}

/// Held while a run is being done.
#[derive(Debug)]
pub struct Claim {
    _lock: File,
    path: PathBuf,
}

impl Drop for Claim {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.path);
    }
}

#[derive(Serialize, Deserialize)]
struct Mark {
    format: u32,
}

impl Results {
    /// Opens the folder, or makes it.
    ///
    /// # Errors
    /// If it cannot be written to, or belongs to another version or to something else.
    pub fn open(root: &Path) -> Result<Self> {
        if !is_marked(root)? {
            // Another process may be making this folder now: it makes the mark first, so whoever
            // finds other files looks for it once more.
            if entries(root).any(|name| name != MARK) && !is_marked(root)? {
                return Err(LabError::Request(format!(
                    "{} is not empty and holds no results of this program; choose another --out",
                    root.display()
                )));
            }
            fs::create_dir_all(root).map_err(LabError::writing(root))?;
            let turn = take_turn(root, true)?;
            // Others may have made it while this one waited.
            if !is_marked(root)? {
                let write = || -> std::io::Result<()> {
                    turn.set_len(0)?;
                    (&turn).write_all(mark().as_bytes())?;
                    turn.sync_data()
                };
                write().map_err(LabError::writing(&root.join(MARK)))?;
            }
        }
        Ok(Self {
            root: root.to_owned(),
        })
    }

    /// Opens a folder that must exist already.
    ///
    /// # Errors
    /// If it is not there or not of this version.
    pub fn existing(root: &Path) -> Result<Self> {
        if !root.join(MARK).exists() {
            return Err(LabError::Request(format!(
                "{} holds no results; `transect reproduce ... --out {}` makes some",
                root.display(),
                root.display()
            )));
        }
        Self::open(root)
    }

    /// The folder itself.
    #[must_use]
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The folder of a run.
    #[must_use]
    pub fn folder(&self, run: &str) -> PathBuf {
        self.root.join(run)
    }

    /// Whether a run is finished.
    #[must_use]
    pub fn is_finished(&self, run: &str) -> bool {
        self.folder(run).join("run.json").exists()
    }

    /// The specification of a finished run.
    ///
    /// # Errors
    /// If the record is damaged.
    pub fn spec(&self, run: &str) -> Result<serde_json::Value> {
        let path = self.folder(run).join("run.json");
        let text = fs::read_to_string(&path).map_err(LabError::reading(&path))?;
        let mut record: serde_json::Value =
            serde_json::from_str(&text).map_err(|error| LabError::Corrupt {
                path,
                line: Some(error.line()),
                reason: "it is not a record of a run".into(),
            })?;
        Ok(record["spec"].take())
    }

    /// Refuses a finished run that was made to another specification: it would pass for this one.
    ///
    /// # Errors
    /// If the specifications differ, or the record is damaged.
    pub fn require_spec(&self, run: &str, wanted: &serde_json::Value) -> Result<()> {
        let found = self.spec(run)?;
        if &found == wanted {
            return Ok(());
        }
        let differs = |(key, value): (&String, &serde_json::Value)| {
            let had = &found[key];
            (had != value).then(|| format!("{key} {had} instead of {value}"))
        };
        let fields = wanted.as_object().into_iter().flatten();
        let differences: Vec<String> = fields.filter_map(differs).collect();
        Err(LabError::Request(format!(
            "{} was made with {}; choose another --out, or move that folder away",
            self.folder(run).display(),
            differences.join(", ")
        )))
    }

    /// Claims a run for this process; nothing if somebody else is doing it right now.
    ///
    /// # Errors
    /// If locks cannot be made.
    pub fn claim(&self, run: &str) -> Result<Option<Claim>> {
        let folder = self.root.join(LOCKS);
        let path = folder.join(format!("{}.lock", run.replace('/', "__")));
        let mut refused = None;
        for _ in 0..100 {
            let lock = match fs::create_dir_all(&folder).and_then(|()| File::create(&path)) {
                Ok(lock) => lock,
                // A process that has just ended took the empty folder away: before the lock was
                // made in it, or between finding it there and looking what it is.
                Err(error) if matches!(error.kind(), NotFound | AlreadyExists) => {
                    refused = Some(error);
                    continue;
                }
                Err(error) => return Err(LabError::writing(&path)(error)),
            };
            refused = None;
            match lock.try_lock() {
                // Or the lock, after it was opened here: then it keeps nobody out.
                Ok(()) if !is_at(&lock, &path) => continue,
                Ok(()) => return Ok(Some(Claim { _lock: lock, path })),
                Err(TryLockError::WouldBlock) => return Ok(None),
                Err(TryLockError::Error(source)) => return Err(LabError::writing(&path)(source)),
            }
        }
        refused.map_or(Ok(None), |error| Err(LabError::writing(&folder)(error)))
    }

    /// Publishes a finished run: all of its files at once.
    ///
    /// # Errors
    /// If they cannot be written; nothing is left behind then.
    pub fn publish(&self, run: &str, _claim: &Claim, outputs: &[Output]) -> Result<()> {
        let target = self.folder(run);
        let partial = partial_name(&target);
        let _ = fs::remove_dir_all(&partial);
        let write = || -> Result<()> {
            fs::create_dir_all(&partial).map_err(LabError::writing(&partial))?;
            for output in outputs {
                write_durably(&partial.join(&output.name), &output.contents)?;
            }
            fs::rename(&partial, &target).map_err(LabError::writing(&target))
        };
        write().inspect_err(|_| {
            let _ = fs::remove_dir_all(&partial);
        })
    }

    /// Writes a file at the top of the folder, whole or not at all.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write(&self, name: &str, contents: &[u8]) -> Result<()> {
        let path = self.root.join(name);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent).map_err(LabError::writing(parent))?;
        }
        // One writer at a time, so that all can use the same name: what a killed process left
        // is then replaced by the next.
        let _turn = take_turn(&self.root, false)?;
        let mut beside = path.clone().into_os_string();
        beside.push(".partial");
        let beside = PathBuf::from(beside);
        write_durably(&beside, contents).inspect_err(|_| {
            let _ = fs::remove_file(&beside);
        })?;
        fs::rename(&beside, &path).map_err(LabError::writing(&path))
    }

    /// Removes the locks that nobody holds, left by processes that were killed, and their folder if
    /// it is empty then.
    pub fn tidy(&self) {
        let folder = self.root.join(LOCKS);
        for name in entries(&folder) {
            let path = folder.join(name);
            let Ok(lock) = File::options().append(true).open(&path) else {
                continue;
            };
            if lock.try_lock().is_ok() && is_at(&lock, &path) {
                let _ = fs::remove_file(&path);
            }
        }
        let _ = fs::remove_dir(folder);
    }

    /// The finished runs below a folder such as `tables/paper`: paths relative to the root, sorted.
    #[must_use]
    pub fn finished(&self, below: &str) -> Vec<String> {
        let mut found = Vec::new();
        let mut open = vec![self.root.join(below)];
        while let Some(folder) = open.pop() {
            if folder.join("run.json").exists() {
                if let Ok(relative) = folder.strip_prefix(&self.root) {
                    found.push(relative.to_string_lossy().replace('\\', "/"));
                }
                continue;
            }
            let entries = fs::read_dir(&folder).into_iter().flatten().flatten();
            open.extend(
                entries.map(|e| e.path()).filter(|path| {
                    path.is_dir() && path.extension().is_none_or(|e| e != "partial")
                }),
            );
        }
        found.sort();
        found
    }
}

/// Where a run is written before it is whole. One name per run: its lock is held.
fn partial_name(target: &Path) -> PathBuf {
    target.with_extension("partial")
}

fn write_durably(path: &Path, contents: &[u8]) -> Result<()> {
    let write = || -> std::io::Result<()> {
        let mut file = File::create(path)?;
        file.write_all(contents)?;
        file.sync_data()
    };
    write().map_err(LabError::writing(path))
}

/// Whether an open file is the one at `path`, rather than one that was removed from there.
#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let place = |found: std::io::Result<fs::Metadata>| found.map(|m| (m.dev(), m.ino())).ok();
    place(file.metadata()).is_some_and(|here| place(fs::metadata(path)) == Some(here))
}

#[cfg(not(unix))]
fn is_at(_: &File, path: &Path) -> bool {
    path.exists()
}

/// Names of the files in a folder; none if it is not there.
fn entries(folder: &Path) -> impl Iterator<Item = std::ffi::OsString> {
    let files = fs::read_dir(folder).into_iter().flatten().flatten();
    files.map(|file| file.file_name())
}

/// What the mark of a results folder says.
fn mark() -> String {
    format!("{{\"format\":{FORMAT}}}\n")
}

/// Whether a folder is marked as one of results. One that is there in part was left by a process
/// that was killed, and does not count.
fn is_marked(root: &Path) -> Result<bool> {
    let Ok(text) = fs::read_to_string(root.join(MARK)) else {
        return Ok(false);
    };
    let found = match serde_json::from_str(&text) {
        Ok(Mark { format: FORMAT }) => return Ok(true),
        Ok(Mark { format }) => format.to_string(),
        Err(_) if mark().starts_with(&text) => return Ok(false),
        Err(_) => "unknown".into(),
    };
    Err(LabError::Format {
        path: root.to_owned(),
        found,
        expected: FORMAT,
    })
}

/// Waits until no other process writes at the top of a results folder. The mark is what they lock;
/// it is never replaced, or two of them would hold different files. Only whoever opens the folder makes it.
fn take_turn(root: &Path, make: bool) -> Result<File> {
    let mark = root.join(MARK);
    let lock = || {
        // Some network file systems lock only what may be written.
        let mut writable = File::options();
        writable.write(true).create(make).truncate(false);
        let file = writable.open(&mark)?;
        file.lock()?;
        Ok(file)
    };
    lock().map_err(LabError::writing(&mark))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_appears_whole_and_only_once() {
        let folder = tempfile::tempdir().unwrap();
        let results = Results::open(&folder.path().join("out")).unwrap();
        let run = "tables/paper/A/random/ak/seed0";
        let claim = results.claim(run).unwrap().unwrap();
        assert!(results.claim(run).unwrap().is_none(), "claimed twice");
        assert!(!results.is_finished(run));
        let outputs = [Output::text("run.json", "{}".into())];
        results.publish(run, &claim, &outputs).unwrap();
        drop(claim);
        assert!(results.is_finished(run));
        assert_eq!(results.finished("tables"), [run]);
        results.tidy();
        assert!(!results.root().join(LOCKS).exists());
    }

    #[test]
    fn what_a_killed_process_left_is_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let results = Results::open(&folder.path().join("out")).unwrap();
        let partial = partial_name(&results.folder("a/seed0"));
        fs::create_dir_all(&partial).unwrap();
        fs::write(partial.join("metrics.csv"), "half").unwrap();
        assert!(results.finished("a").is_empty());
        let claim = results.claim("a/seed0").unwrap().unwrap();
        let outputs = [Output::text("run.json", "{}".into())];
        results.publish("a/seed0", &claim, &outputs).unwrap();
        assert!(!results.folder("a/seed0").join("metrics.csv").exists());
        drop(claim);
        let held = results.claim("a/seed2").unwrap().unwrap();
        let left = results.root().join(LOCKS).join("a__seed1.lock");
        fs::write(&left, "").unwrap();
        results.tidy();
        assert!(!left.exists());
        assert!(results.claim("a/seed2").unwrap().is_none(), "a held lock");
        drop(held);
    }

    #[test]
    fn a_folder_whose_maker_was_killed_can_be_used() {
        let folder = tempfile::tempdir().unwrap();
        for left in ["", "{\"form"] {
            fs::write(folder.path().join(MARK), left).unwrap();
            Results::open(folder.path()).unwrap();
            Results::existing(folder.path()).unwrap();
            let found = fs::read_to_string(folder.path().join(MARK)).unwrap();
            assert_eq!(found, mark());
        }
    }

    #[test]
    fn locks_that_cannot_be_made_are_said_and_not_taken_for_held() {
        let folder = tempfile::tempdir().unwrap();
        let results = Results::open(folder.path()).unwrap();
        fs::write(folder.path().join(LOCKS), "a file in the way").unwrap();
        let refused = results.claim("a/seed0").unwrap_err();
        assert!(refused.to_string().contains(LOCKS), "{refused}");
    }

    #[test]
    fn many_may_open_and_claim_at_once() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().join("out");
        std::thread::scope(|scope| {
            for thread in 0..8 {
                let root = &root;
                scope.spawn(move || {
                    for i in 0..200 {
                        let results = Results::open(root).unwrap();
                        drop(results.claim(&format!("a/{thread}/{i}")).unwrap());
                        results.write("tables.csv", b"same").unwrap();
                        results.tidy();
                    }
                });
            }
        });
        assert_eq!(fs::read(root.join("tables.csv")).unwrap(), b"same");
    }

    #[test]
    fn a_run_of_another_specification_does_not_pass_for_this_one() {
        let folder = tempfile::tempdir().unwrap();
        let results = Results::open(&folder.path().join("out")).unwrap();
        let claim = results.claim("a/seed0").unwrap().unwrap();
        let record = r#"{"spec": {"samples": 700, "seed": 0}}"#;
        let outputs = [Output::text("run.json", record.into())];
        results.publish("a/seed0", &claim, &outputs).unwrap();
        let spec = |samples: u32| serde_json::json!({"samples": samples, "seed": 0});
        results.require_spec("a/seed0", &spec(700)).unwrap();
        let refused = results.require_spec("a/seed0", &spec(90)).unwrap_err();
        assert!(
            refused.to_string().contains("samples 700 instead of 90"),
            "{refused}"
        );
        assert!(refused.is_request());
    }

    #[test]
    fn foreign_folders_are_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("thesis.tex"), "precious").unwrap();
        let message = Results::open(folder.path()).unwrap_err().to_string();
        assert!(message.contains("choose another --out"), "{message}");
        fs::remove_file(folder.path().join("thesis.tex")).unwrap();
        fs::write(folder.path().join(MARK), "{\"format\":7}").unwrap();
        let message = Results::open(folder.path()).unwrap_err().to_string();
        assert!(message.contains("format 7"), "{message}");
    }

    #[test]
    fn a_damaged_table_names_its_line() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("metrics.csv");
        let mut table = Table::new(&SOUNDINGS);
        table.push(&[0.1, 1e-300, -2.5]);
        fs::write(&path, table.to_csv()).unwrap();
        assert_eq!(Table::read(&path, &SOUNDINGS).unwrap(), table);
        for (text, expected) in [
            ("x,y,value\n1,2,3\n1,2\n", "line 3: 2 numbers instead of 3"),
            ("x,y,value\n1,2,z\n", "line 2: `1,2,z` is not numbers"),
            ("x,y,value\n1,2,3", "it is cut off"),
            ("x,y\n", "the header is `x,y`"),
            ("", "the header is ``"),
        ] {
            fs::write(&path, text).unwrap();
            let message = Table::read(&path, &SOUNDINGS).unwrap_err().to_string();
            assert!(message.contains(expected), "{message}");
        }
    }
}
