//! How long a mission thinks: the time from the last thing that the world did to the next plan.

use std::time::Instant;

use transect::mission::{Event, Phase};

/// How long decisions took, in the order they were made.
#[derive(Debug, Clone, Default)]
pub struct Pace {
    /// When the world did something last.
    since: Option<Moment>,
    /// Of each decision.
    taken: Vec<Taken>,
}

#[derive(Debug, Clone, Copy)]
struct Moment {
    wall: Instant,
    processor_s: Option<f64>,
}

#[derive(Debug, Clone, Copy)]
struct Taken {
    wall_s: f64,
    processor_s: Option<f64>,
}

impl Pace {
    /// Sees an event.
    pub fn note(&mut self, event: &Event<'_>) {
        match event {
            // Plans of the survey before there is a model take no thinking.
            Event::Planned { phase, .. } => {
                if let Some(since) = self.since.take().filter(|_| *phase == Phase::Survey) {
                    let now = Moment::now();
                    let spent = now.processor_s.zip(since.processor_s);
                    self.taken.push(Taken {
                        wall_s: (now.wall - since.wall).as_secs_f64(),
                        processor_s: spent.map(|(now, then)| now - then),
                    });
                }
            }
            Event::Started { .. }
            | Event::Sounding { .. }
            | Event::Lost { .. }
            | Event::LegEnded { .. } => self.since = Some(Moment::now()),
            _ => {}
        }
    }

    /// The longest time of all but a hundredth of the decisions, on the wall and of processors, s; of each of as many equal parts of
    /// the mission as are asked for.
    #[must_use]
    pub fn p99_s(&self, parts: usize) -> Vec<(f64, Option<f64>)> {
        let size = self.taken.len().div_ceil(parts.max(1)).max(1);
        let p99 = |mut all: Vec<f64>| {
            all.sort_by(f64::total_cmp);
            let last = all.len().checked_sub(1)?;
            Some(all[(0.99 * last as f64).floor() as usize])
        };
        let part = |part: &[Taken]| {
            let wall = p99(part.iter().map(|one| one.wall_s).collect())?;
            let processors: Option<Vec<f64>> = part.iter().map(|one| one.processor_s).collect();
            Some((wall, processors.and_then(p99)))
        };
        self.taken.chunks(size).filter_map(part).collect()
    }

    /// A line of text about it; nothing where nothing was decided.
    #[must_use]
    pub fn text(&self) -> Option<String> {
        let (wall, processors) = self.p99_s(1).pop()?;
        let longest = self.taken.iter().map(|one| one.wall_s).fold(0.0, f64::max);
        let parts = self.p99_s(4);
        let parts: Vec<String> = parts.iter().map(|(wall, _)| format!("{wall:.2}")).collect();
        let processors = processors.map_or(String::new(), |s| format!(" ({s:.2} s of processors)"));
        Some(format!(
            "{} decisions, 99 of 100 within {wall:.2} s{processors}, the longest {longest:.2} s; by quarters of the mission {} s",
            self.taken.len(),
            parts.join(", ")
        ))
    }
}

impl Moment {
    fn now() -> Self {
        Self {
            wall: Instant::now(),
            processor_s: processor_s(),
        }
    }
}

/// Time of processors that this program has taken so far, s, where the system says.
fn processor_s() -> Option<f64> {
    // Linux counts hundredths of a second, whatever the processor.
    const PER_S: f64 = 100.0;
    let text = std::fs::read_to_string("/proc/self/stat").ok()?;
    // The second field is a name that may hold anything; after its bracket comes the third.
    let (_, fields) = text.rsplit_once(')')?;
    let mut fields = fields.split_whitespace().skip(11);
    let mut next = || fields.next()?.parse::<f64>().ok();
    Some((next()? + next()?) / PER_S)
}
