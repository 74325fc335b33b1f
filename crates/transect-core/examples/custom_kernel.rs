//! A kernel of one's own: a river bed changes slowly along the stream and fast across it.
//!
//! `cargo run --release -p transect-core --example custom_kernel`

use std::sync::Arc;
use transect::Error;
use transect::budget::Budget;
use transect::geometry::{Rect, Workspace};
use transect::gp::kernel::{Kernel, Memory, pairs};
use transect::gp::{Compute, Matrix, ParamSpec, Points, check};
use transect::mission::{Event, Mission};
use transect::settings::{KernelChoice, MissionSettings};
use transect::terrain::Terrain;

/// `k = A exp(-(dx/a)^2 / 2 - (dy/c)^2 / 2)`, with a along the stream (x) and c across it (y).
#[derive(Debug)]
struct Stream;

impl Stream {
    /// `(dx/a)^2` and `(dy/c)^2`.
    fn squares(theta: &[f64], (a, i): (&Points, usize), (b, j): (&Points, usize)) -> [f64; 2] {
        [0, 1].map(|d| ((a.column(d)[i] - b.column(d)[j]) / theta[1 + d]).powi(2))
    }

    fn value(theta: &[f64], squares: [f64; 2]) -> f64 {
        theta[0] * (-0.5 * (squares[0] + squares[1])).exp()
    }
}

impl Kernel for Stream {
    fn name(&self) -> &'static str {
        "stream"
    }

    fn structure(&self) -> serde_json::Value {
        serde_json::json!({})
    }

    fn params(&self) -> Vec<ParamSpec> {
        vec![
            ParamSpec::positive("amplitude", 1.0),
            ParamSpec::positive("along", 1.0),
            ParamSpec::positive("across", 0.2),
        ]
    }

    fn matrix(
        &self,
        theta: &[f64],
        x: &Points,
        out: &mut Matrix,
        _: &mut Memory,
        compute: &Compute,
    ) {
        pairs::lower(out, x.len(), compute, |i, j| {
            Self::value(theta, Self::squares(theta, (x, i), (x, j)))
        });
    }

    fn cross(
        &self,
        theta: &[f64],
        a: &Points,
        b: &Points,
        out: &mut Matrix,
        _: &mut Memory,
        compute: &Compute,
    ) {
        pairs::cross(out, (a.len(), b.len()), compute, |i, j| {
            Self::value(theta, Self::squares(theta, (a, i), (b, j)))
        });
    }

    fn diagonal(&self, theta: &[f64], _: &Points, out: &mut [f64]) {
        out.fill(theta[0]);
    }

    /// `dk/dA = k / A`, `dk/da = k (dx/a)^2 / a`, `dk/dc = k (dy/c)^2 / c`, each times the pair's weight.
    fn contract(
        &self,
        theta: &[f64],
        x: &Points,
        slopes: &Matrix,
        gradient: &mut [f64],
        _: &mut Memory,
        _: &Compute,
    ) {
        pairs::contract(slopes, |i, j, weight| {
            let squares = Self::squares(theta, (x, i), (x, j));
            let weighted = weight * Self::value(theta, squares);
            gradient[0] += weighted / theta[0];
            gradient[1] += weighted * squares[0] / theta[1];
            gradient[2] += weighted * squares[1] / theta[2];
        });
    }
}

fn main() -> Result<(), Error> {
    let places = Points::from_rows(&[[0.0, 0.1], [0.4, -0.3], [-0.8, 0.5], [0.9, 0.9]])?;
    let worst = check::gradient(&Stream, &[1.5, 0.8, 0.3], &places, &[Compute::default()]);
    println!("gradient: off by {:.1e}", worst.relative);

    println!("rbf:    off by {:.2} m (RMSE)", survey(None)?);
    let own: Box<dyn Kernel> = Box::new(Stream);
    println!("stream: off by {:.2} m (RMSE)", survey(Some(own))?);
    Ok(())
}

/// The error at the end of a survey of a river.
fn survey(kernel: Option<Box<dyn Kernel>>) -> Result<f64, Error> {
    let extent = Rect::new(0.0, 60.0, 0.0, 20.0)?;
    let (rows, columns) = (40, 60);
    let bed = |cell: usize| {
        let (x, y) = ((cell % columns) as f64, (cell / columns) as f64);
        4.0 * (0.35 * y + 0.02 * x).sin() + 1.5 * (0.9 * y).cos()
    };
    let depths = (0..rows * columns).map(bed).collect();
    let river = Arc::new(Terrain::new(depths, rows, columns, extent)?);
    let mut settings = MissionSettings {
        kernel: KernelChoice::named("rbf"),
        companions: Vec::new(),
        budget: Budget::of_soundings(120),
        ..MissionSettings::default()
    };
    settings.sensor.noise_std = 0.1;
    let mut mission = Mission::simulated(river, Workspace::from(extent), settings)?;
    if let Some(kernel) = kernel {
        mission = mission.with_kernel(kernel);
    }
    let mut rmse_m = f64::NAN;
    mission.run(&mut |event: &Event<'_>| {
        if let Event::Evaluated { evaluation, .. } = event {
            rmse_m = evaluation.rmse;
        }
    })?;
    Ok(rmse_m)
}
