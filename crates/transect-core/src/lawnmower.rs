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
        let x = (bounds.xmin(), bounds.xmax());
        let y = (bounds.ymin(), bounds.ymax());
        let lines_along_y = bounds.height() > bounds.width();
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
        let frame = Frame::of(workspace);
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

    /// Every piece with its ends drawn in by `inset_m`, but not past its middle; every other line backwards.
    fn waypoints(&self, inset_m: f64) -> Vec<Position> {
        let mut waypoints = Vec::new();
        for (index, (across, pieces)) in self.lines.iter().enumerate() {
            let first = waypoints.len();
            for &(from, to) in pieces {
                let inset_m = inset_m.min(0.5 * (to - from));
                waypoints.push(self.frame.position(from + inset_m, *across));
                waypoints.push(self.frame.position(to - inset_m, *across));
            }
            if index % 2 == 1 {
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
