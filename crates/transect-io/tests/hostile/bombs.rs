//! Small files that grow when they are read: they are made to take as much memory as they may.

use super::long::{MOST_MEMORY, PATIENCE, forget_memory, most_memory};
use super::samples::{gzip, jpeg, zip};
use flate2::{Compression, Crc};
use std::time::Instant;

/// The side of the largest square raster.
const SIDE: u32 = 5792;

/// Makes a file when it is needed.
type Make = fn() -> Vec<u8>;

fn zlib(zeros: u64) -> Vec<u8> {
    let mut packed = flate2::write::ZlibEncoder::new(Vec::new(), Compression::best());
    std::io::copy(
        &mut std::io::Read::take(std::io::repeat(0), zeros),
        &mut packed,
    )
    .unwrap();
    packed.finish().unwrap()
}

fn npy() -> Vec<u8> {
    let header =
        format!("{{'descr': '<f8', 'fortran_order': True, 'shape': ({SIDE}, {SIDE}), }}\n");
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend((header.len() as u16).to_le_bytes());
    bytes.extend(header.bytes());
    bytes.resize(bytes.len() + 8 * (SIDE * SIDE) as usize, 0);
    bytes
}

/// A transparent picture with colours of 16 bits, its rows in order or interlaced.
fn png(interlaced: bool) -> Vec<u8> {
    let row = |columns: u32| 1 + 8 * u64::from(columns);
    // First column, first row, and the steps of each pass.
    let passes = [
        (0, 0, 8, 8),
        (4, 0, 8, 8),
        (0, 4, 4, 8),
        (2, 0, 4, 4),
        (0, 2, 2, 4),
        (1, 0, 2, 2),
        (0, 1, 1, 2),
    ];
    let zeros = match interlaced {
        false => u64::from(SIDE) * row(SIDE),
        true => passes
            .map(|(x, y, dx, dy)| u64::from((SIDE - y).div_ceil(dy)) * row((SIDE - x).div_ceil(dx)))
            .iter()
            .sum(),
    };
    let mut header = [SIDE.to_be_bytes(), SIDE.to_be_bytes()].concat();
    header.extend([16, 6, 0, 0, interlaced.into()]);
    let mut bytes = b"\x89PNG\r\n\x1a\n".to_vec();
    for (kind, content) in [
        (b"IHDR", header),
        (b"IDAT", zlib(zeros)),
        (b"IEND", Vec::new()),
    ] {
        let mut crc = Crc::new();
        crc.update(kind);
        crc.update(&content);
        bytes.extend((content.len() as u32).to_be_bytes());
        bytes.extend(kind);
        bytes.extend(&content);
        bytes.extend(crc.sum().to_be_bytes());
    }
    bytes
}

/// One strip with so many bands of bytes.
fn tiff(bands: u32) -> Vec<u8> {
    let zeros = u64::from(SIDE) * u64::from(SIDE) * u64::from(bands);
    // What is larger than any strip may be is seen before it is unpacked.
    let strip = zlib(zeros.min(1 << 28));
    // Tag, type (3: u16, 4: u32), count and value.
    let tags = [
        (256, 4, 1, SIDE),
        (257, 4, 1, SIDE),
        (258, 3, bands, 8),
        (259, 3, 1, 8),
        (262, 3, 1, 1),
        (273, 4, 1, 8),
        (277, 3, 1, bands),
        (278, 4, 1, SIDE),
        (279, 4, 1, strip.len() as u32),
    ];
    let directory = 8 + strip.len() as u32;
    let behind = directory + 2 + 12 * tags.len() as u32 + 4;
    let mut bytes = b"II*\0".to_vec();
    bytes.extend(directory.to_le_bytes());
    bytes.extend(&strip);
    bytes.extend((tags.len() as u16).to_le_bytes());
    for (tag, kind, count, value) in tags {
        bytes.extend((tag as u16).to_le_bytes());
        bytes.extend((kind as u16).to_le_bytes());
        bytes.extend(count.to_le_bytes());
        // More numbers than fit here stand behind the directory.
        let value = if tag == 258 && bands > 2 {
            behind
        } else {
            value
        };
        bytes.extend(value.to_le_bytes());
    }
    bytes.extend([0; 4]);
    bytes.extend([8, 0].repeat(bands as usize));
    bytes
}

/// The sample with the size of the largest raster, and nothing behind what is there.
fn jpeg_bomb() -> Vec<u8> {
    let mut bytes = jpeg();
    let frame = bytes
        .windows(2)
        .position(|pair| pair == [0xff, 0xc0])
        .unwrap();
    // Progressive pictures are collected whole.
    bytes[frame + 1] = 0xc2;
    let side = (SIDE as u16).to_be_bytes();
    bytes[frame + 5..frame + 9].copy_from_slice(&[side, side].concat());
    bytes
}

fn text(start: &str, line: &str, bytes: usize) -> Vec<u8> {
    let lines = line.repeat(bytes / line.len());
    gzip(&[start.as_bytes(), lines.as_bytes()].concat())
}

#[test]
#[ignore = "takes a minute and most of a gigabyte"]
fn bombs() {
    let header = format!("ncols {SIDE}\nnrows {SIDE}\nxllcorner 0\nyllcorner 0\ncellsize 1\n");
    let all: [(&str, Make); 14] = [
        ("a.npy.gz", || gzip(&npy())),
        ("a.npz", || zip("a.npy", &npy())),
        ("larger.gz", || [gzip(&npy()), gzip(&npy())].concat()),
        ("a.png", || png(false)),
        ("interlaced.png", || png(true)),
        ("one.tif", || tiff(1)),
        ("eight.tif", || tiff(8)),
        ("many.tif", || tiff(2000)),
        ("a.jpg", jpeg_bomb),
        ("rows.txt.gz", || text("", "0 0 0 0\n", 250 << 20)),
        ("one-row.txt.gz", || text("", "0 ", 250 << 20)),
        ("a.csv.gz", || text("x,y,z\n", "0,0,1\n", 120 << 20)),
        ("a.xyz.gz", || text("", "1 2 3\n", 120 << 20)),
        ("long-line.csv.gz", || {
            text("x,y,z\n", "11111111", 120 << 20)
        }),
    ];
    let grid = (
        "a.asc.gz",
        text(&header, "0 0 0 0 0 0 0 0\n", 2 * (SIDE * SIDE) as usize),
    );
    let made = all.into_iter().map(|(name, make)| (name, make()));
    for (name, bytes) in made.chain([grid]) {
        forget_memory();
        let began = Instant::now();
        let outcome = super::read(name, &bytes);
        let (spent, memory) = (began.elapsed(), most_memory());
        println!(
            "{name}: {} bytes, {memory} bytes of memory, {spent:.1?}, {outcome:?}",
            bytes.len()
        );
        assert!(memory < MOST_MEMORY && spent < PATIENCE, "{name}");
    }
    // Unpacked for the reader of soundings, which takes no packed files.
    for line in [
        "1,2,3\n", "1 2 3\n", "1 2 3 ", ",,,\n", ",", "\"\n\",", "\"\n",
    ] {
        let bytes = line.repeat((120 << 20) / line.len()).into_bytes();
        forget_memory();
        let outcome = super::read("soundings.csv", &bytes);
        println!("{line:?}: {} bytes of memory, {outcome:?}", most_memory());
        assert!(most_memory() < MOST_MEMORY, "{line:?}");
    }
}
