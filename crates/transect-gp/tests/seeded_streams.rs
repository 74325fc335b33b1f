//! The streams of the paper profile against values of NumPy and PyTorch,
//! `seeded_streams.json` in the folder that `TRANSECT_DATA` names.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::Deserialize;
use transect_gp::random::{NetworkStart, RandomState, Randomness, TorchGenerator};

#[derive(Deserialize)]
struct SeededStreams {
    /// By seed.
    numpy_randomstate: BTreeMap<u32, NumpyDraws>,
    /// By name: `seed0_2x10x10x1` has 2 inputs, 1 output and 10 units in between.
    networks: BTreeMap<String, Network>,
}

/// What one stream gave, in this order.
#[derive(Deserialize)]
struct NumpyDraws {
    uniform_m10_10_first5: Vec<f64>,
    then_normal_first5: Vec<f64>,
    then_uniform3: Vec<f64>,
}

#[derive(Deserialize)]
struct Network {
    #[serde(rename = "linear1.weight")]
    weight1: Vec<Vec<f64>>,
    #[serde(rename = "linear1.bias")]
    bias1: Vec<f64>,
    #[serde(rename = "linear2.weight")]
    weight2: Vec<Vec<f64>>,
    #[serde(rename = "linear2.bias")]
    bias2: Vec<f64>,
    #[serde(rename = "linear3.weight")]
    weight3: Vec<Vec<f64>>,
    #[serde(rename = "linear3.bias")]
    bias3: Vec<f64>,
}

impl Network {
    /// Weights row by row, and biases, of each layer.
    fn layers(&self) -> Vec<(Vec<f64>, Vec<f64>)> {
        [
            (&self.weight1, &self.bias1),
            (&self.weight2, &self.bias2),
            (&self.weight3, &self.bias3),
        ]
        .map(|(weight, bias)| (weight.concat(), bias.clone()))
        .to_vec()
    }
}

fn seeded_streams() -> SeededStreams {
    let folder = std::env::var("TRANSECT_DATA").expect("TRANSECT_DATA names the data folder");
    let path = PathBuf::from(folder).join("seeded_streams.json");
    let text = std::fs::read_to_string(&path)
        .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The layers of a network with these widths, input first.
fn start(generator: &mut TorchGenerator, widths: &[usize]) -> Vec<(Vec<f64>, Vec<f64>)> {
    widths
        .windows(2)
        .map(|fans| generator.linear(fans[0], fans[1]))
        .collect()
}

/// Seed and widths from a name such as `seed0_2x10x10x1`.
fn seed_and_widths(name: &str) -> Option<(u64, Vec<usize>)> {
    let (seed, widths) = name.strip_prefix("seed")?.split_once('_')?;
    let widths: Result<_, _> = widths.split('x').map(str::parse).collect();
    Some((seed.parse().ok()?, widths.ok()?))
}

#[test]
#[cfg_attr(not(transect_data), ignore = "set TRANSECT_DATA to the data folder")]
fn random_state_equals_numpys_bit_for_bit() {
    // Elsewhere the C library's logarithm may differ from that of the data.
    let normals_are_exact = cfg!(all(target_os = "linux", target_env = "gnu"));

    let draws_by_seed = seeded_streams().numpy_randomstate;
    assert!(!draws_by_seed.is_empty());
    for (seed, draws) in draws_by_seed {
        let mut stream = RandomState::new(seed);
        let n = draws.uniform_m10_10_first5.len();
        assert_eq!(
            stream.uniforms(-10.0, 10.0, n),
            draws.uniform_m10_10_first5,
            "seed {seed}"
        );
        for expected in draws.then_normal_first5 {
            let drawn = stream.standard_normal();
            let slack = if normals_are_exact { 0.0 } else { 1e-15 };
            assert!(
                (drawn - expected).abs() <= slack * expected.abs(),
                "seed {seed}: {drawn} for {expected}"
            );
        }
        let n = draws.then_uniform3.len();
        assert_eq!(
            stream.uniforms(-10.0, 10.0, n),
            draws.then_uniform3,
            "seed {seed}"
        );
    }
}

#[test]
#[cfg_attr(not(transect_data), ignore = "set TRANSECT_DATA to the data folder")]
fn networks_start_as_pytorchs_bit_for_bit() {
    let networks = seeded_streams().networks;
    assert!(!networks.is_empty());
    for (name, network) in networks {
        // The second network of a generator follows the first of the same shape.
        let first = name.strip_suffix("_second_net");
        let (seed, widths) = seed_and_widths(first.unwrap_or(&name))
            .unwrap_or_else(|| panic!("{name} does not name a seed and widths"));

        let mut generator = TorchGenerator::new(seed);
        if first.is_some() {
            start(&mut generator, &widths);
        }
        assert_eq!(start(&mut generator, &widths), network.layers(), "{name}");
    }
}
