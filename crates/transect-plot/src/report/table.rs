//! Tables of a report.

use std::fmt::Write;

use crate::markup::escape;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Emphasis {
    None,
    Strong,
    Better,
    Worse,
}

/// One cell of a table.
#[derive(Debug, Clone)]
pub struct Cell {
    text: String,
    number: bool,
    emphasis: Emphasis,
}

impl Cell {
    /// Words, set to the left.
    pub fn text(text: impl Into<String>) -> Self {
        Cell {
            text: text.into(),
            number: false,
            emphasis: Emphasis::None,
        }
    }

    /// A number, set to the right with digits of equal width.
    pub fn number(text: impl Into<String>) -> Self {
        Cell {
            number: true,
            ..Cell::text(text)
        }
    }

    /// Makes the cell stand out.
    pub fn strong(mut self) -> Self {
        self.emphasis = Emphasis::Strong;
        self
    }

    /// Marks the cell as better than what it is compared with, by colour and by a sign.
    pub fn better(mut self) -> Self {
        self.emphasis = Emphasis::Better;
        self
    }

    /// Marks the cell as worse than what it is compared with, by colour and by a sign.
    pub fn worse(mut self) -> Self {
        self.emphasis = Emphasis::Worse;
        self
    }

    fn classes(&self) -> String {
        let emphasis = match self.emphasis {
            Emphasis::None => None,
            Emphasis::Strong => Some("strong"),
            Emphasis::Better => Some("better"),
            Emphasis::Worse => Some("worse"),
        };
        let classes: Vec<&str> = self
            .number
            .then_some("number")
            .into_iter()
            .chain(emphasis)
            .collect();
        if classes.is_empty() {
            String::new()
        } else {
            format!(" class=\"{}\"", classes.join(" "))
        }
    }

    /// What the colour says, for those who do not see it.
    fn spoken(&self) -> &'static str {
        match self.emphasis {
            Emphasis::Better => "<span class=\"spoken\"> (better)</span>",
            Emphasis::Worse => "<span class=\"spoken\"> (worse)</span>",
            Emphasis::None | Emphasis::Strong => "",
        }
    }
}

/// A table with a header. Too short rows are filled up with empty cells; a wide table scrolls inside its box.
///
/// ```
/// use transect_plot::report::{Cell, Table};
/// let table = Table::new(["Kernel", "SMSE"])
///     .caption("Random sampling")
///     .row([Cell::text("RBF"), Cell::number("0.18")])
///     .row([Cell::text("AK"), Cell::number("0.11").better()]);
/// # let _ = table;
/// ```
#[derive(Debug, Clone)]
pub struct Table {
    caption: String,
    header: Vec<String>,
    rows: Vec<Vec<Cell>>,
}

impl Table {
    /// An empty table with the given column names.
    pub fn new<S: Into<String>>(header: impl IntoIterator<Item = S>) -> Self {
        Table {
            caption: String::new(),
            header: header.into_iter().map(Into::into).collect(),
            rows: Vec::new(),
        }
    }

    /// Sets the caption.
    pub fn caption(mut self, caption: impl Into<String>) -> Self {
        self.caption = caption.into();
        self
    }

    /// Adds a row; its first cell names it.
    pub fn row(mut self, cells: impl IntoIterator<Item = Cell>) -> Self {
        self.rows.push(cells.into_iter().collect());
        self
    }

    pub(super) fn write(&self, out: &mut String) {
        let columns = self
            .rows
            .iter()
            .map(Vec::len)
            .fold(self.header.len(), usize::max);
        out.push_str("<div class=\"table\" tabindex=\"0\">\n<table>\n");
        if !self.caption.is_empty() {
            let _ = writeln!(out, "<caption>{}</caption>", escape(&self.caption));
        }
        out.push_str("<thead><tr>");
        for c in 0..columns {
            // A heading stands over its numbers.
            let number = self
                .rows
                .iter()
                .any(|r| r.get(c).is_some_and(|cell| cell.number));
            let class = if number { " class=\"number\"" } else { "" };
            let _ = match self.header.get(c).map_or("", String::as_str) {
                // The corner heads nothing.
                "" => write!(out, "<td></td>"),
                name => write!(out, "<th scope=\"col\"{class}>{}</th>", escape(name)),
            };
        }
        out.push_str("</tr></thead>\n<tbody>\n");
        for row in &self.rows {
            out.push_str("<tr>");
            for c in 0..columns {
                let tag = if c == 0 { "th scope=\"row\"" } else { "td" };
                let end = if c == 0 { "th" } else { "td" };
                match row.get(c) {
                    Some(cell) => {
                        let _ = write!(
                            out,
                            "<{tag}{}>{}{}</{end}>",
                            cell.classes(),
                            escape(&cell.text),
                            cell.spoken()
                        );
                    }
                    None => {
                        let _ = write!(out, "<{tag}></{end}>");
                    }
                }
            }
            out.push_str("</tr>\n");
        }
        out.push_str("</tbody>\n</table>\n</div>\n");
    }
}
