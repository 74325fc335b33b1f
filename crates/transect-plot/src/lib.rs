//! Figures as SVG and PNG, and self-contained HTML reports, from plain numbers.
//!
//! This crate knows nothing of Gaussian processes or robots: slices of numbers go in, pictures come out. It stands on its own
//! so that the lab (the paper's figures) and the mission reports share one way of drawing.
//!
//! | to show | use |
//! |---|---|
//! | values on a grid, with samples, path, control points, fence | [`Heatmap`], with [`ColorScale`] and [`ColorBar`] |
//! | a terrain in perspective | [`Surface3d`] |
//! | metrics against samples or steps, with bands | [`Lines`] |
//! | a function of one variable, its samples and its prediction | [`Prediction1d`] |
//! | weights that sum to one | [`Stacked`] |
//! | means with error bars against a parameter or a variant | [`Dots`] |
//! | a histogram | [`Bars`] |
//! | all of these with words and tables on one page | [`Report`] |
//! | a map to move, zoom and ask, with the survey it came from | [`page::PageData`] |
//!
//! Every one of them is a [`Panel`]; a [`Figure`] arranges panels in a grid, aligns their frames and merges their legends. The
//! same input gives the same bytes. Missing numbers (NaN, infinities) are left blank. Fonts are embedded.
//!
//! ```
//! use transect_plot::{Axis, Figure, Lines, Series};
//! let samples = [100.0, 200.0, 300.0];
//! let plot = Lines::new(Axis::new("Samples"), Axis::new("SMSE").log())
//!     .series(Series::new("RBF", &samples, &[0.30, 0.21, 0.18])?.spread(&[0.03, 0.02, 0.02])?)
//!     .series(Series::new("AK", &samples, &[0.22, 0.13, 0.10])?.spread(&[0.02, 0.01, 0.01])?);
//! let figure = Figure::new("Error against samples").panel(plot);
//! let svg: String = figure.to_svg();
//! let png: Vec<u8> = figure.to_png(2.0)?;
//! assert!(svg.starts_with("<svg") && png.starts_with(b"\x89PNG"));
//! # Ok::<(), transect_plot::PlotError>(())
//! ```

#![forbid(unsafe_code)]

mod axis;
mod color;
mod error;
mod figure;
mod font;
mod grid;
mod layout;
mod legend;
mod markup;
pub mod page;
mod panels;
pub mod report;
pub mod scene;

pub use axis::{Axis, Range, Tick, Ticks};
pub use color::palette::{self, SeriesStyle};
pub use color::{Color, ColorMap, ColorScale};
pub use error::PlotError;
pub use figure::Figure;
pub use font::Weight;
pub use grid::{Extent, Grid};
pub use layout::{Insets, Panel};
pub use legend::{LegendEntry, Swatch};
pub use panels::{
    Bars, Chart, ColorBar, DotSeries, Dots, Heatmap, Lines, Prediction1d, Series, Stacked,
    Surface3d,
};
pub use report::Report;

/// Compiles and runs the example of this crate's `README.md`.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
