//! Everything that can be wrong with what a caller hands in.

use std::fmt;

use transect_gp::GpError;

use crate::geometry::Position;

/// Which ring of a polygon an error speaks about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RingName {
    /// The outer boundary.
    Outer,
    /// The hole with this index.
    Hole(usize),
}

impl fmt::Display for RingName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Outer => write!(f, "outer ring"),
            Self::Hole(index) => write!(f, "hole {index}"),
        }
    }
}

/// The errors of this crate. Indices count from 0.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The sides of a rectangle are not finite or not in order.
    #[error(
        "extent x [{xmin}, {xmax}], y [{ymin}, {ymax}] is not a rectangle: finite numbers with min < max are needed"
    )]
    BadExtent {
        /// Left side, m.
        xmin: f64,
        /// Right side, m.
        xmax: f64,
        /// Lower side, m.
        ymin: f64,
        /// Upper side, m.
        ymax: f64,
    },

    /// A ring has fewer than three vertices.
    #[error("{ring} has {count} vertices: at least 3 are needed")]
    TooFewVertices {
        /// The ring.
        ring: RingName,
        /// How many vertices it has, a repeated closing vertex not counted.
        count: usize,
    },

    /// A vertex is NaN or infinite.
    #[error("vertex {vertex} of the {ring} is {at}: coordinates must be finite")]
    NonFiniteVertex {
        /// The ring.
        ring: RingName,
        /// Index of the vertex.
        vertex: usize,
        /// Its coordinates.
        at: Position,
    },

    /// A vertex equals its predecessor.
    #[error("vertex {vertex} of the {ring} repeats the one before it: remove it")]
    RepeatedVertex {
        /// The ring.
        ring: RingName,
        /// Index of the second of the two.
        vertex: usize,
    },

    /// All vertices of a ring lie on one line.
    #[error("the {ring} has no area: its vertices lie on one line")]
    ZeroArea {
        /// The ring.
        ring: RingName,
    },

    /// Two edges of one ring meet where they should not.
    #[error(
        "the {ring} meets itself: the edges that start at vertices {first} and {second} cross or touch"
    )]
    SelfIntersection {
        /// The ring.
        ring: RingName,
        /// Index of the vertex that starts the first edge.
        first: usize,
        /// Index of the vertex that starts the second edge.
        second: usize,
    },

    /// A hole is outside the outer ring, or crosses or touches it.
    #[error(
        "hole {hole} is not inside the outer ring: see its edge from vertex {vertex}; holes must not touch the outer ring"
    )]
    HoleOutside {
        /// Index of the hole.
        hole: usize,
        /// Index of the vertex that starts the offending edge.
        vertex: usize,
    },

    /// Two holes cross, touch or contain one another.
    #[error("holes {first} and {second} overlap or touch: merge them into one")]
    HolesOverlap {
        /// Index of the first hole.
        first: usize,
        /// Index of the second hole.
        second: usize,
    },

    /// Uniform sampling did not find enough points inside the workspace.
    #[error(
        "only {found} of {wanted} random points fell inside the workspace after {tries} tries: \
         the random source does not cover the bounding box, or the workspace is a sliver of it"
    )]
    SamplingGaveUp {
        /// Points asked for.
        wanted: usize,
        /// Points found.
        found: usize,
        /// Points tried.
        tries: u64,
    },

    /// A terrain without cells.
    #[error("a terrain of {rows} rows and {columns} columns has no cells")]
    EmptyTerrain {
        /// Rows given.
        rows: usize,
        /// Columns given.
        columns: usize,
    },

    /// The number of values is not rows × columns.
    #[error("a terrain of {rows} rows and {columns} columns cannot have {values} values")]
    TerrainSize {
        /// Rows given.
        rows: usize,
        /// Columns given.
        columns: usize,
        /// Values given.
        values: usize,
    },

    /// A terrain cell is infinite. (NaN marks a void.)
    #[error(
        "terrain row {row}, column {column} is {value}: use a finite number, or NaN for a void"
    )]
    InfiniteTerrain {
        /// Row of the cell.
        row: usize,
        /// Column of the cell.
        column: usize,
        /// Its value.
        value: f64,
    },

    /// Every cell of a terrain is void.
    #[error("all {cells} cells of the terrain are void")]
    AllVoid {
        /// Number of cells.
        cells: usize,
    },

    /// A setting is out of its range.
    #[error("{name} is {value}: {accepted}")]
    Setting {
        /// The setting, as spelled in configuration.
        name: &'static str,
        /// The value it got.
        value: f64,
        /// What would be accepted.
        accepted: &'static str,
    },

    /// A budget that limits nothing.
    #[error("the budget limits nothing: set soundings, distance_m or time_s")]
    UnlimitedBudget,

    /// A vehicle was placed outside the workspace it must stay in, or nowhere.
    #[error(
        "the vehicle cannot be placed at {at}: the position must be finite and inside the workspace"
    )]
    BadStart {
        /// The position.
        at: Position,
    },

    /// A goal outside the workspace, or nowhere.
    #[error("the vehicle cannot go to {at}: a goal must be finite and inside the workspace")]
    BadGoal {
        /// The goal.
        at: Position,
    },

    /// A fence so narrow, or a margin so wide, that nothing is left.
    #[error("no place inside the fence is {margin_m} m from its boundary: choose a smaller margin")]
    NoRoomInside {
        /// The margin, m.
        margin_m: f64,
    },

    /// Nothing to evaluate.
    #[error("{what} is empty: nothing to evaluate")]
    NothingToEvaluate {
        /// Which input.
        what: &'static str,
    },

    /// Two series that belong together differ in length.
    #[error("{what} has {got} values where the truth has {expected}")]
    LengthMismatch {
        /// Which input.
        what: &'static str,
        /// Length of the truth.
        expected: usize,
        /// Length of the input.
        got: usize,
    },

    /// A value that cannot be evaluated: NaN, infinite, or a standard deviation that is not positive.
    #[error("{what} number {index} is {value}: {accepted}")]
    BadValue {
        /// Which input.
        what: &'static str,
        /// Index into it.
        index: usize,
        /// The value.
        value: f64,
        /// What would be accepted.
        accepted: &'static str,
    },

    /// A series whose variance a metric divides by is constant.
    #[error("all values of {what} are equal: {metric} is not defined")]
    NoVariance {
        /// Which input.
        what: &'static str,
        /// The metric.
        metric: &'static str,
    },

    /// A name that is not in a list.
    #[error("{key} is `{value}`: {}accepted are {accepted}", hint(nearest))]
    UnknownName {
        /// The setting, as spelled in configuration.
        key: &'static str,
        /// The value it got.
        value: String,
        /// The names there are.
        accepted: String,
        /// The one that looks most like it.
        nearest: Option<&'static str>,
    },

    /// A name that is registered already.
    #[error("{key} `{name}` is taken: register it under another name")]
    NameTaken {
        /// The setting that names one of the list.
        key: &'static str,
        /// The name.
        name: &'static str,
    },

    /// A file that holds no model, or not one that can be read.
    #[error("this is not a model that can be read: {reason}")]
    Model {
        /// Why not.
        reason: String,
    },

    /// The engine refused or could not finish.
    #[error(transparent)]
    Gp(#[from] GpError),

    /// Readings could not be predicted without themselves.
    #[error(
        "soundings cannot be predicted from each other: the numbers do not allow it; look for \
         soundings that repeat or contradict each other"
    )]
    NoLeftOut,

    /// A planner that needs a model was asked before there was one.
    #[error("there is no model yet: this planner cannot lead a pilot survey")]
    NoModel,

    /// No candidate has a score that is a number.
    #[error("no candidate has a score that is a number")]
    NoScore,

    /// No candidate can be reached inside the workspace.
    #[error("no way inside the workspace leads from {from} to any candidate")]
    NoWay {
        /// Where the vehicle is.
        from: Position,
    },

    /// A map was asked for from next to nothing.
    #[error(
        "{got} soundings at different places are too few for a map: at least {needed} are needed"
    )]
    TooFewSoundings {
        /// Places given.
        got: usize,
        /// Places needed.
        needed: usize,
    },

    /// A map was asked for of a single place, or of places without end.
    #[error("all soundings are at one place, or too far apart for a map")]
    OnePlace,

    /// A map would have too many cells.
    #[error(
        "a map with cells of {cell_m} m would have {rows} x {columns} cells, more than {most}: choose larger cells"
    )]
    TooManyCells {
        /// Rows it would have.
        rows: f64,
        /// Columns it would have.
        columns: f64,
        /// Side of a cell, m.
        cell_m: f64,
        /// Cells accepted.
        most: f64,
    },

    /// A world (simulation, vehicle, log) can no longer do what it is asked.
    #[error("{0}")]
    World(String),
}

fn hint(nearest: &Option<&'static str>) -> String {
    nearest.map_or_else(String::new, |name| format!("did you mean `{name}`? "))
}
