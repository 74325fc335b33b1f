//! Thinning of long lines to what can be seen.

/// The points of a line of pixels, with no more than four in each column of pixels: first, lowest, highest, last. Lines that
/// go back and forth, and lines that are short anyway, are left alone.
pub(super) fn thinned(points: Vec<[f64; 2]>, width: f64) -> Vec<[f64; 2]> {
    let forward = points.windows(2).all(|w| w[1][0] >= w[0][0]);
    if points.len() as f64 <= 4.0 * width || !forward {
        return points;
    }
    let mut kept = Vec::new();
    let mut start = 0;
    while start < points.len() {
        let column = points[start][0].floor();
        let end = start
            + points[start..]
                .iter()
                .take_while(|p| p[0].floor() == column)
                .count()
                .max(1);
        let by_height = |a: &usize, b: &usize| points[*a][1].total_cmp(&points[*b][1]);
        let lowest = (start..end).min_by(by_height).unwrap_or(start);
        let highest = (start..end).max_by(by_height).unwrap_or(start);
        let mut picks = [start, lowest, highest, end - 1];
        picks.sort_unstable();
        for (i, p) in picks.iter().enumerate() {
            if i == 0 || picks[i - 1] != *p {
                kept.push(points[*p]);
            }
        }
        start = end;
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::thinned;

    #[test]
    fn a_million_points_become_few_and_keep_the_extremes() {
        let n = 1_000_000;
        let mut line: Vec<[f64; 2]> = (0..n)
            .map(|i| [300.0 * i as f64 / n as f64, (i % 97) as f64])
            .collect();
        line[567_890][1] = -1234.0;
        let thin = thinned(line, 300.0);
        assert!(thin.len() <= 4 * 301);
        assert!(thin.iter().any(|p| p[1] == -1234.0));
    }
}
