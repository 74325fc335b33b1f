//! 1-D functions with sharp changes, and the attention weights w(x) and z(x) learnt on them.

use super::job::{Stopwatch, Watch};
use super::{Experiment, Profile};
use crate::data::DataFolder;
use crate::error::Result;
use crate::results::{Output, Table};
use serde::Serialize;
use transect::gp::train::Adam;
use transect::gp::{InputScaler, Of, Points, Regression, TargetScaler};
use transect::settings::KernelChoice;

/// One 1-D run.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LineJob {
    /// `step` or `sine`.
    pub experiment: Experiment,
    /// Whose behaviour it has.
    pub profile: Profile,
    /// The kernel's name in paths.
    pub label: String,
    /// The kernel.
    pub kernel: KernelChoice,
    /// Start of the noise variance.
    pub noise: f64,
    /// The seed.
    pub seed: u64,
    /// Training steps.
    pub steps: usize,
}

/// Columns of `prediction.csv`.
pub const LINE_TEST: [&str; 4] = ["x", "truth", "mean", "std"];
/// Columns of `train.csv`.
pub const LINE_TRAIN: [&str; 2] = ["x", "y"];
/// The file with x, then w(x), then z(x).
pub const ATTENTION_FILE: &str = "attention.csv";

/// What differs from the maps: rates, network, length-scales, noise.
const RATES: (f64, f64) = (0.2, 0.02);
const HIDDEN: usize = 8;
/// Least and greatest length-scale of the attentive kernel on a line.
pub const LINE_LENGTHSCALES: (f64, f64) = (0.01, 0.11);
/// Start of the noise variance, unless a label says otherwise.
pub(super) const NOISE: f64 = 0.01;
/// What one stationary kernel makes of the step function depends on where it starts: it wiggles, or it smooths everything over. Length-scale and
/// noise variance to start from.
pub(super) const STARTS: [(&str, f64, f64); 2] =
    [("rbf-wiggly", 0.1, 0.01), ("rbf-smooth", 1.0, 1.0)];

impl LineJob {
    /// The run's folder.
    #[must_use]
    pub fn path(&self) -> String {
        let (experiment, profile) = (self.experiment.name(), self.profile.name());
        format!("{experiment}/{profile}/{}/seed{}", self.label, self.seed)
    }

    pub(super) fn run(
        &self,
        data: &DataFolder,
        watch: Watch<'_>,
        clock: &mut Stopwatch,
    ) -> Result<Vec<Output>> {
        let name = if self.experiment == Experiment::Step {
            "step"
        } else {
            "sin"
        };
        let line = data.line(name)?;
        let settings = self.profile.settings();
        let (shortest, longest) = LINE_LENGTHSCALES;
        let choice = (self.kernel.clone())
            .with_any("hidden", HIDDEN)
            .with_any("min_lengthscale", shortest)
            .with_any("max_lengthscale", longest);
        let kernel = choice.build_for(1, &mut *settings.streams.networks(self.seed))?;
        // The data sets come scaled.
        let scalers = (
            InputScaler::from_ranges(&[(-1.0, 1.0)])?,
            TargetScaler::new(0.0, 1.0)?,
        );
        let mut model = Regression::empty(kernel, self.noise, scalers)?;
        model.add(&Points::line(&line.x)?, &line.y)?;
        let mut adam = Adam::new(RATES.0, RATES.1);
        for step in 0..self.steps {
            model.train(&mut adam, 1)?;
            watch((step + 1) as f64 / self.steps as f64);
        }
        clock.lap("train");
        let at = Points::line(&line.test_x)?;
        let known = model.posterior()?;
        let prediction = known.predict(&at, Of::Measurement)?;
        let mut test = Table::new(&LINE_TEST);
        for i in 0..line.test_x.len() {
            test.push(&[
                line.test_x[i],
                line.test_y[i],
                prediction.mean[i],
                prediction.std[i],
            ]);
        }
        let mut train = Table::new(&LINE_TRAIN);
        for (x, y) in line.x.iter().zip(&line.y) {
            train.push(&[*x, *y]);
        }
        let mut outputs = vec![
            Output::text("prediction.csv", test.to_csv()),
            Output::text("train.csv", train.to_csv()),
        ];
        if let Some(attention) = known.attention(&at)? {
            let count = attention.w.first().map_or(0, Vec::len);
            let names = attention_columns(count);
            let mut table = Table::new(&names.iter().map(String::as_str).collect::<Vec<_>>());
            for (i, x) in line.test_x.iter().enumerate() {
                let row = [&[*x][..], &attention.w[i], &attention.z[i]].concat();
                table.push(&row);
            }
            outputs.push(Output::text(ATTENTION_FILE, table.to_csv()));
        }
        clock.lap("evaluate");
        Ok(outputs)
    }
}

/// Columns of [`ATTENTION_FILE`] for `count` length-scales.
pub fn attention_columns(count: usize) -> Vec<String> {
    let numbered = |letter: char| (1..=count).map(move |m| format!("{letter}{m}"));
    std::iter::once("x".to_string())
        .chain(numbered('w'))
        .chain(numbered('z'))
        .collect()
}
