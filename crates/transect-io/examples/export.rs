//! Writes any terrain as a GeoTIFF, and answers which heights are in the cells that stdin names, one `column row` per
//! line, counted from the north-west.
//!
//! ```text
//! echo 12 34 | cargo run --release --package transect-io --example export -- crater crater.tif
//! cargo run --release --package transect-io --example export -- jacksboro metres.tif --metres </dev/null
//! ```

use std::path::Path;
use transect_io::atomic::Existing;
use transect_io::{geotiff, terrain};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (source, out, metres) = match &arguments[..] {
        [source, out] => (source, out, false),
        [source, out, flag] if flag == "--metres" => (source, out, true),
        _ => return Err("usage: export TERRAIN OUT.tif [--metres] <CELLS".into()),
    };
    let mut raster = terrain::find(source, None)?;
    if metres {
        raster = raster.in_metres()?;
    }
    let bands = [geotiff::Band {
        name: "height",
        meaning: "",
        raster: &raster,
    }];
    geotiff::write(Path::new(out), &bands, Existing::Replace)?;
    for line in std::io::stdin().lines() {
        let line = line?;
        let cell = line.split_once(' ').ok_or("`column row` is needed")?;
        let (column, row) = (cell.0.parse()?, cell.1.parse()?);
        println!("{}", raster.at(row, column));
    }
    Ok(())
}
