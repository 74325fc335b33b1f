//! Sums and products of kernels.
//!
//! `k = k1 + k2` and `k = k1 k2`. Parameters are those of the parts, named `left.*` and
//! `right.*`.

use super::{Kernel, by_name};
use crate::compute::Compute;
use crate::error::{GpError, Result};
use crate::linalg::Matrix;
use crate::params::ParamSpec;
use crate::points::Points;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Two kernels and memory for one matrix of each.
#[derive(Debug, Deserialize)]
#[serde(try_from = "[Part; 2]")]
struct Parts {
    left: Box<dyn Kernel>,
    right: Box<dyn Kernel>,
    /// How many parameters the left one has.
    cut: usize,
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

impl TryFrom<[Part; 2]> for Parts {
    type Error = GpError;
    fn try_from([left, right]: [Part; 2]) -> Result<Self> {
        Ok(Self::new(
            by_name(&left.kernel, left.structure)?,
            by_name(&right.kernel, right.structure)?,
        ))
    }
}

impl Parts {
    fn new(left: Box<dyn Kernel>, right: Box<dyn Kernel>) -> Self {
        let cut = left.params().iter().map(|spec| spec.start.len()).sum();
        Self {
            left,
            right,
            cut,
            first: Matrix::default(),
            second: Matrix::default(),
        }
    }

    fn structure(&self) -> Value {
        let part = |kernel: &dyn Kernel| Part {
            kernel: kernel.name().into(),
            structure: kernel.structure(),
        };
        super::to_value(&[part(&*self.left), part(&*self.right)])
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

    fn refresh(&mut self, theta: &mut [f64], x: &Points, compute: &Compute) -> bool {
        let (left, right) = theta.split_at_mut(self.cut);
        self.left.refresh(left, x, compute) | self.right.refresh(right, x, compute)
    }

    /// Both matrices, the right one into `self.second`.
    fn matrices(&mut self, theta: &[f64], x: &Points, out: &mut Matrix, compute: &Compute) {
        let (left, right) = theta.split_at(self.cut);
        self.left.matrix(left, x, out, compute);
        self.right.matrix(right, x, &mut self.second, compute);
    }

    fn crosses(&mut self, theta: &[f64], a: &Points, b: &Points, out: &mut Matrix, c: &Compute) {
        let (left, right) = theta.split_at(self.cut);
        self.left.cross(left, a, b, out, c);
        self.right.cross(right, a, b, &mut self.second, c);
    }

    fn diagonals(&mut self, theta: &[f64], x: &Points, out: &mut [f64]) -> Vec<f64> {
        let (left, right) = theta.split_at(self.cut);
        let mut second = vec![0.0; out.len()];
        self.left.diagonal(left, x, out);
        self.right.diagonal(right, x, &mut second);
        second
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

/// `k1 + k2`.
#[derive(Debug, Deserialize)]
#[serde(transparent)]
pub struct Sum(Parts);

impl Sum {
    /// The sum of two kernels.
    #[must_use]
    pub fn new(left: Box<dyn Kernel>, right: Box<dyn Kernel>) -> Self {
        Self(Parts::new(left, right))
    }
}

/// `k1 k2`.
#[derive(Debug, Deserialize)]
#[serde(transparent)]
pub struct Product(Parts);

impl Product {
    /// The product of two kernels.
    #[must_use]
    pub fn new(left: Box<dyn Kernel>, right: Box<dyn Kernel>) -> Self {
        Self(Parts::new(left, right))
    }
}

impl Kernel for Sum {
    fn name(&self) -> &'static str {
        "sum"
    }

    fn structure(&self) -> Value {
        self.0.structure()
    }

    fn dim(&self) -> Option<usize> {
        self.0.dim()
    }

    fn require_dim(&self, got: usize) -> Result<()> {
        self.0.require_dim(got)
    }

    fn params(&self) -> Vec<ParamSpec> {
        self.0.params()
    }

    fn refresh(&mut self, theta: &mut [f64], x: &Points, compute: &Compute) -> bool {
        self.0.refresh(theta, x, compute)
    }

    fn matrix(&mut self, theta: &[f64], x: &Points, out: &mut Matrix, compute: &Compute) {
        self.0.matrices(theta, x, out, compute);
        combine(out, &self.0.second, |k1, k2| k1 + k2);
    }

    fn cross(
        &mut self,
        theta: &[f64],
        a: &Points,
        b: &Points,
        out: &mut Matrix,
        compute: &Compute,
    ) {
        self.0.crosses(theta, a, b, out, compute);
        combine(out, &self.0.second, |k1, k2| k1 + k2);
    }

    fn diagonal(&mut self, theta: &[f64], x: &Points, out: &mut [f64]) {
        let second = self.0.diagonals(theta, x, out);
        out.iter_mut().zip(second).for_each(|(k1, k2)| *k1 += k2);
    }

    fn contract(
        &mut self,
        theta: &[f64],
        x: &Points,
        slopes: &Matrix,
        gradient: &mut [f64],
        compute: &Compute,
    ) {
        let (theta1, theta2) = theta.split_at(self.0.cut);
        let (gradient1, gradient2) = gradient.split_at_mut(self.0.cut);
        self.0.left.contract(theta1, x, slopes, gradient1, compute);
        self.0.right.contract(theta2, x, slopes, gradient2, compute);
    }
}

impl Kernel for Product {
    fn name(&self) -> &'static str {
        "product"
    }

    fn structure(&self) -> Value {
        self.0.structure()
    }

    fn dim(&self) -> Option<usize> {
        self.0.dim()
    }

    fn require_dim(&self, got: usize) -> Result<()> {
        self.0.require_dim(got)
    }

    fn params(&self) -> Vec<ParamSpec> {
        self.0.params()
    }

    fn refresh(&mut self, theta: &mut [f64], x: &Points, compute: &Compute) -> bool {
        self.0.refresh(theta, x, compute)
    }

    fn matrix(&mut self, theta: &[f64], x: &Points, out: &mut Matrix, compute: &Compute) {
        self.0.matrices(theta, x, out, compute);
        combine(out, &self.0.second, |k1, k2| k1 * k2);
    }

    fn cross(
        &mut self,
        theta: &[f64],
        a: &Points,
        b: &Points,
        out: &mut Matrix,
        compute: &Compute,
    ) {
        self.0.crosses(theta, a, b, out, compute);
        combine(out, &self.0.second, |k1, k2| k1 * k2);
    }

    fn diagonal(&mut self, theta: &[f64], x: &Points, out: &mut [f64]) {
        let second = self.0.diagonals(theta, x, out);
        out.iter_mut().zip(second).for_each(|(k1, k2)| *k1 *= k2);
    }

    /// The slopes with respect to one factor are those of the product times the other factor.
    fn contract(
        &mut self,
        theta: &[f64],
        x: &Points,
        slopes: &Matrix,
        gradient: &mut [f64],
        compute: &Compute,
    ) {
        let mut first = std::mem::take(&mut self.0.first);
        self.0.matrices(theta, x, &mut first, compute);
        combine(&mut first, slopes, |k1, slope| k1 * slope);
        combine(&mut self.0.second, slopes, |k2, slope| k2 * slope);
        let (theta1, theta2) = theta.split_at(self.0.cut);
        let (gradient1, gradient2) = gradient.split_at_mut(self.0.cut);
        let parts = &mut self.0;
        parts
            .left
            .contract(theta1, x, &parts.second, gradient1, compute);
        parts.right.contract(theta2, x, &first, gradient2, compute);
        self.0.first = first;
    }
}
