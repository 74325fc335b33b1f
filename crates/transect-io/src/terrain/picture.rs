//! Pictures as heights: PNG and JPEG. Brighter is higher, from 0 to 255 (65535 with 16 bits); what is fully
//! transparent has no data.

use crate::crs::Crs;
use crate::luminance::luminance;
use crate::raster::{Placement, Raster, checked_cells};
use std::io::Cursor;
use zune_jpeg::JpegDecoder;
use zune_jpeg::zune_core::colorspace::ColorSpace;
use zune_jpeg::zune_core::options::DecoderOptions;

/// The heights in a PNG file.
pub(super) fn decode_png(bytes: &[u8]) -> Result<Raster, String> {
    let wrong =
        |error: png::DecodingError| format!("it is not a PNG picture that can be read: {error}");
    let mut decoder = png::Decoder::new(Cursor::new(bytes));
    // Palettes become colours, small numbers 0 to 255.
    decoder.set_transformations(png::Transformations::EXPAND);
    let mut reader = decoder.read_info().map_err(wrong)?;
    let (width, height) = reader.info().size();
    let (rows, columns) = (height as usize, width as usize);
    let cells = checked_cells(rows, columns)?;
    let (color, depth) = reader.output_color_type();
    let channels = color.samples();
    let mut values = Vec::new();
    let mut line = Vec::new();
    if reader.info().interlaced {
        // Its rows do not come in order: the whole picture is needed.
        let size = reader.output_buffer_size().ok_or("it is too large")?;
        line.resize(size, 0);
        let frame = reader.next_frame(&mut line).map_err(wrong)?;
        line.truncate(frame.buffer_size());
        push_heights(&mut values, &line, channels, depth);
    } else {
        while let Some(row) = reader.next_row().map_err(wrong)? {
            push_heights(&mut values, row.data(), channels, depth);
        }
    }
    if values.len() != cells {
        return Err(format!(
            "it is cut off: {} of {cells} cells are there",
            values.len()
        ));
    }
    place(values, rows, columns)
}

fn push_heights(values: &mut Vec<f64>, line: &[u8], channels: usize, depth: png::BitDepth) {
    let width = match depth {
        png::BitDepth::Sixteen => 2,
        _ => 1,
    };
    let height = |cell: &[u8]| {
        let number = |channel: usize| match cell.get(channel * width..(channel + 1) * width) {
            Some([high, low]) => u16::from_be_bytes([*high, *low]).into(),
            Some([byte]) => (*byte).into(),
            _ => f64::NAN,
        };
        match channels {
            2 | 4 if number(channels - 1) == 0.0 => f64::NAN,
            3 | 4 => luminance(number(0), number(1), number(2)),
            _ => number(0),
        }
    };
    values.extend(line.chunks_exact(channels * width).map(height));
}

/// The heights in a JPEG file.
pub(super) fn decode_jpeg(bytes: &[u8]) -> Result<Raster, String> {
    let wrong = |error| format!("it is not a JPEG picture that can be read: {error}");
    // The brightness is stored in a channel of its own: no colours need be made.
    // Strict: what is missing at the end would be grey otherwise.
    let options = DecoderOptions::new_safe()
        .jpeg_set_out_colorspace(ColorSpace::Luma)
        .set_strict_mode(true);
    let mut decoder = JpegDecoder::new_with_options(Cursor::new(bytes), options);
    decoder.decode_headers().map_err(wrong)?;
    let (columns, rows) = decoder.dimensions().ok_or("it has no size")?;
    let cells = checked_cells(rows, columns)?;
    let heights = decoder.decode().map_err(wrong)?;
    if heights.len() != cells {
        return Err(format!(
            "it is cut off: {} of {cells} cells are there",
            heights.len()
        ));
    }
    place(heights.into_iter().map(f64::from).collect(), rows, columns)
}

fn place(values: Vec<f64>, rows: usize, columns: usize) -> Result<Raster, String> {
    Raster::new(values, rows, columns, Placement::unknown(rows), Crs::Local)
        .map_err(|error| error.to_string())
}
