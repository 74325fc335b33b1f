//! Sections of a report.

use std::fmt::Write;

use super::{Illustration, Table, write_paragraphs, write_warning};
use crate::markup::{escape, percent_encoded};

/// A file or page, and what is there.
#[derive(Debug, Clone)]
struct Link {
    to: String,
    what: String,
}

#[derive(Debug, Clone)]
enum Block {
    Text(String),
    Code(String),
    Folded(String, String),
    Links(Vec<Link>),
    Warning(String),
    Table(Table),
    Figure(Illustration),
    Gallery(Vec<Illustration>),
}

/// A heading and what stands under it, in the order it was added.
#[derive(Debug, Clone)]
pub struct Section {
    heading: String,
    blocks: Vec<Block>,
}

impl Section {
    /// An empty section.
    pub fn new(heading: impl Into<String>) -> Self {
        Section {
            heading: heading.into(),
            blocks: Vec::new(),
        }
    }

    /// Adds text; an empty line begins a new paragraph.
    pub fn text(self, text: impl Into<String>) -> Self {
        self.with(Block::Text(text.into()))
    }

    /// Adds text shown as it is, line by line, such as settings.
    pub fn code(self, text: impl Into<String>) -> Self {
        self.with(Block::Code(text.into()))
    }

    /// Adds text shown as it is, folded away under `title` until somebody wants to read it.
    pub fn folded(self, title: impl Into<String>, text: impl Into<String>) -> Self {
        self.with(Block::Folded(title.into(), text.into()))
    }

    /// Adds links to files beside the report, each with words about it.
    pub fn links<T: Into<String>, W: Into<String>>(
        self,
        links: impl IntoIterator<Item = (T, W)>,
    ) -> Self {
        let links = links.into_iter().map(|(to, what)| Link {
            to: to.into(),
            what: what.into(),
        });
        self.with(Block::Links(links.collect()))
    }

    /// Adds a box that cannot be overlooked.
    pub fn warning(self, text: impl Into<String>) -> Self {
        self.with(Block::Warning(text.into()))
    }

    /// Adds a table.
    pub fn table(self, table: Table) -> Self {
        self.with(Block::Table(table))
    }

    /// Adds a figure.
    pub fn figure(self, figure: Illustration) -> Self {
        self.with(Block::Figure(figure))
    }

    /// Figures side by side: as many in a row as the reader's screen has room for.
    pub fn gallery(self, figures: Vec<Illustration>) -> Self {
        self.with(Block::Gallery(figures))
    }

    fn with(mut self, block: Block) -> Self {
        self.blocks.push(block);
        self
    }

    pub(super) fn heading(&self) -> &str {
        &self.heading
    }

    /// Writes the section; `figures` counts all figures of the report, so that their ids differ.
    pub(super) fn write(&self, out: &mut String, number: usize, figures: &mut usize) {
        let _ = writeln!(
            out,
            "<section id=\"s{number}\">\n<h2>{}</h2>",
            escape(&self.heading)
        );
        for block in &self.blocks {
            match block {
                Block::Text(text) => write_paragraphs(out, text),
                Block::Code(text) => {
                    let _ = writeln!(out, "<pre tabindex=\"0\">{}</pre>", escape(text));
                }
                Block::Folded(title, text) => {
                    let (title, text) = (escape(title), escape(text));
                    let _ = writeln!(
                        out,
                        "<details><summary>{title}</summary>\n<pre tabindex=\"0\">{text}</pre></details>"
                    );
                }
                Block::Links(links) => {
                    out.push_str("<ul class=\"files\">\n");
                    for Link { to, what } in links {
                        let (name, what) = (escape(to), escape(what));
                        // A path, not an address: `a:b.csv` is the name of a file.
                        let path = escape(&percent_encoded(to));
                        let _ = writeln!(out, "<li><a href=\"./{path}\">{name}</a> {what}</li>");
                    }
                    out.push_str("</ul>\n");
                }
                Block::Warning(text) => write_warning(out, text),
                Block::Table(table) => table.write(out),
                Block::Figure(figure) => {
                    *figures += 1;
                    figure.write(out, *figures);
                }
                Block::Gallery(gallery) => {
                    out.push_str("<div class=\"gallery\">\n");
                    for figure in gallery {
                        *figures += 1;
                        figure.write(out, *figures);
                    }
                    out.push_str("</div>\n");
                }
            }
        }
        out.push_str("</section>\n");
    }
}
