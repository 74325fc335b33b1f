//! Planners against a lawnmower in the same time: a table, and the error over boat time.

use super::album::Album;
use crate::error::Result;
use crate::experiment::LAWNMOWER;
use crate::planners::{self, PlannerRow, seconds};
use crate::results::Results;
use transect_plot::report::{Cell, Section, Table};
use transect_plot::{Axis, Figure, Lines, Series, palette};

const SIZE: [f64; 2] = [230.0, 190.0];
/// Panels in a row.
const COLUMNS: usize = 3;

pub(super) fn section(results: &Results, album: &mut Album) -> Result<Option<Section>> {
    let rows = planners::collect(results)?;
    if rows.is_empty() {
        return Ok(None);
    }
    let text = "Every boat has the same time; a model made anew from its soundings is judged against the truth. The last column is how \
        much longer parallel lines at full speed would take for a map of the same SMSE.";
    let section = Section::new("Planners").text(text).table(table(&rows));
    let illustration = album.drawing("planners", &figure(&rows)?)?;
    let caption = "Error of the finished map over the boat's time, one panel per terrain; means over seeds, bands one standard deviation \
        either way. Both axes are logarithmic; lower is better.";
    let alt = "Line plots of SMSE against boat time, one line per planner.";
    Ok(Some(section.figure(illustration.caption(caption).alt(alt))))
}

fn table(rows: &[PlannerRow]) -> Table {
    let head = [
        "Terrain",
        "Time",
        "Planner",
        "Runs",
        "SMSE",
        "MSLL",
        "RMSE",
        "In 95 %",
        "Below lawnmower",
        "Lawnmower needs",
    ];
    rows.iter().fold(Table::new(head), |table, row| {
        let percent = |n: Option<f64>| n.map_or(String::from("\u{2013}"), |n| format!("{n:.1} %"));
        let below = Cell::text(percent(row.below_lawnmower));
        let below = match row.below_lawnmower {
            Some(n) if n > 0.0 => below.better(),
            Some(n) if n < 0.0 => below.worse(),
            _ => below,
        };
        let longer = row.lawnmower_longer;
        table.row([
            Cell::text(&row.terrain),
            Cell::text(&row.time),
            Cell::text(&row.planner),
            Cell::text(row.runs.to_string()),
            Cell::text(format!("{:.4}", row.smse)),
            Cell::text(format!("{:.3}", row.msll)),
            Cell::text(format!("{:.3}", row.rmse)),
            Cell::text(format!("{:.1} %", 100.0 * row.coverage_95)),
            below,
            Cell::text(longer.map_or(String::from("\u{2013}"), |n| format!("{n:+.1} % time"))),
        ])
    })
}

fn figure(rows: &[PlannerRow]) -> Result<Figure> {
    let mut names: Vec<&str> = rows.iter().map(|row| &row.planner[..]).collect();
    names.sort_unstable_by_key(|name| (*name == LAWNMOWER, *name));
    names.dedup();
    let mut terrains: Vec<&str> = rows.iter().map(|row| &row.terrain[..]).collect();
    terrains.dedup();
    let mut figure =
        Figure::new("Planners: error over boat time").columns(COLUMNS.min(terrains.len()));
    for terrain in terrains {
        let mut lines = Lines::new("Boat time [s]", Axis::new("SMSE").log()).size(SIZE[0], SIZE[1]);
        lines = lines.title(terrain);
        for (place, name) in names.iter().enumerate() {
            let mut points: Vec<(f64, f64, f64)> = (rows.iter())
                .filter(|row| row.terrain == terrain && row.planner == *name)
                .filter_map(|row| Some((seconds(&row.time)?, row.smse, row.smse_std)))
                .collect();
            points.sort_by(|a, b| a.0.total_cmp(&b.0));
            if points.is_empty() {
                continue;
            }
            let column =
                |pick: fn(&(f64, f64, f64)) -> f64| points.iter().map(pick).collect::<Vec<f64>>();
            let line = Series::new(*name, &column(|p| p.0), &column(|p| p.1))?;
            lines = lines.series(
                line.style(palette::series(place))
                    .spread(&column(|p| p.2))?,
            );
        }
        figure = figure.panel(lines);
    }
    Ok(figure)
}
