//! The shortest way around corners.
//!
//! In a polygon the shortest way bends at vertices only, so it is a shortest path (Dijkstra) in the graph
//! of vertices that see one another. Vertices are drawn a little inwards where there is room, so that a
//! vehicle that rounds one with some tolerance does not lose sight of the next.

use super::{Polygon, Position, ring};

/// Most that corners are rounded by, m, and as a share of the polygon's smaller side.
const MARGIN_M: f64 = 0.5;
const MARGIN_SHARE: f64 = 0.02;

/// The corners of the way from `from` to `to`, `to` included; `None` when there is none.
pub(super) fn around(polygon: &Polygon, from: Position, to: Position) -> Option<Vec<Position>> {
    let mut nodes = vec![from, to];
    nodes.extend(bends(polygon));
    let mut length_m = vec![f64::INFINITY; nodes.len()];
    let mut before = vec![0; nodes.len()];
    let mut open = vec![true; nodes.len()];
    length_m[0] = 0.0;
    loop {
        let reached = (0..nodes.len()).filter(|&i| open[i] && length_m[i].is_finite());
        let here = reached.min_by(|&a, &b| length_m[a].total_cmp(&length_m[b]))?;
        if here == 1 {
            break;
        }
        open[here] = false;
        for next in (0..nodes.len()).filter(|&i| open[i]) {
            let there_m = length_m[here] + nodes[here].distance_to(nodes[next]);
            if there_m < length_m[next] && polygon.contains_segment(nodes[here], nodes[next]) {
                (length_m[next], before[next]) = (there_m, here);
            }
        }
    }
    let mut way = vec![to];
    let mut at = before[1];
    while at != 0 {
        way.push(nodes[at]);
        at = before[at];
    }
    way.reverse();
    Some(way)
}

/// The places at which a shortest way can bend.
pub(super) fn bends(polygon: &Polygon) -> Vec<Position> {
    std::iter::once(polygon.outer())
        .chain(polygon.holes().iter().map(Vec::as_slice))
        .flat_map(|ring| corners(polygon, ring))
        .collect()
}

/// The vertices of a ring at which a way can bend, drawn inwards where that stays inside.
fn corners(polygon: &Polygon, vertices: &[Position]) -> Vec<Position> {
    let bounds = polygon.bounds();
    let margin_m = MARGIN_M.min(MARGIN_SHARE * bounds.width().min(bounds.height()));
    let count = vertices.len();
    let drawn_in = |i: usize| {
        let (a, b, c) = (
            vertices[(i + count - 1) % count],
            vertices[i],
            vertices[(i + 1) % count],
        );
        // Away from both neighbours: across the corner, into the open side of a bend.
        let unit = |p: Position| {
            let length = b.distance_to(p);
            ((b.x - p.x) / length, (b.y - p.y) / length)
        };
        let ((ux, uy), (vx, vy)) = (unit(a), unit(c));
        let length = (ux + vx).hypot(uy + vy);
        let offset = |by_m: f64| {
            Position::new(
                b.x + by_m * (ux + vx) / length,
                b.y + by_m * (uy + vy) / length,
            )
        };
        let halvings = (0..6).map(|k| margin_m / f64::from(1 << k));
        let inside = |p: &Position| p.is_finite() && polygon.contains_segment(b, *p);
        halvings.map(offset).find(inside)
    };
    debug_assert_eq!(ring::edges(vertices).count(), count);
    // A vertex whose outward side is outside is no corner that a shortest way bends at.
    (0..count).filter_map(drawn_in).collect()
}

#[cfg(test)]
mod tests {
    use super::super::shapes::{ring_of, square};
    use super::*;

    #[test]
    fn goes_around_an_island() {
        let lake = Polygon::new(square(0.0, 10.0), vec![square(4.0, 6.0)]).unwrap();
        let (from, to) = (Position::new(1.0, 5.0), Position::new(9.0, 5.0));
        let way = around(&lake, from, to).unwrap();
        assert_eq!((way.len(), way[2]), (3, to));
        let mut at = from;
        let mut length_m = 0.0;
        for corner in way {
            assert!(lake.contains_segment(at, corner));
            length_m += at.distance_to(corner);
            at = corner;
        }
        // Around the corners themselves it is 2 √10 + 2 m.
        assert!((8.32..9.0).contains(&length_m), "{length_m}");
    }

    #[test]
    fn finds_the_way_out_of_a_bay() {
        let bay = ring_of(&[
            [0.0, 0.0],
            [10.0, 0.0],
            [10.0, 10.0],
            [6.0, 10.0],
            [6.0, 2.0],
            [4.0, 2.0],
            [4.0, 10.0],
            [0.0, 10.0],
        ]);
        let lake = Polygon::new(bay, vec![]).unwrap();
        let way = around(&lake, Position::new(2.0, 9.0), Position::new(8.0, 9.0)).unwrap();
        assert_eq!(way.len(), 3);
        assert!(way[..2].iter().all(|p| p.y < 2.0));
    }

    #[test]
    fn there_is_no_way_to_land() {
        let lake = Polygon::new(square(0.0, 10.0), vec![]).unwrap();
        let nowhere = around(&lake, Position::new(5.0, 5.0), Position::new(15.0, 5.0));
        assert_eq!(nowhere, None);
    }
}
