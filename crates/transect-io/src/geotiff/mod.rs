//! GeoTIFF: rasters with their place on the earth in TIFF tags (OGC 19-008r4).
//!
//! | file | what it holds |
//! |---|---|
//! | `keys` | the GeoKeys that name a coordinate system |
//! | `read` | strips or tiles, integers or floats |
//! | `write` | maps of several bands, tiled, compressed, with overviews |

mod keys;
mod read;
mod write;

pub use read::{MapFile, decode};
pub use write::{Band, encode, write};

/// The tags that TIFF itself does not know.
mod tag {
    use tiff::tags::Tag;

    pub(super) const PIXEL_SCALE: Tag = Tag::ModelPixelScaleTag;
    pub(super) const TIEPOINT: Tag = Tag::ModelTiepointTag;
    /// A 4 x 4 matrix instead of the two above.
    pub(super) const TRANSFORMATION: Tag = Tag::ModelTransformationTag;
    pub(super) const GEO_KEYS: Tag = Tag::GeoKeyDirectoryTag;
    /// Numbers and words that keys refer to.
    pub(super) const GEO_NUMBERS: Tag = Tag::GeoDoubleParamsTag;
    pub(super) const GEO_WORDS: Tag = Tag::GeoAsciiParamsTag;
    /// XML with the bands' names.
    pub(super) const GDAL_METADATA: Tag = Tag::Unknown(42112);
    /// The value of cells without data, as text.
    pub(super) const GDAL_NODATA: Tag = Tag::GdalNodata;
}
