//! Functions of one variable: what each kernel makes of them, and the attention learnt on them.

use super::album::Album;
use super::runs::{Run, by_kernel, runs};
use super::words;
use crate::error::{LabError, Result};
use crate::experiment::{
    ATTENTION_FILE, Experiment, LINE_LENGTHSCALES, LINE_TEST, LINE_TRAIN, Profile,
    attention_columns,
};
use crate::results::{Results, Table};
use transect_plot::report::{Illustration, Section};
use transect_plot::{Axis, Figure, Prediction1d, Stacked};

const SIZE: [f64; 2] = [430.0, 190.0];
const ATTENTION_SIZE: [f64; 2] = [620.0, 130.0];

/// Where the step function jumps.
const JUMPS: [f64; 4] = [1.0, 2.0, 3.0, 4.0];

/// Predictions of every kernel, then w(x) and z(x) of those that have them.
pub(super) fn section(
    results: &Results,
    experiment: Experiment,
    profile: Profile,
    album: &mut Album,
) -> Result<Option<Section>> {
    let runs = runs(results, experiment, profile, 1);
    let runs: Vec<_> = runs.iter().collect();
    let kernels = by_kernel(&runs);
    if kernels.is_empty() {
        return Ok(None);
    }
    let (heading, look, attention_look) = words_of(experiment);
    let prefix = format!("{}-{}", profile.name(), experiment.name());
    let mut figure = Figure::new(format!("{heading}: predictions")).columns(2);
    let mut attentive = Vec::new();
    for (kernel, runs) in &kernels {
        let Some(run) = runs.first() else { continue };
        let plot = prediction(run, experiment)?.size(SIZE[0], SIZE[1]);
        figure = figure.panel(plot.title(words::kernel(kernel)));
        if run.folder.join(ATTENTION_FILE).exists() {
            attentive.push((kernel, *run));
        }
    }
    let names: Vec<String> = kernels.iter().map(|(k, _)| words::kernel(k)).collect();
    let alt = format!(
        "{heading}: the function, its samples, and the prediction with its band for {}.",
        words::listed(&names)
    );
    let picture = album.drawing(&prefix, &figure)?.caption(look).alt(alt);
    let mut section = Section::new(words::heading(profile, heading)).figure(picture);
    for (kernel, run) in attentive {
        let name = format!("{prefix}-attention-{kernel}");
        let picture = attention(run, experiment, &name, album)?;
        section = section.figure(picture.caption(attention_look));
    }
    Ok(Some(section))
}

/// Heading, what to see in the predictions, and what in the attention.
fn words_of(experiment: Experiment) -> (&'static str, &'static str, &'static str) {
    match experiment {
        Experiment::Step => (
            "A function with jumps",
            "Bands are two standard deviations. With one length-scale RBF must either wiggle in the smooth parts or smooth over the \
             fast middle one. AK should follow the fast part, the smooth parts and the jumps, with a wide band only where it errs.",
            "The more height a colour takes, the more weight it has there. w should turn to short length-scales (dark) in the fast \
             middle part and to long ones elsewhere; z should switch at the jumps (dashed), which cuts the correlation across them. \
             The kernel has one network for both, so the two plots are alike.",
        ),
        _ => (
            "A function that turns ever faster, x sin(40 x\u{2074})",
            "Bands are two standard deviations. AK should be smooth on the left and still follow the fast oscillations on the right.",
            "The more height a colour takes, the more weight it has there. From left to right w should move from long length-scales \
             (light) to short ones (dark).",
        ),
    }
}

fn prediction(run: &Run, experiment: Experiment) -> Result<Prediction1d> {
    let test = Table::read(&run.folder.join("prediction.csv"), &LINE_TEST)?;
    let train = Table::read(&run.folder.join("train.csv"), &LINE_TRAIN)?;
    let own = own_axis(test.column("x"), experiment);
    let x: Vec<f64> = test.column("x").iter().map(|x| own(*x)).collect();
    let samples: Vec<[f64; 2]> = train
        .column("x")
        .iter()
        .zip(train.column("y"))
        .map(|(x, y)| [own(*x), *y])
        .collect();
    let plot = Prediction1d::new("x", "f(x), standardised")
        .truth(&x, test.column("truth"))?
        .prediction(&x, test.column("mean"), test.column("std"))?
        .samples(&samples);
    Ok(match experiment {
        Experiment::Step => plot.boundaries(&JUMPS),
        _ => plot,
    })
}

/// From the scale of the data set to the function's own axis. Test inputs go from one end of it to the other.
fn own_axis(x: &[f64], experiment: Experiment) -> impl Fn(f64) -> f64 {
    let (low, high) = crate::demo1d::range(match experiment {
        Experiment::Step => "step",
        _ => "sin",
    });
    let least = x.iter().copied().fold(f64::INFINITY, f64::min);
    let most = x.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    move |x| low + (high - low) * (x - least) / (most - least)
}

/// The prediction above w(x) and z(x).
fn attention(
    run: &Run,
    experiment: Experiment,
    name: &str,
    album: &mut Album,
) -> Result<Illustration> {
    let (table, count) = read_attention(run)?;
    let own = own_axis(table.column("x"), experiment);
    let x: Vec<f64> = table.column("x").iter().map(|x| own(*x)).collect();
    let [width, height] = ATTENTION_SIZE;
    let stack = |letter: char, key: &str, label: &dyn Fn(usize) -> String| -> Result<Stacked> {
        let axis = Axis::new(format!("{letter}(x)"));
        let mut plot = Stacked::new("x", axis, &x).key(key).size(width, height);
        for m in 1..=count {
            plot = plot.layer(label(m), table.column(&format!("{letter}{m}")))?;
        }
        Ok(plot)
    };
    let (least, greatest) = LINE_LENGTHSCALES;
    let lengthscale = |m: usize| {
        let share = (m - 1) as f64 / (count.max(2) - 1) as f64;
        format!("{:.3}", least + share * (greatest - least))
    };
    let title = format!("{}: what attention learnt", words::kernel(run.kernel()));
    let figure = Figure::new(title.as_str())
        .columns(1)
        .panel(prediction(run, experiment)?.size(width, 190.0))
        .panel(stack('w', "\u{2113}", &lengthscale)?);
    // Length-scale selection alone knows no parts.
    let (figure, parts) = match run.kernel() {
        "ak-weight" => (figure, String::new()),
        _ => (
            figure.panel(stack('z', "part", &|m| m.to_string())?),
            format!(" and the membership z in {count} parts"),
        ),
    };
    let alt =
        format!("{title}: the prediction, the weights w of {count} length-scales{parts}, along x.");
    Ok(album.drawing(name, &figure)?.alt(alt))
}

/// The attention along x, and of how many length-scales.
fn read_attention(run: &Run) -> Result<(Table, usize)> {
    let path = run.folder.join(ATTENTION_FILE);
    let text = std::fs::read_to_string(&path).map_err(LabError::reading(&path))?;
    let columns = text
        .lines()
        .next()
        .map_or(0, |line| line.split(',').count());
    let count = columns.saturating_sub(1) / 2;
    let names = attention_columns(count);
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    Ok((Table::read(&path, &names)?, count))
}
