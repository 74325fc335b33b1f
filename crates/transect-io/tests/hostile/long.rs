//! The long version: each reader for `FUZZ_SECONDS`, under a limit of memory and time.

use super::damage::damage;
use super::drawings::drawing;
use super::samples::samples;
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant, SystemTime};

/// The most memory that reading a file may take, bytes.
pub const MOST_MEMORY: usize = 1_000_000_000;
/// Reading a small file takes milliseconds; who needs longer than this hangs.
pub const PATIENCE: Duration = Duration::from_secs(20);
const USUAL_SECONDS: f64 = 60.0;

/// The most memory this process had since [`forget_memory`], bytes; 0 where the system does not tell.
pub fn most_memory() -> usize {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let number = line.and_then(|line| line.split_whitespace().next()?.parse::<usize>().ok());
    1024 * number.unwrap_or(0)
}

/// Starts [`most_memory`] anew, where the system can.
pub fn forget_memory() {
    let _ = std::fs::write("/proc/self/clear_refs", "5");
}

/// How often a file has been looked after while it is read, where to keep it, and its bytes.
type Watched = Mutex<Option<(u32, PathBuf, Vec<u8>)>>;

/// Time between two looks. They are counted, so that a machine that was suspended in between does not pass for a hang.
const LOOK: Duration = Duration::from_secs(1);

/// Ends the process if a file is not read within [`PATIENCE`]: a thread cannot be stopped.
struct Watchdog(Arc<Watched>);

impl Watchdog {
    fn start() -> Self {
        let watched: Arc<Watched> = Arc::default();
        let shared = Arc::downgrade(&watched);
        std::thread::spawn(move || {
            while let Some(watched) = shared.upgrade() {
                if let Some((looks, path, bytes)) = &mut *watched.lock().unwrap() {
                    *looks += 1;
                    if *looks * LOOK > PATIENCE {
                        std::fs::write(&*path, bytes).unwrap();
                        eprintln!("{} is not read within {PATIENCE:?}", path.display());
                        std::process::exit(1);
                    }
                }
                drop(watched);
                std::thread::sleep(LOOK);
            }
        });
        Self(watched)
    }

    fn watch(&self, path: PathBuf, bytes: &[u8]) {
        *self.0.lock().unwrap() = Some((0, path, bytes.to_vec()));
    }

    fn rest(&self) {
        *self.0.lock().unwrap() = None;
    }
}

fn any<T: Strategy>(of: &T, runner: &mut TestRunner) -> T::Value {
    of.new_tree(runner).unwrap().current()
}

/// Damages the files of a reader until the time is up.
fn torment(reader: &str) {
    let seconds = std::env::var("FUZZ_SECONDS").ok();
    let seconds = seconds.map_or(USUAL_SECONDS, |text| {
        text.parse().expect("FUZZ_SECONDS is not a number")
    });
    let mut seed = [0; 32];
    let now = SystemTime::UNIX_EPOCH.elapsed().unwrap().as_nanos();
    seed[..16].copy_from_slice(&now.to_le_bytes());
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &seed);
    let mut runner = TestRunner::new_with_rng(Config::default(), rng);
    let drawing = drawing(reader);
    let watchdog = Watchdog::start();
    forget_memory();
    let files = samples(reader);
    let (started, mut count, mut read, mut slowest) = (Instant::now(), 0, 0, Duration::ZERO);
    for sample in files.iter().cycle() {
        if started.elapsed().as_secs_f64() > seconds {
            break;
        }
        let mut bytes = match &drawing {
            Some(drawing) if count % 4 > 0 => any(drawing, &mut runner),
            _ => sample.bytes.clone(),
        };
        // Drawings are bad enough as they are: one in three is left at that.
        for _ in usize::from(drawing.is_some())..1 + count % 3 {
            bytes = any(&damage(), &mut runner).done_to(bytes);
        }
        let kept = std::env::temp_dir().join(format!("hostile-{}", sample.name));
        watchdog.watch(kept.clone(), &bytes);
        let began = Instant::now();
        let outcome = std::panic::catch_unwind(|| super::read(sample.name, &bytes));
        slowest = slowest.max(began.elapsed());
        watchdog.rest();
        let memory = most_memory();
        if outcome.is_err() || memory > MOST_MEMORY {
            std::fs::write(&kept, &bytes).unwrap();
            let kept = kept.display();
            panic!("{kept} made the reader panic or take too much: {memory} bytes of memory");
        }
        count += 1;
        read += usize::from(matches!(outcome, Ok(Ok(()))));
    }
    println!(
        "{reader}: {count} damaged files in {seconds} s, {read} of them still readable; slowest {slowest:?}, at most {} MB",
        most_memory() / 1_000_000
    );
    assert!(read > 0 && read < count, "{read} of {count} were readable");
}

#[test]
#[ignore = "takes FUZZ_SECONDS"]
fn numpy() {
    torment("numpy");
}

#[test]
#[ignore = "takes FUZZ_SECONDS"]
fn srtm() {
    torment("srtm");
}

#[test]
#[ignore = "takes FUZZ_SECONDS"]
fn geotiff() {
    torment("geotiff");
}

#[test]
#[ignore = "takes FUZZ_SECONDS"]
fn ascii_grid() {
    torment("ascii-grid");
}

#[test]
#[ignore = "takes FUZZ_SECONDS"]
fn picture() {
    torment("picture");
}

#[test]
#[ignore = "takes FUZZ_SECONDS"]
fn table() {
    torment("table");
}

#[test]
#[ignore = "takes FUZZ_SECONDS"]
fn soundings() {
    torment("soundings");
}

#[test]
#[ignore = "takes FUZZ_SECONDS"]
fn geojson() {
    torment("geojson");
}

#[test]
#[ignore = "takes FUZZ_SECONDS"]
fn kml() {
    torment("kml");
}

#[test]
#[ignore = "takes FUZZ_SECONDS"]
fn plan() {
    torment("plan");
}

#[test]
#[ignore = "takes FUZZ_SECONDS"]
fn nmea() {
    torment("nmea");
}

#[test]
#[ignore = "takes FUZZ_SECONDS"]
fn gpx() {
    torment("gpx");
}

#[test]
#[ignore = "takes FUZZ_SECONDS"]
fn levels() {
    torment("levels");
}

#[test]
#[ignore = "takes FUZZ_SECONDS"]
fn shapefile() {
    torment("shapefile");
}

#[test]
#[ignore = "takes FUZZ_SECONDS"]
fn geopackage() {
    torment("geopackage");
}
