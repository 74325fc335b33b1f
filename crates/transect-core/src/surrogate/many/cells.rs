//! Means of readings over the cells of a grid.
//!
//! A sonar takes ten readings where a model tells one from the next at best; ten of them a hand apart tell little more than
//! their mean. So a model of many readings has one point for each cell that was sounded: the mean of the places, the mean of the
//! readings, and how many there are. A cell that was sounded twice, today and an hour ago, is one point too.
//!
//! Cells begin at 1/256 of the workspace's longer side. When more than [`MOST_MEANS`] have been sounded their sides
//! grow by the root of 2 and neighbours are put together: memory and time are bounded however long a mission lasts.

use std::collections::{BTreeSet, HashMap, HashSet};

use serde::{Deserialize, Serialize};
use transect_gp::{GpError, InputScaler, Points};

/// Most means.
pub(super) const MOST_MEANS: usize = 8192;
/// Side of a cell at the beginning, scaled: the workspace is 2 wide.
const FIRST_SIDE: f64 = 1.0 / 128.0;
/// What sides grow by.
const WIDER: f64 = std::f64::consts::SQRT_2;
/// A mean counts for at most this many readings: what is left of their scatter is relief inside the cell.
const MOST_COUNT: f64 = 32.0;

/// Sums over cells.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Cells {
    inputs: InputScaler,
    /// Side of a cell, scaled.
    side: f64,
    /// For each cell, in the order of first visits: sums of coordinates, the sum of readings, how many.
    sums: Vec<f64>,
    /// The cell of each reading.
    of_reading: Vec<u32>,
    /// Readings that count for nothing.
    out: BTreeSet<usize>,
    /// The number of each cell.
    #[serde(skip)]
    numbers: HashMap<Vec<i64>, u32>,
}

/// The points of a model.
#[derive(Debug, Clone)]
pub(super) struct Means {
    /// In raw units.
    pub(super) places: Points,
    /// In raw units.
    pub(super) values: Vec<f64>,
    /// How many readings each counts for.
    pub(super) counts: Vec<f64>,
    /// The mean that each cell has become; none where all its readings were taken out.
    pub(super) of_cell: Vec<Option<usize>>,
}

impl Cells {
    /// No readings.
    pub(super) fn new(inputs: InputScaler) -> Self {
        Self {
            inputs,
            side: FIRST_SIDE,
            sums: Vec::new(),
            of_reading: Vec::new(),
            out: BTreeSet::new(),
            numbers: HashMap::new(),
        }
    }

    fn stride(&self) -> usize {
        self.inputs.dim() + 2
    }

    fn len(&self) -> usize {
        self.sums.len() / self.stride()
    }

    /// How places are scaled.
    pub(super) fn inputs(&self) -> &InputScaler {
        &self.inputs
    }

    /// Side of a cell, scaled.
    pub(super) fn side(&self) -> f64 {
        self.side
    }

    /// The cell of each reading.
    pub(super) fn of_reading(&self) -> &[u32] {
        &self.of_reading
    }

    /// Takes in readings.
    ///
    /// # Errors
    /// If the places are not such as the model was made for; nothing is added then.
    pub(super) fn add(&mut self, places: &Points, readings: &[f64]) -> Result<(), GpError> {
        let scaled = self.inputs.scale(places)?;
        for (i, reading) in readings.iter().enumerate() {
            let cell = self.cell(&scaled.row(i));
            self.of_reading.push(cell);
            self.change(cell, &places.row(i), *reading, 1.0);
        }
        while self.len() > MOST_MEANS {
            self.widen()?;
        }
        Ok(())
    }

    /// Takes a reading out of the means, or puts it back.
    pub(super) fn set_counts(&mut self, number: usize, (place, reading): (&[f64], f64), yes: bool) {
        let changes = match yes {
            true => self.out.remove(&number),
            false => self.out.insert(number),
        };
        if changes {
            let by = if yes { 1.0 } else { -1.0 };
            self.change(self.of_reading[number], place, reading, by);
        }
    }

    fn change(&mut self, cell: u32, place: &[f64], reading: f64, by: f64) {
        let stride = self.stride();
        let sums = &mut self.sums[cell as usize * stride..][..stride];
        let more = place.iter().copied().chain([reading, 1.0]);
        sums.iter_mut()
            .zip(more)
            .for_each(|(sum, v)| *sum += by * v);
    }

    /// The number of the cell at a scaled place; a new one if it was never visited.
    fn cell(&mut self, scaled: &[f64]) -> u32 {
        let key: Vec<i64> = scaled
            .iter()
            .map(|v| (v / self.side).floor() as i64)
            .collect();
        let next = self.len() as u32;
        let number = *self.numbers.entry(key).or_insert(next);
        if number == next {
            self.sums.resize(self.sums.len() + self.stride(), 0.0);
        }
        number
    }

    /// Puts neighbours together.
    fn widen(&mut self) -> Result<(), GpError> {
        let mut wider = Self::new(self.inputs.clone());
        wider.side = WIDER * self.side;
        let stride = self.stride();
        let mut numbers = Vec::with_capacity(self.len());
        for sums in self.sums.chunks(stride) {
            let count = sums[stride - 1];
            // A cell whose readings were all taken out is kept for them: one may be put back.
            let place: Vec<f64> = match count > 0.0 {
                true => sums[..stride - 2].iter().map(|sum| sum / count).collect(),
                false => vec![0.0; stride - 2],
            };
            let place = Points::from_flat(stride - 2, &place)?;
            let cell = wider.cell(&self.inputs.scale(&place)?.row(0));
            let to = &mut wider.sums[cell as usize * stride..][..stride];
            to.iter_mut().zip(sums).for_each(|(to, sum)| *to += sum);
            numbers.push(cell);
        }
        let moved = self.of_reading.iter().map(|cell| numbers[*cell as usize]);
        wider.of_reading = moved.collect();
        wider.out = std::mem::take(&mut self.out);
        *self = wider;
        Ok(())
    }

    /// The means of all cells that have readings.
    ///
    /// # Errors
    /// If a mean is not a number.
    pub(super) fn means(&self) -> Result<Means, GpError> {
        let stride = self.stride();
        let mut flat = Vec::with_capacity(self.sums.len());
        let (mut values, mut counts, mut of_cell) = (Vec::new(), Vec::new(), Vec::new());
        for sums in self.sums.chunks(stride) {
            let count = sums[stride - 1];
            of_cell.push((count > 0.0).then_some(values.len()));
            if count > 0.0 {
                flat.extend(sums[..stride - 2].iter().map(|sum| sum / count));
                values.push(sums[stride - 2] / count);
                counts.push(count.min(MOST_COUNT));
            }
        }
        Ok(Means {
            places: Points::from_flat(stride - 2, &flat)?,
            values,
            counts,
            of_cell,
        })
    }

    /// Whether what was read from a file holds together; makes the list of cells again.
    pub(super) fn restore(&mut self) -> Result<(), GpError> {
        let refuse = |what: &str| {
            Err(GpError::Model(format!(
                "its cells do not hold together: {what}"
            )))
        };
        let stride = self.stride();
        let sized = self.side > 0.0 && self.side.is_finite();
        let whole = self.sums.len().is_multiple_of(stride);
        if !sized || !whole {
            return refuse("their side or their sums");
        }
        if self.sums.iter().any(|sum| !sum.is_finite()) || self.len() > MOST_MEANS {
            return refuse("a sum is no number, or they are too many");
        }
        let cells = self.len();
        if self.of_reading.iter().any(|cell| *cell as usize >= cells) {
            return refuse("a reading is in none of them");
        }
        let means = self.means()?;
        let scaled = self.inputs.scale(&means.places)?;
        for (cell, mean) in means.of_cell.iter().enumerate() {
            if let Some(mean) = mean {
                let row = scaled.row(*mean);
                let key = row.iter().map(|v| (v / self.side).floor() as i64).collect();
                self.numbers.insert(key, cell as u32);
            }
        }
        Ok(())
    }
}

impl Means {
    /// Numbers of some means: one of every cell of a grid that is so coarse that there are at most `most`, ascending. Of those in
    /// a cell it is the first that was visited.
    pub(super) fn spread(
        &self,
        inputs: &InputScaler,
        side: f64,
        most: usize,
    ) -> Result<Vec<usize>, GpError> {
        let scaled = inputs.scale(&self.places)?;
        let rows: Vec<Vec<f64>> = (0..scaled.len()).map(|i| scaled.row(i)).collect();
        let mut side = side;
        let mut chosen: Vec<usize> = (0..rows.len()).collect();
        while chosen.len() > most.max(1) {
            side *= WIDER;
            let mut taken = HashSet::new();
            chosen.retain(|i| {
                let key: Vec<i64> = rows[*i].iter().map(|v| (v / side).floor() as i64).collect();
                taken.insert(key)
            });
        }
        Ok(chosen)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cells() -> Cells {
        Cells::new(InputScaler::from_ranges(&[(0.0, 256.0), (0.0, 256.0)]).unwrap())
    }

    fn line(count: usize) -> Points {
        let rows: Vec<[f64; 2]> = (0..count).map(|i| [0.1 * i as f64, 3.5]).collect();
        Points::from_rows(&rows).unwrap()
    }

    #[test]
    fn ten_readings_to_a_metre_become_their_mean() {
        let mut cells = cells();
        let values: Vec<f64> = (0..100).map(f64::from).collect();
        cells.add(&line(100), &values).unwrap();
        let means = cells.means().unwrap();
        assert_eq!(means.values.len(), 10);
        assert!((means.values[0] - 4.5).abs() < 1e-12 && means.counts[0] == 10.0);
        assert!((means.places.row(3)[0] - 3.45).abs() < 1e-9);
        // A second visit does not make more of them.
        cells.add(&line(100), &values).unwrap();
        assert_eq!(cells.means().unwrap().counts, [20.0; 10]);
        // What is taken out is not in the mean any more.
        for _again in 0..2 {
            cells.set_counts(0, (&[0.0, 3.5], 0.0), false);
        }
        let mean = cells.means().unwrap();
        assert!((mean.values[0] - 90.0 / 19.0).abs() < 1e-9 && mean.counts[0] == 19.0);
    }

    #[test]
    fn means_are_bounded_and_no_reading_is_lost() {
        let mut cells = cells();
        let rows: Vec<[f64; 2]> = (0..40_000)
            .map(|i| [f64::from(i % 200) + 0.5, f64::from(i / 200) + 0.5])
            .collect();
        let values: Vec<f64> = rows.iter().map(|[x, y]| x + y).collect();
        for (part, values) in rows.chunks(999).zip(values.chunks(999)) {
            cells
                .add(&Points::from_rows(part).unwrap(), values)
                .unwrap();
            assert!(cells.means().unwrap().values.len() <= MOST_MEANS);
        }
        assert!(cells.side() > FIRST_SIDE);
        let stride = cells.stride();
        let counts = cells.sums.iter().skip(stride - 1).step_by(stride);
        assert_eq!(counts.sum::<f64>(), 40_000.0);
        assert_eq!(cells.of_reading().len(), 40_000);
        let means = cells.means().unwrap();
        for i in 0..means.values.len() {
            let place = means.places.row(i);
            assert!((means.values[i] - place[0] - place[1]).abs() < 1e-6);
        }
        let some = means.spread(&cells.inputs, cells.side(), 300).unwrap();
        assert!((100..=300).contains(&some.len()), "{}", some.len());
        // A saved one goes on where it was.
        let mut read: Cells =
            serde_json::from_str(&serde_json::to_string(&cells).unwrap()).unwrap();
        read.restore().unwrap();
        for cells in [&mut cells, &mut read] {
            cells.add(&line(50), &[7.0; 50]).unwrap();
        }
        assert_eq!(read.sums, cells.sums);
        read.of_reading[3] = u32::MAX;
        assert!(read.restore().is_err());
    }
}
