//! Carrying out one plan.

use super::run::{Core, Mission};
use super::{Ending, Event, LegEnd, LegState, Observer, Phase, Reading, Whereabouts, World};
use crate::budget::Spent;
use crate::geometry::Position;
use crate::planner::{Plan, Travel};
use crate::{Error, Sounding};

/// Advances without anything happening after which a leg is given up.
const LONGEST_SILENCE: usize = 1_000_000;
/// No surface is this high, and no place this far away, in any unit.
const LARGEST_NUMBER: f64 = 1e30;
/// Attempts at the reading of a jump before it is given up as lost.
const JUMP_ATTEMPTS: usize = 3;

impl<W: World> Mission<W> {
    /// Goes where the plan says and keeps the readings; says why the mission must end, if it must.
    pub(super) fn carry_out(
        &mut self,
        plan: &Plan,
        phase: Phase,
        observer: &mut dyn Observer,
    ) -> Result<Option<Ending>, Error> {
        match plan.travel {
            Travel::Drive => self.drive(plan, phase, observer),
            Travel::Jump => {
                for &place in &plan.path {
                    let ending = self.jump(place, phase, observer)?;
                    if ending.is_some() {
                        return Ok(ending);
                    }
                }
                Ok(None)
            }
        }
    }

    fn jump(
        &mut self,
        place: Position,
        phase: Phase,
        observer: &mut dyn Observer,
    ) -> Result<Option<Ending>, Error> {
        let here = self.world.whereabouts().pose.position;
        let way_m = here.distance_to(place);
        let settings = &self.core.settings;
        let after = Spent {
            distance_m: self.spent().distance_m + way_m,
            time_s: self.spent().time_s + way_m / settings.boat.max_speed_mps,
            ..self.spent()
        };
        let budget = &settings.budget;
        let is_too_far = budget.distance_m.is_some_and(|m| after.distance_m > m)
            || budget.time_s.is_some_and(|s| after.time_s > s);
        if !settings.overshoot_budget && is_too_far {
            return Ok(Some(Ending::BudgetSpent));
        }
        for _ in 0..JUMP_ATTEMPTS {
            let reading = self.world.sample_at(place, self.core.noise())?;
            let vehicle = self.world.whereabouts();
            if self.core.keep(reading, vehicle, phase, observer) {
                break;
            }
            if self.core.out_of_readings() {
                return Ok(Some(Ending::NoReadings));
            }
        }
        Ok(None)
    }

    fn drive(
        &mut self,
        plan: &Plan,
        phase: Phase,
        observer: &mut dyn Observer,
    ) -> Result<Option<Ending>, Error> {
        let end = match self.world.follow(&plan.path, &plan.times_s) {
            Ok(()) => self.follow_path(plan, phase, observer)?,
            // Nothing was gained; the patience for empty plans bounds how often this happens.
            Err(_) => LegEnd::Refused,
        };
        if end == LegEnd::Underway {
            self.world.deciding();
        }
        let vehicle = self.world.whereabouts();
        observer.event(&Event::LegEnded { end, vehicle });
        Ok(match end {
            LegEnd::NoReadings => Some(Ending::NoReadings),
            LegEnd::CalledHome => Some(Ending::CalledHome),
            _ => None,
        })
    }

    /// Takes readings until the path is over, or it is time to decide again.
    fn follow_path(
        &mut self,
        plan: &Plan,
        phase: Phase,
        observer: &mut dyn Observer,
    ) -> Result<LegEnd, Error> {
        let mut silence = 0;
        let begun_m = self.world.whereabouts().distance_m;
        let learnt = self.core.soundings.len();
        while silence < LONGEST_SILENCE {
            if !self.core.settings.overshoot_budget && self.budget_spent() {
                return Ok(LegEnd::BudgetSpent);
            }
            if self.world.recalled() {
                return Ok(LegEnd::CalledHome);
            }
            let advance = self.world.advance(self.core.noise())?;
            silence += 1;
            if let Some(reading) = advance.reading {
                silence = 0;
                let vehicle = self.world.whereabouts();
                self.core.keep(reading, vehicle, phase, observer);
                if self.core.out_of_readings() {
                    return Ok(LegEnd::NoReadings);
                }
            }
            match advance.leg {
                LegState::Underway => {}
                LegState::Arrived => return Ok(LegEnd::Arrived),
                LegState::Stuck => return Ok(LegEnd::Stuck),
            }
            let way_m = self.world.whereabouts().distance_m - begun_m;
            let due = plan.decide_after_m.is_some_and(|limit_m| way_m >= limit_m);
            // Without a new reading there is nothing new to decide on.
            if due && self.core.soundings.len() > learnt {
                return Ok(LegEnd::Underway);
            }
        }
        Ok(LegEnd::Silence)
    }
}

impl Core {
    /// Keeps a reading; says whether there was one to keep.
    fn keep(
        &mut self,
        reading: Reading,
        vehicle: Whereabouts,
        phase: Phase,
        observer: &mut dyn Observer,
    ) -> bool {
        match reading {
            Reading::Taken(sounding) if is_number(&sounding) => {
                self.lost_in_a_row = 0;
                self.soundings.push(sounding);
                let sounding = &sounding;
                observer.event(&Event::Sounding {
                    phase,
                    sounding,
                    vehicle,
                });
                true
            }
            Reading::Taken(_) | Reading::Lost => {
                self.lost_in_a_row += 1;
                observer.event(&Event::Lost { vehicle });
                false
            }
        }
    }

    /// All readings there are, those from before the mission first.
    pub(super) fn known(&self) -> Vec<Sounding> {
        [&self.prior[..], &self.soundings[..]].concat()
    }

    /// Values of all readings there are, in the same order. Only those that are new are looked at.
    pub(super) fn values(&mut self) -> &[f64] {
        let all = self.prior.iter().chain(&self.soundings);
        let new = all.skip(self.values.len()).map(|sounding| sounding.value);
        self.values.extend(new);
        &self.values
    }

    /// Readings from before the mission are enough to begin with.
    pub(super) fn knows_enough(&self) -> bool {
        let enough = self.settings.pilot.unless_known;
        enough.is_some_and(|enough| self.prior.len() >= enough)
    }

    fn out_of_readings(&self) -> bool {
        self.lost_in_a_row >= self.settings.patience.lost_readings
    }
}

/// A driver's NaN, or its largest number for "none", must not get into the model.
fn is_number(sounding: &Sounding) -> bool {
    let Position { x, y } = sounding.position;
    [sounding.value, x, y]
        .iter()
        .all(|number| number.abs() < LARGEST_NUMBER)
}
