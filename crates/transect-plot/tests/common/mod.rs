//! What the tests share: pictures back from bytes, and one figure of every kind.
#![allow(dead_code)]

use transect_plot::{
    Axis, Bars, ColorBar, ColorMap, ColorScale, DotSeries, Dots, Extent, Figure, Grid, Heatmap,
    Lines, PlotError, Prediction1d, Series, Stacked, Surface3d,
};

/// A decoded picture.
pub struct Picture {
    pub width: usize,
    pub height: usize,
    rgb: Vec<[u8; 3]>,
}

impl Picture {
    /// Decodes with the `png` crate's reader, expanded to red, green, blue.
    pub fn decode(bytes: &[u8]) -> Self {
        let mut decoder = png::Decoder::new(std::io::Cursor::new(bytes));
        decoder.set_transformations(png::Transformations::normalize_to_color8());
        let mut reader = decoder.read_info().expect("a PNG header");
        let mut data = vec![0; reader.output_buffer_size().expect("a size")];
        let info = reader.next_frame(&mut data).expect("a whole picture");
        let channels = info.color_type.samples();
        assert!(channels >= 3, "expected colour, got {:?}", info.color_type);
        let rgb = data[..info.buffer_size()]
            .chunks_exact(channels)
            .map(|p| [p[0], p[1], p[2]])
            .collect();
        Picture {
            width: info.width as usize,
            height: info.height as usize,
            rgb,
        }
    }

    pub fn at(&self, x: f64, y: f64) -> [u8; 3] {
        self.rgb[y as usize * self.width + x as usize]
    }
}

/// Whether every panel kind gets ordinary numbers or something awkward.
pub fn every_kind(
    values: &[f64],
    columns: usize,
    line: &[f64],
) -> Result<Vec<(&'static str, Figure)>, PlotError> {
    let x: Vec<f64> = (0..line.len()).map(|i| i as f64).collect();
    let points: Vec<[f64; 2]> = x.iter().zip(line).map(|(x, y)| [*x, *y]).collect();
    let edges: Vec<f64> = (0..=line.len()).map(|i| i as f64).collect();
    let spread = vec![0.1; line.len()];
    let grid = Grid::new(values, columns, Extent::new(0.0, 10.0, -5.0, 5.0)?)?;
    let scale = ColorScale::covering(ColorMap::Terrain, &[values]).label("Height", "m");
    let names: Vec<String> = (0..line.len().min(6))
        .map(|i| format!("variant number {i}"))
        .collect();
    let heat = Heatmap::new(&grid, scale.clone())
        .title("Map <1> & \"2\"")
        .axes("x", "y");
    Ok(vec![
        (
            "heatmap",
            Figure::new("Heat").panel(
                heat.samples(&points)
                    .path(&points)
                    .control_points(&points)
                    .fence(&points),
            ),
        ),
        (
            "bars and maps",
            Figure::new("Bars")
                .panel(ColorBar::vertical(scale.clone()))
                .panel(ColorBar::horizontal(scale.clone())),
        ),
        (
            "surface",
            Figure::new("Surface")
                .panel(Surface3d::new(&grid, scale).axes("x", "y").samples(&points)),
        ),
        (
            "lines",
            Figure::new("Lines")
                .panel(Lines::new("x", "y").series(Series::new("a", &x, line)?.spread(&spread)?)),
        ),
        (
            "log lines",
            Figure::new("Log").panel(
                Lines::new("x", Axis::new("y").log())
                    .series(Series::new("a", &x, line)?.spread(&spread)?),
            ),
        ),
        (
            "prediction",
            Figure::new("1-D").panel(
                Prediction1d::new("x", "f")
                    .truth(&x, line)?
                    .prediction(&x, line, &spread)?
                    .samples(&points),
            ),
        ),
        (
            "stacked",
            Figure::new("Stack").panel(
                Stacked::new("x", "w", &x)
                    .key("ℓ")
                    .layer("a", line)?
                    .layer("b", &spread)?,
            ),
        ),
        (
            "dots",
            Figure::new("Dots")
                .panel(Dots::new("x", "y").series(DotSeries::new("a", &x, line, &spread)?)),
        ),
        (
            "named dots",
            Figure::new("Named").panel(
                Dots::new(Axis::names("", names), "y")
                    .series(DotSeries::new("a", &x, line, &spread)?),
            ),
        ),
        (
            "histogram",
            Figure::new("Histogram")
                .panel(Bars::new("x", "n", &edges, line)?.reference(1.0, "level")),
        ),
    ])
}
