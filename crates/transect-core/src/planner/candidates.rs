//! What planners that choose among random places share.

use super::Context;
use crate::Error;
use crate::geometry::Position;

/// `count` places, uniform over the workspace, from the mission's random stream.
pub fn uniform(context: &mut Context<'_>, count: usize) -> Result<Vec<Position>, Error> {
    let randomness = &mut *context.randomness;
    context
        .workspace
        .sample_uniform(count, &mut |low, high| randomness.uniform(low, high))
}

/// The index of the highest score, the last of equals; `None` when no score is a number.
pub fn best(scores: &[f64]) -> Option<usize> {
    let numbers = (0..scores.len()).filter(|&i| !scores[i].is_nan());
    numbers.max_by(|&a, &b| scores[a].total_cmp(&scores[b]))
}

#[cfg(test)]
mod tests {
    use super::best;

    #[test]
    fn nan_never_wins() {
        assert_eq!(best(&[f64::NAN, 1.0, 3.0, f64::NAN, 2.0]), Some(2));
        assert_eq!(best(&[f64::NAN]), None);
        assert_eq!(best(&[]), None);
    }
}
