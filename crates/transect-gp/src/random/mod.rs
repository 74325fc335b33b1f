//! Seeded randomness, always an input of the computation and never ambient.
//!
//! | file | what it holds | used for |
//! |---|---|---|
//! | `mt19937` | the Mersenne Twister | the two generators below |
//! | `numpy` | [`RandomState`], NumPy's legacy stream | noise and candidates of the paper profile |
//! | `torch` | [`TorchGenerator`], PyTorch's CPU stream | network start of the paper profile |
//! | `modern` | [`Stream`], ChaCha with 8 rounds | everything in the default profile |
//! | `polar` | normal deviates from uniform ones | [`RandomState`] and [`Stream`] |
//!
//! Whoever draws noise or candidates takes a [`Randomness`], whoever starts a
//! network takes a [`NetworkStart`]; the profile decides what stands behind them.

mod modern;
mod mt19937;
mod numpy;
mod polar;
mod torch;

pub use modern::Stream;
pub use numpy::RandomState;
pub use torch::TorchGenerator;

/// A seeded series of uniform and normal deviates.
pub trait Randomness {
    /// The next uniform deviate on `[low, high)`.
    fn uniform(&mut self, low: f64, high: f64) -> f64;

    /// The next deviate of the normal distribution with mean 0 and standard deviation 1.
    fn standard_normal(&mut self) -> f64;

    /// The next deviate of the normal distribution with this mean and standard deviation.
    fn normal(&mut self, mean: f64, std: f64) -> f64 {
        mean + std * self.standard_normal()
    }

    /// The next `n` uniform deviates on `[low, high)`, in the order drawn.
    fn uniforms(&mut self, low: f64, high: f64, n: usize) -> Vec<f64> {
        (0..n).map(|_| self.uniform(low, high)).collect()
    }
}

/// Where the weights of a neural network start.
pub trait NetworkStart {
    /// Weights and biases of the next fully connected layer, uniform within
    /// ±1/√`fan_in`.
    ///
    /// The `fan_out` × `fan_in` weights come row by row, one row per output, and
    /// are drawn before the `fan_out` biases. `fan_in` is at least 1.
    fn linear(&mut self, fan_in: usize, fan_out: usize) -> (Vec<f64>, Vec<f64>);
}

/// The bound 1/√`fan_in` of a layer's first weights and biases.
fn start_bound(fan_in: usize) -> f64 {
    debug_assert!(fan_in > 0, "a layer needs at least one input");
    1.0 / (fan_in as f64).sqrt()
}
