//! A surrogate of one's own: means weighed by inverse squared distance, and a made-up variance that grows with the distance to
//! the nearest reading. Missions, maps, saving and loading do not care what learns.
//!
//! `cargo run --release -p transect-core --example inverse_distance`

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use transect::Error;
use transect::budget::Budget;
use transect::geometry::{Rect, Workspace};
use transect::gp::{Joint, Matrix, Of, Points, Prediction};
use transect::mission::{Event, Mission};
use transect::planner::PlanError;
use transect::posterior::Posterior;
use transect::settings::MissionSettings;
use transect::surrogate::{self, Entry, FirstReadings, SURROGATES, Surrogate, Training};
use transect::terrain::Terrain;

/// Readings and where they were taken; `reach_m` is where a place counts as unknown.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct InverseDistance {
    format: String,
    places: Vec<Vec<f64>>,
    readings: Vec<f64>,
    reach_m: f64,
}

const NAME: &str = "inverse-distance";
const NOISE_VARIANCE: f64 = 1e-4;

impl InverseDistance {
    fn begin(from: &FirstReadings<'_>) -> Result<Box<dyn Surrogate>, Error> {
        let bounds = from.workspace.bounds();
        let mut model = Self {
            format: NAME.into(),
            places: Vec::new(),
            readings: Vec::new(),
            reach_m: 0.2 * bounds.width().max(bounds.height()),
        };
        model.add(from.places, from.readings)?;
        Ok(Box::new(model))
    }

    fn load(json: &str) -> Result<Box<dyn Surrogate>, Error> {
        let model: Self = serde_json::from_str(json).map_err(|error| Error::Model {
            reason: error.to_string(),
        })?;
        Ok(Box::new(model))
    }

    fn squares<'a>(&'a self, at: &'a [f64]) -> impl Iterator<Item = f64> + 'a {
        let square = move |place: &Vec<f64>| -> f64 {
            place.iter().zip(at).map(|(a, b)| (a - b).powi(2)).sum()
        };
        self.places.iter().map(square)
    }
}

impl Surrogate for InverseDistance {
    fn name(&self) -> &'static str {
        NAME
    }

    fn add(&mut self, places: &Points, readings: &[f64]) -> Result<(), Error> {
        self.places.extend((0..places.len()).map(|i| places.row(i)));
        self.readings.extend(readings);
        Ok(())
    }

    fn readings(&self) -> &[f64] {
        &self.readings
    }

    fn train(&mut self, _: usize) -> Training {
        Training {
            steps: 0,
            loss: None,
        }
    }

    fn posterior(&self) -> Arc<dyn Posterior> {
        Arc::new(self.clone())
    }

    fn save(&self) -> Result<String, Error> {
        serde_json::to_string(self).map_err(|error| Error::Model {
            reason: error.to_string(),
        })
    }
}

impl Posterior for InverseDistance {
    fn marginals(&self, places: &Points, of: Of) -> Result<Prediction, Error> {
        let noise = match of {
            Of::Measurement => NOISE_VARIANCE,
            Of::Quantity => 0.0,
        };
        let mut prediction = Prediction::default();
        for i in 0..places.len() {
            let at = places.row(i);
            let (mut sum, mut total, mut nearest) = (0.0, 0.0, f64::INFINITY);
            for (square, reading) in self.squares(&at).zip(&self.readings) {
                let weight = 1.0 / (square + 1e-9);
                sum += weight * reading;
                total += weight;
                nearest = square.min(nearest);
            }
            let share = (nearest.sqrt() / self.reach_m).min(1.0);
            let variance = self.unit().powi(2) * share.max(1e-6) + noise;
            prediction.mean.push(sum / total);
            prediction.std.push(variance.sqrt());
        }
        Ok(prediction)
    }

    /// No place tells of another.
    fn joint(&self, places: &Points, of: Of) -> Result<Joint, Error> {
        let Prediction { mean, std, .. } = self.marginals(places, of)?;
        let mut covariance = Matrix::zeros(places.len(), places.len());
        for (i, std) in std.iter().enumerate() {
            covariance.column_mut(i)[i] = std * std;
        }
        Ok(Joint { mean, covariance })
    }

    fn covariance(&self, rows: &Points, columns: &Points) -> Result<Matrix, Error> {
        Ok(Matrix::zeros(rows.len(), columns.len()))
    }

    fn given(&self, places: &Points) -> Result<Arc<dyn Posterior>, Error> {
        let expected = self.marginals(places, Of::Quantity)?.mean;
        let mut then = self.clone();
        then.add(places, &expected)?;
        Ok(Arc::new(then))
    }

    fn noise_variance(&self) -> f64 {
        NOISE_VARIANCE
    }

    fn unit(&self) -> f64 {
        let count = self.readings.len() as f64;
        let mean = self.readings.iter().sum::<f64>() / count;
        let squares = self.readings.iter().map(|y| (y - mean).powi(2));
        (squares.sum::<f64>() / count).sqrt().max(1e-9)
    }
}

fn main() -> Result<(), Error> {
    SURROGATES.register(
        NAME,
        Entry {
            build: InverseDistance::begin,
            format: NAME,
            load: InverseDistance::load,
        },
    )?;
    let extent = Rect::new(0.0, 20.0, 0.0, 20.0)?;
    let bed = |cell: usize| (0.02 * cell as f64).sin() * (1.0 + (cell % 40) as f64 / 20.0);
    let terrain = Arc::new(Terrain::new((0..1600).map(bed).collect(), 40, 40, extent)?);
    let mut settings = MissionSettings {
        budget: Budget::of_soundings(150),
        ..MissionSettings::default()
    };
    settings.surrogate.name = NAME.into();
    settings.sensor.noise_std = 0.01;
    let mut mission = Mission::simulated(terrain, Workspace::from(extent), settings)?;
    let mut errors_m = Vec::new();
    let ending = mission.run(&mut |event: &Event<'_>| {
        if let Event::Evaluated { evaluation, .. } = event {
            errors_m.push(evaluation.rmse);
        }
    })?;
    println!(
        "{ending}: RMSE from {:.3} to {:.3} m",
        errors_m[0],
        errors_m[errors_m.len() - 1]
    );

    // Saved, read again by whoever knows its name, and of the same opinion.
    let learnt = mission.surrogate().map(Surrogate::save);
    let again = surrogate::load(&learnt.ok_or(PlanError::NoModel)??)?;
    let at = Points::from_rows(&[[3.0, 4.0], [17.5, 9.0]])?;
    let known = mission.posterior().ok_or(PlanError::NoModel)?;
    let (before, after) = (known.marginals(&at, Of::Quantity)?, again.posterior());
    assert_eq!(before, after.marginals(&at, Of::Quantity)?);
    Ok(())
}
