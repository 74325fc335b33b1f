//! The small network behind the non-stationary kernels: two hidden tanh layers, linear output.
//!
//! `out = W3 tanh(W2 tanh(W1 x + b1) + b2) + b3`. Eight points are computed at a time.

use crate::compute::Compute;
use crate::error::{GpError, Result};
use crate::params::ParamSpec;
use crate::points::Points;
use crate::random::NetworkStart;
use crate::simd::{Arithmetic, LANES, Lanes, Work, dispatch, tanh};
use serde::{Deserialize, Serialize};

/// The shape of a network: inputs, units in each hidden layer, outputs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "SavedNetwork")]
pub struct Network {
    /// Inputs (the dimension of the points).
    pub inputs: usize,
    /// Units in each of the two hidden layers.
    pub hidden: usize,
    /// Outputs.
    pub outputs: usize,
}

/// A [`Network`] as read from a file, to be checked.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SavedNetwork {
    inputs: usize,
    hidden: usize,
    outputs: usize,
}

/// The widest layer a file may ask for.
const WIDEST: usize = 4096;

impl TryFrom<SavedNetwork> for Network {
    type Error = GpError;
    fn try_from(saved: SavedNetwork) -> Result<Self> {
        let SavedNetwork {
            inputs,
            hidden,
            outputs,
        } = saved;
        let sizes = [inputs, hidden, outputs];
        if sizes.iter().any(|size| !(1..=WIDEST).contains(size)) {
            return Err(GpError::Setting(format!(
                "a network of {inputs} inputs, {hidden} hidden units and {outputs} outputs: each \
                 must be between 1 and {WIDEST}"
            )));
        }
        Ok(Self {
            inputs,
            hidden,
            outputs,
        })
    }
}

/// The values of all units after a forward pass, eight points to a vector: those of unit `u` for the
/// points of block `b` are at `b * units + u`.
#[derive(Debug, Clone, Default)]
pub(crate) struct Activations {
    first: Vec<Lanes>,
    second: Vec<Lanes>,
    /// The network's outputs.
    pub out: Vec<Lanes>,
}

impl Network {
    /// Sizes of weights and biases, layer by layer.
    fn layers(&self) -> [(usize, usize); 3] {
        [
            (self.inputs, self.hidden),
            (self.hidden, self.hidden),
            (self.hidden, self.outputs),
        ]
    }

    /// How many weights and biases there are.
    pub(crate) fn len(&self) -> usize {
        let sizes = self
            .layers()
            .map(|(fan_in, fan_out)| (fan_in + 1) * fan_out);
        sizes.iter().sum()
    }

    /// Draws start values; none for a network without units, which nobody can use.
    pub(crate) fn start(&self, source: &mut dyn NetworkStart) -> Vec<f64> {
        let mut values = Vec::with_capacity(self.len());
        if self.layers().iter().any(|(fan_in, _)| *fan_in == 0) {
            return values;
        }
        for (fan_in, fan_out) in self.layers() {
            let (weights, biases) = source.linear(fan_in, fan_out);
            values.extend(weights);
            values.extend(biases);
        }
        values
    }

    /// Names the parameters `<prefix>.linear1.weight`, ... as PyTorch does.
    pub(crate) fn specs(&self, prefix: &str, start: &[f64]) -> Vec<ParamSpec> {
        let mut specs = Vec::new();
        let mut rest = start;
        for (layer, (fan_in, fan_out)) in self.layers().into_iter().enumerate() {
            for (kind, size) in [("weight", fan_in * fan_out), ("bias", fan_out)] {
                let (values, tail) = rest.split_at(size);
                let name = format!("{prefix}.linear{}.{kind}", layer + 1);
                specs.push(ParamSpec::network(name, values.to_vec()));
                rest = tail;
            }
        }
        specs
    }

    /// Computes the outputs for every point.
    pub(crate) fn forward(&self, theta: &[f64], x: &Points, to: &mut Activations, c: &Compute) {
        let blocks = x.len().div_ceil(LANES);
        to.first.resize(blocks * self.hidden, [0.0; LANES]);
        to.second.resize(blocks * self.hidden, [0.0; LANES]);
        to.out.resize(blocks * self.outputs, [0.0; LANES]);
        let net = *self;
        dispatch(c.simd, Forward { net, theta, x, to });
    }

    /// Adds to `gradient` the derivatives of a loss whose derivatives with respect to the outputs
    /// of the last forward pass are `slopes`.
    pub(crate) fn backward(
        &self,
        (theta, x): (&[f64], &Points),
        at: &Activations,
        slopes: &[Lanes],
        workspace: &mut Vec<Lanes>,
        gradient: &mut [f64],
        c: &Compute,
    ) {
        workspace.clear();
        workspace.resize(self.len() + 2 * self.hidden, [0.0; LANES]);
        let work = Backward {
            net: *self,
            theta,
            x,
            at,
            slopes,
            workspace,
        };
        dispatch(c.simd, work);
        for (g, lanes) in gradient.iter_mut().zip(workspace.iter()) {
            *g += lanes.iter().sum::<f64>();
        }
    }
}

/// Cuts a list laid out like the parameters into weights and biases of the three layers.
#[inline(always)]
fn layers_of<T>(net: Network, list: &[T]) -> [(&[T], &[T]); 3] {
    let mut rest = list;
    net.layers().map(|(fan_in, fan_out)| {
        let (weights, tail) = rest.split_at(fan_in * fan_out);
        let (biases, tail) = tail.split_at(fan_out);
        rest = tail;
        (weights, biases)
    })
}

/// `bias + weights . inputs` for eight points.
#[inline(always)]
fn unit<A: Arithmetic>(
    a: A,
    weights: &[f64],
    bias: f64,
    inputs: impl Iterator<Item = Lanes>,
) -> Lanes {
    let mut sum = [bias; LANES];
    for (w, input) in weights.iter().zip(inputs) {
        for l in 0..LANES {
            sum[l] = a.mul_add(*w, input[l], sum[l]);
        }
    }
    sum
}

struct Forward<'a> {
    net: Network,
    theta: &'a [f64],
    x: &'a Points,
    to: &'a mut Activations,
}

impl Work for Forward<'_> {
    type Output = ();
    #[inline(always)]
    fn run<A: Arithmetic>(self, a: A) {
        let Network {
            inputs,
            hidden,
            outputs,
        } = self.net;
        let [(w1, b1), (w2, b2), (w3, b3)] = layers_of(self.net, self.theta);
        let first = self.to.first.chunks_exact_mut(hidden);
        let second = self.to.second.chunks_exact_mut(hidden);
        let out = self.to.out.chunks_exact_mut(outputs);
        for (block, ((first, second), out)) in first.zip(second).zip(out).enumerate() {
            for (u, value) in first.iter_mut().enumerate() {
                let x = (0..inputs).map(|d| self.x.lanes(d)[block]);
                *value = unit(a, &w1[u * inputs..][..inputs], b1[u], x);
            }
            for value in first.as_flattened_mut() {
                *value = tanh(a, *value);
            }
            for (u, value) in second.iter_mut().enumerate() {
                let h = first.iter().copied();
                *value = unit(a, &w2[u * hidden..][..hidden], b2[u], h);
            }
            for value in second.as_flattened_mut() {
                *value = tanh(a, *value);
            }
            for (u, value) in out.iter_mut().enumerate() {
                let h = second.iter().copied();
                *value = unit(a, &w3[u * hidden..][..hidden], b3[u], h);
            }
        }
    }
}

struct Backward<'a> {
    net: Network,
    theta: &'a [f64],
    x: &'a Points,
    at: &'a Activations,
    slopes: &'a [Lanes],
    /// Gradient sums, one vector per parameter, then slopes at the two hidden layers.
    workspace: &'a mut [Lanes],
}

impl Work for Backward<'_> {
    type Output = ();
    #[inline(always)]
    fn run<A: Arithmetic>(self, a: A) {
        let Network {
            inputs,
            hidden,
            outputs,
        } = self.net;
        let [(w1, b1), (w2, b2), (w3, _)] = layers_of(self.net, self.theta);
        let (sums1, rest) = self.workspace.split_at_mut(w1.len() + b1.len());
        let (sums2, rest) = rest.split_at_mut(w2.len() + b2.len());
        let (sums3, rest) = rest.split_at_mut(w3.len() + outputs);
        let (slope1, slope2) = rest.split_at_mut(hidden);
        let first = self.at.first.chunks_exact(hidden);
        let second = self.at.second.chunks_exact(hidden);
        let slopes = self.slopes.chunks_exact(outputs);
        for (block, ((first, second), slopes)) in first.zip(second).zip(slopes).enumerate() {
            layer_sums(a, sums3, slopes, second.iter().copied());
            layer_slopes(a, slope2, w3, slopes, second);
            layer_sums(a, sums2, slope2, first.iter().copied());
            layer_slopes(a, slope1, w2, slope2, first);
            let x = (0..inputs).map(|d| self.x.lanes(d)[block]);
            layer_sums(a, sums1, slope1, x);
        }
    }
}

/// Adds `slope[u] * input[k]` to the sums of every weight and `slope[u]` to those of the biases.
#[inline(always)]
fn layer_sums<A: Arithmetic>(
    a: A,
    sums: &mut [Lanes],
    slopes: &[Lanes],
    inputs: impl ExactSizeIterator<Item = Lanes> + Clone,
) {
    let fan_in = inputs.len();
    let (weights, biases) = sums.split_at_mut(fan_in * slopes.len());
    for (u, slope) in slopes.iter().enumerate() {
        for (sum, input) in weights[u * fan_in..][..fan_in]
            .iter_mut()
            .zip(inputs.clone())
        {
            for l in 0..LANES {
                sum[l] = a.mul_add(slope[l], input[l], sum[l]);
            }
        }
        for l in 0..LANES {
            biases[u][l] += slope[l];
        }
    }
}

/// Slopes below a layer: `(W' slopes) * (1 - tanh^2)`.
#[inline(always)]
fn layer_slopes<A: Arithmetic>(
    a: A,
    below: &mut [Lanes],
    weights: &[f64],
    slopes: &[Lanes],
    units: &[Lanes],
) {
    let fan_in = units.len();
    for (k, (below, unit)) in below.iter_mut().zip(units).enumerate() {
        let mut sum = [0.0; LANES];
        for (u, slope) in slopes.iter().enumerate() {
            let w = weights[u * fan_in + k];
            for l in 0..LANES {
                sum[l] = a.mul_add(w, slope[l], sum[l]);
            }
        }
        for l in 0..LANES {
            below[l] = sum[l] * (1.0 - unit[l] * unit[l]);
        }
    }
}
