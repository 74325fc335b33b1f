//! Draws one figure of every kind from formulas, and a report of them all.
//!
//! `cargo run -p transect-plot --example gallery -- [DIR]` writes `DIR/*.svg`, `DIR/*.png` and `DIR/report.html`
//! (`DIR` is `gallery` if not given).

use std::error::Error;
use std::path::PathBuf;

use transect_plot::report::{Cell, Illustration, Section, Table};
use transect_plot::{
    Axis, Bars, ColorBar, ColorMap, ColorScale, DotSeries, Dots, Extent, Figure, Grid, Heatmap,
    Lines, PlotError, Prediction1d, Report, Series, Stacked, Surface3d, palette,
};

const SIDE: usize = 120;

fn main() -> Result<(), Box<dyn Error>> {
    let dir = PathBuf::from(std::env::args().nth(1).unwrap_or_else(|| "gallery".into()));
    std::fs::create_dir_all(&dir)?;
    let figures = [
        (
            "maps",
            maps()?,
            "A survey: one colour scale for truth and prediction, missing cells left blank.",
        ),
        (
            "snapshots",
            snapshots()?,
            "Two models: each column has one scale at its foot.",
        ),
        ("surface", surface()?, "Terrain in perspective."),
        (
            "curves",
            curves()?,
            "Mean and standard deviation over seeds.",
        ),
        (
            "overfit",
            overfit()?,
            "Training and test error after every step.",
        ),
        (
            "step",
            step()?,
            "A function of one variable, and the weights of ten length-scales.",
        ),
        (
            "sensitivity",
            sensitivity()?,
            "Error against a parameter and for variants of the model.",
        ),
        (
            "calibration",
            calibration()?,
            "The probability integral transform of a calibrated and an overconfident model.",
        ),
    ];
    let mut section = Section::new("Figures").text("Every kind of figure, drawn from formulas.");
    for (name, figure, caption) in &figures {
        std::fs::write(dir.join(format!("{name}.svg")), figure.to_svg())?;
        std::fs::write(dir.join(format!("{name}.png")), figure.to_png(2.0)?)?;
        section = section.figure(
            Illustration::svg(figure)
                .caption(*caption)
                .alt(figure.title()),
        );
    }
    let small = Illustration::png(&figures[7].1, 2.0)?
        .caption("The last figure again, as pixels.")
        .alt("Two histograms");
    let report = Report::new("Gallery")
        .intro("What this crate can draw.")
        .warning("All numbers are made up.")
        .section(section.figure(small))
        .section(
            Section::new("Tables")
                .text("Ours beside the paper's; colours and signs mark what is better or worse.")
                .table(results())
                .code("[mission]\nkernel = \"ak\"      # settings are shown as they are\nsamples = 700\n")
                .warning("These numbers come from a formula, not from an experiment."),
        );
    std::fs::write(dir.join("report.html"), report.to_html())?;
    println!("{}", dir.join("report.html").display());
    Ok(())
}

/// A hill with a crater beside a plain with ripples.
fn height(x: f64, y: f64) -> f64 {
    let r = ((x - 0.35).powi(2) + (y - 0.6).powi(2)).sqrt();
    let cone = 900.0 * (-(r / 0.22).powi(2)).exp() - 520.0 * (-(r / 0.07).powi(2)).exp();
    let ripples = 45.0 * (25.0 * x + 6.0 * y).sin() * (18.0 * y - 4.0 * x).cos() * (0.2 + x);
    let ridge = 260.0 * (-((x - 0.8 + 0.25 * (4.0 * y).sin()) / 0.07).powi(2)).exp();
    1200.0 + cone + ripples + ridge
}

fn on_grid(f: impl Fn(f64, f64) -> f64) -> Vec<f64> {
    let at = |i: usize| (i as f64 + 0.5) / SIDE as f64;
    (0..SIDE * SIDE)
        .map(|i| f(at(i % SIDE), at(i / SIDE)))
        .collect()
}

/// Evenly spread but irregular numbers in [0, 1), the same every time.
fn scatter(i: usize, base: usize) -> f64 {
    let (mut n, mut f, mut r) = (i + 1, 1.0, 0.0);
    while n > 0 {
        f /= base as f64;
        r += f * (n % base) as f64;
        n /= base;
    }
    r
}

fn metres() -> Result<Extent, PlotError> {
    Extent::new(0.0, 3000.0, 0.0, 3000.0)
}

fn map_axes(map: Heatmap) -> Heatmap {
    map.axes(
        Axis::new("Easting").unit("m"),
        Axis::new("Northing").unit("m"),
    )
}

/// A path of the sea-horse kind from corner to corner, its control points, and samples on it.
fn survey() -> (Vec<[f64; 2]>, Vec<[f64; 2]>) {
    let control: Vec<[f64; 2]> = (0..8)
        .map(|i| {
            [
                200.0 + 370.0 * i as f64,
                if i % 2 == 0 { 350.0 } else { 2600.0 },
            ]
        })
        .collect();
    let path = (0..=210)
        .map(|k| {
            let s = k as f64 / 30.0;
            let i = (s as usize).min(6);
            let t = s - i as f64;
            let ease = t * t * (3.0 - 2.0 * t);
            [
                control[i][0] + 370.0 * t,
                control[i][1] + (control[i + 1][1] - control[i][1]) * ease,
            ]
        })
        .collect();
    (path, control)
}

fn guess(x: f64, y: f64) -> f64 {
    height(x, y) + 60.0 * (11.0 * x).sin() * (9.0 * y).cos()
}

fn maps() -> Result<Figure, PlotError> {
    let lake = |x: f64, y: f64| ((x - 0.85) / 0.1).powi(2) + ((y - 0.15) / 0.1).powi(2) < 1.0;
    let truth = on_grid(|x, y| if lake(x, y) { f64::NAN } else { height(x, y) });
    let mean = on_grid(guess);
    let std = on_grid(|x, y| 12.0 + 60.0 * ((8.0 * x).sin() * (7.0 * y).sin()).powi(2));
    let error: Vec<f64> = mean.iter().zip(&truth).map(|(m, t)| m - t).collect();
    let elevation =
        ColorScale::covering(ColorMap::Terrain, &[&truth, &mean]).label("Elevation", "m");
    let spread = ColorScale::covering(ColorMap::Cividis, &[&std]).label("Standard deviation", "m");
    let signed =
        ColorScale::symmetric(ColorMap::Diverging, &[&error]).label("Prediction − truth", "m");
    let (path, control) = survey();
    let samples: Vec<[f64; 2]> = path.iter().step_by(6).copied().collect();
    let fence = [
        [100.0, 100.0],
        [2900.0, 100.0],
        [2900.0, 2900.0],
        [1200.0, 2900.0],
        [100.0, 2300.0],
    ];
    let grid = |values: &[f64]| Grid::new(values, SIDE, metres()?);
    Ok(Figure::new("A survey and what it found")
        .columns(2)
        .panel(
            map_axes(Heatmap::new(&grid(&truth)?, elevation.clone()))
                .title("Truth")
                .control_points(&control)
                .fence(&fence),
        )
        .panel(
            map_axes(Heatmap::new(&grid(&mean)?, elevation))
                .title("Prediction")
                .path(&path)
                .samples(&samples),
        )
        .panel(
            map_axes(Heatmap::new(&grid(&std)?, spread))
                .title("Uncertainty")
                .samples(&samples),
        )
        .panel(map_axes(Heatmap::new(&grid(&error)?, signed)).title("Error")))
}

fn snapshots() -> Result<Figure, PlotError> {
    let truth = on_grid(height);
    let models = [("RBF", 1.0), ("AK", 0.35)];
    let means: Vec<Vec<f64>> = models
        .iter()
        .map(|(_, s)| on_grid(|x, y| height(x, y) + s * 80.0 * (30.0 * x).sin() * (25.0 * y).cos()))
        .collect();
    let stds: Vec<Vec<f64>> = models
        .iter()
        .map(|(_, s)| on_grid(|x, y| 15.0 + s * 70.0 * (x * y) + 10.0 * (9.0 * x).sin().abs()))
        .collect();
    let errors: Vec<Vec<f64>> = means
        .iter()
        .map(|m| m.iter().zip(&truth).map(|(m, t)| (m - t).abs()).collect())
        .collect();
    let scale = |map, layers: &[Vec<f64>], label: &str| {
        let slices: Vec<&[f64]> = layers.iter().map(Vec::as_slice).collect();
        ColorScale::covering(map, &slices).label(label, "m")
    };
    let elevation = scale(ColorMap::Terrain, &means, "Elevation");
    let spread = scale(ColorMap::Cividis, &stds, "Standard deviation");
    let wrong = scale(ColorMap::Viridis, &errors, "Absolute error");
    let samples: Vec<[f64; 2]> = (0..700)
        .map(|i| [3000.0 * scatter(i, 2), 3000.0 * scatter(i, 3)])
        .collect();
    let mut figure = Figure::new("Snapshots after 700 samples")
        .columns(3)
        .row_labels(models.map(|m| m.0));
    for k in 0..models.len() {
        let map = |values: &[f64], scale: &ColorScale| -> Result<Heatmap, PlotError> {
            Ok(
                Heatmap::new(&Grid::new(values, SIDE, metres()?)?, scale.clone())
                    .width(210.0)
                    .without_bar(),
            )
        };
        let title = |text: &'static str| if k == 0 { text } else { "" };
        figure = figure
            .panel(
                map(&means[k], &elevation)?
                    .title(title("Prediction"))
                    .samples(&samples),
            )
            .panel(map(&stds[k], &spread)?.title(title("Uncertainty")))
            .panel(map(&errors[k], &wrong)?.title(title("Error")));
    }
    let bars = [elevation, spread, wrong].map(ColorBar::horizontal);
    Ok(bars.into_iter().fold(figure, Figure::panel))
}

fn surface() -> Result<Figure, PlotError> {
    let truth = on_grid(height);
    let grid = Grid::new(&truth, SIDE, metres()?)?;
    let scale = ColorScale::covering(ColorMap::Terrain, &[&truth]).label("Elevation", "m");
    let samples: Vec<[f64; 2]> = (0..120)
        .map(|i| [3000.0 * scatter(i, 2), 3000.0 * scatter(i, 3)])
        .collect();
    let axes = |view: Surface3d| {
        view.axes(
            Axis::new("Easting").unit("m"),
            Axis::new("Northing").unit("m"),
        )
    };
    Ok(Figure::new("A volcano that is not there")
        .panel(
            axes(Surface3d::new(&grid, scale.clone()))
                .title("From the south-west")
                .without_bar(),
        )
        .panel(
            axes(Surface3d::new(&grid, scale))
                .title("From the east, with samples")
                .seen_from(110.0, 45.0)
                .relief(0.3)
                .samples(&samples),
        ))
}

const KERNELS: [(&str, f64); 4] = [("RBF", 0.34), ("AK", 0.12), ("Gibbs", 0.22), ("DKL", 0.27)];

fn curves() -> Result<Figure, PlotError> {
    let x: Vec<f64> = (1..=35).map(|i| 20.0 * f64::from(i)).collect();
    let mut smse = Lines::new("Samples", Axis::new("SMSE").log()).title("N17E073");
    let mut msll = Lines::new("Samples", "MSLL").title("N17E073");
    for (k, (name, floor)) in KERNELS.iter().enumerate() {
        let y: Vec<f64> = x
            .iter()
            .map(|n| floor * 0.3 + (1.0 - floor * 0.3) * (-n / (90.0 + 300.0 * floor)).exp())
            .collect();
        let s: Vec<f64> = y.iter().map(|v| 0.15 * v).collect();
        let l: Vec<f64> = y.iter().map(|v| 0.45 * v.ln()).collect();
        let t: Vec<f64> = x.iter().map(|n| 0.3 * (-n / 250.0).exp() + 0.04).collect();
        smse = smse.series(
            Series::new(*name, &x, &y)?
                .spread(&s)?
                .style(palette::series(k)),
        );
        msll = msll.series(
            Series::new(*name, &x, &l)?
                .spread(&t)?
                .style(palette::series(k)),
        );
    }
    Ok(Figure::new("Random sampling: metrics against samples")
        .panel(smse)
        .panel(msll))
}

fn overfit() -> Result<Figure, PlotError> {
    let x: Vec<f64> = (0..=2000).map(f64::from).collect();
    let line = |rate: f64, rise: f64| -> Vec<f64> {
        x.iter()
            .map(|s| 0.05 + 0.9 * (-s / rate).exp() + rise * s / 2000.0 + 0.0004 * (s * 0.7).sin())
            .collect()
    };
    let style = |k: usize, dash: &'static [f64]| palette::SeriesStyle {
        dash,
        ..palette::series(k)
    };
    let plot = Lines::new("Training step", Axis::new("SMSE").log())
        .title("Volcano")
        .size(420.0, 240.0)
        .series(Series::new("AK, train", &x, &line(150.0, -0.035))?.style(style(1, &[2.0, 2.0])))
        .series(Series::new("AK, test", &x, &line(160.0, 0.01))?.style(style(1, &[])))
        .series(Series::new("DKL, train", &x, &line(90.0, -0.042))?.style(style(3, &[2.0, 2.0])))
        .series(Series::new("DKL, test", &x, &line(110.0, 0.25))?.style(style(3, &[])));
    Ok(Figure::new("Over-fitting").panel(plot))
}

fn step() -> Result<Figure, PlotError> {
    let f = |x: f64| match x {
        x if !(1.0..4.0).contains(&x) => (10.0 * x).sin() - 4.0,
        x if !(2.0..3.0).contains(&x) => (10.0 * x).sin() + 4.0,
        x => 3.0 * (40.0 * x).sin() - 4.0,
    };
    let x: Vec<f64> = (0..=600).map(|i| 5.0 * f64::from(i) / 600.0).collect();
    let truth: Vec<f64> = x.iter().map(|x| f(*x)).collect();
    let mean: Vec<f64> = x.iter().map(|x| f(*x) + 0.25 * (7.0 * x).cos()).collect();
    let std: Vec<f64> = x
        .iter()
        .map(|x| 0.25 + 0.5 * (-((x - 2.5) / 0.4).powi(2)).exp())
        .collect();
    let samples: Vec<[f64; 2]> = (0..140)
        .map(|i| 5.0 * scatter(i, 2))
        .map(|x| [x, f(x)])
        .collect();
    let bump = |x: f64, m: usize| {
        (-((m as f64 - 9.0 * (-((x - 2.5) / 0.9).powi(2)).exp()) / 1.6).powi(2)).exp() + 1e-3
    };
    let mut weights = Stacked::new("x", "w(x)", &x).key("ℓ");
    for m in 0..10 {
        let total = |x: f64| (0..10).map(|m| bump(x, m)).sum::<f64>();
        let w: Vec<f64> = x.iter().map(|x| bump(*x, m) / total(*x)).collect();
        weights = weights.layer(format!("{:.3}", 0.01 + 0.1 * m as f64 / 9.0), &w)?;
    }
    let plot = Prediction1d::new("x", "f(x)")
        .truth(&x, &truth)?
        .prediction(&x, &mean, &std)?
        .samples(&samples)
        .boundaries(&[1.0, 2.0, 3.0, 4.0]);
    Ok(Figure::new("The step function")
        .columns(1)
        .panel(plot)
        .panel(weights))
}

const TERRAINS: [(&str, f64); 4] = [
    ("N17E073", 0.11),
    ("N43W080", 0.2),
    ("N45W123", 0.15),
    ("N47W124", 0.24),
];

fn sensitivity() -> Result<Figure, PlotError> {
    let m = [2.0, 3.0, 5.0, 7.0, 11.0, 17.0];
    let variant = [0.0, 1.0, 2.0, 3.0];
    let mut sweep = Dots::new("Number of base kernels M", "SMSE").title("Sensitivity");
    let mut ablation =
        Dots::new(Axis::names("", ["full", "weight", "mask", "nnx2"]), "SMSE").title("Ablation");
    for (i, (name, level)) in TERRAINS.iter().enumerate() {
        let y: Vec<f64> = m.iter().map(|m| level * (1.0 + 0.5 / m)).collect();
        let e: Vec<f64> = m.iter().map(|m| level * (0.04 + 0.1 / m)).collect();
        let z: Vec<f64> = variant
            .iter()
            .map(|v| level * (1.0 + 0.1 * ((v + i as f64) * 1.7).sin().abs()))
            .collect();
        sweep = sweep.series(DotSeries::new(*name, &m, &y, &e)?);
        ablation = ablation.series(DotSeries::new(*name, &variant, &z, &[0.06 * level; 4])?);
    }
    Ok(Figure::new("What the choices matter")
        .panel(sweep)
        .panel(ablation))
}

fn calibration() -> Result<Figure, PlotError> {
    let edges: Vec<f64> = (0..=20).map(|i| f64::from(i) / 20.0).collect();
    let histogram = |title: &str, f: &dyn Fn(f64) -> f64| -> Result<Bars, PlotError> {
        let heights: Vec<f64> = edges[1..].iter().map(|e| f(e - 0.025)).collect();
        let x = Axis::new("Probability integral transform").range(0.0, 1.0)?;
        Ok(Bars::new(x, "Density", &edges, &heights)?
            .title(title)
            .reference(1.0, "Perfectly calibrated"))
    };
    Ok(Figure::new("Calibration")
        .panel(histogram("AK", &|p| 1.0 + 0.12 * (31.0 * p).sin())?)
        .panel(histogram("Too sure of itself", &|p| {
            0.5 + 6.0 * (p - 0.5).powi(2) + 0.08 * (40.0 * p).sin()
        })?))
}

fn results() -> Table {
    TERRAINS.iter().enumerate().fold(
        Table::new([
            "Terrain",
            "Kernel",
            "SMSE (ours)",
            "SMSE (paper)",
            "MSLL (ours)",
            "MSLL (paper)",
            "Difference",
        ]),
        |table, (i, (name, level))| {
            let ours = format!("{level:.3} ± 0.010");
            let gap = i as f64 - 1.5;
            let mark = if gap < 0.0 {
                Cell::number(format!("{gap:+.1} σ").replace('-', "−")).better()
            } else {
                Cell::number(format!("{gap:+.1} σ").replace('-', "−")).worse()
            };
            let paper = format!("{:.3} ± 0.012", level + 0.008);
            table.row([
                Cell::text(*name),
                Cell::text("AK"),
                Cell::number(ours),
                Cell::number(paper),
                Cell::number("−1.21"),
                Cell::number("−1.17"),
                mark,
            ])
        },
    )
}
