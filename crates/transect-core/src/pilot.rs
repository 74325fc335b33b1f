//! The pilot survey: a first look at the whole workspace, before there is a model to plan with.
//!
//! A Bézier curve of degree 17 whose control points follow the boundary and end in the middle.

use crate::Error;
use crate::geometry::{Position, Rect};
use crate::settings::SettingError;

/// The control points of the pilot curve over `extent`.
pub fn control_points(extent: &Rect) -> [Position; 18] {
    let quarters = |low: f64, high: f64| {
        let width = high - low;
        [
            low,
            width / 4.0 + low,
            width / 2.0 + low,
            3.0 * width / 4.0 + low,
            high,
        ]
    };
    let x = quarters(extent.xmin(), extent.xmax());
    let y = quarters(extent.ymin(), extent.ymax());
    #[rustfmt::skip]
    let quarter_indices = [
        (1, 0), (0, 0), (0, 1), (0, 2), (0, 3), (0, 4), (1, 4), (2, 4), (3, 4),
        (4, 4), (4, 3), (4, 2), (4, 1), (4, 0), (3, 0), (2, 0), (2, 1), (2, 2),
    ];
    quarter_indices.map(|(column, row)| Position::new(x[column], y[row]))
}

/// `count` positions at evenly spaced parameters of the pilot curve, both ends included.
///
/// ```
/// use transect::geometry::{Position, Rect};
/// let pilot = transect::pilot::bezier_pilot(&Rect::new(-10.0, 10.0, -10.0, 10.0)?, 50)?;
/// assert_eq!(pilot[0], Position::new(-5.0, -10.0));
/// assert_eq!(pilot[49], Position::new(0.0, 0.0));
/// # Ok::<(), transect::Error>(())
/// ```
pub fn bezier_pilot(extent: &Rect, count: usize) -> Result<Vec<Position>, Error> {
    if count < 2 {
        return Err(SettingError::OutOfRange {
            name: "pilot soundings",
            value: count as f64,
            accepted: "at least 2 are needed",
        }
        .into());
    }
    let points = control_points(extent);
    let step = 1.0 / (count - 1) as f64;
    let parameters = (0..count - 1).map(|i| i as f64 * step).chain([1.0]);
    Ok(parameters.map(|t| bezier(points, t)).collect())
}

/// The curve at `t` in [0, 1], by de Casteljau's repeated interpolation.
fn bezier(mut points: [Position; 18], t: f64) -> Position {
    for last in (1..points.len()).rev() {
        for i in 0..last {
            let (a, b) = (points[i], points[i + 1]);
            points[i] = Position::new((1.0 - t) * a.x + t * b.x, (1.0 - t) * a.y + t * b.y);
        }
    }
    points[0]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Waypoints (index, x, y) of 50 over the extent, from the paper's program (pypolo, which evaluates
    /// the curve with the `bezier` package 2024.6.20), and the sums of all x and all y.
    fn check(extent: [f64; 4], waypoints: &[(usize, f64, f64)], sum: [f64; 2]) {
        let [xmin, xmax, ymin, ymax] = extent;
        let pilot = bezier_pilot(&Rect::new(xmin, xmax, ymin, ymax).unwrap(), 50).unwrap();
        assert_eq!(pilot.len(), 50);
        for &(index, x, y) in waypoints {
            assert!(
                (pilot[index].x - x).abs() < 1e-12,
                "{index}: {}",
                pilot[index]
            );
            assert!(
                (pilot[index].y - y).abs() < 1e-12,
                "{index}: {}",
                pilot[index]
            );
        }
        assert!((pilot.iter().map(|p| p.x).sum::<f64>() - sum[0]).abs() < 1e-11);
        assert!((pilot.iter().map(|p| p.y).sum::<f64>() - sum[1]).abs() < 1e-11);
    }

    #[test]
    fn follows_the_papers_program() {
        check(
            [-10.0, 10.0, -10.0, 10.0],
            &[
                (0, -5.0, -10.0),
                (1, -6.478415216794498, -9.743728951529015),
                (7, -9.469306246685862, -2.6605071353113496),
                (20, -0.2895831525542326, 8.373081006509157),
                (33, 8.541474256628634, -1.6539731281375487),
                (48, 0.0249894155242728, -1.7095184377620216),
                (49, 0.0, 0.0),
            ],
            [-2.355442618055145, -18.466554580622766],
        );
    }

    #[test]
    fn follows_the_papers_program_on_an_oblong() {
        check(
            [2.5, 90.25, -7.0, 33.125],
            &[
                (0, 24.4375, -7.0),
                (1, 17.950953236314128, -6.48585620900509),
                (7, 4.828418842665822, 7.724857559781623),
                (20, 45.10445391816826, 29.860993769308973),
                (33, 83.85071830095814, 9.74421641167404),
                (48, 46.484641060612745, 9.632778634239944),
                (49, 46.375, 13.0625),
            ],
            [2308.415495513284, 616.0764748726255],
        );
    }

    #[test]
    fn one_sounding_is_no_survey() {
        let extent = Rect::new(0.0, 1.0, 0.0, 1.0).unwrap();
        assert!(bezier_pilot(&extent, 1).is_err());
        assert_eq!(bezier_pilot(&extent, 2).unwrap().len(), 2);
    }
}
