//! A way made better by what is measured along it.
//!
//! A corner is moved, left out or put in when the worth of the soundings on the legs around it changes by more than the time
//! that it takes is worth elsewhere: when `Δworth - λ Δtime > 0`. λ, the worth of a second, is what leaving out the corners
//! of the way would lose per second, and is raised or lowered until the way takes the time there is.
//!
//! Soundings far away do not matter to a move: worth is that at the places around it, given the soundings around it. With u_k the
//! covariances of the k-th of them given those before it, divided by its standard deviation, the worth is `Σ_k |u_k|²`.

use super::way::{behind, way_s};
use super::{Field, Tour};
use crate::geometry::Position;

/// Cells around a move whose soundings and places are looked at.
const REACH: usize = 5;
/// Moves of a corner that are tried, in cells along x and y.
const SHIFTS: [[f64; 2]; 12] = [
    [1.0, 0.0],
    [-1.0, 0.0],
    [0.0, 1.0],
    [0.0, -1.0],
    [0.7, 0.7],
    [0.7, -0.7],
    [-0.7, 0.7],
    [-0.7, -0.7],
    [2.0, 0.0],
    [-2.0, 0.0],
    [0.0, 2.0],
    [0.0, -2.0],
];
/// Where a new corner is tried beside the middle of a leg, in cells.
const ASIDE: [f64; 6] = [-3.0, -2.0, -1.0, 1.0, 2.0, 3.0];
/// Most soundings around a move; beyond, the farthest ones are left out of account.
const MOST_AROUND: usize = 64;
/// The least worth of a second, as a share of the variance of the map over the time there is.
const LEAST_RATE: f64 = 1e-3;
/// Times that corners are left out until the way fits the time.
const CUTS: usize = 12;

/// The way made better. Its time is at most what is left wherever leaving out corners can achieve that.
pub(super) fn refine(tour: &Tour<'_>, corners: Vec<Position>, rounds: usize) -> Vec<Position> {
    let mut way = Refined::new(tour, corners);
    if rounds > 0 {
        way.estimate_rate();
        for round in 0..rounds {
            let changed = way.pass();
            let over = way.time_s() / tour.left_s;
            way.rate *= (over * over * over).clamp(0.6, 1.6);
            if !changed && (0.97..=1.0).contains(&over) && round > 0 {
                break;
            }
        }
    }
    way.cut_to_time();
    way.corners()
}

struct Refined<'a> {
    tour: &'a Tour<'a>,
    field: &'a Field,
    /// A place behind the vehicle, the vehicle, corners, and home if there is one.
    places: Vec<Position>,
    /// One past the last corner that may be moved.
    end: usize,
    /// Cells of the soundings along the way, with the leg each is on; leg k goes from place k to the next.
    soundings: Vec<(usize, usize)>,
    /// Where the first sounding of each leg is, from the leg's beginning, m.
    phases_m: Vec<f64>,
    /// Distance between soundings, m.
    step_m: f64,
    /// Worth of a second.
    rate: f64,
    scratch: Scratch,
}

/// Covariances of soundings with the places of a window.
#[derive(Default)]
struct Scratch {
    rows: Vec<f32>,
    around: Vec<usize>,
    new: Vec<usize>,
}

/// Cells around a move.
#[derive(Clone, Copy)]
struct Window {
    left: usize,
    low: usize,
    width: usize,
    height: usize,
}

/// A change of the way.
#[derive(Clone, Copy)]
enum Move {
    Shift(Position),
    Remove,
    Insert(Position),
}

impl<'a> Refined<'a> {
    fn new(tour: &'a Tour<'a>, corners: Vec<Position>) -> Self {
        let radius_m = tour.travel.turning_radius_m();
        let mut places = vec![behind(tour.start, 4.0 * radius_m), tour.start.position];
        places.extend(corners);
        let end = places.len();
        places.extend(tour.home);
        let cell_m = tour.field.lattice().cell_m();
        let step_m = (tour.travel.speed_mps() * tour.period_s).max(0.5 * cell_m[0].min(cell_m[1]));
        let mut way = Self {
            tour,
            field: tour.field,
            places,
            end,
            soundings: Vec::new(),
            phases_m: Vec::new(),
            step_m,
            rate: 0.0,
            scratch: Scratch::default(),
        };
        way.sample();
        way
    }

    fn corners(&self) -> Vec<Position> {
        self.places[2..self.end].to_vec()
    }

    fn time_s(&self) -> f64 {
        self.tour.travel.time_s(self.tour.start, &self.places[2..])
    }

    /// Takes down where soundings are.
    fn sample(&mut self) {
        self.soundings.clear();
        self.phases_m.clear();
        self.phases_m.push(0.0);
        let mut phase_m = self.step_m;
        for leg in 1..self.places.len() - 1 {
            self.phases_m.push(phase_m);
            let (from, to) = (self.places[leg], self.places[leg + 1]);
            let cells = &mut self.scratch.new;
            cells.clear();
            phase_m = along(self.field, &[from, to], phase_m, self.step_m, cells);
            self.soundings.extend(cells.iter().map(|&cell| (cell, leg)));
        }
    }

    /// Whether the way may lead from `a` to `b`.
    fn clear(&self, a: Position, b: Position) -> bool {
        self.tour.workspace.contains_segment(a, b)
    }

    /// What changes by a move of corner (or of the leg that begins at) `i`: worth and time, s. None where the way would leave the workspace.
    fn change(&mut self, i: usize, moves: &[Move], out: &mut Vec<Option<(f64, f64)>>) {
        out.clear();
        let inserts = matches!(moves.first(), Some(Move::Insert(_)));
        // The legs that change are those from `first` to `last`.
        let first = if inserts { i } else { i - 1 };
        let after = self.places.get(i + 1).copied();
        let last = if after.is_some() { i } else { i - 1 };
        let before = self.places[first];
        let mut around = vec![before, self.places[i]];
        around.extend(after);
        for m in moves {
            if let Move::Shift(at) | Move::Insert(at) = m {
                around.push(*at);
            }
        }
        let window = self.window(&around);
        let mut scratch = std::mem::take(&mut self.scratch);
        scratch.around.clear();
        let (mut old, mut count) = (Vec::new(), 0);
        for &(cell, leg) in &self.soundings {
            if (first..=last).contains(&leg) {
                old.push(cell);
            } else if window.holds(self.field, cell) && count < MOST_AROUND {
                scratch.around.push(cell);
                count += 1;
            }
        }
        scratch.rows.clear();
        let given = scratch.around.len();
        let cells = std::mem::take(&mut scratch.around);
        self.eliminate(window, &cells, 0, &mut scratch.rows);
        scratch.around = cells;
        let had = self.eliminate(window, &old, given, &mut scratch.rows);
        let from = first - 1;
        let to = (i + 3).min(self.places.len());
        let time_s = way_s(self.tour.travel, &self.places[from..to]);
        let mut places = Vec::with_capacity(8);
        for m in moves {
            places.clear();
            places.extend(&self.places[from..=first]);
            match *m {
                Move::Shift(at) => places.push(at),
                Move::Remove => {}
                Move::Insert(at) => places.push(at),
            }
            places.extend(&self.places[i + 1..to]);
            // The way from the first changed leg to the last one.
            let changed_end =
                1 + usize::from(!matches!(m, Move::Remove)) + usize::from(after.is_some());
            let changed = &places[1..(changed_end + 1).min(places.len())];
            if changed.windows(2).any(|leg| !self.clear(leg[0], leg[1])) {
                out.push(None);
                continue;
            }
            scratch.new.clear();
            let phase_m = self.phases_m[first];
            along(self.field, changed, phase_m, self.step_m, &mut scratch.new);
            let cells = std::mem::take(&mut scratch.new);
            let has = self.eliminate(window, &cells, given, &mut scratch.rows);
            scratch.new = cells;
            let new_s = way_s(self.tour.travel, &places);
            out.push(Some((f64::from(has - had), new_s - time_s)));
        }
        self.scratch = scratch;
    }

    fn window(&self, places: &[Position]) -> Window {
        let lattice = self.field.lattice();
        let (mut left, mut right, mut low, mut high) = (usize::MAX, 0, usize::MAX, 0);
        for &place in places {
            if let Some(cell) = lattice.cell(place) {
                let (column, row) = (cell % lattice.columns(), cell / lattice.columns());
                (left, right) = (left.min(column), right.max(column));
                (low, high) = (low.min(row), high.max(row));
            }
        }
        if left > right {
            (left, right, low, high) = (0, 0, 0, 0);
        }
        let (left, low) = (left.saturating_sub(REACH), low.saturating_sub(REACH));
        Window {
            left,
            low,
            width: (right + REACH).min(lattice.columns() - 1) - left + 1,
            height: (high + REACH).min(lattice.rows() - 1) - low + 1,
        }
    }

    /// Worth of soundings at `cells` given the first `given` rows; their rows are put after those.
    fn eliminate(&self, window: Window, cells: &[usize], given: usize, rows: &mut Vec<f32>) -> f32 {
        let columns = self.field.lattice().columns();
        let size = window.width * window.height;
        if rows.len() < (given + cells.len()) * size {
            rows.resize((given + cells.len()) * size, 0.0);
        }
        let mut worth = 0.0;
        for (k, &cell) in cells.iter().enumerate() {
            let (done, rest) = rows.split_at_mut((given + k) * size);
            let row = &mut rest[..size];
            let covariances = self.field.row(cell);
            for (line, part) in row.chunks_exact_mut(window.width).enumerate() {
                let from = (window.low + line) * columns + window.left;
                part.copy_from_slice(&covariances[from..from + window.width]);
            }
            let Some(own) = window.index(columns, cell) else {
                row.fill(0.0);
                continue;
            };
            for before in done.chunks_exact(size) {
                let factor = before[own];
                if factor != 0.0 {
                    for (value, other) in row.iter_mut().zip(before) {
                        *value -= factor * other;
                    }
                }
            }
            let scale = 1.0 / (row[own].max(0.0) + self.field.noise()).sqrt();
            for value in row.iter_mut() {
                *value *= scale;
                worth += *value * *value;
            }
        }
        worth
    }

    /// The worth of a second: the median of what leaving out a corner loses per second that it saves.
    fn estimate_rate(&mut self) {
        let mut rates: Vec<f64> = self.losses().into_iter().map(|(rate, _)| rate).collect();
        rates.sort_by(f64::total_cmp);
        let median = rates.get(rates.len() / 2).copied().unwrap_or(0.0);
        // Time is never worth nothing: less than what a second brings on average by this share is not believed.
        let average = self.field.variance() / self.tour.left_s.max(self.tour.period_s);
        self.rate = median.max(LEAST_RATE * average);
    }

    /// What leaving out each corner loses per second it saves.
    fn losses(&mut self) -> Vec<(f64, usize)> {
        let mut changes = Vec::new();
        let mut losses = Vec::new();
        for i in 2..self.end {
            self.change(i, &[Move::Remove], &mut changes);
            if let Some(Some((worth, time_s))) = changes.first()
                && *time_s < 0.0
            {
                losses.push((worth / time_s, i));
            }
        }
        losses
    }

    /// Tries all moves once; says whether any was made.
    fn pass(&mut self) -> bool {
        let [width, height] = self.field.lattice().cell_m();
        let mut changed = false;
        let mut changes = Vec::new();
        let mut moves = Vec::with_capacity(16);
        let mut i = 2;
        while i < self.end {
            let here = self.places[i];
            moves.clear();
            moves.push(Move::Remove);
            moves.extend(
                SHIFTS.iter().map(|[x, y]| {
                    Move::Shift(Position::new(here.x + x * width, here.y + y * height))
                }),
            );
            moves.retain(|m| self.is_inside(m));
            self.change(i, &moves, &mut changes);
            match self.best(&changes) {
                Some(best) => {
                    changed = true;
                    match moves[best] {
                        Move::Remove => {
                            self.places.remove(i);
                            self.end -= 1;
                        }
                        Move::Shift(at) | Move::Insert(at) => {
                            self.places[i] = at;
                            i += 1;
                        }
                    }
                    self.sample();
                }
                None => i += 1,
            }
        }
        let mut leg = 1;
        while leg < self.end && leg + 1 < self.places.len() {
            let (a, b) = (self.places[leg], self.places[leg + 1]);
            let length_m = a.distance_to(b);
            leg += 1;
            if length_m < 1e-6 {
                continue;
            }
            let middle = a.towards(b, 0.5);
            let (x, y) = ((b.x - a.x) / length_m, (b.y - a.y) / length_m);
            moves.clear();
            moves.extend(ASIDE.iter().map(|aside| {
                Move::Insert(Position::new(
                    middle.x - aside * width * y,
                    middle.y + aside * height * x,
                ))
            }));
            moves.retain(|m| self.is_inside(m));
            if moves.is_empty() {
                continue;
            }
            self.change(leg - 1, &moves, &mut changes);
            if let Some(best) = self.best(&changes)
                && let Move::Insert(at) = moves[best]
            {
                self.places.insert(leg, at);
                self.end += 1;
                // The new legs have their turn in the next pass: one corner after the other would be put in for ever.
                leg += 1;
                self.sample();
                changed = true;
            }
        }
        changed
    }

    fn is_inside(&self, m: &Move) -> bool {
        match m {
            Move::Remove => true,
            Move::Shift(at) | Move::Insert(at) => self.tour.workspace.contains(*at),
        }
    }

    /// The move that gains most beyond the worth of its time.
    fn best(&self, changes: &[Option<(f64, f64)>]) -> Option<usize> {
        let gain = |change: &Option<(f64, f64)>| {
            change.map_or(f64::NEG_INFINITY, |(worth, time_s)| {
                worth - self.rate * time_s
            })
        };
        let best =
            (0..changes.len()).max_by(|&a, &b| gain(&changes[a]).total_cmp(&gain(&changes[b])))?;
        (gain(&changes[best]) > 1e-3 * self.rate).then_some(best)
    }

    /// Leaves out corners, those that lose least per second first, until the way fits the time.
    fn cut_to_time(&mut self) {
        for _ in 0..CUTS {
            let mut over_s = self.time_s() - self.tour.left_s;
            if over_s <= 0.0 || self.end <= 2 {
                return;
            }
            let mut losses = self.losses();
            losses.sort_by(|a, b| a.0.total_cmp(&b.0));
            let mut out: Vec<usize> = Vec::new();
            for &(_, i) in &losses {
                if over_s <= 0.0 {
                    break;
                }
                // Neighbours' losses change when one is left out.
                if out.iter().any(|&o| o.abs_diff(i) <= 1) {
                    continue;
                }
                let piece = &self.places[i - 2..(i + 3).min(self.places.len())];
                let mut bridge = piece.to_vec();
                bridge.remove(2);
                over_s -= way_s(self.tour.travel, piece) - way_s(self.tour.travel, &bridge);
                out.push(i);
            }
            if out.is_empty() {
                break;
            }
            out.sort_unstable();
            for &i in out.iter().rev() {
                self.places.remove(i);
                self.end -= 1;
            }
            self.sample();
        }
        // Whatever corners there are, the last ones can always be given up.
        while self.end > 2 && self.time_s() > self.tour.left_s {
            self.end -= 1;
            self.places.remove(self.end);
        }
        self.sample();
    }
}

impl Window {
    fn index(&self, columns: usize, cell: usize) -> Option<usize> {
        let (column, row) = (cell % columns, cell / columns);
        let inside = (self.left..self.left + self.width).contains(&column)
            && (self.low..self.low + self.height).contains(&row);
        inside.then(|| (row - self.low) * self.width + column - self.left)
    }

    fn holds(&self, field: &Field, cell: usize) -> bool {
        self.index(field.lattice().columns(), cell).is_some()
    }
}

/// Cells of the soundings along a way, the first `phase_m` from its beginning; gives the phase of what comes after it.
fn along(
    field: &Field,
    way: &[Position],
    phase_m: f64,
    step_m: f64,
    cells: &mut Vec<usize>,
) -> f64 {
    let mut next_m = phase_m;
    for leg in way.windows(2) {
        let length_m = leg[0].distance_to(leg[1]);
        while next_m <= length_m {
            cells.extend(
                field
                    .lattice()
                    .cell(leg[0].towards(leg[1], next_m / length_m)),
            );
            next_m += step_m;
        }
        next_m -= length_m;
    }
    next_m
}
