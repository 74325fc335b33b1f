//! What the default profile is made of, part by part: its ablation.

use transect::settings::{ErrorBars, InputScaling, MissionSettings, TrainingSettings};

/// Takes a part away.
pub(super) type Change = fn(&mut MissionSettings);

/// The default profile without one of its parts, by name. Each part is replaced by what the paper does.
pub(super) const PARTS: [(&str, Change); 11] = [
    ("no-companion", |s| s.companions.clear()),
    ("no-tempering", |s| s.planner.tempering = 0.0),
    // Two knots leave next to nothing of the bends, and the level of the surface.
    ("straight-warp", |s| s.training.warp_knots = 2),
    ("no-warp", |s| s.training.warp_knots = 0),
    // Error bars with less and less that is learnt from errors: nothing local, then no growth either, then nothing.
    ("one-factor", |s| s.training.error_bars = ErrorBars::Grown),
    ("no-growth", |s| s.training.error_bars = ErrorBars::Overall),
    ("no-factor", |s| s.training.error_bars = ErrorBars::Kernels),
    ("rbf-bases", |s| {
        s.kernel = s.kernel.clone().with("base", "rbf")
    }),
    ("even-lengthscales", |s| {
        s.kernel = s.kernel.clone().with("spacing", "even");
    }),
    ("paper-start", |s| {
        let paper = TrainingSettings::paper();
        s.training.noise_variance = paper.noise_variance;
        s.training.pilot_steps = paper.pilot_steps;
    }),
    ("pilot-scaling", |s| {
        s.training.scaling = InputScaling::PilotBounds;
    }),
];

/// The change of this name.
pub(super) fn named(name: &str) -> Option<Change> {
    let found = PARTS.iter().find(|(known, _)| *known == name);
    found.map(|(_, change)| *change)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_part_can_be_taken_away_and_what_is_left_is_sound() {
        let whole = MissionSettings::default();
        let mut seen = vec![whole.clone()];
        for (name, _) in PARTS {
            let mut settings = whole.clone();
            named(name).unwrap()(&mut settings);
            settings.validate().unwrap();
            assert!(!seen.contains(&settings), "{name}");
            seen.push(settings);
        }
        assert!(named("ak").is_none());
    }
}
