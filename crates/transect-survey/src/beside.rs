//! The same boat on parallel lines: what they come to in the same time, and how long they take for the same map.

use crate::error::Result;
use crate::outcome::Outcome;
use crate::run::Prepared;
use transect::budget::Budget;
use transect::planner::Travel;
use transect::settings::{PilotShape, PlannerSettings};

/// Soundings that count as the first ones when a model learns all of them at once, as the lawnmower's does.
const FIRST: usize = 50;
/// The name of the planner.
const LAWNMOWER: &str = "lawnmower";
/// Times that are tried, in times of that of the survey.
const LONGER: [f64; 5] = [1.12, 1.25, 1.4, 1.6, 2.0];
const SHORTER: [f64; 4] = [0.9, 0.8, 0.65, 0.5];

/// A lawnmower beside a survey.
#[derive(Debug)]
pub struct Beside {
    /// What was run.
    pub prepared: Prepared,
    /// What it came to in the same time.
    pub outcome: Outcome,
    /// How long it takes for the same map, in words; none where there is no truth to judge by.
    pub words: Option<String>,
}

/// Runs a lawnmower beside a survey that came to `survey`: in the same time, then in longer or shorter ones until its map is as good.
/// `watch` hears how much is done.
///
/// # Errors
/// If the engine gives up.
pub fn beside(prepared: &Prepared, survey: &Outcome, watch: &mut dyn FnMut(f64)) -> Result<Beside> {
    let same = lawnmower(prepared, survey, 1.0);
    let outcome = same.run(&mut (), &mut |share| watch(0.4 * share))?;
    let rmse = |outcome: &Outcome| outcome.result().map(|evaluation| evaluation.rmse);
    let words = match (rmse(survey), rmse(&outcome)) {
        (Some(wanted), Some(error)) => {
            let mut tried = vec![(1.0, error)];
            let better = error <= wanted;
            let factors: &[f64] = if better { &SHORTER } else { &LONGER };
            for (i, &factor) in factors.iter().enumerate() {
                let other = lawnmower(prepared, survey, factor).run(&mut (), &mut |_| {})?;
                watch(0.4 + 0.6 * (i + 1) as f64 / factors.len() as f64);
                let Some(error) = rmse(&other) else {
                    break;
                };
                tried.push((factor, error));
                if (error <= wanted) != better {
                    break;
                }
            }
            Some(in_words(&tried, wanted))
        }
        _ => None,
    };
    Ok(Beside {
        prepared: same,
        outcome,
        words,
    })
}

/// A lawnmower with `factor` times the time that the survey took.
fn lawnmower(prepared: &Prepared, survey: &Outcome, factor: f64) -> Prepared {
    let mut document = prepared.document.clone();
    let settings = &mut document.settings;
    settings.planner = PlannerSettings::named(LAWNMOWER);
    settings.budget = Budget {
        time_s: Some(factor * survey.spent.time_s),
        ..Budget::default()
    };
    // Its lines are its opening and all there is; its model learns from them as long as the other's does.
    settings.pilot.shape = PilotShape::Lines;
    settings.pilot.travel = Travel::Drive;
    settings.pilot.share = 1.0;
    let soundings = (factor * survey.spent.soundings as f64) as usize;
    settings.training.pilot_steps = settings.training.steps_for(soundings, FIRST);
    Prepared {
        document,
        scene: prepared.scene.clone(),
    }
}

/// What the errors after some times, of which the last two enclose the wanted one if any do, say of the time for it.
fn in_words(tried: &[(f64, f64)], wanted: f64) -> String {
    let percent = |factor: f64| 100.0 * (factor - 1.0).abs();
    let (last, error) = tried[tried.len() - 1];
    let Some(&(before, error_before)) = tried.len().checked_sub(2).map(|i| &tried[i]) else {
        return "Parallel lines have this map in the same time.".into();
    };
    if (error_before - wanted) * (error - wanted) > 0.0 {
        return if last > 1.0 {
            format!(
                "Parallel lines need more than {:.0} % longer for this map.",
                percent(last)
            )
        } else {
            format!(
                "Parallel lines have this map in less than {:.0} % of the time.",
                100.0 * last
            )
        };
    }
    let share = if error == error_before {
        0.0
    } else {
        (wanted - error_before) / (error - error_before)
    };
    let factor = before + share * (last - before);
    if percent(factor) < 0.5 {
        "Parallel lines have this map in the same time.".into()
    } else if factor > 1.0 {
        format!(
            "Parallel lines need {:.0} % longer for this map.",
            percent(factor)
        )
    } else {
        format!(
            "Parallel lines have this map in {:.0} % less time.",
            percent(factor)
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_between_those_tried() {
        let says = |tried: &[(f64, f64)], wanted, words: &str| {
            let text = in_words(tried, wanted);
            assert!(text.contains(words), "{text}");
        };
        says(&[(1.0, 5.0), (1.2, 4.0)], 4.5, "10 % longer");
        says(
            &[(1.0, 5.0), (1.2, 4.5), (1.4, 4.1), (2.0, 4.0)],
            3.0,
            "more than 100 % longer",
        );
        says(&[(1.0, 5.0), (0.8, 6.0)], 5.5, "10 % less time");
        says(
            &[(1.0, 5.0), (0.8, 5.0), (0.5, 5.1)],
            6.0,
            "less than 50 % of the time",
        );
        says(&[(1.0, 5.0)], 5.0, "in the same time");
    }
}
