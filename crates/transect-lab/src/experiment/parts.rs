//! What the default profile is made of, part by part: its ablation.

use transect::settings::{ErrorBars, InputScaling, MissionSettings, Spacing, TrainingSettings};

/// Takes a part away.
pub(super) type Change = fn(&mut MissionSettings);

/// The default profile without one of its parts, by name. Each part is replaced by what the paper does.
pub(super) const PARTS: [(&str, Change); 7] = [
    ("no-companion", |s| s.companions.clear()),
    ("one-factor", |s| s.training.error_bars = ErrorBars::Overall),
    ("no-factor", |s| s.training.error_bars = ErrorBars::Kernels),
    ("rbf-bases", |s| s.kernel.base = "rbf".into()),
    ("even-lengthscales", |s| s.kernel.spacing = Spacing::Even),
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
