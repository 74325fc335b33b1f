//! Bad pings among readings as they come along a track.
//!
//! Each is judged by those before and after it ([`crate::map`] has the rule), so that the last ones are judged again when more have come. Where
//! readings are no track, as those of a planner that jumps, none is taken for bad.

use serde::{Deserialize, Serialize};
use transect_gp::Points;

use crate::map::track::{AROUND, bad_pings_of, is_track};

/// The area of the workspace, scaled.
const AREA: f64 = 4.0;

/// A reading that may be judged again, or is needed to judge others.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Ping {
    /// In raw units.
    place: Vec<f64>,
    /// The first two coordinates, scaled.
    scaled: [f64; 2],
    value: f64,
    bad: bool,
}

impl Ping {
    /// The first two coordinates, in raw units.
    fn metres(&self) -> [f64; 2] {
        [0, 1].map(|axis| self.place.get(axis).copied().unwrap_or_default())
    }
}

/// The last readings.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Pings {
    last: Vec<Ping>,
    /// How many were bad so far.
    pub(super) bad: usize,
}

/// A reading whose verdict is new.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Changed {
    /// How many readings ago it came; 0 is the last one.
    pub(super) ago: usize,
    pub(super) place: Vec<f64>,
    pub(super) value: f64,
    pub(super) bad: bool,
}

impl Pings {
    /// Takes in readings, where all have this standard deviation on the whole; says of which the verdict has changed, those that are
    /// new and bad included.
    pub(super) fn add(
        &mut self,
        (places, scaled): (&Points, &Points),
        readings: &[f64],
        deviation: f64,
    ) -> Vec<Changed> {
        let settled = self.last.len().saturating_sub(AROUND);
        let second = scaled.dim().min(2) - 1;
        self.last
            .extend(readings.iter().enumerate().map(|(i, value)| Ping {
                place: places.row(i),
                scaled: [scaled.column(0)[i], scaled.column(second)[i]],
                value: *value,
                bad: false,
            }));
        let at: Vec<[f64; 2]> = self.last.iter().map(|ping| ping.scaled).collect();
        let values: Vec<f64> = self.last.iter().map(|ping| ping.value).collect();
        let bad = match is_track(&at, AREA) {
            true => {
                let metres: Vec<[f64; 2]> = self.last.iter().map(Ping::metres).collect();
                bad_pings_of(&metres, &values, deviation)
            }
            false => vec![false; values.len()],
        };
        let mut changed = Vec::new();
        let count = self.last.len();
        for (i, (ping, bad)) in self.last.iter_mut().zip(bad).enumerate().skip(settled) {
            if ping.bad != bad {
                ping.bad = bad;
                changed.push(Changed {
                    ago: count - 1 - i,
                    place: ping.place.clone(),
                    value: ping.value,
                    bad,
                });
            }
        }
        let gone = changed.iter().filter(|one| !one.bad).count();
        self.bad = self.bad + changed.len() - 2 * gone;
        self.last.drain(..count.saturating_sub(2 * AROUND));
        changed
    }

    /// Whether what was read from a file belongs to places with this many coordinates.
    pub(super) fn suits(&self, dimensions: usize) -> bool {
        self.last.iter().all(|ping| ping.place.len() == dimensions)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn floor(i: usize) -> f64 {
        10.0 + 2.0 * (i as f64 * 0.01).sin() + 0.03 * ((i * 37 % 11) as f64 - 5.0) / 5.0
    }

    /// Whatever the pieces they come in, the bad pings that are found are those that are found in all at once.
    #[test]
    fn pings_that_come_in_pieces_are_judged_as_a_whole_track() {
        let mut values: Vec<f64> = (0..600).map(floor).collect();
        let planted: Vec<usize> = [200].into_iter().chain(300..304).chain(500..508).collect();
        planted.iter().for_each(|i| values[*i] = 1.2);
        let rows: Vec<[f64; 2]> = (0..600).map(|i| [0.001 * i as f64, 0.0]).collect();
        for piece in [30, 77, 600] {
            let mut pings = Pings::default();
            let mut bad = vec![false; 600];
            for (number, (rows, values)) in rows.chunks(piece).zip(values.chunks(piece)).enumerate()
            {
                let places = Points::from_rows(rows).unwrap();
                let so_far = number * piece + values.len();
                for one in pings.add((&places, &places), values, 1.5) {
                    bad[so_far - 1 - one.ago] = one.bad;
                }
            }
            let found: Vec<usize> = (0..600).filter(|i| bad[*i]).collect();
            assert_eq!(found, planted, "in pieces of {piece}");
            assert_eq!(pings.bad, planted.len());
        }
    }

    #[test]
    fn readings_here_and_there_are_no_track() {
        let rows: Vec<[f64; 2]> = (0..100)
            .map(|i| {
                [
                    f64::from(i * 37 % 100) / 50.0 - 1.0,
                    f64::from(i * 61 % 100) / 50.0 - 1.0,
                ]
            })
            .collect();
        let mut values: Vec<f64> = (0..100).map(floor).collect();
        values[50] = 1.2;
        let places = Points::from_rows(&rows).unwrap();
        assert_eq!(Pings::default().add((&places, &places), &values, 1.5), []);
    }
}
