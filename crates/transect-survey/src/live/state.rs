//! What there is to see of a mission, and what of it is new to a viewer.

use super::message::{Budgets, Message, Status};
use bytes::Bytes;
use serde_json::Value;
use std::sync::Arc;
use transect::mission::{Ending, Whereabouts};
use transect_io::journal::foxglove::Grid;
use transect_io::journal::{
    Begun, Entry, Evaluated, Finished, LegOver, Lost, PilotOver, Planned, Taken, Troubled,
};
use transect_plot::page::FrameData;

/// Most messages that are kept: the last ones.
const MOST_LINES: usize = 1000;

/// What there is to see.
#[derive(Debug, Default)]
pub(super) struct State {
    /// Counts missions: a viewer of another one begins anew.
    run: u64,
    soundings: Vec<[f64; 4]>,
    track: Vec<[f64; 3]>,
    lines: Vec<(f64, String)>,
    /// Lines that were dropped from the front.
    lines_dropped: usize,
    /// The newest map as it is sent, and how many there were.
    map: Option<Arc<str>>,
    maps: u64,
    pub(super) status: Status,
    statuses: u64,
    ended: Option<String>,
    last: Option<Told>,
}

/// What a viewer was told last. Most viewers have seen the same before, and are told the same: it is written once for all of them.
#[derive(Debug)]
struct Told {
    version: u64,
    before: Cursor,
    after: Cursor,
    words: Bytes,
}

/// What a viewer has seen.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Cursor {
    greeted: bool,
    run: u64,
    soundings: usize,
    track: usize,
    lines: usize,
    maps: u64,
    statuses: u64,
    ended: bool,
}

impl State {
    /// Takes an entry of a journal, written or about to be. One that cannot be understood changes nothing.
    pub(super) fn take(&mut self, entry: &Entry) {
        self.status.time_s = self.status.time_s.max(entry.time_s);
        self.statuses += 1;
        if let Some(Ok(Begun { settings, .. })) = entry.read() {
            let budget = settings.budget;
            *self = Self {
                run: self.run + 1,
                statuses: self.statuses,
                maps: self.maps,
                ..Self::default()
            };
            self.status.doing = "pilot survey".into();
            self.status.budget = Budgets {
                soundings: budget.soundings,
                distance_m: budget.distance_m,
                time_s: budget.time_s,
            };
        } else if let Some(Ok(Planned { plan, vehicle, .. })) = entry.read() {
            self.status.path = plan.path.iter().map(|at| [at.x, at.y]).collect();
            self.is_at(&vehicle);
        } else if let Some(Ok(Taken {
            sounding, vehicle, ..
        })) = entry.read()
        {
            let place = sounding.position;
            self.soundings
                .push([place.x, place.y, sounding.value, sounding.time_s]);
            self.status.soundings = self.soundings.len();
            self.status.value = Some(sounding.value);
            self.is_at(&vehicle);
        } else if let Some(Ok(LegOver { vehicle, .. })) = entry.read() {
            self.is_at(&vehicle);
        } else if let Some(Ok(Lost { vehicle })) = entry.read() {
            self.is_at(&vehicle);
        } else if let Some(Ok(PilotOver { .. })) = entry.read() {
            self.status.doing = "survey".into();
        } else if let Some(Ok(Evaluated(evaluation))) = entry.read() {
            self.status.rmse = Some(evaluation.rmse);
        } else if let Some(Ok(Troubled { text })) = entry.read() {
            self.tell(entry.time_s, text);
        } else if let Some(Ok(grid)) = entry.read::<Grid>() {
            self.take_map(entry.time_s, &grid);
        } else if let Some(Ok(Finished { ending, .. })) = entry.read() {
            self.finish(ending);
        } else if entry.topic == "aboard"
            && !is_routine(&entry.value)
            && let Some(text) = entry.value["text"].as_str()
        {
            self.tell(entry.time_s, text.into());
        }
    }

    fn is_at(&mut self, vehicle: &Whereabouts) {
        let place = vehicle.pose.position;
        (self.status.x, self.status.y) = (Some(place.x), Some(place.y));
        self.status.heading_rad = Some(vehicle.pose.heading_rad);
        self.status.distance_m = vehicle.distance_m;
        if self
            .track
            .last()
            .is_none_or(|last| last[..2] != [place.x, place.y])
        {
            self.track.push([place.x, place.y, vehicle.time_s]);
        }
    }

    fn take_map(&mut self, time_s: f64, grid: &Grid) {
        let Some(cells) = grid.cells() else { return };
        let extent = cells.extent;
        let frame = FrameData {
            time_s,
            soundings: self.soundings.len(),
            columns: cells.columns,
            rows: cells.rows,
            extent: [extent.xmin(), extent.ymin(), extent.xmax(), extent.ymax()],
            mean: cells.mean,
            std: cells.std,
        };
        self.map = Some(Message::Map(frame).to_event().into());
        self.maps += 1;
    }

    fn finish(&mut self, ending: Ending) {
        self.status.doing = "over".into();
        self.ended = Some(ending.to_string());
    }

    /// Nothing more will come, for a reason that no entry told.
    pub(super) fn close(&mut self) {
        self.statuses += 1;
        self.ended
            .get_or_insert_with(|| "the program that watches it ended".into());
    }

    pub(super) fn tell(&mut self, time_s: f64, text: String) {
        self.statuses += 1;
        self.lines.push((time_s, text));
        if self.lines.len() > MOST_LINES {
            self.lines.remove(0);
            self.lines_dropped += 1;
        }
    }

    /// Changes whenever there is something new.
    pub(super) fn version(&self) -> u64 {
        self.statuses
    }

    pub(super) fn touch(&mut self) {
        self.statuses += 1;
    }

    /// What is new to a viewer, as it is sent. Then it is not new any more.
    pub(super) fn news(&mut self, cursor: &mut Cursor) -> Bytes {
        let version = self.version();
        if let Some(last) = &self.last
            && last.version == version
            && last.before == *cursor
        {
            cursor.clone_from(&last.after);
            return last.words.clone();
        }
        let before = cursor.clone();
        let words = Bytes::from(self.write_news(cursor));
        self.last = Some(Told {
            version,
            before,
            after: cursor.clone(),
            words: words.clone(),
        });
        words
    }

    fn write_news(&self, cursor: &mut Cursor) -> String {
        let mut out = String::new();
        if !cursor.greeted || cursor.run != self.run {
            *cursor = Cursor {
                greeted: true,
                run: self.run,
                ..Cursor::default()
            };
            let hello = Message::Hello {
                run: self.run,
                program: crate::page::PROGRAM,
            };
            out.push_str(&hello.to_event());
        }
        if cursor.track < self.track.len() {
            let (from, points) = (cursor.track, self.track[cursor.track..].to_vec());
            out.push_str(&Message::Track { from, points }.to_event());
            cursor.track = self.track.len();
        }
        if cursor.soundings < self.soundings.len() {
            let from = cursor.soundings;
            let points = self.soundings[from..].to_vec();
            out.push_str(&Message::Soundings { from, points }.to_event());
            cursor.soundings = self.soundings.len();
        }
        if let Some(map) = self.map.as_ref().filter(|_| cursor.maps != self.maps) {
            out.push_str(map);
            cursor.maps = self.maps;
        }
        let told = self.lines_dropped + self.lines.len();
        if cursor.lines < told {
            let from = cursor.lines.max(self.lines_dropped);
            let lines = self.lines[from - self.lines_dropped..].to_vec();
            out.push_str(&Message::Messages { from, lines }.to_event());
            cursor.lines = told;
        }
        if cursor.statuses != self.statuses {
            out.push_str(&Message::Status(Box::new(self.status.clone())).to_event());
            cursor.statuses = self.statuses;
        }
        if let Some(ending) = self.ended.clone().filter(|_| !cursor.ended) {
            out.push_str(&Message::Ended { ending }.to_event());
            cursor.ended = true;
        }
        out
    }
}

/// What comes so often on board that nobody wants to read each.
fn is_routine(aboard: &Value) -> bool {
    let entry = &aboard["details"]["entry"];
    entry == "rejected" || entry == "sounding" || aboard["details"]["event"] == "fix"
}

#[cfg(test)]
mod tests {
    use super::*;
    use transect_io::journal::Message as _;

    fn sounding(i: usize) -> Entry {
        let at = serde_json::json!([i, 0.0]);
        Entry {
            topic: Taken::TOPIC.into(),
            time_s: i as f64,
            value: serde_json::json!({
                "phase": "survey",
                "sounding": {"position": at, "value": 1.5, "time_s": i},
                "vehicle": {"pose": {"position": at, "heading_rad": 0.0}, "distance_m": i, "time_s": i},
            }),
        }
    }

    fn told(state: &mut State, cursor: &mut Cursor) -> String {
        String::from_utf8(state.news(cursor).to_vec()).unwrap()
    }

    #[test]
    fn viewers_who_have_seen_the_same_are_told_the_same_bytes() {
        let mut state = State::default();
        let mut viewers = [Cursor::default(), Cursor::default(), Cursor::default()];
        for round in 0..5 {
            state.take(&sounding(round));
            let first = state.news(&mut viewers[0]);
            let second = state.news(&mut viewers[1]);
            assert_eq!(first.as_ptr(), second.as_ptr(), "written once");
            // One who comes later is told everything.
            let late = told(&mut state, &mut Cursor::default());
            assert_eq!(late.matches("event: soundings").count(), 1);
            assert!(late.contains(r#"{"from":0,"points":[[0.0,0.0,1.5,0.0]"#));
            assert_eq!(told(&mut state, &mut viewers[2]).as_bytes(), first);
            assert_eq!(viewers[0], viewers[2]);
        }
    }

    #[test]
    fn a_viewer_is_told_everything_once_however_often_it_asks() {
        let mut state = State::default();
        let mut cursor = Cursor::default();
        assert!(told(&mut state, &mut cursor).starts_with("event: hello\n"));
        (0..3).for_each(|i| state.take(&sounding(i)));
        let news = told(&mut state, &mut cursor);
        assert!(
            news.contains(r#"{"from":0,"points":[[0.0,0.0,1.5,0.0],[1.0,0.0,1.5,1.0],"#),
            "{news}"
        );
        assert_eq!(told(&mut state, &mut cursor), "");
        // One that was away gets what it missed in one piece.
        (3..1000).for_each(|i| state.take(&sounding(i)));
        let news = told(&mut state, &mut cursor);
        assert_eq!(news.matches("event: soundings").count(), 1);
        assert!(news.contains(r#"{"from":3,"points":[[3.0"#));
        let mut other = Cursor::default();
        assert!(told(&mut state, &mut other).contains(r#""from":0"#));
    }

    #[test]
    fn nonsense_changes_nothing_and_lines_are_bounded() {
        let mut state = State::default();
        for value in [Value::Null, serde_json::json!({"sounding": 3})] {
            for topic in [
                Taken::TOPIC,
                Grid::TOPIC,
                Begun::TOPIC,
                "aboard",
                "never heard of",
            ] {
                state.take(&Entry {
                    topic: topic.into(),
                    time_s: 1.0,
                    value: value.clone(),
                });
            }
        }
        assert!(state.soundings.is_empty() && state.map.is_none() && state.lines.is_empty());
        let mut cursor = Cursor::default();
        for i in 0..MOST_LINES + 7 {
            state.tell(0.0, format!("line {i}"));
        }
        let news = told(&mut state, &mut cursor);
        assert!(news.contains("\"line 7\"") && !news.contains("\"line 6\""));
        assert_eq!(cursor.lines, MOST_LINES + 7);
        // A line break in a message must not end the event.
        state.tell(0.0, "one\ntwo\n\nevent: ended".into());
        let news = told(&mut state, &mut cursor);
        let events = news.lines().filter(|line| line.starts_with("event: "));
        assert_eq!(
            events.collect::<Vec<_>>(),
            ["event: messages", "event: status"]
        );
    }
}
