//! What comes out is what the formats and the numbers say.

mod common;

use common::{Picture, every_kind};
use transect_plot::scene::Item;
use transect_plot::{
    Axis, Color, ColorMap, ColorScale, Extent, Figure, Grid, Heatmap, Lines, PlotError, Series,
    Surface3d,
};

fn ordinary() -> Vec<(&'static str, Figure)> {
    let values: Vec<f64> = (0..300)
        .map(|i| f64::from(i % 20) + 0.3 * f64::from(i / 20))
        .collect();
    let line: Vec<f64> = (0..50)
        .map(|i| 1.0 + (f64::from(i) / 5.0).sin() * 0.5)
        .collect();
    every_kind(&values, 20, &line).expect("ordinary numbers")
}

#[test]
fn svg_is_well_formed_and_refers_only_to_itself() {
    for (name, figure) in ordinary() {
        let svg = figure.to_svg();
        let document = roxmltree::Document::parse(&svg).unwrap_or_else(|e| panic!("{name}: {e}"));
        let ids: Vec<&str> = document
            .descendants()
            .filter_map(|n| n.attribute("id"))
            .collect();
        for node in document.descendants() {
            if let Some(link) = node.attribute("href") {
                let inside = link.strip_prefix('#').is_some_and(|id| ids.contains(&id));
                assert!(
                    inside || link.starts_with("data:image/png;base64,"),
                    "{name}: {link}"
                );
            }
            assert_ne!(
                node.tag_name().name(),
                "text",
                "{name}: text would need a font"
            );
        }
    }
}

#[test]
fn words_and_units_are_in_the_svg() {
    let (_, heat) = ordinary().swap_remove(0);
    let svg = heat.to_svg();
    let document = roxmltree::Document::parse(&svg).expect("well-formed");
    let words: Vec<&str> = document
        .descendants()
        .filter_map(|n| n.attribute("aria-label"))
        .collect();
    for expected in [
        "Heat",
        "Map <1> & \"2\"",
        "Height (m)",
        "Samples",
        "Path",
        "Control points",
        "Fence",
        "−4",
        "10",
    ] {
        assert!(
            words.contains(&expected),
            "{expected} is not among {words:?}"
        );
    }
}

#[test]
fn the_same_input_gives_the_same_bytes() {
    for ((name, a), (_, b)) in ordinary().into_iter().zip(ordinary()) {
        assert_eq!(a.to_svg(), b.to_svg(), "{name}");
        assert_eq!(a.to_png(1.0), b.to_png(1.0), "{name}");
    }
}

#[test]
fn png_has_the_size_of_the_figure_times_the_scale() {
    for (name, figure) in ordinary() {
        let scene = figure.to_scene();
        for scale in [1.0, 2.0] {
            let picture = Picture::decode(&figure.to_png(scale).expect("a picture"));
            assert_eq!(picture.width as f64, (scene.width * scale).ceil(), "{name}");
            assert_eq!(
                picture.height as f64,
                (scene.height * scale).ceil(),
                "{name}"
            );
        }
    }
}

fn frame_of_first_image(figure: &Figure) -> transect_plot::scene::Rect {
    let items = figure.to_scene().items;
    items
        .iter()
        .find_map(|i| {
            if let Item::Image { rect, .. } = i {
                Some(*rect)
            } else {
                None
            }
        })
        .expect("an image")
}

#[test]
fn cells_have_the_colour_of_their_value_with_row_zero_at_the_bottom() -> Result<(), PlotError> {
    // 0 at the bottom left, 3 at the top right, and a missing cell at the bottom right.
    let values = [0.0, f64::NAN, 2.0, 3.0];
    let scale = ColorScale::new(ColorMap::Viridis, 0.0, 3.0)?;
    let grid = Grid::new(&values, 2, Extent::new(0.0, 1.0, 0.0, 1.0)?)?;
    let figure = Figure::new("Cells").panel(Heatmap::new(&grid, scale));
    let frame = frame_of_first_image(&figure);
    let picture = Picture::decode(&figure.to_png(2.0)?);
    let middle = |column: f64, row: f64| {
        let (x, y) = (
            frame.x + (column + 0.5) * frame.w / 2.0,
            frame.bottom() - (row + 0.5) * frame.h / 2.0,
        );
        picture.at(2.0 * x, 2.0 * y)
    };
    assert_eq!(
        middle(0.0, 0.0),
        [0x44, 0x01, 0x54],
        "the published dark end of viridis"
    );
    assert_eq!(
        middle(1.0, 1.0),
        [0xfd, 0xe7, 0x25],
        "the published light end of viridis"
    );
    assert_eq!(
        middle(1.0, 0.0),
        [255, 255, 255],
        "a missing cell shows the page"
    );
    let close = |a: [u8; 3], b: [u8; 3]| a.iter().zip(b).all(|(a, b)| a.abs_diff(b) <= 3);
    assert!(
        close(middle(0.0, 1.0), [0x35, 0xb7, 0x79]),
        "viridis at two thirds, from its table: {:?}",
        middle(0.0, 1.0)
    );
    Ok(())
}

#[test]
fn a_shared_scale_gives_equal_values_equal_colours() {
    let (a, b) = ([0.0, 5.0], [5.0, 10.0]);
    let scale = ColorScale::covering(ColorMap::Cividis, &[&a, &b]);
    assert_eq!(scale.bounds(), (0.0, 10.0));
    assert_eq!(scale.color(a[1]), scale.color(b[0]));
    assert_eq!(scale.color(f64::NAN), Color::CLEAR);
}

#[test]
fn lines_are_drawn_where_the_numbers_are() -> Result<(), PlotError> {
    // A level line at half height of a fixed frame, in the first colour of the palette.
    let plot = Lines::new(
        Axis::new("x").range(0.0, 1.0)?,
        Axis::new("y").range(0.0, 1.0)?,
    )
    .size(200.0, 100.0)
    .series(Series::new("half", &[-1.0, 2.0], &[0.5, 0.5])?);
    let figure = Figure::new("").panel(plot);
    let scene = figure.to_scene();
    let window = scene
        .items
        .iter()
        .find_map(|i| {
            if let Item::Clip { rect, .. } = i {
                Some(*rect)
            } else {
                None
            }
        })
        .expect("a frame");
    let picture = Picture::decode(&figure.to_png(4.0)?);
    let at = |fx: f64, fy: f64| {
        picture.at(
            4.0 * (window.x + fx * window.w),
            4.0 * (window.bottom() - fy * window.h),
        )
    };
    assert_eq!(at(0.3, 0.5), [0x00, 0x72, 0xb2]);
    assert_eq!(at(0.3, 0.56), [255, 255, 255]);
    let outside = picture.at(4.0 * (window.x - 2.0), 4.0 * (window.y + window.h / 2.0));
    assert_ne!(outside, [0x00, 0x72, 0xb2], "the line ends at the frame");
    Ok(())
}

#[test]
fn near_terrain_hides_far_terrain() -> Result<(), PlotError> {
    // A high wall along the south; seen from the south at a low angle, the coloured plain behind it must be out of sight.
    let (rows, columns) = (40, 40);
    let values: Vec<f64> = (0..rows * columns)
        .map(|i| if i / columns < 4 { 10.0 } else { 0.0 })
        .collect();
    let grid = Grid::new(&values, columns, Extent::new(0.0, 1.0, 0.0, 1.0)?)?;
    let scale = ColorScale::new(ColorMap::Viridis, 0.0, 10.0)?;
    let dark_pixels = |azimuth: f64| -> Result<usize, PlotError> {
        let view = Surface3d::new(&grid, scale.clone())
            .seen_from(azimuth, 12.0)
            .relief(0.5)
            .without_bar();
        let picture = Picture::decode(&Figure::new("").panel(view).to_png(1.0)?);
        let violet = |p: [u8; 3]| p[2] > p[1].saturating_add(20) && p[0] > p[1].saturating_add(15);
        Ok((0..picture.height)
            .map(|y| {
                (0..picture.width)
                    .filter(|x| violet(picture.at(*x as f64, y as f64)))
                    .count()
            })
            .sum())
    };
    let (south, north) = (dark_pixels(180.0)?, dark_pixels(0.0)?);
    assert!(north > 1000, "from the north the plain is in view: {north}");
    assert!(
        south * 20 < north,
        "from the south the wall hides it: {south} against {north}"
    );
    Ok(())
}

#[test]
fn a_pdf_has_its_words_and_its_objects_where_its_table_says() {
    for (_, figure) in ordinary() {
        assert_pdf(&figure);
    }
}

#[track_caller]
fn assert_pdf(figure: &Figure) {
    let pdf = figure.to_pdf();
    assert!(pdf.starts_with(b"%PDF-1.7") && pdf.ends_with(b"%%EOF\n"));
    let text = String::from_utf8_lossy(&pdf);
    let table = text.rfind("xref\n0 ").unwrap();
    let count: usize = text[table + 7..].lines().next().unwrap().parse().unwrap();
    assert!(count > 5);
    // Offsets count bytes, and the bytes before the table are not all text.
    let bytes = pdf.windows(7).rposition(|w| w == b"xref\n0 ").unwrap();
    let rows: Vec<&str> = text[table..].lines().skip(3).take(count - 1).collect();
    for (i, row) in rows.iter().enumerate() {
        let offset: usize = row[..10].parse().unwrap();
        assert!(offset < bytes);
        let start = format!("{} 0 obj\n", i + 1);
        assert_eq!(&pdf[offset..offset + start.len()], start.as_bytes());
    }
    assert_eq!(pdf, figure.to_pdf());
}

#[test]
fn an_svg_with_text_says_its_words() {
    for (name, figure) in ordinary() {
        let svg = figure.to_svg_with_text();
        roxmltree::Document::parse(&svg).unwrap_or_else(|e| panic!("{name}: {e}"));
        assert!(svg.contains("</text>") && !svg.contains("<use"), "{name}");
    }
}
