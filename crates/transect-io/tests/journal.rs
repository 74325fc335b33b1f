//! Journals hold what happened, to the last message before a cut.

use proptest::prelude::*;
use std::sync::{Arc, OnceLock};
use transect::budget::Budget;
use transect::geometry::{Rect, Workspace};
use transect::mission::{Event, Mission, Observer, SimulatedWorld};
use transect::planner::Plan;
use transect::settings::MissionSettings;
use transect::terrain::Terrain;
use transect_io::journal::{
    Begun, Evaluated, Finished, Journal, JournalWriter, Planned, Recording, Truth,
};

struct Written {
    bytes: Vec<u8>,
    plans: Vec<Plan>,
    rmse: Vec<f64>,
    /// Length of the file after each event.
    lengths: Vec<usize>,
}

/// A small mission and its journal.
fn written() -> &'static Written {
    static WRITTEN: OnceLock<Written> = OnceLock::new();
    WRITTEN.get_or_init(|| {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal.mcap");
        let mut writer = JournalWriter::create(&path).unwrap();
        let mut mission = mission();
        let truth = Truth::of(&terrain(), mission.workspace(), mission.settings());
        writer.write(0.0, &truth).unwrap();
        let (mut plans, mut rmse, mut lengths) = (Vec::new(), Vec::new(), Vec::new());
        let mut watch = |event: &Event<'_>| {
            writer.event(event);
            lengths.push(path.metadata().unwrap().len() as usize);
            match event {
                Event::Planned { plan, .. } => plans.push(Plan::clone(plan)),
                Event::Evaluated { evaluation, .. } => rmse.push(evaluation.rmse),
                _ => {}
            }
        };
        mission.run(&mut watch).unwrap();
        writer.finish().unwrap();
        let bytes = std::fs::read(&path).unwrap();
        Written {
            bytes,
            plans,
            rmse,
            lengths,
        }
    })
}

/// Waves that grow towards the north, and a void.
fn terrain() -> Terrain {
    let extent = Rect::new(0.0, 20.0, 0.0, 10.0).unwrap();
    let height = |i: i32| match i {
        333 => f64::NAN,
        _ => (0.3 * f64::from(i % 40)).sin() * f64::from(i / 40),
    };
    Terrain::new((0..800).map(height).collect(), 20, 40, extent).unwrap()
}

fn mission() -> Mission<SimulatedWorld> {
    let terrain = terrain();
    let workspace = Workspace::from(terrain.extent());
    let mut settings = MissionSettings {
        budget: Budget::of_soundings(40),
        ..MissionSettings::default()
    };
    settings.pilot.soundings = 15;
    settings.planner.candidates = 50;
    settings.kernel.name = "rbf".into();
    settings.sensor.noise_std = 0.1;
    Mission::simulated(Arc::new(terrain), workspace, settings).unwrap()
}

/// Does something with the recording of a file with these bytes, while the file is there.
fn recorded<T>(bytes: &[u8], see: impl FnOnce(Result<Recording, transect_io::IoError>) -> T) -> T {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), bytes).unwrap();
    see(Recording::read(file.path()))
}

#[test]
fn what_was_told_is_read_back() {
    let written = written();
    let journal = Journal::parse(&written.bytes).unwrap();
    assert!(journal.complete);
    let plans = journal.all::<Planned>().unwrap();
    let plans: Vec<Plan> = plans.iter().map(|p| p.plan.clone()).collect();
    assert_eq!(plans, written.plans);
    let evaluations = journal.all::<Evaluated>().unwrap();
    let rmse: Vec<f64> = evaluations.iter().map(|e| e.0.rmse).collect();
    assert_eq!(rmse, written.rmse);
    let begun = journal.all::<Begun>().unwrap();
    assert_eq!(&begun[0].settings, mission().settings());
    assert_eq!(journal.all::<Finished>().unwrap()[0].spent.soundings, 40);
    assert!(journal.entries.is_sorted_by(|a, b| a.time_s <= b.time_s));
}

#[test]
fn the_recorded_world_leads_to_the_same_plans() {
    let written = written();
    recorded(&written.bytes, |recording| {
        let recording = recording.unwrap();
        assert!(recording.complete);
        assert_eq!(recording.counts["plan"], written.plans.len());
        let begun = recording.begun.clone();
        let mut plans = Vec::new();
        let mut watch = |event: &Event<'_>| {
            if let Event::Planned { plan, .. } = event {
                plans.push(Plan::clone(plan));
            }
        };
        let world = recording.world().unwrap();
        let again = Mission::new(world, begun.workspace, begun.settings).unwrap();
        let evaluator = recording.evaluator().unwrap().unwrap();
        again.with_evaluator(evaluator).run(&mut watch).unwrap();
        assert_eq!(plans, written.plans);
    });
}

/// What a killed program leaves: everything that was told by then.
#[test]
fn every_event_is_in_the_file_when_the_next_comes() {
    let written = written();
    for (told, length) in written.lengths.iter().enumerate() {
        let cut = Journal::parse(&written.bytes[..*length]).unwrap();
        assert_eq!(cut.entries.len(), told + 2);
        assert!(!cut.complete);
    }
}

#[test]
fn a_file_that_is_no_journal_is_refused() {
    for bytes in [&b""[..], b"x,y,value\n1,2,3\n", &written().bytes[1..]] {
        assert!(Journal::parse(bytes).unwrap_err().contains("not a journal"));
    }
    let missing = Journal::read("nowhere.mcap".as_ref()).unwrap_err();
    assert!(missing.to_string().starts_with("nowhere.mcap: "));
    let refusal = recorded(&written().bytes[..8], |recording| {
        recording.unwrap_err().to_string()
    });
    assert!(refusal.contains("how the mission began"), "{refusal}");
}

proptest! {
    #[test]
    fn a_journal_that_was_cut_off_keeps_its_beginning(share in 0.0..1.0_f64) {
        let written = written();
        let whole = Journal::parse(&written.bytes).unwrap();
        let length = 8 + ((written.bytes.len() - 9) as f64 * share) as usize;
        let cut = Journal::parse(&written.bytes[..length]).unwrap();
        let told = written.lengths.iter().filter(|end| **end <= length).count();
        // The truth comes before all that is counted.
        let told = told + usize::from(!cut.entries.is_empty());
        prop_assert!(!cut.complete);
        prop_assert_eq!(&cut.entries[..], &whole.entries[..told]);
    }

    #[test]
    fn damage_does_no_harm(at in 8_usize..60_000, to in any::<u8>(), cut in 0_usize..100) {
        let mut bytes = written().bytes.clone();
        let at = at.min(bytes.len() - 1);
        bytes[at] = to;
        bytes.truncate(bytes.len() - cut);
        if let Ok(journal) = Journal::parse(&bytes) {
            let begun = journal.all::<Begun>().map(|begun| begun.len());
            let is_understood = recorded(&bytes, |recording| recording.is_ok());
            prop_assert!(!is_understood || begun.is_ok_and(|count| count > 0));
        }
    }

    #[test]
    fn nonsense_does_no_harm(tail in prop::collection::vec(any::<u8>(), 0..400)) {
        let bytes = [mcap::MAGIC, &tail[..]].concat();
        let _ = Journal::parse(&bytes);
    }
}
