//! Soundings along a track: bad pings, and means over what the map can resolve.
//!
//! A sonar that loses the bottom says something else for a ping or for many in a row, and finds it again at once. A
//! ping is bad when it is far from the line through the pings around it (median and median slope of 41), in units of
//! how far these are from it (median absolute deviation), and the readings jump both to it and back. A scarp is
//! kept: on either side of it most pings around are of that side.
//!
//! Ten pings a hand apart tell little more than one, so that pings are averaged over the side of a cell. The mean of k
//! readings has a k-th of their noise.

/// Pings to either side of the one that is judged.
pub(crate) const AROUND: usize = 20;
/// Most bad pings in a row that are looked at. Where the floor slopes, more than ten bend the median slope and are not found.
const LONGEST: usize = 20;
/// How many deviations a bad ping is off.
const OFF: f64 = 8.0;
/// A ping is off by at least this share of what readings vary by on the whole.
const LEAST: f64 = 0.02;
/// Soundings are a track when their usual distance is below this share of that of evenly spread ones.
const DENSE: f64 = 0.5;
/// A standard deviation in median absolute deviations.
const DEVIATION: f64 = 1.4826;

/// Means of soundings in their order.
#[derive(Debug, Clone, Default)]
pub(super) struct Averaged {
    pub(super) places: Vec<[f64; 2]>,
    pub(super) values: Vec<f64>,
    /// How many soundings each is the mean of.
    pub(super) counts: Vec<f64>,
    /// Number of the first sounding of each.
    pub(super) firsts: Vec<usize>,
}

/// Whether soundings in their order are a track rather than scattered.
pub(crate) fn is_track(places: &[[f64; 2]], area: f64) -> bool {
    let mut steps: Vec<f64> = places
        .windows(2)
        .map(|pair| distance(pair[0], pair[1]))
        .collect();
    let even = (area / places.len() as f64).sqrt();
    median(&mut steps).is_some_and(|step| step < DENSE * even)
}

/// Which pings of a track are bad.
pub(super) fn bad_pings(values: &[f64]) -> Vec<bool> {
    let mut all = values.to_vec();
    let centre = median(&mut all).unwrap_or_default();
    all.iter_mut().for_each(|v| *v = (*v - centre).abs());
    let deviation = DEVIATION * median(&mut all).unwrap_or_default();
    bad_pings_of(values, deviation)
}

/// Which pings of a piece of a track are bad, where readings have this standard deviation on the whole.
pub(crate) fn bad_pings_of(values: &[f64], deviation: f64) -> Vec<bool> {
    let least = LEAST * deviation;
    let residuals: Vec<Option<f64>> = (0..values.len()).map(|i| off(values, i, least)).collect();
    let mut bad = vec![false; values.len()];
    let mut from = 0;
    while from < values.len() {
        let run = residuals[from..].iter().take_while(|r| r.is_some()).count();
        if (1..=LONGEST).contains(&run) {
            let mut sizes: Vec<f64> = residuals[from..from + run]
                .iter()
                .flatten()
                .map(|r| r.abs())
                .collect();
            let half = 0.5 * median(&mut sizes).unwrap_or_default();
            let jump = |a: Option<usize>, b: usize| {
                let before = a.and_then(|a| values.get(a));
                before
                    .zip(values.get(b))
                    .is_none_or(|(a, b)| (a - b).abs() > half)
            };
            let jumps = jump(from.checked_sub(1), from) && jump(Some(from + run - 1), from + run);
            bad[from..from + run].fill(jumps);
        }
        from += run.max(1);
    }
    bad
}

/// How far ping `i` is from the pings around it, if that is too far.
fn off(values: &[f64], i: usize, least: f64) -> Option<f64> {
    let from = i.saturating_sub(AROUND);
    let around = &values[from..(i + AROUND + 1).min(values.len())];
    if around.len() < AROUND {
        return None;
    }
    let half = around.len() / 2;
    let mut slopes: Vec<f64> = (0..around.len() - half)
        .map(|k| (around[k + half] - around[k]) / half as f64)
        .collect();
    let slope = median(&mut slopes)?;
    let straightened = |(k, v): (usize, &f64)| v - slope * (k as f64 - (i - from) as f64);
    let mut levels: Vec<f64> = around.iter().enumerate().map(straightened).collect();
    let level = median(&mut levels)?;
    levels.iter_mut().for_each(|v| *v = (*v - level).abs());
    let spread = DEVIATION * median(&mut levels)?;
    let residual = values[i] - level;
    (residual.abs() > OFF * spread + least).then_some(residual)
}

/// Averages neighbours in the order of the track over `length` (m), without those that are bad.
pub(super) fn average(places: &[[f64; 2]], values: &[f64], bad: &[bool], length: f64) -> Averaged {
    let mut averaged = Averaged::default();
    let mut good = (0..values.len()).filter(|i| !bad[*i]).peekable();
    while let Some(first) = good.next() {
        let (mut place, mut value, mut count) = (places[first], values[first], 1.0);
        while let Some(next) = good.next_if(|next| distance(places[first], places[*next]) < length)
        {
            place = [0, 1].map(|d| place[d] + places[next][d]);
            value += values[next];
            count += 1.0;
        }
        averaged.places.push(place.map(|x| x / count));
        averaged.values.push(value / count);
        averaged.counts.push(count);
        averaged.firsts.push(first);
    }
    averaged
}

/// Between two places, m.
pub(super) fn distance(a: [f64; 2], b: [f64; 2]) -> f64 {
    (a[0] - b[0]).hypot(a[1] - b[1])
}

/// The median; changes the order.
pub(super) fn median(numbers: &mut [f64]) -> Option<f64> {
    if numbers.is_empty() {
        return None;
    }
    let middle = numbers.len() / 2;
    Some(*numbers.select_nth_unstable_by(middle, f64::total_cmp).1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn floor(i: usize) -> f64 {
        10.0 + 2.0 * (i as f64 * 0.01).sin() + 0.03 * ((i * 37 % 11) as f64 - 5.0) / 5.0
    }

    #[test]
    fn spikes_and_runs_are_found_and_scarps_are_kept() {
        // A scarp of 4 m at 500, the bottom lost at 200 (once), 300 to 302 and 700 to 708.
        let mut values: Vec<f64> = (0..1000)
            .map(|i| floor(i) + if i >= 500 { 4.0 } else { 0.0 })
            .collect();
        let planted: Vec<usize> = std::iter::once(200)
            .chain(300..303)
            .chain(700..709)
            .collect();
        planted.iter().for_each(|i| values[*i] = 1.2);
        let bad = bad_pings(&values);
        let found: Vec<usize> = (0..1000).filter(|i| bad[*i]).collect();
        assert_eq!(found, planted);
    }

    /// A mound 12 pings wide with slopes, as sampled once a second.
    #[test]
    fn a_mound_with_slopes_is_kept() {
        let mound = |i: usize| (3.0 - (i as f64 - 200.0).abs() * 0.5).max(0.0);
        let values: Vec<f64> = (0..400).map(|i| floor(i) - mound(i)).collect();
        assert!(!bad_pings(&values).contains(&true));
    }

    #[test]
    fn means_hold_every_good_sounding_once() {
        let places: Vec<[f64; 2]> = (0..100).map(|i| [0.25 * f64::from(i), 0.0]).collect();
        let values: Vec<f64> = (0..100).map(f64::from).collect();
        let mut bad = vec![false; 100];
        bad[5] = true;
        let averaged = average(&places, &values, &bad, 2.0);
        assert_eq!(averaged.counts.iter().sum::<f64>(), 99.0);
        assert_eq!(averaged.counts[0], 7.0);
        let sum: f64 = averaged
            .values
            .iter()
            .zip(&averaged.counts)
            .map(|(v, c)| v * c)
            .sum();
        assert!((sum - (4950.0 - 5.0)).abs() < 1e-9);
        // Without length, everything stays as it is.
        assert_eq!(average(&places, &values, &bad, 0.0).values.len(), 99);
    }

    #[test]
    fn a_raster_is_no_track() {
        let raster: Vec<[f64; 2]> = (0..900)
            .map(|i| [f64::from(i % 30), f64::from(i / 30)])
            .collect();
        assert!(!is_track(&raster, 900.0));
        let lines: Vec<[f64; 2]> = (0..900)
            .map(|i| [f64::from(i % 300) * 0.1, f64::from(i / 300) * 10.0])
            .collect();
        assert!(is_track(&lines, 900.0));
    }
}
