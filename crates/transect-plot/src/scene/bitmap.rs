//! A picture made of pixels, and its PNG encoding.

use std::collections::BTreeMap;

use crate::color::Color;
use crate::error::PlotError;

/// Largest side of a picture, in pixels.
pub(crate) const MAX_SIDE: u32 = 20_000;

/// Pixels in rows from the top.
#[derive(Debug, Clone, PartialEq)]
pub struct Bitmap {
    width: u32,
    height: u32,
    pixels: Vec<Color>,
}

impl Bitmap {
    /// A picture from its pixels, row by row from the top.
    pub fn new(width: usize, height: usize, pixels: Vec<Color>) -> Result<Self, PlotError> {
        let limit = MAX_SIDE as usize;
        if width == 0 || height == 0 || width > limit || height > limit {
            return Err(PlotError::PictureSize {
                width: width as f64,
                height: height as f64,
                limit: MAX_SIDE,
            });
        }
        if pixels.len() != width * height {
            return Err(PlotError::Shape {
                what: "picture",
                values: pixels.len(),
                rows: height,
                columns: width,
            });
        }
        Ok(Bitmap {
            width: width as u32,
            height: height as u32,
            pixels,
        })
    }

    /// Width in pixels.
    pub fn width(&self) -> u32 {
        self.width
    }

    /// Height in pixels.
    pub fn height(&self) -> u32 {
        self.height
    }

    /// All pixels, row by row from the top.
    pub fn pixels(&self) -> &[Color] {
        &self.pixels
    }

    /// The picture as a PNG file: with a palette if 256 colours are enough, which makes maps several times smaller.
    pub fn to_png(&self) -> Result<Vec<u8>, PlotError> {
        let fail = |e: png::EncodingError| PlotError::Encode(e.to_string());
        let mut out = Vec::new();
        let mut encoder = png::Encoder::new(&mut out, self.width, self.height);
        encoder.set_depth(png::BitDepth::Eight);
        encoder.set_compression(png::Compression::Balanced);
        let data: Vec<u8> = if let Some(index) = self.palette() {
            encoder.set_color(png::ColorType::Indexed);
            encoder.set_palette(
                index
                    .keys()
                    .flat_map(|c| [c.r, c.g, c.b])
                    .collect::<Vec<u8>>(),
            );
            if index.keys().any(|c| c.a < 255) {
                encoder.set_trns(index.keys().map(|c| c.a).collect::<Vec<u8>>());
            }
            encoder.set_filter(png::Filter::NoFilter);
            self.pixels.iter().map(|c| index[c]).collect()
        } else if self.pixels.iter().all(|c| c.a == 255) {
            encoder.set_color(png::ColorType::Rgb);
            encoder.set_filter(png::Filter::Adaptive);
            self.pixels.iter().flat_map(|c| [c.r, c.g, c.b]).collect()
        } else {
            encoder.set_color(png::ColorType::Rgba);
            encoder.set_filter(png::Filter::Adaptive);
            self.pixels
                .iter()
                .flat_map(|c| [c.r, c.g, c.b, c.a])
                .collect()
        };
        let mut writer = encoder.write_header().map_err(fail)?;
        writer.write_image_data(&data).map_err(fail)?;
        writer.finish().map_err(fail)?;
        Ok(out)
    }

    /// The distinct colours with their numbers in sorted order, if there are at most 256.
    fn palette(&self) -> Option<BTreeMap<Color, u8>> {
        let mut index = BTreeMap::new();
        let mut last = None;
        for color in &self.pixels {
            if last != Some(*color) {
                index.insert(*color, 0);
                last = Some(*color);
                if index.len() > 256 {
                    return None;
                }
            }
        }
        for (number, slot) in index.values_mut().enumerate() {
            *slot = number as u8;
        }
        Some(index)
    }
}
