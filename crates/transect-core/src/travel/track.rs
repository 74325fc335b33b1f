//! A path as it is driven.

use super::TravelModel;
use super::model::wrapped;
use crate::geometry::{Position, Workspace};
use crate::vehicle::Pose;

/// Arcs are kept as chords of at most this angle, rad; a chord of a 1 m arc is off by 0.3 mm.
const CHORD_RAD: f64 = 0.05;

/// A path as it is driven: places with a time each, straight between them.
///
/// Times are those of the arcs themselves, not of their chords.
///
/// ```
/// use transect::geometry::Position;
/// use transect::travel::{Track, TravelModel};
/// use transect::vehicle::Pose;
/// let travel = TravelModel::new(2.0, 1.0)?;
/// let start = Pose { position: Position::new(0.0, 0.0), heading_rad: 0.0 };
/// let track = Track::new(&travel, start, &[Position::new(10.0, 0.0)]);
/// assert_eq!(track.time_s(), 5.0);
/// assert_eq!(track.at(2.0).position, Position::new(4.0, 0.0));
/// # Ok::<(), transect::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Track {
    /// Never empty: the first knot is the start.
    knots: Vec<Knot>,
}

/// A place on the way.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Knot {
    position: Position,
    /// Direction of travel from here on, rad.
    heading_rad: f64,
    time_s: f64,
    distance_m: f64,
}

impl Track {
    /// The track of a vehicle at `start` that drives through `corners`. It first turns on the spot into the first
    /// leg, and ends at the last corner.
    pub fn new(travel: &TravelModel, start: Pose, corners: &[Position]) -> Self {
        Self::timed(travel, start, corners, &[], None)
    }

    /// The same inside `workspace`: where an arc would leave it, as around the point of an island, the corner is taken on a
    /// tighter one, in the end on the spot. Legs that leave it stay as they are.
    pub fn inside(
        travel: &TravelModel,
        start: Pose,
        corners: &[Position],
        workspace: &Workspace,
    ) -> Self {
        Self::timed(travel, start, corners, &[], Some(workspace))
    }

    /// The same, not at full speed: the vehicle takes at least `times_s` to each corner, and goes slower from the corner before where that is more than it needs.
    /// Where it is less, it is late and makes up for that as soon as it can. Corners without a time are passed at full speed.
    pub fn timed(
        travel: &TravelModel,
        start: Pose,
        corners: &[Position],
        times_s: &[f64],
        workspace: Option<&Workspace>,
    ) -> Self {
        let first = Knot {
            position: start.position,
            heading_rad: start.heading_rad,
            time_s: 0.0,
            distance_m: 0.0,
        };
        let mut track = Self { knots: vec![first] };
        let mut places = vec![start.position];
        // The least time to each place.
        let mut least_s = vec![0.0];
        for (i, &corner) in corners.iter().enumerate() {
            if places[places.len() - 1].distance_to(corner) > 1e-9 {
                places.push(corner);
                least_s.push(0.0);
            }
            let last = least_s.len() - 1;
            least_s[last] = times_s
                .get(i)
                .map_or(least_s[last], |s| s.max(least_s[last]));
        }
        let legs = places.len() - 1;
        // The knot that is nearest to each place.
        let mut nearest = vec![0];
        for leg in 0..legs {
            let (from, to) = (places[leg], places[leg + 1]);
            let heading = direction(from, to);
            if leg == 0 {
                track.turn(travel, heading);
            }
            let next = places.get(leg + 2);
            let Some(&next) = next else {
                track.straight(travel, to);
                nearest.push(track.knots.len() - 1);
                break;
            };
            let turn_rad = wrapped(direction(to, next) - heading);
            // The first and the last leg have one corner, the others share theirs.
            let share = |m: f64, alone: bool| if alone { m } else { 0.5 * m };
            let before_m = share(from.distance_to(to), leg == 0);
            let after_m = share(to.distance_to(next), leg + 2 == legs);
            let mut corner = travel.corner(turn_rad, before_m, after_m);
            let length = from.distance_to(to);
            let knots = track.knots.len();
            let last = track.knots[knots - 1];
            let mut arc_from = knots - 1;
            for tighter in [0.5, 0.25, 0.0, 0.0] {
                track.straight(travel, to.towards(from, corner.cut_m / length));
                arc_from = track.knots.len() - 1;
                track.arc(travel, heading, corner.turn_rad, corner.radius_m);
                let arc = &track.knots[arc_from..];
                let stays = |w: &Workspace| {
                    arc.windows(2)
                        .all(|k| w.contains_segment(k[0].position, k[1].position))
                };
                if corner.radius_m == 0.0 || workspace.is_none_or(stays) {
                    break;
                }
                track.knots.truncate(knots);
                track.knots[knots - 1] = last;
                corner.radius_m *= tighter;
                corner.cut_m *= tighter;
            }
            // The middle of the arc.
            let middle = 0.5 * (arc_from as f64 + (track.knots.len() - 1) as f64);
            nearest.push(middle.round() as usize);
        }
        if times_s.is_empty() {
            return track;
        }
        track.slowed(&nearest, &least_s)
    }

    /// The same way, slower: the knots `at` are not passed earlier than `least_s`.
    fn slowed(mut self, at: &[usize], least_s: &[f64]) -> Self {
        let full: Vec<f64> = self.knots.iter().map(|knot| knot.time_s).collect();
        for ((&from, &to), &least_s) in at.iter().zip(&at[1..]).zip(&least_s[1..]) {
            let begin_s = self.knots[from].time_s;
            let needed_s = full[to] - full[from];
            let slower = if needed_s > 0.0 {
                ((least_s - begin_s) / needed_s).max(1.0)
            } else {
                1.0
            };
            for k in from + 1..=to {
                self.knots[k].time_s = begin_s + slower * (full[k] - full[from]);
            }
        }
        // What comes after the last of them is at full speed.
        let last = at[at.len() - 1];
        let late_s = self.knots[last].time_s - full[last];
        for k in last + 1..self.knots.len() {
            self.knots[k].time_s = full[k] + late_s;
        }
        self
    }

    /// Turns on the spot.
    fn turn(&mut self, travel: &TravelModel, heading_rad: f64) {
        let last = self.knots[self.knots.len() - 1];
        let turn = wrapped(heading_rad - last.heading_rad).abs();
        if turn > 1e-9 {
            self.knots.push(Knot {
                heading_rad,
                time_s: last.time_s + turn / travel.turn_rate_radps(),
                ..last
            });
        }
    }

    fn straight(&mut self, travel: &TravelModel, to: Position) {
        let end = self.knots.len() - 1;
        let last = self.knots[end];
        let length = last.position.distance_to(to);
        if length <= 1e-12 {
            return;
        }
        let heading_rad = direction(last.position, to);
        self.knots[end].heading_rad = heading_rad;
        self.knots.push(Knot {
            position: to,
            heading_rad,
            time_s: last.time_s + travel.leg_s(last.position, to),
            distance_m: last.distance_m + length,
        });
    }

    /// An arc that begins in `direction` and turns by `turn_rad`; on the spot with a radius of 0.
    fn arc(&mut self, travel: &TravelModel, direction: f64, turn_rad: f64, radius_m: f64) {
        if turn_rad == 0.0 {
            return;
        }
        if radius_m <= 0.0 {
            return self.turn(travel, wrapped(direction + turn_rad));
        }
        let chords = (turn_rad.abs() / CHORD_RAD).ceil().max(1.0);
        let angle = turn_rad / chords;
        let (arc_m, chord_m) = (
            radius_m * angle.abs(),
            2.0 * radius_m * (0.5 * angle.abs()).sin(),
        );
        for chord in 0..chords as usize {
            let end = self.knots.len() - 1;
            let last = self.knots[end];
            let heading_rad = direction + (chord as f64 + 0.5) * angle;
            self.knots[end].heading_rad = wrapped(heading_rad);
            let (sin, cos) = heading_rad.sin_cos();
            let speed = travel.speed_along(cos, sin);
            let time = (arc_m / speed).max(angle.abs() / travel.turn_rate_radps());
            self.knots.push(Knot {
                position: Position::new(
                    last.position.x + chord_m * cos,
                    last.position.y + chord_m * sin,
                ),
                heading_rad: wrapped(direction + (chord as f64 + 1.0) * angle),
                time_s: last.time_s + time,
                distance_m: last.distance_m + arc_m,
            });
        }
    }

    /// Its time, s.
    pub fn time_s(&self) -> f64 {
        self.knots[self.knots.len() - 1].time_s
    }

    /// Its length, m.
    pub fn length_m(&self) -> f64 {
        self.knots[self.knots.len() - 1].distance_m
    }

    /// Where the vehicle is after `time_s`; at the end from then on.
    pub fn at(&self, time_s: f64) -> Pose {
        let after = self.knots.partition_point(|knot| knot.time_s <= time_s);
        if after == 0 || after == self.knots.len() {
            let knot = self.knots[after.min(self.knots.len() - 1)];
            return Pose {
                position: knot.position,
                heading_rad: knot.heading_rad,
            };
        }
        let (from, to) = (self.knots[after - 1], self.knots[after]);
        let share = (time_s - from.time_s) / (to.time_s - from.time_s);
        let turn = wrapped(to.heading_rad - from.heading_rad);
        let stands = from.position == to.position;
        Pose {
            position: from.position.towards(to.position, share),
            heading_rad: if stands {
                wrapped(from.heading_rad + share * turn)
            } else {
                from.heading_rad
            },
        }
    }

    /// The way driven after `time_s`, m.
    pub fn distance_at(&self, time_s: f64) -> f64 {
        let after = self.knots.partition_point(|knot| knot.time_s <= time_s);
        if after == 0 || after == self.knots.len() {
            return self.knots[after.min(self.knots.len() - 1)].distance_m;
        }
        let (from, to) = (self.knots[after - 1], self.knots[after]);
        let share = (time_s - from.time_s) / (to.time_s - from.time_s);
        from.distance_m + share * (to.distance_m - from.distance_m)
    }

    /// Where readings are taken when the first is due after `first_s` and one every `period_s` from then on.
    pub fn soundings(&self, first_s: f64, period_s: f64) -> Vec<Position> {
        let mut places = Vec::new();
        let mut knot = 0;
        let mut count = 0u32;
        loop {
            let time_s = first_s + f64::from(count) * period_s;
            if time_s > self.time_s() + 1e-9 || self.knots.len() < 2 {
                return places;
            }
            while knot + 2 < self.knots.len() && self.knots[knot + 1].time_s < time_s {
                knot += 1;
            }
            let (from, to) = (self.knots[knot], self.knots[knot + 1]);
            let share = (time_s - from.time_s) / (to.time_s - from.time_s);
            places.push(from.position.towards(to.position, share.min(1.0)));
            count += 1;
        }
    }

    /// The whole track is inside `workspace`.
    pub fn is_inside(&self, workspace: &Workspace) -> bool {
        let stays = |pair: &[Knot]| workspace.contains_segment(pair[0].position, pair[1].position);
        self.knots.windows(2).all(stays)
    }

    /// The places it goes through, straight from one to the next.
    pub fn places(&self) -> impl Iterator<Item = Position> + '_ {
        self.knots.iter().map(|knot| knot.position)
    }
}

/// The direction from `from` to `to`, rad.
fn direction(from: Position, to: Position) -> f64 {
    (to.y - from.y).atan2(to.x - from.x)
}

#[cfg(test)]
mod tests {
    use std::f64::consts::PI;

    use super::*;
    use crate::geometry::{Polygon, Rect};

    fn at(x: f64, y: f64) -> Position {
        Position::new(x, y)
    }

    fn from_origin(heading_rad: f64) -> Pose {
        Pose {
            position: at(0.0, 0.0),
            heading_rad,
        }
    }

    fn boat() -> TravelModel {
        TravelModel::new(1.0, 1.0).unwrap()
    }

    #[test]
    fn a_half_circle_joins_lines_two_radii_apart() {
        // 10 m out, a half circle of radius 1, 10 m back: the link's corners have 1 m each.
        let path = [at(10.0, 0.0), at(10.0, 2.0), at(0.0, 2.0)];
        let track = Track::new(&boat(), from_origin(0.0), &path);
        assert!((track.time_s() - (18.0 + PI)).abs() < 1e-9);
        assert!((track.length_m() - (18.0 + PI)).abs() < 1e-9);
        let middle = track.at(9.0 + 0.5 * PI).position;
        assert!(middle.distance_to(at(10.0, 1.0)) < 1e-3, "{middle}");
    }

    #[test]
    fn closer_lines_are_joined_slowly_and_a_reversal_is_a_turn_on_the_spot() {
        // A half circle of radius 0.25 at 1 rad/s: π s, whatever the speed.
        let path = [at(10.0, 0.0), at(10.0, 0.5), at(0.0, 0.5)];
        let track = Track::new(&boat(), from_origin(0.0), &path);
        assert!((track.time_s() - (2.0 * 9.75 + PI)).abs() < 1e-9);
        let back = Track::new(&boat(), from_origin(0.0), &[at(3.0, 0.0), at(0.0, 0.0)]);
        assert!((back.time_s() - (6.0 + PI)).abs() < 1e-9);
        let turned = Track::new(&boat(), from_origin(PI), &[at(3.0, 0.0)]);
        assert!((turned.time_s() - (3.0 + PI)).abs() < 1e-9);
    }

    #[test]
    fn corners_are_passed_within_the_tolerance() {
        for tolerance_m in [0.0, 0.05, 0.3, 1.0] {
            let travel = boat().within(tolerance_m).unwrap();
            for degrees in [20.0f64, 90.0, 150.0] {
                let (sin, cos) = degrees.to_radians().sin_cos();
                let path = [at(20.0, 0.0), at(20.0 + 20.0 * cos, 20.0 * sin)];
                let track = Track::new(&travel, from_origin(0.0), &path);
                let places = track.soundings(0.0, 1e-3);
                let nearest_m = places.iter().map(|p| p.distance_to(path[0]));
                let nearest_m = nearest_m.fold(f64::INFINITY, f64::min);
                assert!(nearest_m <= tolerance_m + 1e-3, "{degrees}°: {nearest_m} m");
            }
        }
    }

    #[test]
    fn neither_speed_nor_turn_rate_is_exceeded() {
        let path = [at(4.0, 0.3), at(3.0, 3.0), at(0.5, 1.0), at(0.6, 5.0)];
        let track = Track::new(&boat(), from_origin(1.0), &path);
        let dt = 1e-3;
        let steps = (track.time_s() / dt) as usize;
        let poses: Vec<Pose> = (0..steps).map(|k| track.at(k as f64 * dt)).collect();
        for pair in poses.windows(2) {
            let way_m = pair[0].position.distance_to(pair[1].position);
            assert!(way_m <= dt * (1.0 + 1e-6), "{way_m}");
        }
        // Headings are those of chords: over a second they are as steady as the arcs.
        for pair in poses.windows(1001) {
            let turn = wrapped(pair[1000].heading_rad - pair[0].heading_rad).abs();
            assert!(turn <= 1.0 + 2.0 * CHORD_RAD, "{turn}");
        }
    }

    #[test]
    fn a_current_helps_one_way_and_hinders_the_other() {
        let travel = boat().in_current([0.6, 0.0]).unwrap();
        let there = travel.leg_s(at(0.0, 0.0), at(8.0, 0.0));
        let back = travel.leg_s(at(8.0, 0.0), at(0.0, 0.0));
        assert!((there - 5.0).abs() < 1e-12 && (back - 20.0).abs() < 1e-12);
        // Across, 0.8 m/s are left of 1 m/s (3-4-5).
        let across = travel.leg_s(at(0.0, 0.0), at(0.0, 8.0));
        assert!((across - 10.0).abs() < 1e-12);
        let error = boat().in_current([0.8, 0.7]).unwrap_err().to_string();
        assert!(error.contains("the boat makes 1 m/s"), "{error}");
        assert!(boat().in_current([f64::NAN, 0.0]).is_err());
    }

    /// Three metres in a straight line, the second of which takes two seconds; then a corner that is asked for too early.
    #[test]
    fn corners_are_not_passed_before_their_time() {
        let path = [at(1.0, 0.0), at(2.0, 0.0), at(3.0, 0.0), at(3.0, 4.0)];
        let track = Track::timed(
            &boat(),
            from_origin(0.0),
            &path,
            &[1.0, 3.0, 3.5, 9.0],
            None,
        );
        let places = track.soundings(1.0, 1.0);
        for (place, x) in places.iter().zip([1.0, 1.5, 2.0]) {
            assert!(place.distance_to(at(x, 0.0)) < 1e-9, "{place}");
        }
        assert!((track.time_s() - 9.0).abs() < 1e-9);
        let full = Track::new(&boat(), from_origin(0.0), &path);
        assert_eq!(track.length_m(), full.length_m());
        // Asked for after half a second, the corner is passed as early as it can be: half a metre, then an eighth of a circle at 1 rad/s.
        let off_m = |t: &f64| track.at(*t).position.distance_to(path[2]);
        let corner_s = (0..900).map(|t| 0.01 * f64::from(t));
        let corner_s = corner_s.min_by(|a, b| off_m(a).total_cmp(&off_m(b)));
        let late_s = corner_s.unwrap() - 3.0 - (0.5 + 0.25 * PI);
        assert!(late_s.abs() < 0.03, "{late_s}");
    }

    #[test]
    fn soundings_are_where_the_boat_is_when_they_are_due() {
        let path = [at(4.0, 0.0), at(4.0, 4.0)];
        let track = Track::new(&boat(), from_origin(0.0), &path);
        let places = track.soundings(0.5, 0.5);
        assert_eq!(places.len(), (track.time_s() / 0.5) as usize);
        for (k, place) in places.iter().enumerate() {
            let pose = track.at(0.5 * (k + 1) as f64);
            assert!(pose.position.distance_to(*place) < 1e-9);
        }
        assert!(
            Track::new(&boat(), from_origin(0.0), &[])
                .soundings(1.0, 1.0)
                .is_empty()
        );
    }

    #[test]
    fn arcs_do_not_cut_across_an_island() {
        let square = |a: f64, b: f64| vec![at(a, a), at(b, a), at(b, b), at(a, b)];
        let lake =
            Workspace::from(Polygon::new(square(-20.0, 20.0), vec![square(0.0, 5.0)]).unwrap());
        let start = Pose {
            position: at(-5.0, -1.0),
            heading_rad: 0.0,
        };
        // Around the island's corner (5, 0), closely.
        let path = [at(5.0, -0.01), at(5.01, 8.0)];
        let free = Track::new(&boat(), start, &path);
        let fenced = Track::inside(&boat(), start, &path, &lake);
        assert!(!free.is_inside(&lake));
        assert!(fenced.is_inside(&lake));
        assert!(fenced.time_s() > free.time_s());
        let open = Workspace::from(Rect::new(-20.0, 20.0, -20.0, 20.0).unwrap());
        assert_eq!(Track::inside(&boat(), start, &path, &open), free);
    }
}
