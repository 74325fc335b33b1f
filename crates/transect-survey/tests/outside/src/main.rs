//! A crate that nobody in the workspace knows: a kernel, an objective and a planner of its own, by name in a mission document.

use std::path::Path;

use serde::{Deserialize, Serialize};
use transect::Error;
use transect::geometry::Position;
use transect::gp::kernel::{Choice, Kernel, Kind, Memory, Recipe, Setting, Start, pairs, register};
use transect::gp::random::NetworkStart;
use transect::gp::{Compute, Matrix, Of, ParamSpec, Points};
use transect::inputs;
use transect::objective::{OBJECTIVES, Objective};
use transect::planner::{Context, PLANNERS, Plan, PlanError, Planner, best, uniform};
use transect::posterior::Posterior;
use transect::surrogate;
use transect_survey::document::Source;
use transect_survey::folder::Folder;
use transect_survey::replay::replay;
use transect_survey::run::Prepared;

/// `A / (1 + |x - x'|² / l²)`: a rational quadratic of mixture 1.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Cauchy {
    #[serde(skip)]
    lengthscale: f64,
}

const RECIPE: Recipe = Recipe {
    names: &["cauchy"],
    settings: &[Setting {
        key: "kernel.reach",
        meaning: "Start of the length-scale.",
        start: Start::Positive(0.7),
    }],
    build,
};

fn build(choice: &Choice<'_>, _: &mut dyn NetworkStart) -> transect::gp::Result<Box<dyn Kernel>> {
    let lengthscale = choice.number("reach")?;
    Ok(Box::new(Cauchy { lengthscale }))
}

fn square(a: &Points, i: usize, b: &Points, j: usize) -> f64 {
    let along = |d: usize| (a.column(d)[i] - b.column(d)[j]).powi(2);
    (0..a.dim()).map(along).sum()
}

fn value(theta: &[f64], square: f64) -> f64 {
    theta[0] / (1.0 + square / theta[1].powi(2))
}

impl Kernel for Cauchy {
    fn name(&self) -> &'static str {
        "cauchy"
    }
    fn structure(&self) -> serde_json::Value {
        serde_json::json!({})
    }
    fn params(&self) -> Vec<ParamSpec> {
        let lengthscale = if self.lengthscale > 0.0 { self.lengthscale } else { 1.0 };
        vec![
            ParamSpec::positive("amplitude", 1.0),
            ParamSpec::positive("lengthscale", lengthscale),
        ]
    }
    fn matrix(&self, theta: &[f64], x: &Points, out: &mut Matrix, _: &mut Memory, c: &Compute) {
        pairs::lower(out, x.len(), c, |i, j| value(theta, square(x, i, x, j)));
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
        let size = (a.len(), b.len());
        pairs::cross(out, size, compute, |i, j| value(theta, square(a, i, b, j)));
    }
    fn diagonal(&self, theta: &[f64], _: &Points, out: &mut [f64]) {
        out.fill(theta[0]);
    }
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
            let (q, l) = (square(x, i, x, j), theta[1]);
            let k = value(theta, q);
            gradient[0] += weight * k / theta[0];
            gradient[1] += weight * k * k / theta[0] * 2.0 * q / l.powi(3);
        });
    }
}

/// The standard deviation of the surface; summed over a path.
#[derive(Debug)]
struct Doubt;

impl Objective for Doubt {
    fn path(&self, known: &dyn Posterior, places: &Points) -> Result<f64, Error> {
        Ok(self.each(known, places)?.iter().sum())
    }
    fn each(&self, known: &dyn Posterior, places: &Points) -> Result<Vec<f64>, Error> {
        Ok(known.marginals(places, Of::Quantity)?.std)
    }
}

/// Looks three legs ahead: each next goal is the best given that the ones before were measured.
#[derive(Debug)]
struct ThreeLegs {
    candidates: usize,
    objective: Box<dyn Objective>,
}

impl Planner for ThreeLegs {
    fn plan(&mut self, context: &mut Context<'_>) -> Result<Option<Plan>, Error> {
        let places = uniform(context, self.candidates)?;
        let mut known = context.known.clone().ok_or(PlanError::NoModel)?;
        let mut path: Vec<Position> = Vec::new();
        for _ in 0..3 {
            let scores = self.objective.each(&*known, &inputs::places(&places)?)?;
            let goal = places[best(&scores).ok_or(PlanError::NoScore)?];
            known = known.given(&inputs::places(&[goal])?)?;
            path.push(goal);
        }
        assert!(path[0] != path[1] && path[1] != path[2]);
        Ok(Some(Plan::along(path)))
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    register(Kind::new::<Cauchy>("cauchy", Some(RECIPE)))?;
    OBJECTIVES.register("doubt", |_, _| Ok(Box::new(Doubt)))?;
    PLANNERS.register("three-legs", |settings, workspace| {
        Ok(Box::new(ThreeLegs {
            candidates: settings.planner.candidates,
            objective: settings.planner.objective(workspace)?,
        }))
    })?;
    let out = std::env::args().nth(1).ok_or("where to?")?;
    let out = Path::new(&out);
    let text = "\
        seed = 3\n\
        companions = []\n\
        [terrain]\nsource = \"two-spots\"\n\
        [budget]\nsoundings = 70\n\
        [kernel]\nname = \"cauchy\"\nreach = 0.4\n\
        [planner]\nname = \"three-legs\"\nobjective = \"doubt\"\ncandidates = 60\n\
        [pilot]\nsoundings = 20\n";
    let source = Source::parse("outside.toml", text)?;
    let prepared = Prepared::from_source(&source)?;
    let folder = Folder::create(out, false)?;
    let outcome = prepared.run_into(&folder, &mut (), &mut |_| ())?;
    println!("{} soundings", outcome.soundings.len());

    // The document that was written names all three, and is one.
    let written = Source::read(&out.join("mission.toml"))?;
    let again = Prepared::from_source(&written)?;
    assert_eq!(again.document.settings, prepared.document.settings);
    assert_eq!(again.document.settings.kernel.name, "cauchy");

    // The model is saved and read again.
    let json = std::fs::read_to_string(out.join("model.json"))?;
    let model = surrogate::load(&json)?;
    let at = inputs::places(&[Position::new(1.0, 2.0)])?;
    let surface = model.posterior().marginals(&at, Of::Quantity)?;
    println!("{:.3} {:.3}", surface.mean[0], surface.std[0]);

    let replayed = replay(out, &mut |_| ())?;
    println!("replayed {} decisions, complete: {}", replayed.decisions, replayed.complete);
    Ok(())
}
