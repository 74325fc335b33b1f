//! What the sonar says.

use transect::Sounding;
use transect::mission::Reading;

use super::{Doing, Entry, Report, Skipper};
use crate::Fix;
use crate::autopilot::Phase;
use crate::join::{Joined, PlacedSounding};
use crate::sonar::Sounder;

/// Clocks tick; a reading that comes this much before its time is in time, s.
const TICK_S: f64 = 0.05;

impl Skipper {
    /// Takes in what the sonar has said.
    pub(super) fn listen(&mut self) {
        let mut readings = Vec::new();
        let mut fixes = Vec::new();
        match &mut self.crew.sounder {
            Some(sounder) => {
                sounder.poll(self.now_s, &mut readings);
                sounder.take_fixes(&mut fixes);
            }
            None => self.crew.helm.take_depths(&mut readings),
        }
        if let Some(receiver) = &mut self.crew.receiver {
            receiver.poll(self.now_s, &mut Vec::new());
            receiver.take_fixes(&mut fixes);
        }
        self.place_without_autopilot(fixes);
        for reading in readings {
            self.crew.joiner.reading(reading);
        }
        for joined in self.crew.joiner.poll(self.now_s) {
            match joined {
                Joined::Sounding(placed) => self.keep(&placed),
                Joined::Rejected { reading, rejection } => {
                    self.rejected += 1;
                    let reason = rejection.to_string();
                    self.unusable.clone_from(&reason);
                    self.write(Entry::Rejected { reading, reason });
                }
            }
        }
        self.watch_silence();
    }

    /// While the autopilot does not tell where the vehicle is, a receiver of our own does, where there is one.
    fn place_without_autopilot(&mut self, fixes: Vec<Fix>) {
        if !self.without_places || self.started_s.is_none() {
            return;
        }
        let had = self.own_places;
        for fix in fixes {
            if !std::mem::replace(&mut self.own_places, true) {
                self.crew.joiner.trust(fix.time_s, None);
            }
            self.crew.joiner.fix(fix);
        }
        if self.own_places && !had {
            self.note("soundings go on with the positions of our own receiver");
        } else if !self.own_places && !std::mem::replace(&mut self.told_of_places, true) {
            self.note(
                "depths have no place until the vehicle tells its position again, and are not used; a receiver of our own \
                 (receiver) would give them one",
            );
        }
        self.told_of_places |= self.own_places;
    }

    /// Keeps a sounding, if one is due.
    fn keep(&mut self, placed: &PlacedSounding) {
        let Some(started_s) = self.started_s else {
            return;
        };
        self.heard_s = self.heard_s.max(placed.time_s);
        if std::mem::take(&mut self.silent) {
            self.note("the sonar is back");
        }
        let due = placed.time_s >= started_s && placed.time_s >= self.next_sample_s - TICK_S;
        // A vehicle that waits would fill the model, and the budget, with soundings of one place.
        if matches!(self.doing, Doing::Over(_)) || !due || self.is_paused() {
            return;
        }
        let Some(position) = self.plane.metres(placed.position) else {
            return;
        };
        self.next_sample_s = placed.time_s + 1.0 / self.limits.sampling_rate_hz;
        let sounding = Sounding {
            position,
            value: placed.depth_m,
            time_s: self.mission_time_s(placed.time_s),
        };
        self.soundings += 1;
        self.depth_m = Some(sounding.value);
        let distance_m = self.odometer.travelled_m();
        self.write(Entry::Sounding {
            sounding,
            distance_m,
        });
        self.tell(Report::Reading(Reading::Taken(sounding)));
    }

    /// Tells of readings that are due and do not come.
    fn watch_silence(&mut self) {
        let Some(started_s) = self.started_s else {
            return;
        };
        if self.crew.helm.state().phase != Phase::Ready || matches!(self.doing, Doing::Over(_)) {
            // Without a position nothing can be placed; that is not the sonar's fault.
            self.heard_s = self.now_s;
            return;
        }
        let silent_s = self.now_s - self.heard_s.max(started_s);
        if silent_s <= self.settings.sonar_silent_s {
            return;
        }
        if !std::mem::replace(&mut self.silent, true) {
            let age_s = match &self.crew.sounder {
                Some(sounder) => sounder.age_s(self.now_s),
                None => self.crew.helm.depth_age_s(),
            };
            let text = match age_s {
                Some(age_s) if age_s < self.settings.sonar_silent_s => {
                    format!("no usable depth for {silent_s:.0} s: {}", self.unusable)
                }
                _ => format!("the sonar is silent for {silent_s:.0} s"),
            };
            self.note(text);
        }
        if self.now_s >= self.next_sample_s {
            self.next_sample_s = self.now_s + 1.0 / self.limits.sampling_rate_hz;
            self.tell(Report::Reading(Reading::Lost));
        }
    }
}
