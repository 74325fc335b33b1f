//! Writing maps: Float32 bands in compressed tiles, with overviews.

use super::{keys, tag};
use crate::atomic::{self, Existing};
use crate::error::IoError;
use crate::raster::Raster;
use flate2::Compression;
use flate2::write::ZlibEncoder;
use std::io::{Cursor, Write};
use std::path::Path;
use tiff::TiffResult;
use tiff::encoder::{DirectoryEncoder, TiffEncoder, TiffKindStandard};
use tiff::tags::Tag;

/// Side of a tile, cells.
const TILE: usize = 256;
const DEFLATE: u16 = 8;
const MIN_IS_BLACK: u16 = 1;
const BANDS_APART: u16 = 2;
const FLOATING_POINT_PREDICTOR: u16 = 3;
const IEEE_FLOAT: u16 = 3;
const REDUCED_IMAGE: u32 = 1;

/// One quantity of a map.
#[derive(Debug, Clone, Copy)]
pub struct Band<'a> {
    /// What it is called, `mean` say.
    pub name: &'a str,
    /// What its values are, `depth in metres, positive downwards` say; those in metres are said to be.
    pub meaning: &'a str,
    /// Its values; NaN becomes NoData.
    pub raster: &'a Raster,
}

/// Writes bands that share one grid as a GeoTIFF.
///
/// ```
/// use transect_io::{Crs, Placement, Raster, atomic::Existing, geotiff};
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("map.tif");
/// let placement = Placement { west: 340_000.0, north: 1_935_000.0, cell_width: 2.0, cell_height: 2.0 };
/// let crs = Crs::from_epsg(32643).unwrap();
/// let mean = Raster::new(vec![1.0, 2.0, f64::NAN, 4.0], 2, 2, placement, crs)?;
/// let std = Raster::new(vec![0.1, 0.1, f64::NAN, 0.2], 2, 2, placement, crs)?;
/// let bands = [
///     geotiff::Band { name: "mean", meaning: "depth in metres, positive downwards", raster: &mean },
///     geotiff::Band { name: "standard deviation", meaning: "in metres", raster: &std },
/// ];
/// geotiff::write(&path, &bands, Existing::Keep)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If there is no band, the grids differ, or the file cannot be written.
pub fn write(path: &Path, bands: &[Band<'_>], existing: Existing) -> Result<(), IoError> {
    let bytes = encode(bands).map_err(IoError::content(path))?;
    atomic::write(path, &bytes, existing)
}

/// The bytes of the file that [`write()`] makes.
///
/// # Errors
/// What is wrong with the bands.
pub fn encode(bands: &[Band<'_>]) -> Result<Vec<u8>, String> {
    let first = bands.first().ok_or("a map needs at least one band")?;
    if let Some(other) = bands.iter().find(|b| !b.raster.same_grid(first.raster)) {
        return Err(format!(
            "bands `{}` and `{}` are not on the same grid",
            first.name, other.name
        ));
    }
    let mut bytes = Cursor::new(Vec::new());
    encode_levels(bands, &levels(bands, first.raster), &mut bytes)
        .map_err(|error| format!("it cannot be a TIFF file: {error}"))?;
    Ok(bytes.into_inner())
}

/// All bands at one resolution.
struct Level {
    rows: usize,
    columns: usize,
    bands: Vec<Vec<f32>>,
}

/// Full resolution first, then halves of it until one tile holds all.
fn levels(bands: &[Band<'_>], grid: &Raster) -> Vec<Level> {
    let values = |band: &Band<'_>| band.raster.values().iter().map(|v| *v as f32).collect();
    let mut levels = vec![Level {
        rows: grid.rows(),
        columns: grid.columns(),
        bands: bands.iter().map(values).collect(),
    }];
    while let Some(last) = levels.last().filter(|l| l.rows.max(l.columns) > TILE) {
        let half = last.half();
        levels.push(half);
    }
    levels
}

impl Level {
    fn half(&self) -> Self {
        let (rows, columns) = (self.rows.div_ceil(2), self.columns.div_ceil(2));
        let halved = |values: &Vec<f32>| {
            let mut out = Vec::with_capacity(rows * columns);
            for row in 0..rows {
                for column in 0..columns {
                    out.push(self.block_mean(values, 2 * row, 2 * column));
                }
            }
            out
        };
        Self {
            rows,
            columns,
            bands: self.bands.iter().map(halved).collect(),
        }
    }

    /// The mean of the cells with data among the four from (row, column) on.
    fn block_mean(&self, values: &[f32], row: usize, column: usize) -> f32 {
        let (mut sum, mut count) = (0.0, 0.0);
        for r in row..(row + 2).min(self.rows) {
            for value in &values[r * self.columns..][column..(column + 2).min(self.columns)] {
                if !value.is_nan() {
                    sum += f64::from(*value);
                    count += 1.0;
                }
            }
        }
        (sum / count) as f32
    }

    /// A tile of a band as it is stored: predicted, compressed. What lies beyond the edge has no data.
    fn tile(&self, band: &[f32], top: usize, left: usize) -> std::io::Result<Vec<u8>> {
        let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
        let width = TILE.min(self.columns - left);
        let mut row_values = [f32::NAN; TILE];
        let mut predicted = [0; 4 * TILE];
        for row in top..top + TILE {
            match band.get(row * self.columns + left..) {
                Some(rest) if row < self.rows => {
                    row_values[..width].copy_from_slice(&rest[..width])
                }
                _ => row_values.fill(f32::NAN),
            }
            predict(&row_values, &mut predicted);
            encoder.write_all(&predicted)?;
        }
        encoder.finish()
    }
}

/// The floating-point predictor of TIFF (Adobe's technical note 3): all highest bytes first, then all second ones and
/// so on; then each byte as its difference from the one before. Smooth rows become runs of zeros.
fn predict(row: &[f32; TILE], out: &mut [u8; 4 * TILE]) {
    for (i, value) in row.iter().enumerate() {
        for (plane, byte) in value.to_be_bytes().into_iter().enumerate() {
            out[plane * TILE + i] = byte;
        }
    }
    for i in (1..out.len()).rev() {
        out[i] = out[i].wrapping_sub(out[i - 1]);
    }
}

fn encode_levels(
    bands: &[Band<'_>],
    levels: &[Level],
    out: &mut Cursor<Vec<u8>>,
) -> TiffResult<()> {
    let mut encoder = TiffEncoder::new(out)?;
    for (number, level) in levels.iter().enumerate() {
        let mut directory = encoder.image_directory()?;
        encode_tiles(level, &mut directory)?;
        let count = level.bands.len();
        if number > 0 {
            directory.write_tag(Tag::NewSubfileType, REDUCED_IMAGE)?;
        } else {
            encode_place(bands, &mut directory)?;
        }
        directory.write_tag(Tag::BitsPerSample, &vec![32_u16; count][..])?;
        directory.write_tag(Tag::SampleFormat, &vec![IEEE_FLOAT; count][..])?;
        if count > 1 {
            // 0: of no meaning to TIFF, neither colour nor opacity.
            directory.write_tag(Tag::ExtraSamples, &vec![0_u16; count - 1][..])?;
        }
        directory.write_tag(Tag::SamplesPerPixel, count as u16)?;
        directory.write_tag(Tag::PhotometricInterpretation, MIN_IS_BLACK)?;
        directory.write_tag(Tag::PlanarConfiguration, BANDS_APART)?;
        directory.write_tag(Tag::Compression, DEFLATE)?;
        directory.write_tag(Tag::Predictor, FLOATING_POINT_PREDICTOR)?;
        directory.write_tag(tag::GDAL_NODATA, "nan")?;
        directory.finish()?;
    }
    Ok(())
}

type Directory<'a, 'b> = DirectoryEncoder<'a, &'b mut Cursor<Vec<u8>>, TiffKindStandard>;

fn encode_tiles(level: &Level, directory: &mut Directory<'_, '_>) -> TiffResult<()> {
    let (mut offsets, mut lengths) = (Vec::new(), Vec::new());
    for band in &level.bands {
        for top in (0..level.rows).step_by(TILE) {
            for left in (0..level.columns).step_by(TILE) {
                let tile = level.tile(band, top, left)?;
                offsets.push(u32::try_from(directory.write_data(&tile[..])?)?);
                lengths.push(u32::try_from(tile.len())?);
            }
        }
    }
    directory.write_tag(Tag::ImageWidth, u32::try_from(level.columns)?)?;
    directory.write_tag(Tag::ImageLength, u32::try_from(level.rows)?)?;
    directory.write_tag(Tag::TileWidth, TILE as u32)?;
    directory.write_tag(Tag::TileLength, TILE as u32)?;
    directory.write_tag(Tag::TileOffsets, &offsets[..])?;
    directory.write_tag(Tag::TileByteCounts, &lengths[..])
}

fn encode_place(bands: &[Band<'_>], directory: &mut Directory<'_, '_>) -> TiffResult<()> {
    let Some(first) = bands.first() else {
        return Ok(());
    };
    let place = first.raster.placement();
    let scale = [place.cell_width, place.cell_height, 0.0];
    directory.write_tag(tag::PIXEL_SCALE, &scale[..])?;
    let tiepoint = [0.0, 0.0, 0.0, place.west, place.north, 0.0];
    directory.write_tag(tag::TIEPOINT, &tiepoint[..])?;
    if let Some(keys) = keys::encode(first.raster.crs()) {
        directory.write_tag(tag::GEO_KEYS, &keys[..])?;
    }
    let names: String = bands
        .iter()
        .enumerate()
        .map(|(i, band)| items(i, band))
        .collect();
    let metadata = format!("<GDALMetadata>\n{names}</GDALMetadata>\n");
    directory.write_tag(tag::GDAL_METADATA, metadata.as_str())
}

/// Name, unit and meaning of a band, where GDAL looks for them.
fn items(sample: usize, band: &Band<'_>) -> String {
    let escaped = |text: &str| {
        text.replace('&', "&amp;")
            .replace('<', "&lt;")
            .replace('>', "&gt;")
    };
    let name = escaped(band.name);
    let mut items = format!(
        "  <Item name=\"DESCRIPTION\" sample=\"{sample}\" role=\"description\">{name}</Item>\n"
    );
    if band.meaning.contains("metres") {
        items +=
            &format!("  <Item name=\"UNITTYPE\" sample=\"{sample}\" role=\"unittype\">m</Item>\n");
    }
    if !band.meaning.is_empty() {
        let meaning = escaped(band.meaning);
        items += &format!("  <Item name=\"MEANING\" sample=\"{sample}\">{meaning}</Item>\n");
    }
    items
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::crs::Crs;
    use crate::raster::Placement;
    use tiff::decoder::{Decoder, DecodingResult};

    fn raster(rows: usize, columns: usize, f: impl Fn(usize, usize) -> f64) -> Raster {
        let values = (0..rows * columns)
            .map(|i| f(i / columns, i % columns))
            .collect();
        let placement = Placement {
            west: 340_000.0,
            north: 1_935_000.0,
            cell_width: 2.0,
            cell_height: 3.0,
        };
        let crs = Crs::from_epsg(32643).unwrap();
        Raster::new(values, rows, columns, placement, crs).unwrap()
    }

    /// The band of the image that the decoder is at, tile by tile.
    fn tile(decoder: &mut Decoder<Cursor<Vec<u8>>>, index: u32) -> Vec<f32> {
        match decoder.read_chunk(index).unwrap() {
            DecodingResult::F32(values) => values,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn another_reader_finds_values_overviews_and_tags() {
        let mean = raster(300, 260, |r, c| (r * 1000 + c) as f64);
        let std = raster(300, 260, |r, c| if r < 2 && c < 1 { f64::NAN } else { 0.5 });
        let bands = [("mean", &mean), ("std <1>", &std)].map(|(name, raster)| Band {
            name,
            meaning: "in metres",
            raster,
        });
        let mut decoder = Decoder::new(Cursor::new(encode(&bands).unwrap())).unwrap();
        assert_eq!(decoder.dimensions().unwrap(), (260, 300));
        assert_eq!(tile(&mut decoder, 0)[256 + 3], 1003.0);
        // The second column of tiles is four cells wide, the second row of them 44 high.
        let last = tile(&mut decoder, 3);
        assert_eq!(last.len(), 4 * 44);
        assert_eq!(last.last(), Some(&299_259.0));
        assert!(tile(&mut decoder, 4)[0].is_nan());
        let numbers = |tag| {
            decoder
                .find_tag(tag)
                .unwrap()
                .unwrap()
                .into_f64_vec()
                .unwrap()
        };
        let mut numbers = numbers;
        assert_eq!(numbers(tag::PIXEL_SCALE), [2.0, 3.0, 0.0]);
        assert_eq!(numbers(tag::TIEPOINT)[3..5], [340_000.0, 1_935_000.0]);
        let names = decoder.get_tag_ascii_string(tag::GDAL_METADATA).unwrap();
        assert!(
            names.contains(">mean<") && names.contains(">std &lt;1&gt;<"),
            "{names}"
        );

        decoder.next_image().unwrap();
        assert_eq!(decoder.dimensions().unwrap(), (130, 150));
        assert_eq!(tile(&mut decoder, 0)[0], 500.5, "mean of 0, 1, 1000, 1001");
        assert_eq!(tile(&mut decoder, 1)[0], 0.5, "mean of the cells with data");
        assert!(!decoder.more_images());
    }

    #[test]
    fn says_which_bands_do_not_fit() {
        let (one, other) = (raster(2, 2, |_, _| 1.0), raster(2, 3, |_, _| 1.0));
        let bands = [("mean", &one), ("std", &other)].map(|(name, raster)| Band {
            name,
            meaning: "in metres",
            raster,
        });
        let message = encode(&bands).unwrap_err();
        assert!(
            message.contains("`mean`") && message.contains("`std`"),
            "{message}"
        );
        assert!(encode(&[]).is_err());
    }

    #[test]
    fn the_same_map_gives_the_same_bytes() {
        let map = raster(30, 20, |r, c| (r as f64).sin() + c as f64);
        let bands = [Band {
            name: "mean",
            meaning: "",
            raster: &map,
        }];
        assert_eq!(encode(&bands).unwrap(), encode(&bands).unwrap());
    }
}
