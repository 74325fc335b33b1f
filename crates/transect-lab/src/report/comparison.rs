//! The paper's tables: ours beside theirs, and how far apart.

use super::words;
use crate::experiment::Profile;
use crate::tables::{Cell as Entry, FULL_SAMPLES, Row, Spread, TABLE_METRICS, cut_short, paper};
use transect_plot::report::{Cell, Table};

/// Beyond this many of the paper's standard deviations a number is marked.
const MARKED: f64 = 2.0;
/// Seeds of a row in the paper.
const FULL_SEEDS: usize = 10;

/// What the tables of a strategy hold.
pub(super) const LEGEND: &str = "An entry is a metric's mean over the soundings of a run, then mean \u{b1} standard deviation over seeds. Beside it \
    stand the paper's and the difference in the paper's standard deviations (\u{3c3}); differences beyond two are marked. Less is \
    better in every column; the best kernel is bold.";

/// The metrics that share a table, by their place in [`TABLE_METRICS`]: all five would not fit a page.
const SHARED: [&[usize]; 2] = [&[0, 1], &[2, 3, 4]];

/// A strategy's tables.
pub(super) fn tables(rows: &[&Row]) -> Vec<Table> {
    let table = |metrics: &[usize]| {
        let columns = metrics.iter().flat_map(|m| {
            let name = words::metric(TABLE_METRICS[*m]);
            [name, "paper".into(), "apart".into()]
        });
        let header = ["Terrain", "Kernel", "Seeds"].map(String::from);
        let table = Table::new(header.into_iter().chain(columns));
        rows.iter()
            .fold(table, |table, row| table.row(cells(row, rows, metrics)))
    };
    SHARED.iter().map(|metrics| table(metrics)).collect()
}

fn cells(row: &Row, rows: &[&Row], metrics: &[usize]) -> Vec<Cell> {
    let mut cells = vec![
        Cell::text(row.cell.terrain.as_str()),
        Cell::text(words::kernel(&row.cell.kernel)),
        Cell::number(row.seeds.to_string()),
    ];
    for &m in metrics {
        let spread = |s: Spread| {
            let digits = match s.mean.abs() {
                v if v >= 10.0 => 1,
                _ if m == 0 => 3,
                _ => 2,
            };
            let [mean, std] = [s.mean, s.std].map(|v| words::number(v, digits));
            format!("{mean} \u{b1} {std}")
        };
        let ours = Cell::number(spread(row.ours[m]));
        cells.push(if is_best(row, rows, m) {
            ours.strong()
        } else {
            ours
        });
        match (row.paper, row.apart(m)) {
            (Some(paper), Some(apart)) => {
                cells.push(Cell::number(spread(paper[m])));
                let cell = Cell::number(format!("{} \u{3c3}", words::signed(apart, 1)));
                cells.push(match apart {
                    a if a > MARKED => cell.worse(),
                    a if a < -MARKED => cell.better(),
                    _ => cell,
                });
            }
            _ => cells.extend([Cell::number("\u{2013}"), Cell::number("\u{2013}")]),
        }
    }
    cells
}

/// Whether no other kernel is better on the same terrain under the same strategy.
pub(super) fn is_best(row: &Row, rows: &[&Row], metric: usize) -> bool {
    let rivals = rows.iter().filter(|other| {
        other.cell.terrain == row.cell.terrain && other.cell.strategy == row.cell.strategy
    });
    let mut rivals = rivals
        .filter(|other| other.cell.kernel != row.cell.kernel)
        .peekable();
    rivals.peek().is_some() && rivals.all(|other| row.ours[metric].mean <= other.ours[metric].mean)
}

/// How many numbers agree with the paper's; nothing if none is in it.
pub(super) fn agreement(rows: &[Row]) -> Option<String> {
    let apart: Vec<f64> = rows
        .iter()
        .flat_map(|row| (0..TABLE_METRICS.len()).filter_map(|m| row.apart(m)))
        .collect();
    let within = apart.iter().filter(|a| a.abs() <= MARKED).count();
    (!apart.is_empty()).then(|| {
        format!(
            "{within} of {} numbers lie within two of the paper's standard deviations.",
            apart.len()
        )
    })
}

/// What our defaults gain over the paper's best kernel.
pub(super) fn gains(rows: &[&Row]) -> Option<Table> {
    let paper = paper();
    let mut table = Table::new(["Terrain", "Kernel", "SMSE", "paper's AK", "gain", "MSLL", "paper's AK", "difference"])
        .caption("Our defaults against the paper's attentive kernel: how much less error, in per cent, and the difference in MSLL.");
    let mut any = false;
    for row in rows.iter().filter(|row| row.samples >= FULL_SAMPLES) {
        let best = Entry {
            kernel: "ak".into(),
            ..row.cell.clone()
        };
        let Some(best) = paper.get(&best) else {
            continue;
        };
        any = true;
        let gain = 100.0 * (1.0 - row.ours[0].mean / best[0].mean);
        let difference = row.ours[1].mean - best[1].mean;
        let marked = |cell: Cell, better: bool| if better { cell.better() } else { cell.worse() };
        table = table.row([
            Cell::text(row.cell.terrain.as_str()),
            Cell::text(words::kernel(&row.cell.kernel)),
            Cell::number(words::number(row.ours[0].mean, 3)),
            Cell::number(words::number(best[0].mean, 3)),
            marked(
                Cell::number(format!("{} %", words::signed(gain, 1))),
                gain > 0.0,
            ),
            Cell::number(words::number(row.ours[1].mean, 2)),
            Cell::number(words::number(best[1].mean, 2)),
            marked(Cell::number(words::signed(difference, 2)), difference < 0.0),
        ]);
    }
    any.then_some(table)
}

/// What makes a comparison unfair, if anything does.
pub(super) fn reservation(rows: &[&Row], profile: Profile) -> Option<String> {
    let owned: Vec<Row> = rows.iter().map(|row| (*row).clone()).collect();
    let compared = rows.iter().filter(|row| row.paper.is_some());
    let seeds = compared.map(|row| row.seeds).min();
    let mut reasons = Vec::new();
    if let Some(samples) = cut_short(&owned) {
        reasons.push(format!(
            "runs that stop at {samples} samples have no number of the paper beside them, which is an average along {FULL_SAMPLES}"
        ));
    }
    if let Some(seeds) = seeds.filter(|n| *n < FULL_SEEDS && profile == Profile::Paper) {
        reasons.push(format!(
            "some rows have {seeds} of the paper's {FULL_SEEDS} seeds"
        ));
    }
    (!reasons.is_empty()).then(|| format!("Not a full comparison: {}.", reasons.join("; ")))
}
