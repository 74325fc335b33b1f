//! A mission on the water, from the first command to the last.

use transect::Error;
use transect::budget::{Budget, Spent};
use transect::mission::{Ending, Mission, Observer, Reading};
use transect::surrogate::Surrogate;
use transect::{Sounding, inputs};

use super::coverage::{Coverage, Knowledge};
use super::deck::Deck;
use super::world::FieldWorld;
use transect_field::skipper::{Conclusion, HomeReason, Order};

/// How it went.
#[derive(Debug)]
pub struct Outcome {
    /// Why the survey ended; none when the mission could not go on and the fallback survey did.
    pub ending: Option<Ending>,
    /// Why the vehicle went home.
    pub home_reason: Option<HomeReason>,
    /// Where it all ended.
    pub conclusion: Conclusion,
    /// All soundings of this mission, those of the way home included.
    pub soundings: Vec<Sounding>,
    /// Those of the way home.
    pub late: Vec<Sounding>,
    /// What it took.
    pub spent: Spent,
    /// How well the area is known.
    pub knowledge: Option<Knowledge>,
    /// What the mission could not go on for.
    pub failure: Option<Error>,
}

/// Carries a mission out, comes home, and lets the model learn from the way.
///
/// Whatever happens to the model or the planner, the skipper goes on: a mission that fails leaves the rest of
/// the budget to the fallback survey. `beat` is called after every step, and now and then on the way home.
pub fn sail<D: Deck>(
    mission: &mut Mission<FieldWorld<D>>,
    coverage: &Coverage,
    observer: &mut dyn Observer,
    beat: &mut dyn FnMut(Option<Knowledge>),
) -> Outcome {
    let mut knowledge = None;
    mission.world_mut().wait_until_ready();
    let (mut ending, failure) = loop {
        // A vehicle that never set out has no readings, and no sensor is to blame for that.
        if !mission.world().is_ready() {
            break (Some(Ending::CalledHome), None);
        }
        match mission.step(observer) {
            Ok(progress) => {
                knowledge = mission
                    .posterior()
                    .and_then(|known| coverage.ask(&*known))
                    .or(knowledge);
                if knowledge.is_some_and(|known| coverage.is_enough(&known)) {
                    let order = Order::ComeHome(HomeReason::GoodEnough);
                    mission.world_mut().deck_mut().order(order);
                }
                beat(knowledge);
                if progress.ending.is_some() {
                    break (progress.ending, None);
                }
            }
            Err(error) => {
                mission.world_mut().wait_for_recall();
                break (None, Some(error));
            }
        }
    };
    if ending == Some(Ending::NoReadings) && mission.world().home_reason().is_some() {
        ending = Some(Ending::CalledHome);
    }
    let reason = match ending {
        Some(Ending::BudgetSpent) => spent_first(&mission.settings().budget, &mission.spent()),
        _ => HomeReason::MissionOver,
    };
    let world = mission.world_mut();
    let (conclusion, late) = world.finish(reason);
    let home_reason = world.home_reason();
    let late: Vec<Sounding> = late
        .into_iter()
        .filter_map(|reading| match reading {
            Reading::Taken(sounding) => Some(sounding),
            Reading::Lost => None,
        })
        .collect();
    if let Some(surrogate) = mission.surrogate_mut() {
        learn(surrogate, &late);
        knowledge = coverage.ask(&*surrogate.posterior()).or(knowledge);
    }
    let soundings = [mission.soundings(), &late].concat();
    let spent = Spent {
        soundings: soundings.len() as u64,
        ..mission.spent()
    };
    beat(knowledge);
    Outcome {
        ending,
        home_reason,
        conclusion,
        soundings,
        late,
        spent,
        knowledge,
        failure,
    }
}

/// Which limit of a budget is used up.
fn spent_first(budget: &Budget, spent: &Spent) -> HomeReason {
    if budget.soundings.is_some_and(|most| spent.soundings >= most) {
        HomeReason::Soundings
    } else if budget
        .distance_m
        .is_some_and(|most| spent.distance_m >= most)
    {
        HomeReason::Distance
    } else if budget.time_s.is_some_and(|most| spent.time_s >= most) {
        HomeReason::Time
    } else {
        HomeReason::MissionOver
    }
}

/// Adds soundings to a surrogate. What it does not take is still in the list.
fn learn(surrogate: &mut dyn Surrogate, soundings: &[Sounding]) {
    if let Ok((places, readings)) = inputs::soundings(soundings)
        && !readings.is_empty()
    {
        let _ = surrogate.add(&places, &readings);
    }
}
