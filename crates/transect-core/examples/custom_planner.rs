//! A planner of one's own: along the border first, as one walks around a lake, then wherever the map is worst.
//!
//! `cargo run --release -p transect-core --example custom_planner`

use std::sync::Arc;
use transect::Error;
use transect::budget::Budget;
use transect::geometry::{Position, Rect, Workspace};
use transect::gp::Of;
use transect::inputs;
use transect::mission::{Event, Mission, Phase};
use transect::planner::PlanError;
use transect::planner::{Context, Plan, Planner, best, uniform};
use transect::settings::MissionSettings;
use transect::terrain::Terrain;

/// Drives the corners, then to the least known of some random places in sight.
#[derive(Debug)]
struct BorderFirst {
    corners: std::vec::IntoIter<Position>,
    candidates: usize,
}

impl Planner for BorderFirst {
    fn plan(&mut self, context: &mut Context<'_>) -> Result<Option<Plan>, Error> {
        if let Some(corner) = self.corners.next() {
            return Ok(Some(Plan::drive(corner)));
        }
        let mut places = uniform(context, self.candidates)?;
        places.retain(|&place| context.in_sight(place));
        let known = context.posterior()?;
        let surface = known.marginals(&inputs::places(&places)?, Of::Quantity)?;
        let best = best(&surface.std).ok_or(PlanError::NoScore)?;
        Ok(Some(Plan::drive(places[best]).scored(surface.std[best])))
    }
}

fn main() -> Result<(), Error> {
    let extent = Rect::new(0.0, 20.0, 0.0, 20.0)?;
    let bed = |cell: usize| (0.02 * cell as f64).sin() * (1.0 + (cell % 40) as f64 / 20.0);
    let terrain = Arc::new(Terrain::new((0..1600).map(bed).collect(), 40, 40, extent)?);
    let mut settings = MissionSettings {
        budget: Budget::of_soundings(150),
        ..MissionSettings::default()
    };
    settings.sensor.noise_std = 0.02;
    let corners = [(1.0, 1.0), (19.0, 1.0), (19.0, 19.0), (1.0, 19.0)];
    let planner = BorderFirst {
        corners: corners
            .map(|(x, y)| Position::new(x, y))
            .to_vec()
            .into_iter(),
        candidates: 300,
    };
    let mut mission = Mission::simulated(terrain, Workspace::from(extent), settings)?
        .with_planner(Box::new(planner));
    let ending = mission.run(&mut |event: &Event<'_>| match event {
        Event::Planned {
            phase: Phase::Survey,
            plan,
            ..
        } => {
            for goal in &plan.path {
                println!("to ({:5.1}, {:5.1})", goal.x, goal.y);
            }
        }
        Event::Evaluated { evaluation, .. } => {
            println!(
                "{} soundings, RMSE {:.3} m",
                evaluation.samples, evaluation.rmse
            );
        }
        _ => {}
    })?;
    println!("{ending}");
    Ok(())
}
