//! The attentive kernel.
//!
//! `k(x, x') = A (zbar . zbar') sum_m wbar_m wbar'_m k_m(x, x')` with `wbar = w / |w|`,
//! `zbar = z / |z|`, `w = z = softmax(net(x))` and base kernels k_m of fixed length-scales l_m.
//! w(x) selects among the length-scales; z(x) masks out pairs of points that do not belong
//! together.
//!
//! | file | what |
//! |---|---|
//! | `representation` | from points to wbar and zbar, and back for gradients |
//! | `primitives` | the values k_m of pairs, cached or recomputed |
//! | `tiles` | the matrix of a set |
//! | `sums` | its contraction |
//! | `grid` | a set against a rectangular grid |
//! | `embedded` | small sets of points that carry their weights with them |
//! | `axes` | the exponentials of a grid's axes, kept between predictions |

mod axes;
mod embedded;
mod grid;
mod primitives;
mod representation;
mod sums;
mod tiles;

use super::stationary::AMPLITUDE;
use super::{Choice, Family, Kernel, Memory, Recipe, Setting, Start, to_value};
use crate::compute::Compute;
use crate::error::{GpError, Result};
use crate::linalg::Matrix;
use crate::net::Network;
use crate::pairwise::fill_cross;
use crate::params::ParamSpec;
use crate::points::Points;
use crate::random::NetworkStart;
use primitives::{PrimitiveCache, Primitives};
pub use representation::Attention;
use representation::Representation;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sums::Totals;
use tiles::Attended;

/// Units of a network, which several kernels have.
pub(super) const HIDDEN: Setting = Setting {
    key: "kernel.hidden",
    meaning: "H: units in each hidden layer of the network.",
    start: Start::Count(10),
};

/// How documents ask for it.
pub(super) const RECIPE: Recipe = Recipe {
    names: &["ak", "ak-weight", "ak-mask", "ak-nnx2"],
    settings: &[
        AMPLITUDE,
        HIDDEN,
        Setting {
            key: "kernel.components",
            meaning: "M: primitive length-scales.",
            start: Start::Count(8),
        },
        Setting {
            key: "kernel.min_lengthscale",
            meaning: "Smallest primitive length-scale, in scaled units.",
            start: Start::Positive(0.05),
        },
        Setting {
            key: "kernel.max_lengthscale",
            meaning: "Largest primitive length-scale, in scaled units.",
            start: Start::Positive(4.0),
        },
        Setting {
            key: "kernel.spacing",
            meaning: "How the primitive length-scales are spaced: at equal ratios (as many between 0.1 and 0.2 as between 0.5 and 1) or at equal distances.",
            start: Start::Word(&["ratio", "even"]),
        },
        Setting {
            key: "kernel.base",
            meaning: "The family of the base kernels.",
            start: Start::Word(Family::NAMES),
        },
    ],
    build,
};

fn build(choice: &Choice<'_>, networks: &mut dyn NetworkStart) -> Result<Box<dyn Kernel>> {
    let variant = match choice.name {
        "ak-weight" => Variant::Weight,
        "ak-mask" => Variant::Mask,
        "ak-nnx2" => Variant::Nnx2,
        _ => Variant::Full,
    };
    let family = Family::named(&choice.word("base")?)?;
    let (min, max) = (
        choice.number("min_lengthscale")?,
        choice.number("max_lengthscale")?,
    );
    if max < min {
        return Err(GpError::Setting(format!(
            "kernel.max_lengthscale is {max}: at least kernel.min_lengthscale is needed"
        )));
    }
    let components = choice.count("components")?;
    let lengthscales = match choice.word("spacing")?.as_str() {
        "even" => Lengthscales::even(min, max, components)?,
        _ => Lengthscales::by_ratio(min, max, components)?,
    };
    Ok(Box::new(Attentive::with(
        (family, variant),
        choice.dimensions,
        choice.count("hidden")?,
        lengthscales,
        choice.number("amplitude")?,
        networks,
    )))
}

/// Which parts of the kernel are in use (the paper's ablation).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Variant {
    /// w and z from one network: `k = A (zbar . zbar') sum_m wbar_m wbar'_m k_m`.
    Full,
    /// No z factor: `k = A sum_m wbar_m wbar'_m k_m`.
    Weight,
    /// The z factor times a single base kernel of a trained length-scale: `k = A (zbar . zbar') k_1`.
    Mask,
    /// As `Full`, with w and z from two networks.
    Nnx2,
}

/// The fixed length-scales l_m.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Lengthscales(Vec<f64>);

/// The inverse square of a length-scale must be a number.
const LENGTHSCALE_RANGE: std::ops::RangeInclusive<f64> = 1e-100..=1e100;

impl Lengthscales {
    /// `count` length-scales at equal distances from `min` to `max`.
    ///
    /// # Errors
    /// If `count` is zero or the range is not positive and ordered.
    pub fn even(min: f64, max: f64, count: usize) -> Result<Self> {
        Self::spaced(min, max, count, |t| min + (max - min) * t)
    }

    /// `count` length-scales at equal ratios from `min` to `max`.
    ///
    /// # Errors
    /// If `count` is zero or the range is not positive and ordered.
    pub fn by_ratio(min: f64, max: f64, count: usize) -> Result<Self> {
        Self::spaced(min, max, count, |t| min * (max / min).powf(t))
    }

    fn spaced(min: f64, max: f64, count: usize, at: impl Fn(f64) -> f64) -> Result<Self> {
        let in_range = [min, max].iter().all(|l| LENGTHSCALE_RANGE.contains(l));
        if count == 0 || !in_range || min > max {
            return Err(GpError::Setting(format!(
                "{count} length-scales from {min} to {max}: at least one is needed, and a range \
                 0 < min <= max"
            )));
        }
        let last = (count.max(2) - 1) as f64;
        Ok(Self((0..count).map(|m| at(m as f64 / last)).collect()))
    }

    /// The given length-scales.
    fn of(values: Vec<f64>) -> Result<Self> {
        match values.iter().find(|l| !LENGTHSCALE_RANGE.contains(*l)) {
            Some(value) => Err(GpError::NotPositive {
                what: "a length-scale".into(),
                value: *value,
                above: 0.0,
            }),
            None if values.is_empty() => Err(GpError::Setting("no length-scales".into())),
            None => Ok(Self(values)),
        }
    }

    /// The values.
    #[must_use]
    pub fn values(&self) -> &[f64] {
        &self.0
    }
}

/// The attentive kernel (Chen, Khardon and Liu 2023),
///
/// ```text
/// k(x, x') = A (zbar . zbar') sum_m wbar_m wbar'_m k_m(x, x'),   wbar = w / |w|,   zbar = z / |z|,
/// w(x) = z(x) = softmax(net(x))
/// ```
///
/// with base kernels k_m of one [`Family`] and the fixed [`Lengthscales`] l_m. w(x) selects among the length-scales; z(x)
/// masks out pairs of points that do not belong together. The amplitude A and the network are trained. The parts that are
/// in use, and whether z has a network of its own, are the [`Variant`]'s to say.
#[derive(Debug, Serialize, Deserialize)]
#[serde(try_from = "Structure")]
pub struct Attentive {
    family: Family,
    variant: Variant,
    net: Network,
    lengthscales: Lengthscales,
    #[serde(skip)]
    start: Vec<f64>,
    #[serde(skip)]
    amplitude: f64,
}

/// An [`Attentive`] kernel as read from a file, to be checked.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Structure {
    family: Family,
    variant: Variant,
    net: Network,
    lengthscales: Vec<f64>,
}

impl TryFrom<Structure> for Attentive {
    type Error = GpError;
    fn try_from(saved: Structure) -> Result<Self> {
        let lengthscales = Lengthscales::of(saved.lengthscales)?;
        if saved.net.outputs != lengthscales.values().len() {
            return Err(GpError::Length {
                what: "outputs of the network, one per length-scale".into(),
                expected: lengthscales.values().len(),
                got: saved.net.outputs,
            });
        }
        Ok(Self {
            family: saved.family,
            variant: saved.variant,
            net: saved.net,
            lengthscales,
            start: Vec::new(),
            amplitude: 1.0,
        })
    }
}

/// Where the length-scale of [`Variant::Mask`] starts.
const MASK_LENGTHSCALE: f64 = 0.5;

#[derive(Debug, Default)]
struct Scratch {
    set: SetScratch,
    columns: Representation,
    totals: Vec<Totals>,
    tables: axes::AxisTables,
}

/// What the matrix of one set is made in.
#[derive(Debug, Default)]
struct SetScratch {
    cache: PrimitiveCache,
    rows: Representation,
    inverse_squares: Vec<f64>,
}

impl Attentive {
    /// A full attentive kernel for `dim`-dimensional inputs: RBF base, `hidden` units in each
    /// hidden layer, one output per length-scale.
    #[must_use]
    pub fn new(
        dim: usize,
        hidden: usize,
        lengthscales: Lengthscales,
        amplitude: f64,
        source: &mut dyn NetworkStart,
    ) -> Self {
        let base = (Family::Rbf, Variant::Full);
        Self::with(base, dim, hidden, lengthscales, amplitude, source)
    }

    /// An attentive kernel of any base family and variant.
    #[must_use]
    pub fn with(
        (family, variant): (Family, Variant),
        dim: usize,
        hidden: usize,
        lengthscales: Lengthscales,
        amplitude: f64,
        source: &mut dyn NetworkStart,
    ) -> Self {
        let net = Network {
            inputs: dim,
            hidden,
            outputs: lengthscales.values().len(),
        };
        let mut start = net.start(source);
        if variant == Variant::Nnx2 {
            start.extend(net.start(source));
        }
        Self {
            family,
            variant,
            net,
            lengthscales,
            start,
            amplitude,
        }
    }

    /// How many parameters stand before those of the networks.
    fn hyper(&self) -> usize {
        1 + usize::from(self.variant == Variant::Mask)
    }

    /// Everything the matrix of one set depends on.
    fn attended<'a>(
        &self,
        theta: &[f64],
        x: &'a Points,
        set: &'a mut SetScratch,
        compute: &Compute,
    ) -> Attended<'a> {
        let weights = &theta[self.hyper()..];
        let lengthscales = in_use(self.variant, &self.lengthscales, theta);
        let primitives =
            Primitives::new(self.family, lengthscales, (x, x), &mut set.inverse_squares);
        set.rows
            .compute(self.net, self.variant, weights, x, compute);
        Attended {
            variant: self.variant,
            amplitude: theta[0],
            rows: set.rows.units(),
            columns: set.rows.units(),
            cache: set.cache.of(&primitives, self.variant, compute),
            primitives,
        }
    }
}

/// The length-scales in use: the fixed ones, or the mask's trained one.
fn in_use<'t>(variant: Variant, fixed: &'t Lengthscales, theta: &'t [f64]) -> &'t [f64] {
    match variant {
        Variant::Mask => &theta[1..2],
        _ => fixed.values(),
    }
}

impl Kernel for Attentive {
    fn name(&self) -> &'static str {
        "attentive"
    }

    fn structure(&self) -> Value {
        to_value(self)
    }

    fn dim(&self) -> Option<usize> {
        Some(self.net.inputs)
    }

    fn params(&self) -> Vec<ParamSpec> {
        let networks = 1 + usize::from(self.variant == Variant::Nnx2);
        let mut start = self.start.clone();
        start.resize(self.net.len() * networks, 0.0);
        let (first, second) = start.split_at(self.net.len());
        let mut specs = vec![ParamSpec::positive("amplitude", self.amplitude)];
        if self.variant == Variant::Mask {
            specs.push(ParamSpec::positive("lengthscale", MASK_LENGTHSCALE));
        }
        specs.extend(self.net.specs("net", first));
        if networks == 2 {
            specs.extend(self.net.specs("z_net", second));
        }
        specs
    }

    fn matrix(
        &self,
        theta: &[f64],
        x: &Points,
        out: &mut Matrix,
        memory: &mut Memory,
        compute: &Compute,
    ) {
        let set = &mut memory.of::<Scratch>().set;
        self.attended(theta, x, set, compute)
            .fill_lower(out, compute);
    }

    fn cross(
        &self,
        theta: &[f64],
        a: &Points,
        b: &Points,
        out: &mut Matrix,
        memory: &mut Memory,
        compute: &Compute,
    ) {
        let weights = &theta[self.hyper()..];
        let lengthscales = in_use(self.variant, &self.lengthscales, theta);
        let Scratch {
            set:
                SetScratch {
                    rows,
                    inverse_squares,
                    ..
                },
            columns,
            tables,
            ..
        } = memory.of::<Scratch>();
        let primitives = Primitives::new(self.family, lengthscales, (a, b), inverse_squares);
        rows.compute(self.net, self.variant, weights, a, compute);
        columns.compute(self.net, self.variant, weights, b, compute);
        let attended = Attended {
            variant: self.variant,
            amplitude: theta[0],
            rows: rows.units(),
            columns: columns.units(),
            primitives,
            cache: None,
        };
        if self.family == Family::Rbf && grid::worthwhile(b) {
            grid::fill(&attended, tables, out, compute);
        } else {
            fill_cross(out, (a.len(), b.len()), compute, &attended);
        }
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
        memory: &mut Memory,
        compute: &Compute,
    ) {
        let hyper = self.hyper();
        let Scratch { set, totals, .. } = memory.of::<Scratch>();
        let attended = self.attended(theta, x, set, compute);
        let total = attended.sum_lower(slopes, totals, compute);
        gradient[0] += total.amplitude.iter().sum::<f64>();
        if self.variant == Variant::Mask {
            gradient[1] += total.lengthscale.iter().sum::<f64>() * -2.0 / theta[1];
        }
        let (w, z) = (&mut total.w.points, &mut total.z.points);
        set.rows.backward(
            (self.net, self.variant),
            (&theta[hyper..], x),
            (w, z),
            &mut gradient[hyper..],
            compute,
        );
    }

    fn embed(&self, theta: &[f64], x: &Points, memory: &mut Memory, compute: &Compute) -> Points {
        self.embedding(theta, x, memory, compute)
    }

    fn embedded_matrix(
        &self,
        theta: &[f64],
        x: &Points,
        out: &mut Matrix,
        _: &mut Memory,
        compute: &Compute,
    ) {
        self.fill_embedded(theta, x, out, compute);
    }

    fn embedded_cross(
        &self,
        theta: &[f64],
        sets: (&Points, &Points),
        out: &mut Matrix,
        _: &mut Memory,
        compute: &Compute,
    ) {
        self.cross_embedded(theta, sets, out, compute);
    }

    fn embedded_contract(
        &self,
        theta: &[f64],
        set: (&Points, &Matrix),
        gradient: &mut [f64],
        slopes_of: &mut Matrix,
        _: &mut Memory,
        compute: &Compute,
    ) {
        self.sum_embedded(theta, set, gradient, slopes_of, compute);
    }

    fn contract_embedding(
        &self,
        theta: &[f64],
        at: (&Points, &Matrix),
        gradient: &mut [f64],
        memory: &mut Memory,
        compute: &Compute,
    ) {
        self.back_from_embedding(theta, at, gradient, memory, compute);
    }

    fn attention(
        &self,
        theta: &[f64],
        x: &Points,
        memory: &mut Memory,
        compute: &Compute,
    ) -> Option<Attention> {
        let rows = &mut memory.of::<Scratch>().set.rows;
        let weights = &theta[self.hyper()..];
        rows.compute(self.net, self.variant, weights, x, compute);
        Some(rows.attention(self.net.outputs, x.len()))
    }
}
