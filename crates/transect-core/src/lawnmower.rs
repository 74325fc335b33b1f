//! The survey without a model: parallel lines, back and forth.
//!
//! Lines run along the longer side of the workspace's bounding box, evenly spaced, the outermost half a
//! spacing from its sides:
//!
//! ```text
//! ┌────────────────┐
//! │ ┌────────────> │
//! │ └────────────┐ │
//! │ >────────────┘ │
//! └────────────────┘
//! ```
//!
//! In a polygon each line is split into its pieces inside, taken in order. The straight link to the next
//! piece can lead outside, around a hole or a bay; such legs are marked [`Leg::Blocked`] for a planner to
//! route, and count with their straight length.

use crate::Error;
use crate::geometry::{Position, Workspace};
use crate::settings::SettingError;
use crate::travel::{Track, TravelModel};
use crate::vehicle::Pose;

/// More lines than any survey has; a bound on time and memory.
const MOST_LINES: usize = 100_000;

/// What the leg between two waypoints is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Leg {
    /// Along a survey line, inside the workspace.
    Line,
    /// To the next line or piece of a line, inside the workspace.
    Link,
    /// To the next piece, where the straight way leaves the workspace.
    Blocked,
}

/// A back-and-forth survey.
///
/// ```
/// use transect::geometry::{Rect, Workspace};
/// use transect::lawnmower::Lawnmower;
/// let workspace = Workspace::from(Rect::new(0.0, 20.0, 0.0, 10.0)?);
/// let survey = Lawnmower::with_spacing(&workspace, 2.0)?;
/// assert_eq!(survey.waypoints().len(), 10); // five lines
/// assert_eq!(survey.length_m(), 5.0 * 20.0 + 4.0 * 2.0);
/// let longer = Lawnmower::with_length(&workspace, 333.0)?;
/// assert!((longer.length_m() - 333.0).abs() < 1e-6);
/// # Ok::<(), transect::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Lawnmower {
    waypoints: Vec<Position>,
    legs: Vec<Leg>,
    spacing_m: f64,
}

impl Lawnmower {
    /// Lines no farther apart than `spacing_m`: as many as are needed for the bounding box, then spread evenly.
    pub fn with_spacing(workspace: &Workspace, spacing_m: f64) -> Result<Self, Error> {
        let lines = (Frame::of(workspace).across_m() / spacing_m).ceil();
        if !(spacing_m > 0.0 && lines <= MOST_LINES as f64) {
            return Err(SettingError::OutOfRange {
                name: "spacing_m",
                value: spacing_m,
                accepted: "a positive number that needs no more than 100000 lines",
            }
            .into());
        }
        let scan = Scan::new(workspace, (lines as usize).max(1));
        Ok(scan.survey(workspace, scan.waypoints(0.0)))
    }

    /// A survey of a given length, to within 1 %.
    ///
    /// Takes the widest spacing whose lines, drawn from side to side, are long enough, then draws the ends
    /// of all lines in by the same amount. Where the links alone are longer than the survey it stops when the
    /// length is used up. No waypoint is outside the workspace; a survey shorter than the way around its
    /// first obstacle may therefore fall short of the 1 %.
    pub fn with_length(workspace: &Workspace, length_m: f64) -> Result<Self, Error> {
        let refused = Error::Setting(SettingError::OutOfRange {
            name: "length_m",
            value: length_m,
            accepted: "a positive length that needs no more than 100000 lines",
        });
        if !(length_m > 0.0 && length_m.is_finite()) {
            return Err(refused);
        }
        let long_enough =
            |lines: usize| length_of(&Scan::new(workspace, lines).waypoints(0.0)) >= length_m;
        let (mut too_few, mut enough) = (0, 1);
        while !long_enough(enough) {
            too_few = enough;
            enough *= 2;
            if enough > MOST_LINES {
                return Err(refused);
            }
        }
        while enough - too_few > 1 {
            let middle = too_few + (enough - too_few) / 2;
            if long_enough(middle) {
                enough = middle;
            } else {
                too_few = middle;
            }
        }
        // Where a survey must stop short of a blocked leg, a slightly closer spacing stops elsewhere.
        let mut closest: Option<Self> = None;
        let misses_by = |survey: &Self| (survey.length_m() / length_m - 1.0).abs();
        for lines in enough..enough + 32 {
            let survey = Scan::new(workspace, lines).survey_of_length(workspace, length_m);
            let good_enough = misses_by(&survey) <= 0.01;
            if closest
                .as_ref()
                .is_none_or(|c| misses_by(&survey) < misses_by(c))
            {
                closest = Some(survey);
            }
            if good_enough {
                break;
            }
        }
        closest.ok_or(refused)
    }

    /// A survey that a vehicle at `start` finishes in `time_s`, having covered the area once.
    ///
    /// Takes the direction in which the lines are closer, begins at the end that is nearest, and draws the ends of all lines in by the same amount until the
    /// time is kept: turns, the way to the first line and ways around obstacles are part of it.
    ///
    /// # Errors
    /// If the time is not positive and finite, or would need more than 100000 lines.
    pub fn in_time(
        workspace: &Workspace,
        travel: &TravelModel,
        start: Pose,
        time_s: f64,
    ) -> Result<Self, Error> {
        let refused = Error::Setting(SettingError::OutOfRange {
            name: "time_s",
            value: time_s,
            accepted: "a positive time that needs no more than 100000 lines",
        });
        if !(time_s > 0.0 && time_s.is_finite()) {
            return Err(refused);
        }
        let mut best: Option<Self> = None;
        for lines_along_y in [true, false] {
            let layout = Layout {
                workspace,
                travel,
                start,
                frame: Frame::along(workspace, lines_along_y),
            };
            let survey = layout.in_time(time_s).ok_or_else(|| refused.clone())?;
            if best
                .as_ref()
                .is_none_or(|b| survey.spacing_m < 0.999 * b.spacing_m)
            {
                best = Some(survey);
            }
        }
        best.ok_or(refused)
    }

    /// The corners of the track with those of the ways around obstacles.
    pub fn path(&self, workspace: &Workspace) -> Vec<Position> {
        routed(workspace, &self.waypoints)
    }

    /// The corners of the track, in order.
    pub fn waypoints(&self) -> &[Position] {
        &self.waypoints
    }

    /// What each leg is; leg i goes from waypoint i to waypoint i + 1.
    pub fn legs(&self) -> &[Leg] {
        &self.legs
    }

    /// Distance between neighbouring lines, m.
    pub fn spacing_m(&self) -> f64 {
        self.spacing_m
    }

    /// Length of the track, m.
    pub fn length_m(&self) -> f64 {
        length_of(&self.waypoints)
    }
}

/// Coordinates along and across the lines.
#[derive(Clone, Copy)]
struct Frame {
    lines_along_y: bool,
    along: (f64, f64),
    across: (f64, f64),
}

impl Frame {
    fn of(workspace: &Workspace) -> Self {
        let bounds = workspace.bounds();
        Self::along(workspace, bounds.height() > bounds.width())
    }

    fn along(workspace: &Workspace, lines_along_y: bool) -> Self {
        let bounds = workspace.bounds();
        let x = (bounds.xmin(), bounds.xmax());
        let y = (bounds.ymin(), bounds.ymax());
        let (along, across) = if lines_along_y { (y, x) } else { (x, y) };
        Self {
            lines_along_y,
            along,
            across,
        }
    }

    fn along_m(&self) -> f64 {
        self.along.1 - self.along.0
    }

    fn across_m(&self) -> f64 {
        self.across.1 - self.across.0
    }

    fn along_across(&self, p: Position) -> (f64, f64) {
        if self.lines_along_y {
            (p.y, p.x)
        } else {
            (p.x, p.y)
        }
    }

    fn position(&self, along: f64, across: f64) -> Position {
        if self.lines_along_y {
            Position::new(across, along)
        } else {
            Position::new(along, across)
        }
    }
}

/// The pieces of evenly spaced lines that are inside the workspace.
struct Scan {
    frame: Frame,
    spacing_m: f64,
    /// Per line: where it lies across, and its pieces (from, to) along.
    lines: Vec<(f64, Vec<(f64, f64)>)>,
}

impl Scan {
    fn new(workspace: &Workspace, lines: usize) -> Self {
        Self::in_frame(workspace, Frame::of(workspace), lines)
    }

    fn in_frame(workspace: &Workspace, frame: Frame, lines: usize) -> Self {
        let spacing_m = frame.across_m() / lines as f64;
        let lines = (0..lines)
            .map(|i| frame.across.0 + (i as f64 + 0.5) * spacing_m)
            .map(|across| (across, pieces(workspace, &frame, across)))
            .collect();
        Self {
            frame,
            spacing_m,
            lines,
        }
    }

    /// Every piece with its ends drawn in by `inset_m`, but not past its middle; every other line backwards, the second one first.
    fn waypoints(&self, inset_m: f64) -> Vec<Position> {
        self.waypoints_from(false, inset_m)
    }

    /// The same, the first line backwards if asked.
    fn waypoints_from(&self, far_end: bool, inset_m: f64) -> Vec<Position> {
        let mut waypoints = Vec::new();
        for (index, (across, pieces)) in self.lines.iter().enumerate() {
            let first = waypoints.len();
            for &(from, to) in pieces {
                let inset_m = inset_m.min(0.5 * (to - from));
                waypoints.push(self.frame.position(from + inset_m, *across));
                waypoints.push(self.frame.position(to - inset_m, *across));
            }
            if (index % 2 == 1) != far_end {
                waypoints[first..].reverse();
            }
        }
        waypoints
    }

    fn survey_of_length(&self, workspace: &Workspace, length_m: f64) -> Lawnmower {
        let inset_m = self.inset_for_length(length_m).unwrap_or(0.0);
        let waypoints = cut_to_length(self.waypoints(inset_m), length_m);
        let mut survey = self.survey(workspace, waypoints);
        if survey.legs.last() == Some(&Leg::Blocked) {
            survey.legs.pop();
            survey.waypoints.pop();
        }
        survey
    }

    /// The inset that makes the survey as long as asked, by bisection; `None` when its links alone are longer.
    fn inset_for_length(&self, length_m: f64) -> Option<f64> {
        let (mut small, mut large) = (0.0, self.frame.along_m());
        if length_of(&self.waypoints(large)) >= length_m {
            return None;
        }
        for _ in 0..60 {
            let inset_m = 0.5 * (small + large);
            if length_of(&self.waypoints(inset_m)) >= length_m {
                small = inset_m;
            } else {
                large = inset_m;
            }
        }
        Some(small)
    }

    /// Waypoints come in pairs, the ends of a piece; the last piece may be cut off.
    fn survey(&self, workspace: &Workspace, waypoints: Vec<Position>) -> Lawnmower {
        let legs = waypoints
            .windows(2)
            .enumerate()
            .map(|(index, ends)| {
                if index % 2 == 0 {
                    Leg::Line
                } else if workspace.contains_segment(ends[0], ends[1]) {
                    Leg::Link
                } else {
                    Leg::Blocked
                }
            })
            .collect();
        Lawnmower {
            waypoints,
            legs,
            spacing_m: self.spacing_m,
        }
    }
}

/// A survey laid out for a vehicle.
struct Layout<'a> {
    workspace: &'a Workspace,
    travel: &'a TravelModel,
    start: Pose,
    frame: Frame,
}

impl Layout<'_> {
    /// The survey with the fewest lines that are long enough, their ends drawn in until it takes the time; none when that needs too many.
    fn in_time(&self, time_s: f64) -> Option<Lawnmower> {
        let takes_s = |lines: usize| {
            let scan = Scan::in_frame(self.workspace, self.frame, lines);
            self.time_s(&self.begun_nearest(&scan, 0.0))
        };
        let (mut too_few, mut enough) = (0, 1);
        while takes_s(enough) < time_s {
            too_few = enough;
            enough *= 2;
            if enough > MOST_LINES {
                return None;
            }
        }
        while enough - too_few > 1 {
            let middle = too_few + (enough - too_few) / 2;
            if takes_s(middle) < time_s {
                too_few = middle;
            } else {
                enough = middle;
            }
        }
        let scan = Scan::in_frame(self.workspace, self.frame, enough);
        let (mut long, mut short) = (0.0, 0.5 * self.frame.along_m());
        for _ in 0..40 {
            let inset_m = 0.5 * (long + short);
            if self.time_s(&self.begun_nearest(&scan, inset_m)) > time_s {
                long = inset_m;
            } else {
                short = inset_m;
            }
        }
        let mut waypoints = self.begun_nearest(&scan, short);
        // Even without length the lines may be too many for the time: what is not reached is left out.
        while waypoints.len() > 1 && self.time_s(&waypoints) > time_s {
            waypoints.pop();
        }
        Some(scan.survey(self.workspace, waypoints))
    }

    /// The lines with their ends drawn in, from the corner of the survey that is nearest to the start.
    fn begun_nearest(&self, scan: &Scan, inset_m: f64) -> Vec<Position> {
        let mut variants = Vec::with_capacity(4);
        for far_end in [false, true] {
            let waypoints = scan.waypoints_from(far_end, inset_m);
            variants.push(waypoints.iter().rev().copied().collect());
            variants.push(waypoints);
        }
        let away_m = |v: &Vec<Position>| {
            let first = v.first();
            first.map_or(0.0, |p| p.distance_to(self.start.position))
        };
        let nearest = (variants.into_iter()).min_by(|a, b| away_m(a).total_cmp(&away_m(b)));
        nearest.unwrap_or_default()
    }

    fn time_s(&self, waypoints: &[Position]) -> f64 {
        let mut way = vec![self.start.position];
        way.extend(waypoints);
        let path = routed(self.workspace, &way);
        Track::inside(self.travel, self.start, &path[1..], self.workspace).time_s()
    }
}

/// The corners with those of the ways around obstacles. What cannot be reached stays as it is: the vehicle refuses it.
fn routed(workspace: &Workspace, corners: &[Position]) -> Vec<Position> {
    let mut path: Vec<Position> = corners.first().copied().into_iter().collect();
    for leg in corners.windows(2) {
        if workspace.contains_segment(leg[0], leg[1]) {
            path.push(leg[1]);
        } else {
            path.extend(
                workspace
                    .route(leg[0], leg[1])
                    .unwrap_or_else(|| vec![leg[1]]),
            );
        }
    }
    path
}

/// The pieces of one line that are inside, by the even-odd rule.
fn pieces(workspace: &Workspace, frame: &Frame, across: f64) -> Vec<(f64, f64)> {
    let polygon = match workspace {
        Workspace::Rect(_) => return vec![frame.along],
        Workspace::Polygon(polygon) => polygon,
    };
    let mut crossings: Vec<f64> = polygon
        .edges()
        .map(|(a, b)| (frame.along_across(a), frame.along_across(b)))
        .filter(|(a, b)| (a.1 <= across) != (b.1 <= across))
        .map(|(a, b)| a.0 + (across - a.1) / (b.1 - a.1) * (b.0 - a.0))
        .collect();
    crossings.sort_by(f64::total_cmp);
    crossings
        .chunks_exact(2)
        .map(|pair| (pair[0], pair[1]))
        .filter(|(from, to)| from < to)
        .collect()
}

fn length_of(waypoints: &[Position]) -> f64 {
    waypoints
        .windows(2)
        .map(|ends| ends[0].distance_to(ends[1]))
        .sum()
}

fn cut_to_length(mut waypoints: Vec<Position>, length_m: f64) -> Vec<Position> {
    let mut left_m = length_m;
    for i in 1..waypoints.len() {
        let leg_m = waypoints[i - 1].distance_to(waypoints[i]);
        if leg_m > left_m {
            waypoints[i] = waypoints[i - 1].towards(waypoints[i], left_m / leg_m);
            waypoints.truncate(i + 1);
            break;
        }
        left_m -= leg_m;
    }
    waypoints
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::{Polygon, Rect};

    fn at(x: f64, y: f64) -> Position {
        Position::new(x, y)
    }

    fn pose(x: f64, y: f64) -> Pose {
        Pose {
            position: at(x, y),
            heading_rad: 0.0,
        }
    }

    fn driven(workspace: &Workspace, start: Pose, survey: &Lawnmower) -> Track {
        let travel = TravelModel::new(1.0, 1.0).unwrap();
        Track::inside(&travel, start, &survey.path(workspace), workspace)
    }

    #[test]
    fn ends_within_its_time_having_covered_the_area() {
        let travel = TravelModel::new(1.0, 1.0).unwrap();
        let area = Workspace::from(Rect::new(-10.0, 10.0, -10.0, 10.0).unwrap());
        for time_s in [120.0, 300.0, 600.0] {
            let start = pose(-9.0, -9.0);
            let survey = Lawnmower::in_time(&area, &travel, start, time_s).unwrap();
            let track = driven(&area, start, &survey);
            let took_s = track.time_s();
            assert!(
                took_s <= time_s && took_s > 0.99 * time_s,
                "{took_s} of {time_s} s"
            );
            // No place is farther from a sounding than half the spacing and the inset of the lines.
            let soundings = track.soundings(1.0, 1.0);
            for x in -10..=10 {
                for y in -10..=10 {
                    let place = at(f64::from(x), f64::from(y));
                    let away_m = soundings.iter().map(|s| s.distance_to(place));
                    let away_m = away_m.fold(f64::INFINITY, f64::min);
                    assert!(
                        away_m < 0.5 * survey.spacing_m() + 1.6,
                        "{away_m} m at {place}"
                    );
                }
            }
        }
    }

    #[test]
    fn takes_the_better_direction_and_begins_nearby() {
        let travel = TravelModel::new(1.0, 1.0).unwrap();
        let wide = Workspace::from(Rect::new(0.0, 40.0, 0.0, 10.0).unwrap());
        let survey = Lawnmower::in_time(&wide, &travel, pose(39.0, 9.0), 300.0).unwrap();
        let line = &survey.waypoints()[..2];
        assert_eq!(line[0].y, line[1].y, "along the longer side");
        assert!(line[0].distance_to(at(39.0, 9.0)) < 3.0, "{}", line[0]);
    }

    #[test]
    fn goes_around_an_island_inside_the_lake() {
        let square = |a: f64, b: f64| vec![at(a, a), at(b, a), at(b, b), at(a, b)];
        let lake =
            Workspace::from(Polygon::new(square(0.0, 30.0), vec![square(10.0, 20.0)]).unwrap());
        let travel = TravelModel::new(1.0, 1.0).unwrap();
        let start = pose(1.0, 1.0);
        let survey = Lawnmower::in_time(&lake, &travel, start, 400.0).unwrap();
        let track = driven(&lake, start, &survey);
        assert!(track.is_inside(&lake));
        assert!(track.time_s() <= 400.0 + 1e-6, "{}", track.time_s());
    }

    #[test]
    fn little_time_is_used_for_what_there_is_time_for() {
        let travel = TravelModel::new(1.0, 1.0).unwrap();
        let area = Workspace::from(Rect::new(0.0, 20.0, 0.0, 20.0).unwrap());
        for time_s in [2.0, 8.0, 25.0] {
            let start = pose(1.0, 1.0);
            let survey = Lawnmower::in_time(&area, &travel, start, time_s).unwrap();
            let took_s = driven(&area, start, &survey).time_s();
            assert!(
                took_s <= time_s + 1e-6 || survey.waypoints().len() <= 1,
                "{took_s} of {time_s} s"
            );
        }
        assert!(Lawnmower::in_time(&area, &travel, pose(0.0, 0.0), f64::NAN).is_err());
    }
}
