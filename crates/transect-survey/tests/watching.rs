//! Whoever watches a mission may predict from what it knows, on as many threads as they like: the mission does not notice.

use std::sync::Arc;

use transect::geometry::Position;
use transect::gp::Of;
use transect::inputs;
use transect::mission::{Event, Observer};
use transect::posterior::Posterior;
use transect_survey::audience::Audience;
use transect_survey::document::Source;
use transect_survey::folder::Folder;
use transect_survey::run::Prepared;

const MISSION: &str = "\
    seed = 5\n\
    [terrain]\nsource = \"two-spots\"\n\
    [budget]\nsoundings = 80\n\
    [pilot]\nshape = \"curve\"\ntravel = \"jump\"\nsoundings = 20\n\
    [planner]\nname = \"active\"\ncandidates = 200\n";

/// Predicts from four threads at every round of training, from all posteriors so far, in every way there is.
#[derive(Default)]
struct Curious {
    known: Vec<Arc<dyn Posterior>>,
    asked: usize,
}

impl Observer for Curious {
    fn event(&mut self, event: &Event<'_>) {
        let Event::Trained { posterior, .. } = event else {
            return;
        };
        self.known.push(Arc::clone(posterior));
        let places: Vec<Position> = (0..50)
            .map(|i| Position::new(f64::from(i % 10) - 4.5, f64::from(i / 10) - 2.0))
            .collect();
        let places = inputs::places(&places).unwrap();
        let newest = &self.known[self.known.len().saturating_sub(4)..];
        std::thread::scope(|scope| {
            let ask = |known: &Arc<dyn Posterior>| {
                let thought = known.given(&places.slice(0, 9)).unwrap();
                let joint = thought.joint(&places, Of::Measurement).unwrap();
                assert!(joint.covariance.column(0)[0] > 0.0);
                known.forecast(&places).unwrap()
            };
            let threads: Vec<_> = (0..4)
                .map(|i| scope.spawn(move || ask(&newest[i % newest.len()])))
                .collect();
            for thread in threads {
                thread.join().unwrap();
                self.asked += 1;
            }
        });
    }
}

impl Audience for Curious {}

fn journal(audience: &mut dyn Audience) -> Vec<u8> {
    let source = Source::parse("mission.toml", MISSION).unwrap();
    let prepared = Prepared::from_source(&source).unwrap();
    let out = tempfile::tempdir().unwrap();
    let folder = Folder::create(&out.path().join("mission"), false).unwrap();
    prepared.run_into(&folder, audience, &mut |_| ()).unwrap();
    std::fs::read(folder.path(Folder::JOURNAL)).unwrap()
}

#[test]
fn a_mission_does_not_notice_who_predicts_from_what_it_knows() {
    let mut curious = Curious::default();
    let watched = journal(&mut curious);
    assert!(curious.asked > 40, "{}", curious.asked);
    assert!(watched == journal(&mut ()), "the journals differ");
}
