//! The tables in LaTeX, as the paper prints them: one for each strategy, the best kernel of every terrain in bold.

use super::comparison::is_best;
use super::words;
use crate::tables::{Row, TABLE_METRICS};
use std::fmt::Write;

/// The tables of a profile's rows, for `\input`; they need the package booktabs.
pub(super) fn tables(rows: &[Row]) -> String {
    let mut text =
        String::from("% Needs \\usepackage{booktabs}. Means and standard deviations over seeds.\n");
    let all: Vec<&Row> = rows.iter().collect();
    let mut strategies: Vec<&str> = Vec::new();
    for row in rows {
        if !strategies.contains(&&row.cell.strategy[..]) {
            strategies.push(&row.cell.strategy);
        }
    }
    for strategy in strategies {
        let heads = TABLE_METRICS.map(|m| format!(" & {}", words::metric(m)));
        let _ = write!(
            text,
            "\n% {strategy}\n\\begin{{tabular}}{{llrrrrr}}\n\\toprule\nTerrain & Kernel{} \\\\\n",
            heads.concat()
        );
        let mut terrain = "";
        for row in rows.iter().filter(|row| row.cell.strategy == strategy) {
            if row.cell.terrain != terrain {
                terrain = &row.cell.terrain;
                text.push_str("\\midrule\n");
            }
            let _ = write!(
                text,
                "\\texttt{{{}}} & {}",
                escaped(&row.cell.terrain),
                escaped(&words::kernel(&row.cell.kernel))
            );
            for (m, spread) in row.ours.iter().enumerate() {
                let digits = match spread.mean.abs() {
                    v if v >= 10.0 => 1,
                    _ if m == 0 => 3,
                    _ => 2,
                };
                let number = format!("{:.digits$} \\pm {:.digits$}", spread.mean, spread.std);
                let number = match is_best(row, &all, m) {
                    true => format!("\\mathbf{{{number}}}"),
                    false => number,
                };
                let _ = write!(text, " & ${number}$");
            }
            text.push_str(" \\\\\n");
        }
        text.push_str("\\bottomrule\n\\end{tabular}\n");
    }
    text
}

fn escaped(text: &str) -> String {
    text.replace('_', "\\_")
        .replace('&', "\\&")
        .replace('%', "\\%")
}
