//! From points to the unit vectors wbar and zbar.
//!
//! Dividing by the norm cancels the softmax's sum: `wbar_m = exp(o_m) / |exp(o)|` of the network's
//! outputs o, so `dLoss/do_m = h_m - wbar_m^2 sum h` with `h_m = wbar_m dLoss/dwbar_m`.

use super::Variant;
use crate::compute::Compute;
use crate::memory::Vectors;
use crate::net::{Activations, Network};
use crate::points::Points;
use crate::simd::{Arithmetic, LANES, Lanes, Work, dispatch, exp};

/// The attention weights at some points, before normalisation: each row sums to one.
#[derive(Debug, Clone, PartialEq)]
pub struct Attention {
    /// w(x): one row per point, one entry per length-scale.
    pub w: Vec<Vec<f64>>,
    /// z(x): one row per point.
    pub z: Vec<Vec<f64>>,
}

/// What the networks make of a set of points. Entry m of block b is at `b * M + m`.
#[derive(Debug, Default)]
pub(super) struct Representation {
    w_net: Activations,
    z_net: Activations,
    w: Vectors,
    /// Empty where z is w.
    z: Vectors,
    backward: Vec<Lanes>,
}

/// The unit vectors of a [`Representation`].
#[derive(Debug, Clone, Copy)]
pub(super) struct Units<'a> {
    /// wbar.
    pub(super) w: &'a [Lanes],
    /// zbar.
    pub(super) z: &'a [Lanes],
}

impl Representation {
    /// Runs the networks on `x`.
    pub(super) fn compute(
        &mut self,
        net: Network,
        variant: Variant,
        weights: &[f64],
        x: &Points,
        compute: &Compute,
    ) {
        let (first, second) = weights.split_at(net.len());
        net.forward(first, x, &mut self.w_net, compute);
        normalise(net, &self.w_net, &mut self.w, compute);
        self.z.resize(0);
        if variant == Variant::Nnx2 {
            net.forward(second, x, &mut self.z_net, compute);
            normalise(net, &self.z_net, &mut self.z, compute);
        }
    }

    /// wbar and zbar.
    pub(super) fn units(&self) -> Units<'_> {
        let z = if self.z.is_empty() { &self.w } else { &self.z };
        Units { w: &self.w, z }
    }

    /// Adds the networks' gradient, given `wbar_m dLoss/dwbar_m` and the same of zbar (overwritten).
    /// Where one network serves both, all is expected at wbar, except for [`Variant::Mask`].
    pub(super) fn backward(
        &mut self,
        (net, variant): (Network, Variant),
        (weights, x): (&[f64], &Points),
        (w_slopes, z_slopes): (&mut [Lanes], &mut [Lanes]),
        gradient: &mut [f64],
        compute: &Compute,
    ) {
        let (first, second) = weights.split_at(net.len());
        let (first_gradient, second_gradient) = gradient.split_at_mut(net.len());
        let buffer = &mut self.backward;
        let slopes = if variant == Variant::Mask {
            &mut *z_slopes
        } else {
            w_slopes
        };
        through_norm(net.outputs, &self.w, slopes);
        net.backward(
            (first, x),
            &self.w_net,
            slopes,
            buffer,
            first_gradient,
            compute,
        );
        if variant == Variant::Nnx2 {
            through_norm(net.outputs, &self.z, z_slopes);
            net.backward(
                (second, x),
                &self.z_net,
                z_slopes,
                buffer,
                second_gradient,
                compute,
            );
        }
    }

    /// w and z themselves: unit vectors scaled to sum to one.
    pub(super) fn attention(&self, outputs: usize, points: usize) -> Attention {
        let rows = |unit: &[Lanes]| -> Vec<Vec<f64>> {
            let row = |i: usize| {
                let block = &unit[i / LANES * outputs..][..outputs];
                let sum: f64 = block.iter().map(|lanes| lanes[i % LANES]).sum();
                block.iter().map(|lanes| lanes[i % LANES] / sum).collect()
            };
            (0..points).map(row).collect()
        };
        Attention {
            w: rows(self.units().w),
            z: rows(self.units().z),
        }
    }
}

/// `exp(o) / |exp(o)|` of every point's outputs o.
fn normalise(net: Network, from: &Activations, to: &mut Vectors, compute: &Compute) {
    to.resize(from.out.len());
    to.copy_from_slice(&from.out);
    dispatch(compute.simd, Normalise(to, net.outputs));
}

struct Normalise<'a>(&'a mut [Lanes], usize);

impl Work for Normalise<'_> {
    type Output = ();
    #[inline(always)]
    fn run<A: Arithmetic>(self, a: A) {
        for block in self.0.chunks_exact_mut(self.1) {
            let mut largest = block[0];
            for out in block.iter() {
                for l in 0..LANES {
                    largest[l] = if out[l] > largest[l] {
                        out[l]
                    } else {
                        largest[l]
                    };
                }
            }
            let mut sum = [0.0; LANES];
            for out in block.iter_mut() {
                for l in 0..LANES {
                    out[l] -= largest[l];
                }
            }
            for out in block.as_flattened_mut() {
                *out = exp(a, *out);
            }
            for out in block.iter() {
                for l in 0..LANES {
                    sum[l] = a.mul_add(out[l], out[l], sum[l]);
                }
            }
            let scale = sum.map(|s| 1.0 / s.sqrt());
            for out in block.iter_mut() {
                for l in 0..LANES {
                    out[l] *= scale[l];
                }
            }
        }
    }
}

/// Turns the products h of unit vectors and slopes into slopes at the network's outputs.
fn through_norm(outputs: usize, unit: &[Lanes], slopes: &mut [Lanes]) {
    let blocks = unit
        .chunks_exact(outputs)
        .zip(slopes.chunks_exact_mut(outputs));
    for (unit, slopes) in blocks {
        let mut sum = [0.0; LANES];
        for h in slopes.iter() {
            for l in 0..LANES {
                sum[l] += h[l];
            }
        }
        for (r, h) in unit.iter().zip(slopes.iter_mut()) {
            for l in 0..LANES {
                h[l] -= r[l] * r[l] * sum[l];
            }
        }
    }
}
