//! Files that may be packed: what is inside is handed on as a stream, so that a log of gigabytes never has to fit
//! into memory.
//!
//! | first bytes | what |
//! |---|---|
//! | `1f 8b` | gzip |
//! | `fd 37 7a 58 5a 00` | xz |
//! | `PK 03 04` | zip: every file in it whose name ends like a log's |
//! | bzip2, Zstandard, 7-Zip | refused by name |

use flate2::read::MultiGzDecoder;
use lzma_rust2::XzReader;
use std::io::{self, BufReader, Read, Seek};
use zip::ZipArchive;

/// Unpacked logs end here: what is longer is a bomb, or not one survey.
const MOST_BYTES: u64 = 16 << 30;
/// The dictionary that an xz file may ask for, KiB: `xz -9` takes 65 MiB.
const MOST_XZ_KIB: u32 = 200_000;
/// Endings of logs in archives and folders.
pub(crate) const LOG_ENDINGS: [&str; 10] = [
    "csv", "txt", "xyz", "log", "nmea", "gpx", "sum", "dat", "tsv", "asc",
];

/// Whether a file's name ends like a log's, packed or not.
pub(crate) fn is_log(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    let bare = name
        .strip_suffix(".gz")
        .or_else(|| name.strip_suffix(".xz"))
        .unwrap_or(&name);
    let ending = bare.rsplit_once('.').map(|(_, ending)| ending);
    ending.is_some_and(|ending| LOG_ENDINGS.contains(&ending) || ending == "zip")
}

/// What is done with each file inside: its name (empty if it has none of its own) and its bytes.
pub(crate) type Visit<'a> = dyn FnMut(&str, &mut dyn Read) -> Result<(), String> + 'a;

/// Hands every file inside to `visit`; a file that is not packed is handed on as it is.
///
/// # Errors
/// If what is packed cannot be unpacked, or `visit` refuses.
pub(crate) fn unpack(mut file: impl Read + Seek, visit: &mut Visit<'_>) -> Result<(), String> {
    let mut start = [0; 6];
    let read = fill(&mut file, &mut start).map_err(|error| error.to_string())?;
    file.rewind().map_err(|error| error.to_string())?;
    match &start[..read] {
        [0x1f, 0x8b, ..] => {
            let mut inside = MultiGzDecoder::new(BufReader::new(file)).take(MOST_BYTES);
            visit("", &mut Named(&mut inside, "gzip"))
        }
        [0xfd, b'7', b'z', b'X', b'Z', 0] => {
            let inside = XzReader::new_mem_limit(BufReader::new(file), true, MOST_XZ_KIB);
            visit("", &mut Named(&mut inside.take(MOST_BYTES), "xz"))
        }
        [b'P', b'K', 3, 4, ..] => unzip(file, visit),
        [b'B', b'Z', b'h', ..] => Err(packed_otherwise("bzip2", "bunzip2")),
        [0x28, 0xb5, 0x2f, 0xfd, ..] => Err(packed_otherwise("Zstandard", "unzstd")),
        [b'7', b'z', 0xbc, 0xaf, ..] => Err(packed_otherwise("7-Zip", "7z x")),
        _ => visit("", &mut file),
    }
}

fn packed_otherwise(name: &str, command: &str) -> String {
    format!("it is packed with {name}; gzip, xz and zip are understood: unpack it with `{command}`")
}

fn unzip(file: impl Read + Seek, visit: &mut Visit<'_>) -> Result<(), String> {
    let wrong = |error| format!("it is not a zip archive that can be read: {error}");
    let mut archive = ZipArchive::new(file).map_err(wrong)?;
    let mut names: Vec<String> = archive
        .file_names()
        .filter_map(|name| Some(name.ok()?.into_owned()))
        .filter(|name| is_log(name) && !name.contains("__MACOSX"))
        .collect();
    names.sort();
    if names.is_empty() {
        return Err(format!(
            "no file in the archive is a log; those ending with {} are looked for",
            LOG_ENDINGS.join(", ")
        ));
    }
    for name in names {
        let inside = archive.by_name(&name).map_err(wrong)?;
        visit(&name, &mut Named(&mut inside.take(MOST_BYTES), "zip"))?;
    }
    Ok(())
}

/// Says in errors how the data were packed.
struct Named<'a>(&'a mut dyn Read, &'static str);

impl Read for Named<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.0.read(buffer).map_err(|error| {
            let words = format!("its {} data are damaged or cut off: {error}", self.1);
            io::Error::new(error.kind(), words)
        })
    }
}

/// Reads until the buffer is full or the file ends.
pub(crate) fn fill(file: &mut (impl Read + ?Sized), buffer: &mut [u8]) -> io::Result<usize> {
    let mut filled = 0;
    while filled < buffer.len() {
        match file.read(&mut buffer[filled..]) {
            Ok(0) => break,
            Ok(count) => filled += count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(filled)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{Cursor, Write};

    fn inside(bytes: &[u8]) -> Result<Vec<(String, String)>, String> {
        let mut found = Vec::new();
        unpack(Cursor::new(bytes), &mut |name, reader| {
            let mut text = String::new();
            reader
                .read_to_string(&mut text)
                .map_err(|error| error.to_string())?;
            found.push((name.to_string(), text));
            Ok(())
        })?;
        Ok(found)
    }

    /// `printf 'x,y,z\n1,2,3\n' | xz | xxd -p`, by XZ Utils 5.4.
    const XZ: &str = "fd377a585a000004e6d6b4460200210116000000742fe5a301000b782c792c7a0a312c322c330a0000d6940c\
                      d55040a30001240ca618d8d81fb6f37d010000000004595a";

    #[test]
    fn packed_files_are_unpacked_and_others_named() {
        let plain = b"x,y,z\n1,2,3\n";
        let text = String::from_utf8_lossy(plain).into_owned();
        let mut gz = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
        gz.write_all(plain).unwrap();
        let gz = gz.finish().unwrap();
        let hex: Vec<u8> = XZ.bytes().filter(u8::is_ascii_hexdigit).collect();
        let pairs = hex.chunks(2);
        let xz: Vec<u8> = pairs
            .map(|pair| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap())
            .collect();
        for bytes in [&plain[..], &gz, &xz] {
            assert_eq!(inside(bytes).unwrap(), [(String::new(), text.clone())]);
        }
        let mut archive = zip::ZipWriter::new(Cursor::new(Vec::new()));
        for name in ["b.csv", "picture.jpg", "a.LOG"] {
            let options = zip::write::SimpleFileOptions::default();
            archive.start_file(name, options).unwrap();
            archive.write_all(plain).unwrap();
        }
        let zipped = archive.finish().unwrap().into_inner();
        let names: Vec<String> = inside(&zipped)
            .unwrap()
            .into_iter()
            .map(|(n, _)| n)
            .collect();
        assert_eq!(names, ["a.LOG", "b.csv"]);
        assert!(inside(b"BZh91AY").unwrap_err().contains("bunzip2"));
        assert!(
            inside(&gz[..15])
                .unwrap_err()
                .contains("gzip data are damaged")
        );
        assert!(
            inside(&xz[..40])
                .unwrap_err()
                .contains("xz data are damaged")
        );
    }
}
