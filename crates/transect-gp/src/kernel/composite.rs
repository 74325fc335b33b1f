//! Sums and products of kernels.
//!
//! `k = k1 + k2` and `k = k1 k2`. Parameters are those of the parts, named `left.*` and
//! `right.*`.

use super::{Kernel, Memory, by_name, to_value};
use crate::compute::Compute;
use crate::error::{GpError, Result};
use crate::linalg::Matrix;
use crate::params::ParamSpec;
use crate::points::Points;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::marker::PhantomData;

/// `k(x, x') = k1(x, x') + k2(x, x')`.
pub type Sum = Composite<Plus>;

/// `k(x, x') = k1(x, x') k2(x, x')`.
pub type Product = Composite<Times>;

/// How two kernels are combined.
pub trait Operation: std::fmt::Debug + Send + Sync {
    /// The name of the combined kernel.
    const NAME: &'static str;
    /// Whether the slopes at one part depend on the other part's values.
    const MULTIPLIES: bool;
    /// The combined value.
    fn apply(k1: f64, k2: f64) -> f64;
}

/// Addition.
#[derive(Debug)]
pub struct Plus;

/// Multiplication.
#[derive(Debug)]
pub struct Times;

impl Operation for Plus {
    const NAME: &'static str = "sum";
    const MULTIPLIES: bool = false;
    fn apply(k1: f64, k2: f64) -> f64 {
        k1 + k2
    }
}

impl Operation for Times {
    const NAME: &'static str = "product";
    const MULTIPLIES: bool = true;
    fn apply(k1: f64, k2: f64) -> f64 {
        k1 * k2
    }
}

/// Two kernels, added ([`Sum`]) or multiplied ([`Product`]). Parameters are those of the parts, named `left.*` and `right.*`.
#[derive(Debug, Deserialize)]
#[serde(try_from = "[Part; 2]")]
pub struct Composite<O> {
    left: Box<dyn Kernel>,
    right: Box<dyn Kernel>,
    /// How many parameters the left one has.
    cut: usize,
    operation: PhantomData<O>,
}

/// The memories of both parts, and one matrix of each.
#[derive(Debug, Default)]
struct Scratch {
    left: Memory,
    right: Memory,
    first: Matrix,
    second: Matrix,
}

/// One part in a saved structure.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Part {
    kernel: String,
    structure: Value,
}

impl<O> TryFrom<[Part; 2]> for Composite<O> {
    type Error = GpError;
    fn try_from([left, right]: [Part; 2]) -> Result<Self> {
        Ok(Self::new(
            by_name(&left.kernel, left.structure)?,
            by_name(&right.kernel, right.structure)?,
        ))
    }
}

impl<O> Composite<O> {
    /// Two kernels, combined.
    #[must_use]
    pub fn new(left: Box<dyn Kernel>, right: Box<dyn Kernel>) -> Self {
        let cut = left.params().iter().map(|spec| spec.start.len()).sum();
        Self {
            left,
            right,
            cut,
            operation: PhantomData,
        }
    }
}

/// Replaces every number of `out` by `f(number, other)`.
fn combine(out: &mut Matrix, other: &Matrix, f: impl Fn(f64, f64) -> f64) {
    for j in 0..out.columns() {
        for (mine, its) in out.column_mut(j).iter_mut().zip(other.column(j)) {
            *mine = f(*mine, *its);
        }
    }
}

impl<O: Operation> Kernel for Composite<O> {
    fn name(&self) -> &'static str {
        O::NAME
    }

    fn structure(&self) -> Value {
        let part = |kernel: &dyn Kernel| Part {
            kernel: kernel.name().into(),
            structure: kernel.structure(),
        };
        to_value(&[part(&*self.left), part(&*self.right)])
    }

    fn dim(&self) -> Option<usize> {
        self.left.dim().or(self.right.dim())
    }

    /// The parts may want different dimensions: ask both.
    fn require_dim(&self, got: usize) -> Result<()> {
        self.left.require_dim(got)?;
        self.right.require_dim(got)
    }

    fn params(&self) -> Vec<ParamSpec> {
        let named = |side: &str, kernel: &dyn Kernel| {
            let mut specs = kernel.params();
            for spec in &mut specs {
                spec.name = format!("{side}.{}", spec.name);
            }
            specs
        };
        let mut specs = named("left", &*self.left);
        specs.extend(named("right", &*self.right));
        specs
    }

    fn refresh(
        &self,
        theta: &mut [f64],
        x: &Points,
        memory: &mut Memory,
        compute: &Compute,
    ) -> bool {
        let scratch = memory.of::<Scratch>();
        let (left, right) = theta.split_at_mut(self.cut);
        self.left.refresh(left, x, &mut scratch.left, compute)
            | self.right.refresh(right, x, &mut scratch.right, compute)
    }

    fn matrix(
        &self,
        theta: &[f64],
        x: &Points,
        out: &mut Matrix,
        memory: &mut Memory,
        compute: &Compute,
    ) {
        let scratch = memory.of::<Scratch>();
        let (left, right) = theta.split_at(self.cut);
        self.left.matrix(left, x, out, &mut scratch.left, compute);
        let second = &mut scratch.second;
        self.right
            .matrix(right, x, second, &mut scratch.right, compute);
        combine(out, second, O::apply);
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
        let scratch = memory.of::<Scratch>();
        let (left, right) = theta.split_at(self.cut);
        self.left.cross(left, a, b, out, &mut scratch.left, compute);
        let second = &mut scratch.second;
        self.right
            .cross(right, a, b, second, &mut scratch.right, compute);
        combine(out, second, O::apply);
    }

    fn diagonal(&self, theta: &[f64], x: &Points, out: &mut [f64]) {
        let (left, right) = theta.split_at(self.cut);
        let mut second = vec![0.0; out.len()];
        self.left.diagonal(left, x, out);
        self.right.diagonal(right, x, &mut second);
        for (k1, k2) in out.iter_mut().zip(second) {
            *k1 = O::apply(*k1, k2);
        }
    }

    /// The slopes at a summand are those of the sum; at a factor, those of the product times the
    /// other factor.
    fn contract(
        &self,
        theta: &[f64],
        x: &Points,
        slopes: &Matrix,
        gradient: &mut [f64],
        memory: &mut Memory,
        compute: &Compute,
    ) {
        let scratch = memory.of::<Scratch>();
        let (theta1, theta2) = theta.split_at(self.cut);
        let (gradient1, gradient2) = gradient.split_at_mut(self.cut);
        let (left, right) = (&mut scratch.left, &mut scratch.right);
        if !O::MULTIPLIES {
            self.left
                .contract(theta1, x, slopes, gradient1, left, compute);
            self.right
                .contract(theta2, x, slopes, gradient2, right, compute);
            return;
        }
        let (first, second) = (&mut scratch.first, &mut scratch.second);
        self.left.matrix(theta1, x, first, left, compute);
        self.right.matrix(theta2, x, second, right, compute);
        combine(first, slopes, O::apply);
        combine(second, slopes, O::apply);
        self.left
            .contract(theta1, x, second, gradient1, left, compute);
        self.right
            .contract(theta2, x, first, gradient2, right, compute);
    }
}
