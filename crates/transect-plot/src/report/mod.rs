//! Reports: words, tables, figures and warnings on one HTML page that needs nothing else to be read.
//!
//! No network, no fonts to fetch, and no scripts unless a [page](crate::page) with a map puts one in. The page fits a phone and a desk, follows the reader's light or dark setting (figures
//! stay on white), and prints. All text is escaped.

mod illustration;
mod section;
mod table;

pub use illustration::Illustration;
pub use section::Section;
pub use table::{Cell, Table};

use std::fmt::Write;

use crate::PlotError;
use crate::markup::escape;
use crate::page::MapData;

const STYLE: &str = include_str!("style.css");

/// A report with a title, an introduction and sections.
///
/// ```
/// use transect_plot::report::{Cell, Illustration, Section, Table};
/// use transect_plot::{Bars, Figure, Report};
/// let figure = Figure::new("Calibration").panel(Bars::new("PIT", "Density", &[0.0, 0.5, 1.0], &[1.1, 0.9])?);
/// let html = Report::new("Survey of the lake")
///     .intro("An adaptive survey of 80 by 88 metres.")
///     .section(
///         Section::new("Results")
///             .text("The map below is calibrated.")
///             .figure(Illustration::svg(&figure).caption("Figure 1").alt("A flat histogram"))
///             .table(Table::new(["Metric", "Value"]).row([Cell::text("RMSE (m)"), Cell::number("0.21").better()]))
///             .warning("The sonar was silent for 12 s."),
///     )
///     .to_html();
/// assert!(html.starts_with("<!DOCTYPE html>"));
/// # Ok::<(), transect_plot::PlotError>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct Report {
    title: String,
    intro: String,
    warnings: Vec<String>,
    sections: Vec<Section>,
    lead: Option<Lead>,
    footer: String,
}

/// What a page with a map puts before the sections.
#[derive(Debug, Clone)]
pub(crate) struct Lead {
    /// A content security policy.
    pub(crate) policy: &'static str,
    /// Styles of its own.
    pub(crate) style: &'static str,
    /// What stands before the sections.
    pub(crate) html: String,
    /// Scripts, after everything else.
    pub(crate) scripts: String,
}

impl Report {
    /// An empty report.
    pub fn new(title: impl Into<String>) -> Self {
        Report {
            title: title.into(),
            ..Report::default()
        }
    }

    /// Sets the words under the title; an empty line begins a new paragraph.
    pub fn intro(mut self, text: impl Into<String>) -> Self {
        self.intro = text.into();
        self
    }

    /// Adds a warning at the top, for what a reader must know before anything else.
    pub fn warning(mut self, text: impl Into<String>) -> Self {
        self.warnings.push(text.into());
        self
    }

    /// Adds a section after the others.
    pub fn section(mut self, section: Section) -> Self {
        self.sections.push(section);
        self
    }

    /// Puts a map that can be moved, zoomed and asked before the sections.
    ///
    /// # Errors
    /// If a grid has more or fewer values than cells.
    pub fn explorer(mut self, map: &MapData) -> Result<Self, PlotError> {
        self.lead = Some(map.lead()?);
        Ok(self)
    }

    /// Sets the line at the end of the page.
    pub fn footer(mut self, text: impl Into<String>) -> Self {
        self.footer = text.into();
        self
    }

    /// The whole page.
    pub fn to_html(&self) -> String {
        let title = escape(&self.title);
        let mut out = format!(
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <meta name=\"color-scheme\" content=\"light dark\">\n"
        );
        if let Some(Lead { policy, .. }) = &self.lead {
            let _ = writeln!(
                out,
                "<meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">"
            );
        }
        let more = self.lead.as_ref().map_or("", |lead| lead.style);
        let class = if self.lead.is_some() {
            " class=\"wide\""
        } else {
            ""
        };
        let _ = writeln!(
            out,
            "<title>{title}</title>\n<style>\n{STYLE}{more}</style>\n</head>\n<body{class}>"
        );
        let _ = writeln!(out, "<header>\n<h1>{title}</h1>");
        write_paragraphs(&mut out, &self.intro);
        for text in &self.warnings {
            write_warning(&mut out, text);
        }
        out.push_str("</header>\n");
        if self.lead.is_none() {
            self.write_contents(&mut out);
        }
        out.push_str("<main>\n");
        if let Some(lead) = &self.lead {
            out.push_str(&lead.html);
            out.push_str("<div class=\"sections\">\n");
        }
        let mut figures = 0;
        for (i, section) in self.sections.iter().enumerate() {
            section.write(&mut out, i + 1, &mut figures);
        }
        if self.lead.is_some() {
            out.push_str("</div>\n");
        }
        out.push_str("</main>\n");
        if !self.footer.is_empty() {
            let _ = writeln!(out, "<footer>{}</footer>", escape(&self.footer));
        }
        if let Some(lead) = &self.lead {
            out.push_str(&lead.scripts);
        }
        out.push_str("</body>\n</html>\n");
        out
    }

    fn write_contents(&self, out: &mut String) {
        if self.sections.len() < 2 {
            return;
        }
        out.push_str("<nav aria-label=\"Contents\">\n<h2>Contents</h2>\n<ol>\n");
        for (i, section) in self.sections.iter().enumerate() {
            let _ = writeln!(
                out,
                "<li><a href=\"#s{}\">{}</a></li>",
                i + 1,
                escape(section.heading())
            );
        }
        out.push_str("</ol>\n</nav>\n");
    }
}

/// Text as paragraphs, parted at empty lines.
fn write_paragraphs(out: &mut String, text: &str) {
    for paragraph in text.split("\n\n").map(str::trim).filter(|p| !p.is_empty()) {
        let _ = writeln!(out, "<p>{}</p>", escape(paragraph));
    }
}

fn write_warning(out: &mut String, text: &str) {
    let _ = writeln!(
        out,
        "<div class=\"warning\" role=\"note\"><strong>Warning</strong> {}</div>",
        escape(text)
    );
}
