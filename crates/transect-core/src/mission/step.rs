//! One step of the loop.

use super::run::{Mission, Progress, State};
use super::{Ending, Event, Observer, Phase, World};
use crate::Error;
use crate::geometry::Position;
use crate::inputs;
use crate::planner::{Context, Plan, Travel, uniform};
use crate::surrogate::{FirstReadings, Remedy, Surrogate, Task, Trouble};

/// Fewest readings that a model begins with.
const FEWEST_READINGS: usize = 2;

impl<W: World> Mission<W> {
    /// Steps until the mission is over.
    ///
    /// # Errors
    /// As [`Mission::step`].
    pub fn run(&mut self, observer: &mut dyn Observer) -> Result<Ending, Error> {
        loop {
            if let Some(ending) = self.step(observer)?.ending {
                return Ok(ending);
            }
        }
    }

    /// One step: a leg or reading of the pilot survey, or one round of plan, move, measure, learn, judge.
    /// Steps after the end do nothing.
    ///
    /// # Errors
    /// When the world can no longer do what it is asked. Trouble with numbers is no error: see
    /// [`Event::Trouble`]. A world that recovers can be stepped on; no reading is lost.
    pub fn step(&mut self, observer: &mut dyn Observer) -> Result<Progress, Error> {
        let finished = State::Finished(Ending::NoProgress);
        match std::mem::replace(&mut self.state, finished) {
            State::Ready(begin) => {
                observer.event(&Event::Started {
                    settings: &self.core.settings,
                    workspace: &self.core.workspace,
                    vehicle: self.world.whereabouts(),
                    prior: &self.core.prior,
                });
                self.state = State::Pilot(begin);
                self.pilot_step(observer)?;
            }
            State::Pilot(begin) => {
                self.state = State::Pilot(begin);
                self.pilot_step(observer)?;
            }
            State::Survey => {
                self.state = State::Survey;
                self.survey_step(observer)?;
            }
            over @ State::Finished(_) => self.state = over,
        }
        Ok(self.progress())
    }

    fn pilot_step(&mut self, observer: &mut dyn Observer) -> Result<(), Error> {
        let cut_short = !self.core.settings.overshoot_budget && self.budget_spent();
        let plan = match cut_short || self.core.knows_enough() {
            true => None,
            false => self.plan(Phase::Pilot, observer)?,
        };
        let ending = match plan {
            Some(plan) => self.carry_out(&plan, Phase::Pilot, observer)?,
            None => return self.finish_pilot(observer),
        };
        match ending {
            Some(Ending::BudgetSpent) => self.finish_pilot(observer),
            // What was read until then is worth a map.
            Some(Ending::CalledHome) => {
                self.finish_pilot(observer)?;
                if !matches!(self.state, State::Finished(_)) {
                    self.finish(Ending::CalledHome, observer);
                }
                Ok(())
            }
            Some(ending) => {
                self.finish(ending, observer);
                Ok(())
            }
            None => Ok(()),
        }
    }

    /// A surrogate from the pilot's readings.
    fn finish_pilot(&mut self, observer: &mut dyn Observer) -> Result<(), Error> {
        if self.core.known().len() < FEWEST_READINGS {
            let ending = match self.budget_spent() {
                true => Ending::BudgetSpent,
                false => Ending::NoReadings,
            };
            self.finish(ending, observer);
            return Ok(());
        }
        let failed = State::Finished(Ending::NoProgress);
        if let State::Pilot(begin) = std::mem::replace(&mut self.state, failed) {
            let (places, readings) = inputs::soundings(&self.core.known())?;
            self.core.surrogate = Some(begin(&FirstReadings {
                settings: &self.core.settings,
                workspace: &self.core.workspace,
                places: &places,
                readings: &readings,
                compute: self.compute,
            })?);
            self.core.learnt = self.core.soundings.len();
            self.state = State::Survey;
        }
        let soundings = &self.core.soundings;
        observer.event(&Event::PilotDone { soundings });
        self.learn(self.core.settings.training.pilot_steps, observer);
        self.finish_if_spent(observer);
        Ok(())
    }

    fn survey_step(&mut self, observer: &mut dyn Observer) -> Result<(), Error> {
        let mut ending = None;
        let mut empty_plans = 0;
        while ending.is_none() && self.core.soundings.len() == self.core.learnt {
            if empty_plans == self.core.settings.patience.empty_plans {
                ending = Some(Ending::NoProgress);
                break;
            }
            empty_plans += 1;
            ending = match self.plan(Phase::Survey, observer)? {
                None => Some(Ending::SurveyComplete),
                Some(plan) => self.carry_out(&plan, Phase::Survey, observer)?,
            };
            if !self.core.settings.overshoot_budget && self.budget_spent() {
                break;
            }
        }
        let new = self.core.soundings.len() - self.core.learnt;
        if new > 0 {
            self.take_in_new_readings(observer)?;
            let steps = new * self.core.settings.training.steps_per_sounding;
            self.learn(steps, observer);
        }
        match ending {
            Some(ending) => self.finish(ending, observer),
            None => self.finish_if_spent(observer),
        }
        Ok(())
    }

    fn take_in_new_readings(&mut self, observer: &mut dyn Observer) -> Result<(), Error> {
        let (places, readings) = inputs::soundings(&self.core.soundings[self.core.learnt..])?;
        self.core.learnt = self.core.soundings.len();
        if let Some(surrogate) = &mut self.core.surrogate
            && let Err(reason) = surrogate.add(&places, &readings)
        {
            let (task, remedy) = (Task::Learning, Remedy::LeftOutReadings);
            tell_refusal(observer, task, reason, remedy);
        }
        self.tell_troubles(observer);
        Ok(())
    }

    fn plan(&mut self, phase: Phase, observer: &mut dyn Observer) -> Result<Option<Plan>, Error> {
        let spent = self.spent();
        let vehicle = self.world.whereabouts();
        let known = self.posterior();
        let core = &mut self.core;
        let mut context = Context {
            known,
            workspace: &core.workspace,
            stay_inside: core.settings.stay_inside,
            pose: vehicle.pose,
            randomness: &mut *core.randomness,
            budget: &core.settings.budget,
            spent,
            home: core.settings.home,
            prior: &core.prior,
            soundings: &core.soundings,
        };
        let planner = match phase {
            Phase::Pilot => &mut self.pilot,
            Phase::Survey => &mut self.planner,
        };
        let (plan, refusal) = match planner.plan(&mut context) {
            Ok(plan) => (plan, None),
            Err(reason) => {
                let place = anywhere(&mut context)?;
                let plan = if self.jumping {
                    Plan::jump(place)
                } else {
                    Plan::drive(place)
                };
                (Some(plan), Some(reason))
            }
        };
        if let Some(reason) = refusal {
            let (task, remedy) = (Task::Planning, Remedy::WentAnywhere);
            tell_refusal(observer, task, reason, remedy);
        }
        if let Some(plan) = &plan {
            self.jumping = plan.travel == Travel::Jump;
            observer.event(&Event::Planned {
                phase,
                plan,
                vehicle,
            });
        }
        Ok(plan)
    }

    /// Trains for `steps` steps and judges the map.
    fn learn(&mut self, steps: usize, observer: &mut dyn Observer) {
        if let Some(surrogate) = &mut self.core.surrogate
            && steps > 0
        {
            let training = surrogate.train(steps);
            let posterior = &surrogate.posterior();
            self.tell_troubles(observer);
            observer.event(&Event::Trained {
                training,
                posterior,
            });
        }
        if let (Some(evaluator), Some(known)) = (&self.evaluator, self.posterior()) {
            match evaluator.evaluate(&*known, self.core.values()) {
                Ok((evaluation, prediction)) => {
                    if prediction.floored > 0 {
                        let count = prediction.floored;
                        let trouble = &Trouble::FlooredVariances { count };
                        observer.event(&Event::Trouble { trouble });
                    }
                    observer.event(&Event::Evaluated {
                        evaluation: &evaluation,
                        prediction: &prediction,
                    });
                }
                Err(reason) => {
                    let (task, remedy) = (Task::Evaluation, Remedy::SkippedEvaluation);
                    tell_refusal(observer, task, reason, remedy);
                }
            }
        }
    }

    fn tell_troubles(&mut self, observer: &mut dyn Observer) {
        let surrogate = self.core.surrogate.as_deref_mut();
        for trouble in surrogate.map(Surrogate::take_troubles).unwrap_or_default() {
            observer.event(&Event::Trouble { trouble: &trouble });
        }
    }

    pub(super) fn budget_spent(&self) -> bool {
        self.core.settings.budget.exhausted(&self.spent())
    }

    fn finish_if_spent(&mut self, observer: &mut dyn Observer) {
        if self.budget_spent() {
            self.finish(Ending::BudgetSpent, observer);
        }
    }

    fn finish(&mut self, ending: Ending, observer: &mut dyn Observer) {
        self.state = State::Finished(ending);
        let spent = self.spent();
        observer.event(&Event::Finished { ending, spent });
    }
}

/// A random place that can be headed for.
fn anywhere(context: &mut Context<'_>) -> Result<Position, Error> {
    const TRIES: usize = 100;
    let places = uniform(context, TRIES)?;
    let reachable = places.iter().find_map(|&p| context.first_corner(p));
    Ok(reachable.unwrap_or(places[0]))
}

fn tell_refusal(observer: &mut dyn Observer, task: Task, reason: Error, remedy: Remedy) {
    let trouble = &Trouble::Refused {
        task,
        reason,
        remedy,
    };
    observer.event(&Event::Trouble { trouble });
}
