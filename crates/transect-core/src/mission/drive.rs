//! Carrying out one plan.

use super::run::{Core, Mission};
use super::{Ending, Event, LegState, Observer, Phase, Reading, World};
use crate::budget::Spent;
use crate::geometry::Position;
use crate::planner::{Go, Plan};
use crate::{Error, Sounding};

/// A leg on which nothing happens for so many advances is given up.
const LONGEST_SILENCE: usize = 1_000_000;
/// No surface is so high, and no place so far away, in any unit.
const LARGEST_NUMBER: f64 = 1e30;
/// A jump's reading that is lost is asked for again so often.
const JUMP_ATTEMPTS: usize = 3;

impl<W: World> Mission<W> {
    /// Goes where the plan says and keeps the readings; says why the mission must end, if it must.
    pub(super) fn carry_out(
        &mut self,
        plan: &Plan,
        phase: Phase,
        observer: &mut dyn Observer,
    ) -> Result<Option<Ending>, Error> {
        match plan.go {
            Go::Jump(place) => self.jump(place, phase, observer),
            Go::Drive(goal) => self.drive(goal, phase, observer),
        }
    }

    fn jump(
        &mut self,
        place: Position,
        phase: Phase,
        observer: &mut dyn Observer,
    ) -> Result<Option<Ending>, Error> {
        let way_m = self.world.pose().position.distance_to(place);
        let after = Spent {
            distance_m: self.spent().distance_m + way_m,
            ..self.spent()
        };
        let limit_m = self.core.settings.budget.distance_m;
        if !self.core.settings.overshoot_budget && limit_m.is_some_and(|m| after.distance_m > m) {
            return Ok(Some(Ending::BudgetSpent));
        }
        for _ in 0..JUMP_ATTEMPTS {
            let reading = self.world.sample_at(place, self.core.noise())?;
            if self.core.keep(reading, place, phase, observer) {
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
        goal: Position,
        phase: Phase,
        observer: &mut dyn Observer,
    ) -> Result<Option<Ending>, Error> {
        if self.world.set_goal(goal).is_err() {
            // Nothing was gained; the patience for empty plans bounds how often this happens.
            return Ok(None);
        }
        let mut silence = 0;
        while silence < LONGEST_SILENCE {
            if !self.core.settings.overshoot_budget && self.budget_spent() {
                return Ok(None);
            }
            let advance = self.world.advance(self.core.noise())?;
            silence += 1;
            if let Some(reading) = advance.reading {
                silence = 0;
                let at = self.world.pose().position;
                self.core.keep(reading, at, phase, observer);
                if self.core.out_of_readings() {
                    return Ok(Some(Ending::NoReadings));
                }
            }
            if advance.leg != LegState::Underway {
                break;
            }
        }
        Ok(None)
    }
}

impl Core {
    /// Keeps a reading; says whether there was one to keep.
    fn keep(
        &mut self,
        reading: Reading,
        at: Position,
        phase: Phase,
        observer: &mut dyn Observer,
    ) -> bool {
        match reading {
            Reading::Taken(sounding) if is_number(&sounding) => {
                self.lost_in_a_row = 0;
                self.soundings.push(sounding);
                let sounding = &sounding;
                observer.event(&Event::Sounding { phase, sounding });
                true
            }
            Reading::Taken(_) | Reading::Lost => {
                self.lost_in_a_row += 1;
                observer.event(&Event::Lost { at });
                false
            }
        }
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
