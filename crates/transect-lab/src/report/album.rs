//! The figures drawn so far, kept until all of them are: nothing is written before everything is.

use crate::error::Result;
use crate::results::Results;
use transect_plot::Figure;
use transect_plot::report::Illustration;

/// Pixels per unit of length in files, for sharp screens and print.
const SHARPNESS: f64 = 2.0;
/// The same on the page, where maps are shown smaller and their bytes add up.
const PAGE_SHARPNESS: f64 = 1.5;

/// Pictures to be written to `figures/`.
#[derive(Default)]
pub(super) struct Album {
    files: Vec<(String, Vec<u8>)>,
}

impl Album {
    /// Keeps a figure of lines; the page shows it as SVG.
    pub(super) fn drawing(&mut self, name: &str, figure: &Figure) -> Result<Illustration> {
        self.keep(name, figure)?;
        Ok(Illustration::svg(figure))
    }

    /// Keeps a figure of maps; the page shows it as PNG, which is smaller.
    pub(super) fn painting(&mut self, name: &str, figure: &Figure) -> Result<Illustration> {
        self.keep(name, figure)?;
        Ok(Illustration::png(figure, PAGE_SHARPNESS)?)
    }

    fn keep(&mut self, name: &str, figure: &Figure) -> Result<()> {
        let path = |kind: &str| format!("figures/{name}.{kind}");
        let svg = figure.to_svg_with_text();
        self.files.push((path("svg"), svg.into_bytes()));
        self.files.push((path("pdf"), figure.to_pdf()));
        self.files.push((path("png"), figure.to_png(SHARPNESS)?));
        Ok(())
    }

    /// Writes every picture.
    pub(super) fn write(&self, results: &Results) -> Result<()> {
        for (name, contents) in &self.files {
            results.write(name, contents)?;
        }
        Ok(())
    }
}
