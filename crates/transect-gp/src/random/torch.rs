//! PyTorch's CPU stream, as far as the default start of `torch.nn.Linear` needs it.
//!
//! A uniform float32 takes the low 24 bits of one MT19937 output,
//! `u = 2⁻²⁴ (output mod 2²⁴)`, and is scaled to `[from, to)` as
//! `u (to - from) + from` with one rounding: PyTorch's kernels for processors
//! with AVX2 or AVX-512 fuse the multiplication and the addition.
//! On processors without, PyTorch rounds twice and differs by up to one float32
//! ulp of the bound.

use super::mt19937::Mt19937;
use super::{NetworkStart, start_bound};

/// The series that PyTorch's CPU generator gives after `torch.manual_seed(seed)`.
///
/// Networks built one after the other, as from one seed in PyTorch, come from
/// one generator.
///
/// ```
/// use transect_gp::random::TorchGenerator;
///
/// // torch.manual_seed(0); torch.nn.Linear(1, 1)
/// let (weights, biases) = TorchGenerator::new(0).linear_layer(1, 1);
/// assert_eq!(weights, [-0.007486820220947266]);
/// assert_eq!(biases, [0.5364435911178589]);
/// ```
#[derive(Clone, Debug)]
pub struct TorchGenerator {
    twister: Mt19937,
}

impl TorchGenerator {
    /// The stream of this seed, from its beginning. Like PyTorch, it uses the
    /// low 32 bits of the seed only.
    pub fn new(seed: u64) -> Self {
        Self {
            twister: Mt19937::new(seed as u32),
        }
    }

    /// The next uniform deviate on `[-bound, bound)`, as
    /// `tensor.uniform_(-bound, bound)` fills a float32 tensor.
    pub fn uniform_f32(&mut self, bound: f32) -> f32 {
        const MASK: u32 = (1 << f32::MANTISSA_DIGITS) - 1;
        const TWO_TO_24: f32 = 16_777_216.0;
        let unit = (self.twister.next_u32() & MASK) as f32 / TWO_TO_24;
        unit.mul_add(bound + bound, -bound)
    }

    /// Weights (row-major, one row per output), then biases of the next
    /// `torch.nn.Linear(fan_in, fan_out)`, widened from float32. `fan_in` is at
    /// least 1.
    ///
    /// PyTorch reaches the bound of the weights by another route,
    /// `√3 · √(2 / (1 + √5²)) / √fan_in`; as a float32 it is the same number.
    pub fn linear_layer(&mut self, fan_in: usize, fan_out: usize) -> (Vec<f64>, Vec<f64>) {
        let bound = start_bound(fan_in) as f32;
        let mut draw =
            |n: usize| -> Vec<f64> { (0..n).map(|_| f64::from(self.uniform_f32(bound))).collect() };
        let weights = draw(fan_out * fan_in);
        let biases = draw(fan_out);
        (weights, biases)
    }
}

impl NetworkStart for TorchGenerator {
    fn linear(&mut self, fan_in: usize, fan_out: usize) -> (Vec<f64>, Vec<f64>) {
        self.linear_layer(fan_in, fan_out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn opens_as_pytorch_does() {
        // torch.manual_seed(0); torch.rand(4), as PyTorch prints it.
        let mut generator = TorchGenerator::new(0);
        for printed in [0.4963, 0.7682, 0.0885, 0.1320] {
            let unit = (generator.uniform_f32(1.0) + 1.0) / 2.0;
            assert!((unit - printed).abs() < 0.5e-4);
        }
    }

    #[test]
    fn bound_of_the_weights_is_that_of_the_biases_in_float32() {
        let gain = (2.0 / (1.0 + 5.0_f64.sqrt().powi(2))).sqrt();
        for fan_in in 1..=4096 {
            let kaiming = 3.0_f64.sqrt() * (gain / (fan_in as f64).sqrt());
            assert_eq!(kaiming as f32, start_bound(fan_in) as f32, "{fan_in}");
        }
    }
}
