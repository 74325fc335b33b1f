//! Reading rasters: strips or tiles, integers or floats, either byte order, classic or BigTIFF.
//!
//! The first band is read; colours become their luminance.

use super::keys::{self, Keys};
use super::tag;
use crate::bounded;
use crate::error::IoError;
use crate::luminance::luminance;
use crate::raster::{LARGEST_FILE, Placement, Raster, checked_cells};
use std::io::Cursor;
use std::path::Path;
use tiff::ColorType;
use tiff::decoder::{Decoder, DecodingResult, Limits};
use tiff::tags::Tag;
use tiff::{TiffError, TiffUnsupportedError};

/// No compression of TIFF makes data smaller than this many times: deflate comes to 1032.
const BEST_COMPRESSION: usize = 1500;
/// A strip or tile may hold this many bytes.
const LARGEST_CHUNK: usize = 1 << 28;
/// Of a number in the largest format. The decoder unpacks whole rows of tiles, which may claim to be much wider than the
/// picture, without minding its limits, so that they are checked here.
const MOST_BYTES_PER_NUMBER: u64 = 8;

type Bytes<'a> = Decoder<Cursor<&'a [u8]>>;

/// Both bands of a map that this program wrote.
#[derive(Debug, Clone, PartialEq)]
pub struct MapFile {
    /// The surface.
    pub mean: Raster,
    /// One standard deviation of it.
    pub std: Raster,
}

impl MapFile {
    /// Reads a map.
    ///
    /// # Errors
    /// If the file cannot be read, or has no second band.
    pub fn read(path: &Path) -> Result<Self, IoError> {
        let bytes = bounded::read(path, LARGEST_FILE)?;
        let band = |band| decode_band(&bytes, band).map_err(IoError::content(path));
        Ok(Self {
            mean: band(0)?,
            std: band(1)?,
        })
    }
}

/// The first band of a TIFF file.
///
/// # Errors
/// What is wrong with the bytes.
pub fn decode(bytes: &[u8]) -> Result<Raster, String> {
    decode_band(bytes, 0)
}

fn decode_band(bytes: &[u8], band: u32) -> Result<Raster, String> {
    let mut limits = Limits::default();
    limits.decoding_buffer_size = LARGEST_CHUNK;
    limits.intermediate_buffer_size = LARGEST_CHUNK;
    limits.ifd_value_size = 1 << 24;
    let mut decoder = Decoder::new(Cursor::new(bytes))
        .map_err(explain)?
        .with_limits(limits);
    let (columns, rows) = decoder.dimensions().map_err(explain)?;
    let (rows, columns) = (rows as usize, columns as usize);
    let cells = checked_cells(rows, columns)?;
    let samples = Samples::of(decoder.colortype().map_err(explain)?)?;
    if cells / BEST_COMPRESSION > bytes.len() {
        return Err(format!(
            "it claims {rows} x {columns} cells, more than {} bytes can hold; it is cut off or damaged",
            bytes.len()
        ));
    }
    let no_data = no_data(&mut decoder);
    let mut values = read_chunks(&mut decoder, (rows, columns), samples, band)?;
    for value in &mut values {
        if no_data.is_some_and(|none| *value == none) {
            *value = f64::NAN;
        }
    }
    let directory = numbers(&mut decoder, tag::GEO_KEYS);
    let parameters = keys::Parameters {
        words: decoder
            .get_tag_ascii_string(tag::GEO_WORDS)
            .unwrap_or_default(),
        numbers: numbers(&mut decoder, tag::GEO_NUMBERS),
    };
    let keys = Keys::decode(&directory, &parameters)?;
    let Some((placement, south_up)) = placement(&mut decoder, &keys)? else {
        let placement = Placement::unknown(rows);
        return Raster::new(values, rows, columns, placement, keys.crs)
            .map_err(|error| error.to_string());
    };
    let raster = match south_up {
        false => Raster::new(values, rows, columns, placement, keys.crs),
        true => {
            let north = placement.north + rows as f64 * placement.cell_height;
            let placement = Placement { north, ..placement };
            let turned = crate::raster::upside_down(values, columns);
            Raster::new(turned, rows, columns, placement, keys.crs)
        }
    };
    raster.map_err(|error| error.to_string())
}

/// How the numbers of a cell lie in the file.
#[derive(Clone, Copy)]
struct Samples {
    per_cell: usize,
    /// The first three are red, green and blue.
    colours: bool,
}

impl Samples {
    fn of(color: ColorType) -> Result<Self, String> {
        let (bits, per_cell, colours) = match color {
            ColorType::Gray(bits) => (bits, 1, false),
            ColorType::GrayA(bits) => (bits, 2, false),
            ColorType::Multiband {
                bit_depth,
                num_samples,
            } => (bit_depth, usize::from(num_samples), false),
            ColorType::RGB(bits) => (bits, 3, true),
            ColorType::RGBA(bits) => (bits, 4, true),
            other => {
                return Err(format!(
                    "its cells are {other:?}; heights or colours are understood"
                ));
            }
        };
        if per_cell == 0 {
            return Err("its cells hold no numbers".into());
        }
        if ![8, 16, 32, 64].contains(&bits) {
            return Err(format!(
                "its numbers have {bits} bits; 8, 16, 32 and 64 are understood"
            ));
        }
        Ok(Self { per_cell, colours })
    }

    /// The height of a cell with these numbers.
    fn value(self, number: impl Fn(usize) -> Option<f64>) -> f64 {
        let first = number(0).unwrap_or(f64::NAN);
        match (self.colours, number(1), number(2), number(3)) {
            (true, _, _, Some(0.0)) => f64::NAN,
            (true, Some(green), Some(blue), _) => luminance(first, green, blue),
            _ => first,
        }
    }
}

/// The cells of a chunk within the raster.
struct Window {
    top: usize,
    left: usize,
    /// Of the chunk.
    width: usize,
    /// Of the raster.
    columns: usize,
    samples: Samples,
}

impl Window {
    /// Puts a chunk's heights where they belong, one by one: a chunk may have many bands that are not needed.
    fn fill(&self, values: &mut [f64], chunk: &DecodingResult) -> Result<(), String> {
        match chunk {
            DecodingResult::U8(chunk) => self.put(values, chunk, f64::from),
            DecodingResult::U16(chunk) => self.put(values, chunk, f64::from),
            DecodingResult::U32(chunk) => self.put(values, chunk, f64::from),
            DecodingResult::U64(chunk) => self.put(values, chunk, |x| x as f64),
            DecodingResult::I8(chunk) => self.put(values, chunk, f64::from),
            DecodingResult::I16(chunk) => self.put(values, chunk, f64::from),
            DecodingResult::I32(chunk) => self.put(values, chunk, f64::from),
            DecodingResult::I64(chunk) => self.put(values, chunk, |x| x as f64),
            DecodingResult::F32(chunk) => self.put(values, chunk, f64::from),
            DecodingResult::F64(chunk) => self.put(values, chunk, |x| x),
            _ => return Err("its numbers are of a type that is not understood".into()),
        }
        Ok(())
    }

    fn put<T: Copy>(&self, values: &mut [f64], chunk: &[T], wide: impl Fn(T) -> f64) {
        let per_cell = self.samples.per_cell;
        let lines = chunk.chunks_exact(self.width * per_cell);
        let rows = values.chunks_exact_mut(self.columns).skip(self.top);
        for (row, line) in rows.zip(lines) {
            let targets = row.iter_mut().skip(self.left);
            for (value, cell) in targets.zip(line.chunks_exact(per_cell)) {
                *value = self
                    .samples
                    .value(|k| cell.get(k).map(|number| wide(*number)));
            }
        }
    }
}

fn read_chunks(
    decoder: &mut Bytes<'_>,
    (rows, columns): (usize, usize),
    samples: Samples,
    band: u32,
) -> Result<Vec<f64>, String> {
    let sizes = [Tag::TileByteCounts, Tag::StripByteCounts]
        .into_iter()
        .find_map(|tag| decoder.get_tag_u64_vec(tag).ok())
        .unwrap_or_default();
    let (width, height) = decoder.chunk_dimensions();
    let (width, height) = (width as usize, (height as usize).min(rows));
    if width == 0 || height == 0 {
        return Err("its strips or tiles are empty".into());
    }
    // Planes of further bands follow those of the first: they are left unread.
    let apart = decoder.get_tag_u32(Tag::PlanarConfiguration).unwrap_or(1) == 2;
    let samples = match apart {
        true => Samples {
            per_cell: 1,
            colours: false,
        },
        false => samples,
    };
    let numbers = match apart {
        true => 1,
        false => decoder.get_tag_u32(Tag::SamplesPerPixel).unwrap_or(1),
    };
    let row_bytes = width as u64 * u64::from(numbers) * MOST_BYTES_PER_NUMBER;
    if row_bytes > LARGEST_CHUNK as u64 {
        return Err(format!(
            "its strips or tiles claim rows of {width} cells with {numbers} numbers each; it is damaged"
        ));
    }
    let bands = decoder.get_tag_u32(Tag::SamplesPerPixel).unwrap_or(1);
    if band > 0 && (!apart || bands <= band) {
        return Err(format!(
            "it is no map with a mean and a standard deviation as `transect map` writes it: it has {bands} bands"
        ));
    }
    let mut values = vec![f64::NAN; rows * columns];
    let plane = rows.div_ceil(height) * columns.div_ceil(width);
    let mut index = band * u32::try_from(plane).map_err(|_| "it has too many tiles")?;
    for top in (0..rows).step_by(height) {
        for left in (0..columns).step_by(width) {
            // Writers leave out chunks without data: they have no bytes.
            if sizes.get(index as usize) != Some(&0) {
                let chunk = decoder.read_chunk(index).map_err(explain)?;
                let window = Window {
                    top,
                    left,
                    width: width.min(columns - left),
                    columns,
                    samples,
                };
                window.fill(&mut values, &chunk)?;
            }
            index += 1;
        }
    }
    Ok(values)
}

/// The value that marks cells without data, as a number of the file's own type would have it.
fn no_data(decoder: &mut Bytes<'_>) -> Option<f64> {
    let text = decoder.get_tag_ascii_string(tag::GDAL_NODATA).ok()?;
    let value: f64 = text.trim_matches(['\0', ' ']).parse().ok()?;
    let bits = numbers(decoder, Tag::BitsPerSample);
    let formats = numbers(decoder, Tag::SampleFormat);
    let is_f32 = bits.first() == Some(&32.0) && formats.first() == Some(&3.0);
    // -3.4028235e38 and the like are written with more digits than f32 has.
    Some(if is_f32 {
        f64::from(value as f32)
    } else {
        value
    })
}

/// Where the cells are, and whether the first row is in the south; nothing if the file does not say.
fn placement(decoder: &mut Bytes<'_>, keys: &Keys) -> Result<Option<(Placement, bool)>, String> {
    let scale = numbers(decoder, tag::PIXEL_SCALE);
    let tie = numbers(decoder, tag::TIEPOINT);
    let matrix = numbers(decoder, tag::TRANSFORMATION);
    let (west, north, right, down) = match (&scale[..], &tie[..], &matrix[..]) {
        ([sx, sy, ..], [i, j, _, x, y, ..], _) => (x - i * sx, y + j * sy.abs(), *sx, -sy.abs()),
        (_, _, [right, skew, _, x, turn, down, _, y, ..]) => {
            if *skew != 0.0 || *turn != 0.0 {
                return Err("it is rotated; `gdalwarp` makes one with north up".into());
            }
            (*x, *y, *right, *down)
        }
        _ => return Ok(None),
    };
    // Numbers at points: the outer side of the first cell lies half a cell further out.
    let half = if keys.pixel_is_point { 0.5 } else { 0.0 };
    let placement = Placement {
        west: west - half * right,
        north: north - half * down,
        cell_width: right,
        cell_height: down.abs(),
    };
    Ok(Some((placement, down > 0.0)))
}

/// The numbers of a tag, of whatever type; none if it is missing.
fn numbers(decoder: &mut Bytes<'_>, tag: Tag) -> Vec<f64> {
    if let Ok(integers) = decoder.get_tag_u64_vec(tag) {
        return integers.into_iter().map(|n| n as f64).collect();
    }
    decoder.get_tag_f64_vec(tag).unwrap_or_default()
}

fn explain(error: TiffError) -> String {
    let advice = match &error {
        TiffError::UnsupportedError(TiffUnsupportedError::UnsupportedCompressionMethod(_)) => {
            "; none, deflate, LZW and PackBits are understood (`gdal_translate -co COMPRESS=DEFLATE` writes one)"
        }
        _ => "",
    };
    format!("it is not a TIFF file that can be read: {error}{advice}")
}

#[cfg(test)]
mod tests {
    use super::decode;

    /// A picture of 8 x 8 zeros in a tile of this width and 16 rows; tags and types as TIFF 6.0 numbers them.
    fn tiled(tile_width: u32) -> Vec<u8> {
        const SHORT: u16 = 3;
        const LONG: u16 = 4;
        const HEADER: u32 = 8;
        const TILE: u32 = 16 * 16 * 4;
        let tags = [
            (256, LONG, 8),          // columns
            (257, LONG, 8),          // rows
            (258, SHORT, 32),        // bits of a number
            (259, SHORT, 1),         // not compressed
            (262, SHORT, 1),         // zero is black
            (277, SHORT, 1),         // numbers of a cell
            (317, SHORT, 3),         // the predictor for floats
            (322, LONG, tile_width), // columns of a tile
            (323, LONG, 16),         // its rows
            (324, LONG, HEADER),     // its place
            (325, LONG, TILE),       // its bytes
            (339, SHORT, 3),         // numbers are floats
        ];
        let mut bytes = b"II*\0".to_vec();
        bytes.extend((HEADER + TILE).to_le_bytes());
        bytes.resize((HEADER + TILE) as usize, 0);
        bytes.extend((tags.len() as u16).to_le_bytes());
        for (tag, kind, value) in tags {
            bytes.extend(u16::to_le_bytes(tag));
            bytes.extend(kind.to_le_bytes());
            bytes.extend(1_u32.to_le_bytes());
            bytes.extend(value.to_le_bytes());
        }
        bytes.extend([0; 4]);
        bytes
    }

    #[test]
    fn tiles_may_be_wider_than_the_picture_but_not_than_memory() {
        assert!(decode(&tiled(16)).is_ok_and(|raster| raster.at(7, 7) == 0.0));
        let refused = decode(&tiled(0xffff_fff0)).unwrap_err();
        assert!(refused.contains("4294967280 cells"), "{refused}");
    }
}
