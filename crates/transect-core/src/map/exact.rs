//! One model of all soundings.

use super::draws::{Blocks, Draws};
use super::index::Index;
use super::quality::Verdict;
use super::training::Trained;
use super::{Evidence, Made, MapGrid, MapSettings, Method, Surface};
use crate::Error;
use crate::inputs;
use crate::posterior::Posterior;
use crate::surrogate::Surrogate;
use transect_gp::random::Randomness;
use transect_gp::{Of, Threads};

/// Cells predicted between two words about progress.
const CELLS_AT_ONCE: usize = 4096;

/// Variances that no two places share, in units of the shared one, that are tried in turn. The last outweighs all that is shared: it cannot fail.
const UNSHARED: [f64; 5] = [0.0, 0.01, 0.1, 1.0, 1e4];

/// Share of the work that training is, for progress.
const TRAINING_SHARE: f64 = 0.3;

pub(super) fn predict(
    settings: &MapSettings,
    evidence: &Evidence<'_>,
    index: &Index<'_>,
    (grid, mapped): (&MapGrid, &[bool]),
    watch: &dyn Fn(f64),
) -> Result<Made, Error> {
    let soundings = (evidence.places, evidence.values);
    let trained = Trained::learn(settings, soundings, index, &|share| {
        watch(TRAINING_SHARE * share);
    })?;
    let watch = |share: f64| watch(TRAINING_SHARE + (1.0 - TRAINING_SHARE) * share);
    let everyone: Vec<usize> = (0..soundings.1.len()).collect();
    let mut model = trained.model(soundings, &everyone, Threads::All)?;
    let verdict = Verdict::of(&mut model)?;
    let known = model.posterior();
    let mut surface = Surface {
        mean: vec![f64::NAN; grid.cells()],
        std: vec![f64::NAN; grid.cells()],
        left_out: verdict.left_out.into_iter().map(Some).collect(),
        suspicious: verdict.suspicious,
        coverage_apart: verdict.coverage_apart,
    };
    let rows_at_once = (CELLS_AT_ONCE / grid.columns).max(1);
    for from in (0..grid.rows).step_by(rows_at_once) {
        watch(from as f64 / grid.rows as f64);
        let to = (from + rows_at_once).min(grid.rows);
        let in_use = |column: &usize| (from..to).any(|row| mapped[row * grid.columns + column]);
        let (Some(first), Some(last)) = (
            (0..grid.columns).find(in_use),
            (0..grid.columns).rev().find(in_use),
        ) else {
            continue;
        };
        let x: Vec<f64> = (first..=last).map(|column| grid.x(column)).collect();
        let y: Vec<f64> = (from..to).map(|row| grid.y(row)).collect();
        let block = known.forecast(&inputs::grid(&x, &y)?)?.surface.moments();
        for (i, row) in (from..to).enumerate() {
            let there = row * grid.columns + first..=row * grid.columns + last;
            let here = i * x.len()..(i + 1) * x.len();
            surface.mean[there.clone()].copy_from_slice(&block.mean[here.clone()]);
            surface.std[there].copy_from_slice(&block.std[here]);
        }
    }
    Ok(Made {
        surface,
        draws: drawn(&*known, evidence.draws, grid, mapped, settings.seed)?,
        method: Method::Exact,
        trained_on: trained.count,
        noise_stds: trained.noise_stds,
        kernels: trained.kernels,
    })
}

/// Surfaces from the joint posterior. Only correlations are needed; next to readings these are rounding errors, so that more and more of what
/// no two places share is added until they can be drawn.
fn drawn(
    known: &dyn Posterior,
    count: usize,
    grid: &MapGrid,
    mapped: &[bool],
    seed: u64,
) -> Result<Draws, Error> {
    if count == 0 {
        return Ok(Draws::default());
    }
    let mut blocks = Blocks::of(grid, mapped, seed)?;
    let mut joint = known.joint(&blocks.places, Of::Quantity)?;
    let size = joint.mean.len();
    let variances: Vec<f64> = (0..size).map(|i| joint.covariance.column(i)[i]).collect();
    for j in 0..size {
        for (i, entry) in joint.covariance.column_mut(j).iter_mut().enumerate() {
            let scale = (variances[i] * variances[j]).sqrt();
            *entry = (*entry / scale.max(f64::MIN_POSITIVE)).clamp(-1.0, 1.0);
        }
    }
    joint.mean.fill(0.0);
    let mut outcome = Ok(());
    for unshared in UNSHARED {
        for j in 0..size {
            joint.covariance.column_mut(j)[j] = 1.0 + unshared;
        }
        let moments = (vec![0.0; size], vec![f64::sqrt(1.0 + unshared); size]);
        outcome = blocks.add((&moments.0, &moments.1), |_, stream| {
            Ok(joint.samples(count, || stream.standard_normal())?)
        });
        if outcome.is_ok() {
            break;
        }
    }
    outcome.map(|()| blocks.finish())
}
