//! Awkward input: nothing, nothing but NaN, one value, too much, absurd sizes.

mod common;

use common::{Picture, every_kind};
use transect_plot::{
    ColorMap, ColorScale, Extent, Figure, Grid, Heatmap, Lines, PlotError, Series,
};

fn draw_all(what: &str, values: &[f64], columns: usize, line: &[f64]) {
    for (name, figure) in
        every_kind(values, columns, line).unwrap_or_else(|e| panic!("{what}: {e}"))
    {
        let svg = figure.to_svg();
        let document =
            roxmltree::Document::parse(&svg).unwrap_or_else(|e| panic!("{what}, {name}: {e}"));
        for attribute in document
            .descendants()
            .flat_map(|n| n.attributes())
            .filter(|a| a.name() != "href")
        {
            let value = attribute.value();
            assert!(
                !value.contains("NaN") && !value.contains("inf"),
                "{what}, {name}: SVG does not know {value}"
            );
        }
        assert!(svg.contains(figure.title()), "{what}, {name}: no title");
        Picture::decode(
            &figure
                .to_png(1.0)
                .unwrap_or_else(|e| panic!("{what}, {name}: {e}")),
        );
    }
}

#[test]
fn missing_single_and_absurd_values_draw_without_panic() {
    draw_all("all NaN", &[f64::NAN; 6], 3, &[f64::NAN; 4]);
    draw_all("one cell", &[7.0], 1, &[7.0]);
    draw_all("one row", &[1.0, 2.0, 3.0], 3, &[1.0, 2.0]);
    draw_all("all alike", &[5.0; 6], 2, &[5.0; 9]);
    draw_all(
        "infinite",
        &[f64::INFINITY, 1.0, f64::NEG_INFINITY, 2.0],
        2,
        &[1.0, f64::INFINITY, f64::NEG_INFINITY, 2.0],
    );
    draw_all(
        "largest",
        &[f64::MAX, f64::MIN, 0.0, 1.0],
        2,
        &[f64::MAX, f64::MIN, 1.0],
    );
    draw_all(
        "large",
        &[1e140, -1e140, 0.0, 1.0],
        2,
        &[1e140, -1e140, 1.0],
    );
    draw_all(
        "tiny",
        &[1e-300, 0.0, 5e-324, 1.0],
        2,
        &[1e-300, 5e-324, 0.0],
    );
    draw_all("close", &[1e9, 1e9 + 1e-6, 1e9, 1e9], 2, &[1e9, 1e9 + 1e-6]);
    draw_all(
        "negative",
        &[-1.0, -2.0, -3.0, -4.0],
        2,
        &[-1.0, -2.0, -3.0],
    );
    draw_all("no line", &[1.0, 2.0], 2, &[]);
}

#[test]
fn what_has_no_data_says_so() {
    for (name, figure) in every_kind(&[f64::NAN; 4], 2, &[f64::NAN; 3]).expect("legal shapes") {
        if !matches!(name, "bars and maps" | "stacked") {
            assert!(figure.to_svg().contains("no data"), "{name}");
        }
    }
}

#[test]
fn much_data_stays_a_small_picture() {
    let side = 3000;
    let values: Vec<f64> = (0..side * side).map(|i| (i % 977) as f64).collect();
    let line: Vec<f64> = (0..1_000_000).map(|i| (i % 1009) as f64 + 1.0).collect();
    let x: Vec<f64> = (0..line.len()).map(|i| i as f64).collect();
    let grid = Grid::new(
        &values,
        side,
        Extent::new(0.0, 1.0, 0.0, 1.0).expect("legal"),
    )
    .expect("legal");
    let map = Heatmap::new(&grid, ColorScale::covering(ColorMap::Viridis, &[&values]));
    let lines = Lines::new("x", "y").series(
        Series::new("a", &x, &line)
            .expect("legal")
            .spread(&line)
            .expect("legal"),
    );
    let svg = Figure::new("Much").panel(map).panel(lines).to_svg();
    assert!(svg.len() < 3_000_000, "{} bytes", svg.len());
}

#[test]
fn contradictions_are_refused_with_words() -> Result<(), PlotError> {
    let extent = Extent::new(0.0, 1.0, 0.0, 1.0)?;
    let shape = Grid::new(&[1.0, 2.0, 3.0], 2, extent).expect_err("3 values are not rows of 2");
    assert_eq!(
        shape.to_string(),
        "grid: 3 values do not make 1 rows of 2 columns"
    );
    assert!(matches!(
        Grid::new(&[], 0, extent),
        Err(PlotError::Shape { .. })
    ));
    let length = Series::new("a", &[1.0], &[1.0, 2.0]).expect_err("1 is not 2");
    assert_eq!(
        length.to_string(),
        "line: x has 1 values but y has 2; they must be equally long"
    );
    assert!(matches!(
        Extent::new(0.0, f64::NAN, 0.0, 1.0),
        Err(PlotError::Range { .. })
    ));
    assert!(matches!(
        ColorScale::new(ColorMap::Viridis, 1.0, 1.0),
        Err(PlotError::Range { .. })
    ));
    Ok(())
}

#[test]
fn absurd_picture_sizes_are_refused() {
    let figure = Figure::new("Size");
    for scale in [0.0, -1.0, 1e-9, 1e9, f64::NAN, f64::INFINITY] {
        assert!(
            matches!(figure.to_png(scale), Err(PlotError::PictureSize { .. })),
            "scale {scale}"
        );
    }
    Picture::decode(&figure.to_png(1.0).expect("an empty figure with a title"));
}
