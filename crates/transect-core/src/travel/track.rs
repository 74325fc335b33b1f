//! A path as it is driven.

use super::Travel;
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
/// use transect::travel::{Track, Travel};
/// use transect::vehicle::Pose;
/// let travel = Travel::new(2.0, 1.0)?;
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
    pub fn new(travel: &Travel, start: Pose, corners: &[Position]) -> Self {
        let first = Knot {
            position: start.position,
            heading_rad: start.heading_rad,
            time_s: 0.0,
            distance_m: 0.0,
        };
        let mut track = Self { knots: vec![first] };
        let mut places = vec![start.position];
        for &corner in corners {
            if places[places.len() - 1].distance_to(corner) > 1e-9 {
                places.push(corner);
            }
        }
        let legs = places.len() - 1;
        for leg in 0..legs {
            let (from, to) = (places[leg], places[leg + 1]);
            let heading = direction(from, to);
            if leg == 0 {
                track.turn(travel, heading);
            }
            let next = places.get(leg + 2);
            let Some(&next) = next else {
                track.straight(travel, to);
                break;
            };
            let turn_rad = wrapped(direction(to, next) - heading);
            // The first and the last leg have one corner, the others share theirs.
            let share = |m: f64, alone: bool| if alone { m } else { 0.5 * m };
            let before_m = share(from.distance_to(to), leg == 0);
            let after_m = share(to.distance_to(next), leg + 2 == legs);
            let corner = travel.corner(turn_rad, before_m, after_m);
            let length = from.distance_to(to);
            track.straight(travel, to.towards(from, corner.cut_m / length));
            track.arc(travel, heading, corner.turn_rad, corner.radius_m);
        }
        track
    }

    /// Turns on the spot.
    fn turn(&mut self, travel: &Travel, heading_rad: f64) {
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

    fn straight(&mut self, travel: &Travel, to: Position) {
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
    fn arc(&mut self, travel: &Travel, direction: f64, turn_rad: f64, radius_m: f64) {
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
