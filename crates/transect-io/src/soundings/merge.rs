//! Several readings of one place.

use super::Soundings;
use std::collections::{HashMap, HashSet};

/// Soundings in which no place occurs twice.
#[derive(Debug, Clone, PartialEq)]
pub struct Merged {
    /// Where, in the order of first occurrence.
    pub places: Vec<[f64; 2]>,
    /// The mean of the different values measured there.
    pub values: Vec<f64>,
    /// Rows that repeated an earlier one, number by number: dropped.
    pub repeated: usize,
    /// Rows that gave another value for a place: averaged with it.
    pub averaged: usize,
    /// Which sounding was the first at each place.
    pub first: Vec<usize>,
}

impl Soundings {
    /// Brings together what was measured at exactly the same place. A row that repeats another says
    /// nothing new and is dropped; different values of one place (a sonar faster than its GPS, say) count
    /// as one reading, their mean.
    #[must_use]
    pub fn merged(&self) -> Merged {
        // Adding zero makes one of the two zeros.
        let bits = |number: f64| (number + 0.0).to_bits();
        let mut seen = HashSet::with_capacity(self.places.len());
        let mut index_of = HashMap::with_capacity(self.places.len());
        let mut counts: Vec<f64> = Vec::with_capacity(self.places.len());
        let mut merged = Merged {
            places: Vec::with_capacity(self.places.len()),
            values: Vec::with_capacity(self.places.len()),
            repeated: 0,
            averaged: 0,
            first: Vec::with_capacity(self.places.len()),
        };
        for (number, (place, value)) in self.places.iter().zip(&self.values).enumerate() {
            let here = place.map(bits);
            if !seen.insert((here, bits(*value))) {
                merged.repeated += 1;
                continue;
            }
            let index = *index_of.entry(here).or_insert(counts.len());
            if index == counts.len() {
                merged.places.push(*place);
                merged.values.push(*value);
                counts.push(1.0);
                merged.first.push(number);
            } else {
                merged.values[index] += value;
                counts[index] += 1.0;
                merged.averaged += 1;
            }
        }
        for (sum, count) in merged.values.iter_mut().zip(&counts) {
            *sum /= count;
        }
        merged
    }
}
