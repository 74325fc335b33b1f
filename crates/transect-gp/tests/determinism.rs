//! The same bits, whatever the number of threads.

mod support;

use support::{KINDS, data, kernels, points, theta};
use transect_gp::kernel::Memory;
use transect_gp::train::Adam;
use transect_gp::{Compute, Matrix, Of, Points, Regression, Threads};

/// Everything a model computes from its data.
#[derive(PartialEq)]
struct Results {
    matrix: Vec<f64>,
    loss: f64,
    gradient: Vec<f64>,
    mean: Vec<f64>,
    std: Vec<f64>,
    trained: Vec<f64>,
    retrained_mean: Vec<f64>,
}

/// The lower triangle, column by column.
fn triangle(matrix: &Matrix) -> Vec<f64> {
    let columns = 0..matrix.columns();
    columns
        .flat_map(|j| matrix.column(j)[j..].to_vec())
        .collect()
}

fn results(kind: usize, compute: Compute, (x, y): &(Points, Vec<f64>)) -> Results {
    let direct = support::kernel(kind, 2, 3).1;
    let mut values = theta(&*direct);
    let mut matrix = Matrix::default();
    direct.refresh(&mut values, x, &mut Memory::default(), &compute);
    direct.matrix(&values, x, &mut matrix, &mut Memory::default(), &compute);

    let test = points(600, 2, 4);
    let mut model = Regression::fit(support::kernel(kind, 2, 3).1, 0.1, x, y).unwrap();
    model.set_compute(compute);
    let (loss, gradient) = model.loss_and_gradient().unwrap();
    let gradient = gradient.to_vec();
    let prediction = model
        .posterior()
        .unwrap()
        .predict(&test, Of::Quantity)
        .unwrap();
    let mut adam = Adam::default();
    model.give_back_memory();
    model.train(&mut adam, 3).unwrap();
    model.give_back_memory();
    // Extends the factor made by this prediction.
    let _ = model
        .posterior()
        .unwrap()
        .predict(&test.slice(0, 1), Of::Quantity)
        .unwrap();
    model.add(&points(9, 2, 5), &[40.0; 9]).unwrap();
    let retrained_mean = model
        .posterior()
        .unwrap()
        .predict(&test, Of::Quantity)
        .unwrap()
        .mean;
    model.train(&mut adam, 2).unwrap();
    Results {
        matrix: triangle(&matrix),
        loss,
        gradient,
        mean: prediction.mean,
        std: prediction.std,
        trained: model.params().raw().to_vec(),
        retrained_mean,
    }
}

/// The largest difference relative to the largest number.
fn difference(a: &[f64], b: &[f64]) -> f64 {
    let largest = a
        .iter()
        .fold(f64::MIN_POSITIVE, |most, v| most.max(v.abs()));
    let differences = a.iter().zip(b).map(|(a, b)| (a - b).abs());
    differences.fold(0.0, f64::max) / largest
}

impl Results {
    fn lists(&self) -> [(&'static str, &[f64]); 7] {
        [
            ("matrix", &self.matrix),
            ("loss", std::slice::from_ref(&self.loss)),
            ("gradient", &self.gradient),
            ("mean", &self.mean),
            ("std", &self.std),
            ("trained parameters", &self.trained),
            ("mean after adding", &self.retrained_mean),
        ]
    }

    #[track_caller]
    fn assert_same(&self, other: &Self, what: &str) {
        for ((part, mine), (_, its)) in self.lists().into_iter().zip(other.lists()) {
            assert!(
                mine == its,
                "{what}: {part} differs by {:e}",
                difference(mine, its)
            );
        }
    }
}

fn same_whatever_the_threads(n: usize, kinds: impl IntoIterator<Item = usize>) {
    let set = data(n, 2, 2);
    for kind in kinds {
        let name = support::kernel(kind, 2, 3).0;
        let alone = results(kind, Compute::with_threads(Threads::One), &set);
        for threads in [1, 2, 3, 8] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
            let shared = pool
                .unwrap()
                .install(|| results(kind, Compute::with_threads(Threads::All), &set));
            alone.assert_same(&shared, &format!("{name}, N = {n}, {threads} threads"));
        }
    }
}

#[test]
fn threads_do_not_change_a_bit_of_50_points() {
    same_whatever_the_threads(50, 0..KINDS);
}

#[test]
fn threads_do_not_change_a_bit_of_300_points() {
    same_whatever_the_threads(300, 0..KINDS);
}

#[test]
fn threads_do_not_change_a_bit_of_700_points() {
    // One of each type; the others differ in what a pair is worth, not in the loops.
    same_whatever_the_threads(700, [0, 5, 7, 8, 11, 13, 15]);
}

#[test]
fn the_cache_does_not_change_a_bit() {
    for n in [50, 300] {
        let set = data(n, 2, 2);
        for (kind, (name, _)) in kernels(2, 3).into_iter().enumerate() {
            let run = |cache_bytes| {
                let compute = Compute {
                    cache_bytes,
                    ..Compute::default()
                };
                results(kind, compute, &set)
            };
            run(256 << 20).assert_same(&run(0), &format!("{name}, N = {n}, without cache"));
        }
    }
}
