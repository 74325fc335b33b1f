//! Which cells of a map stay.

use transect::map::{Map, MapGrid};

/// Takes cells out that are farther from a sounding than this, m.
pub(super) fn cut(map: &mut Map, places: &[[f64; 2]], reach_m: f64) {
    let distances = distances(&map.grid, places);
    for (cell, distance) in distances.into_iter().enumerate() {
        if distance > reach_m {
            (map.mean[cell], map.std[cell]) = (f64::NAN, f64::NAN);
        }
    }
}

/// Distance of every cell's middle to the middle of the nearest cell with a sounding, m: Felzenszwalb and Huttenlocher's
/// distance transform, along columns and then along rows.
fn distances(grid: &MapGrid, places: &[[f64; 2]]) -> Vec<f64> {
    let (rows, columns) = (grid.rows, grid.columns);
    let mut squares = vec![f64::INFINITY; rows * columns];
    for place in places {
        if let Some((row, column)) = grid.cell_at(*place) {
            squares[row * columns + column] = 0.0;
        }
    }
    let mut line = Vec::new();
    for column in 0..columns {
        line.clear();
        line.extend((0..rows).map(|row| squares[row * columns + column]));
        for (row, square) in lowest_parabolas(&line).into_iter().enumerate() {
            squares[row * columns + column] = square;
        }
    }
    for row in squares.chunks_exact_mut(columns) {
        let lowest = lowest_parabolas(row);
        row.copy_from_slice(&lowest);
    }
    squares
        .iter()
        .map(|square| square.sqrt() * grid.cell_m)
        .collect()
}

/// For each i, the least of `(i - k)^2 + heights[k]`.
fn lowest_parabolas(heights: &[f64]) -> Vec<f64> {
    let mut hull: Vec<(usize, f64)> = Vec::new();
    for (k, height) in heights.iter().enumerate().filter(|(_, h)| h.is_finite()) {
        let at = k as f64;
        loop {
            let Some((last, from)) = hull.last().copied() else {
                hull.push((k, f64::NEG_INFINITY));
                break;
            };
            let other = last as f64;
            let meet =
                ((height + at * at) - (heights[last] + other * other)) / (2.0 * (at - other));
            if meet > from {
                hull.push((k, meet));
                break;
            }
            hull.pop();
        }
    }
    let mut next = 0;
    (0..heights.len())
        .map(|i| {
            while next + 1 < hull.len() && hull[next + 1].1 <= i as f64 {
                next += 1;
            }
            hull.get(next).map_or(f64::INFINITY, |(k, _)| {
                (i as f64 - *k as f64).powi(2) + heights[*k]
            })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_are_those_to_the_nearest() {
        let places = [[1.0, 1.0], [37.0, 11.0], [20.0, 29.0]];
        let grid = MapGrid::around(&places, Some(2.0)).unwrap();
        let found = distances(&grid, &places);
        let cells: Vec<[f64; 2]> = places
            .iter()
            .filter_map(|p| grid.cell_at(*p))
            .map(|(r, c)| grid.centre(r, c))
            .collect();
        for (cell, distance) in found.iter().enumerate() {
            let [x, y] = grid.centre(cell / grid.columns, cell % grid.columns);
            let nearest = cells
                .iter()
                .map(|c| (c[0] - x).hypot(c[1] - y))
                .fold(f64::MAX, f64::min);
            assert!(
                (distance - nearest).abs() < 1e-9,
                "{cell}: {distance} {nearest}"
            );
        }
    }
}
