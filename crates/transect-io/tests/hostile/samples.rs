//! Small whole files of each format.

use std::io::{Cursor, Write};
use std::sync::LazyLock;
use tiff::encoder::{Compression, TiffEncoder, colortype};
use transect_io::{Crs, Placement, Raster, geotiff};

/// The readers there are.
pub const READERS: [&str; 15] = [
    "numpy",
    "srtm",
    "geotiff",
    "ascii-grid",
    "picture",
    "table",
    "soundings",
    "nmea",
    "gpx",
    "levels",
    "shapefile",
    "geopackage",
    "geojson",
    "kml",
    "plan",
];

/// A file.
#[derive(Clone)]
pub struct Sample {
    /// Its name; those for the reader of soundings begin with that word.
    pub name: &'static str,
    pub bytes: Vec<u8>,
}

/// A picture of 8 x 8 cells that GDAL wrote.
const JPEG: &str = "ffd8ffe000104a46494600010100000100010000ffdb004300080606070605080707070909080a0c140d0c0b0b0c1912130f \
    141d1a1f1e1d1a1c1c20242e2720222c231c1c2837292c30313434341f27393d38323c2e333432ffc0000b08000800080101 \
    1100ffc40014000100000000000000000000000000000007ffc4001910000105000000000000000000000000000001020621 \
    81ffda0008010100003f002b8fd2330fffd9";
const GRID: &[u8] =
    b"ncols 3\nnrows 2\nxllcorner 5\nyllcorner 4\ncellsize 10\nNODATA_value -9\n1 2 3\n4 5 -9\n";
const POINTS: &[u8] = b"lon,lat,depth\n7.0,47.0,1\n7.1,47.0,2\n7.0,47.1,3\n7.1,47.1,4\n";

const AREA: &[u8] = br#"{"type":"Feature","geometry":{"type":"Polygon","coordinates":[[[7,47],[7.1,47],[7.1,47.1],[7,47.1],[7,47]],
    [[7.02,47.02],[7.04,47.02],[7.02,47.04],[7.02,47.02]]]}}"#;
const KML: &[u8] = br#"<kml xmlns="http://www.opengis.net/kml/2.2"><Placemark><Polygon><outerBoundaryIs><LinearRing><coordinates>
    7,47,0 7.1,47,0 7.1,47.1,0 7,47,0</coordinates></LinearRing></outerBoundaryIs></Polygon></Placemark></kml>"#;
const PLAN: &[u8] = br#"{"fileType":"Plan","geoFence":{"polygons":[{"inclusion":true,"polygon":[[47,7],[47,7.1],[47.1,7.1]]}],
    "circles":[{"inclusion":false,"circle":{"center":[47.02,7.08],"radius":10}}]}}"#;

const NMEA: &[u8] = b"$GPRMC,093954.00,A,5309.7080,N,00838.3600,E,0.5,0,260821,,,A\r\n$SDDBT,16.4,f,5.00,M,2.7,F\r\n\
    $SDDPT,4.6,0.4\r\n$GPGGA,093955,5309.7110,N,00838.3630,E,1,08,1.0,1,M,,M,,\r\n$GPGLL,5309.7110,N,00838.3640,E,093956,A\r\n";
const GPX: &[u8] = br#"<?xml version="1.0"?><gpx xmlns="http://www.topografix.com/GPX/1/1"><trk><trkseg><trkpt lat="53.16" lon="8.63">
    <ele>1</ele><time>2021-08-26T09:39:54Z</time><extensions><depth>3.25</depth></extensions></trkpt></trkseg></trk></gpx>"#;

/// A polygon of a Shapefile: a header of 100 bytes, a record of one ring.
fn shapefile() -> Vec<u8> {
    let ring = [[7.0, 47.0], [7.0, 47.1], [7.1, 47.1], [7.0, 47.0_f64]];
    let mut record: Vec<u8> = Vec::new();
    record.extend(5_u32.to_le_bytes());
    record.extend([0; 32]);
    record.extend(1_u32.to_le_bytes());
    record.extend((ring.len() as u32).to_le_bytes());
    record.extend(0_u32.to_le_bytes());
    record.extend(
        ring.iter()
            .flatten()
            .flat_map(|number| number.to_le_bytes()),
    );
    let mut bytes = 9994_u32.to_be_bytes().to_vec();
    bytes.resize(100, 0);
    bytes.extend(1_u32.to_be_bytes());
    bytes.extend((record.len() as u32 / 2).to_be_bytes());
    bytes.extend(record);
    bytes
}

fn package() -> Vec<u8> {
    use transect_io::geopackage::{Feature, Layer, geopackage};
    let ring = vec![[7.0, 47.0], [7.1, 47.0], [7.1, 47.1], [7.0, 47.0]];
    let feature = Feature {
        value: None,
        parts: vec![ring],
    };
    let layer = Layer {
        name: "area",
        polygons: true,
        features: vec![feature],
    };
    geopackage(&[layer], Crs::WGS84, "2026-01-01T00:00:00.000Z").unwrap()
}

/// A tile takes a while to pack.
static TILE: LazyLock<[Vec<u8>; 2]> = LazyLock::new(|| {
    let tile = vec![1; 2 * 1201 * 1201];
    [gzip(&tile), zip("N17E073.hgt", &tile)]
});

/// The files of one reader.
pub fn samples(reader: &str) -> Vec<Sample> {
    let files: Vec<(&'static str, Vec<u8>)> = match reader {
        "numpy" => vec![("a.npy", npy()), ("a.npz", zip("a.npy", &npy()))],
        "srtm" => vec![
            ("N17E073.hgt.gz", TILE[0].clone()),
            ("N17E073.hgt.zip", TILE[1].clone()),
        ],
        "geotiff" => vec![
            ("a.tif", geotiff()),
            ("plain.tif", tiff(Compression::Uncompressed)),
            ("lzw.tif", tiff(Compression::Lzw)),
            ("packbits.tif", tiff(Compression::Packbits)),
        ],
        "ascii-grid" => vec![("a.asc", GRID.to_vec()), ("a.asc.gz", gzip(GRID))],
        "picture" => vec![
            ("a.png", png()),
            ("a.jpg", jpeg()),
            ("picture.tif", coloured_tiff()),
        ],
        "table" => vec![
            ("a.csv", POINTS.to_vec()),
            ("a.xyz", b"0 0 1\n1 0 2\n0 1 3\n1 1 4\n".to_vec()),
            ("rows.txt", b"1 2 3 4\n5 6 7 8\n".to_vec()),
        ],
        "nmea" => vec![
            ("soundings.nmea", NMEA.to_vec()),
            ("soundings.nmea.gz", gzip(NMEA)),
        ],
        "gpx" => vec![("soundings.gpx", GPX.to_vec())],
        "levels" => vec![
            (
                "levels.csv",
                b"date;level\n16.01.2025;0,762\n18.01.2025;0,764\n".to_vec(),
            ),
            (
                "levels.txt",
                b"\"09:00\",\"1.5\"\r\n\"10:00\",\"1.75\"\r\n".to_vec(),
            ),
        ],
        "shapefile" => vec![("lake.shp", shapefile())],
        "geopackage" => vec![("lake.gpkg", package())],
        "geojson" => vec![("lake.geojson", AREA.to_vec())],
        "kml" => vec![("lake.kml", KML.to_vec())],
        "plan" => vec![("lake.plan", PLAN.to_vec())],
        _ => vec![
            ("soundings.csv", POINTS.to_vec()),
            (
                "soundings.txt",
                b"# Easting Northing z\n1 2 3.5\n1 2 4\n\n2 2 nan\n".to_vec(),
            ),
            (
                "soundings.dat",
                b"\xef\xbb\xbf\"Lon [deg]\";Lat;Depth (m)\r\n7,5;47;1\r\n7;47;\r\n7;48;2\r\n"
                    .to_vec(),
            ),
        ],
    };
    let sample = |(name, bytes)| Sample { name, bytes };
    files.into_iter().map(sample).collect()
}

/// What is in `a.tif`.
pub fn raster() -> Raster {
    let values = (0..48).map(|i| f64::from(i) * 0.7 - 3.0).collect();
    let crs = Crs::from_epsg(32632).unwrap();
    Raster::new(values, 6, 8, Placement::unknown(6), crs).unwrap()
}

fn geotiff() -> Vec<u8> {
    let raster = raster();
    let band = geotiff::Band {
        name: "height",
        meaning: "",
        raster: &raster,
    };
    geotiff::encode(&[band]).unwrap()
}

fn npy() -> Vec<u8> {
    let mut bytes = b"\x93NUMPY\x01\x00\x46\x00".to_vec();
    let header = "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }";
    bytes.extend(format!("{header:<69}\n").bytes());
    bytes.extend([0; 24]);
    bytes
}

/// The bytes packed.
pub fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    packed.write_all(bytes).unwrap();
    packed.finish().unwrap()
}

/// An archive with one file in it.
pub fn zip(name: &str, bytes: &[u8]) -> Vec<u8> {
    let mut archive = zip::ZipWriter::new(Cursor::new(Vec::new()));
    let options = zip::write::SimpleFileOptions::default();
    archive.start_file(name, options).unwrap();
    archive.write_all(bytes).unwrap();
    archive.finish().unwrap().into_inner()
}

fn tiff(compression: Compression) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    let encoder = TiffEncoder::new(&mut bytes).unwrap();
    let heights: Vec<i16> = (0..48).collect();
    encoder
        .with_compression(compression)
        .write_image::<colortype::GrayI16>(8, 6, &heights)
        .unwrap();
    bytes.into_inner()
}

/// Green everywhere.
fn coloured_tiff() -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    let mut encoder = TiffEncoder::new(&mut bytes).unwrap();
    let colours = [0, 200, 0].repeat(12);
    encoder
        .write_image::<colortype::RGB8>(4, 3, &colours)
        .unwrap();
    bytes.into_inner()
}

fn png() -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, 4, 2);
    encoder.set_color(png::ColorType::Rgba);
    let mut writer = encoder.write_header().unwrap();
    writer.write_image_data(&[77; 32]).unwrap();
    writer.finish().unwrap();
    bytes
}

/// The picture above.
pub fn jpeg() -> Vec<u8> {
    let digits: Vec<u8> = JPEG
        .chars()
        .filter_map(|c| c.to_digit(16))
        .map(|digit| digit as u8)
        .collect();
    let pairs = digits.chunks_exact(2);
    pairs.map(|pair| pair[0] << 4 | pair[1]).collect()
}
