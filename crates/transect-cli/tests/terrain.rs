//! `transect terrain` and `transect fetch`: what users see, and what they are told when something is wrong.

mod common;

use common::{succeed, text, transect, verdict};
use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::path::Path;

#[track_caller]
fn assert_refused(arguments: &[&str], code: i32, parts: &[&str]) {
    let (got, message) = verdict(transect().args(arguments));
    assert_eq!(got, code, "{message}");
    for part in parts {
        assert!(message.contains(part), "`{part}` is not in: {message}");
    }
    assert!(!message.contains("panicked"), "{message}");
}

fn json(arguments: &[&str]) -> serde_json::Value {
    let output = succeed(transect().args(arguments).arg("--json"));
    serde_json::from_slice(&output.stdout).unwrap()
}

const GRID: &str = "ncols 3\nnrows 2\nxllcorner 500000\nyllcorner 4000000\ncellsize 10\nNODATA_value -9999\n1 2 3\n4 5 -9999\n";

#[test]
fn a_file_is_described_in_words_numbers_and_a_picture() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("lake.asc");
    std::fs::write(&file, GRID).unwrap();
    std::fs::write(
        file.with_extension("prj"),
        "PROJCS[\"WGS_1984_UTM_Zone_32N\",UNIT[\"Meter\",1.0]]",
    )
    .unwrap();
    let (file, picture) = (file.to_str().unwrap(), folder.path().join("lake.png"));
    let said = json(&["terrain", file, "--png", picture.to_str().unwrap()]);
    assert_eq!(
        (&said["rows"], &said["columns"], &said["voids"]),
        (&2.into(), &3.into(), &1.into())
    );
    assert_eq!(
        (&said["min"], &said["max"], &said["mean"]),
        (&1.0.into(), &5.0.into(), &3.0.into())
    );
    // The population's: 1 to 5.
    assert_eq!(said["std"].as_f64(), Some(2.0_f64.sqrt()));
    assert_eq!(said["crs"], "EPSG:32632");
    assert_eq!(
        (&said["extent"]["xmax"], &said["extent"]["ymax"]),
        (&500_030.0.into(), &4_000_020.0.into())
    );
    assert!(std::fs::read(&picture).unwrap().starts_with(b"\x89PNG"));

    let words = succeed(transect().args(["terrain", file]));
    let words = text(&words.stdout);
    for part in [
        "2 rows x 3 columns",
        "UTM zone 32 north",
        "1.00 to 5.00",
        "1 (16.7 %)",
    ] {
        assert!(words.contains(part), "`{part}` is not in: {words}");
    }
    // Nothing is written over unasked.
    let again = ["terrain", file, "--png", picture.to_str().unwrap()];
    assert_refused(&again, 2, &["lake.png", "--force"]);
    succeed(transect().args(again).arg("--force"));
    let nowhere = folder.path().join("none/lake.png");
    assert_refused(
        &["terrain", file, "--png", nowhere.to_str().unwrap()],
        1,
        &["lake.png", "folder"],
    );
}

#[test]
fn built_in_terrains_are_listed_and_described() {
    let listed = json(&["terrain"]);
    let names = listed["builtin"].as_array().unwrap();
    assert!(names.len() >= 6 && names[0]["name"] == "jacksboro");
    for entry in names {
        let said = json(&["terrain", entry["name"].as_str().unwrap()]);
        assert_eq!(said["voids"], 0);
    }
    assert_eq!(json(&["terrain", "jacksboro"])["crs"], "EPSG:4326");
}

#[test]
fn a_built_in_terrain_becomes_a_file_that_is_the_same_terrain() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("quarry.tif");
    let out = file.to_str().unwrap();
    let built_in = json(&["terrain", "quarry", "--out", out]);
    let read = json(&["terrain", out]);
    for same in ["rows", "columns", "cell", "extent", "crs", "voids"] {
        assert_eq!(read[same], built_in[same], "{same}");
    }
    for near in ["min", "max", "mean", "std"] {
        let (read, built_in) = (read[near].as_f64(), built_in[near].as_f64());
        // The file holds single precision.
        assert!(
            (read.unwrap() / built_in.unwrap() - 1.0).abs() < 1e-6,
            "{near}"
        );
    }
    assert_refused(
        &["terrain", "quarry", "--out", out],
        2,
        &["quarry.tif", "--force"],
    );
    assert_refused(
        &["terrain", "quarry", "--out", "quarry.asc"],
        2,
        &["quarry.asc", ".tif"],
    );
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packed.write_all(bytes).unwrap();
    packed.finish().unwrap()
}

/// A TIFF of `side` x `side` bytes that are not there, with this compression, and further tags: number, type and value.
fn tiff(side: u32, compression: u32, more: &[(u16, u16, u32)]) -> Vec<u8> {
    let mut tags = vec![
        (256, 4, side),
        (257, 4, side),
        (259, 3, compression),
        (262, 3, 1),
        (273, 4, 8),
        (278, 4, side),
        (279, 4, side.saturating_mul(side)),
    ];
    tags.extend(more);
    if !more.iter().any(|tag| tag.0 == 258) {
        tags.push((258, 3, 8));
    }
    tags.sort_unstable();
    let mut bytes = b"II*\0\x08\0\0\0".to_vec();
    bytes.extend((tags.len() as u16).to_le_bytes());
    for (tag, kind, value) in tags {
        bytes.extend(u16::to_le_bytes(tag));
        bytes.extend(u16::to_le_bytes(kind));
        bytes.extend(1_u32.to_le_bytes());
        bytes.extend(value.to_le_bytes());
    }
    bytes.extend([0; 4]);
    bytes
}

#[test]
fn what_is_no_terrain_is_named_with_the_reason() {
    let folder = tempfile::tempdir().unwrap();
    let cases: &[(&str, &[u8], &str)] = &[
        ("empty.tif", b"", "empty"),
        ("cut.tif", b"II*\0\x08\0\0\0", "TIFF"),
        ("cut.npy", b"\x93NUMPY\x01\x00v", "cut off"),
        ("cut.png", b"\x89PNG\r\n\x1a\n", "PNG"),
        ("cut.jpg", b"\xff\xd8\xff\xe0", "JPEG"),
        ("cut.gz", b"\x1f\x8b\x08\0", "gzip"),
        ("cut.zip", b"PK\x03\x04", "zip"),
        ("N17E073.hgt", b"12345", "5 bytes"),
        ("program", b"\x7fELF\x02\x01\0\0\xff", "formats"),
        (
            "words.csv",
            b"x,y,z\n1,2,deep\n",
            "line 2, column `z`: `deep`",
        ),
        (
            "huge.asc",
            b"ncols 99999999\nnrows 99999999\nxllcorner 0\nyllcorner 0\ncellsize 1\n1",
            "at most",
        ),
        (
            "text.asc",
            b"ncols 1\nnrows 1\nxllcorner 0\nyllcorner 0\ncellsize 1\nshallow",
            "`shallow`",
        ),
        (
            "void.asc",
            b"ncols 1\nnrows 1\nxllcorner 0\nyllcorner 0\ncellsize 1\n-9999",
            "void",
        ),
        (
            "abyss.asc",
            b"ncols 1\nnrows 1\nxllcorner 0\nyllcorner 0\ncellsize 1\n-inf",
            "row 0, column 0",
        ),
    ];
    let array = |descr: &str, shape: &str| {
        let header =
            format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}, }}\n");
        let length = (header.len() as u16).to_le_bytes();
        [b"\x93NUMPY\x01\x00", &length[..], header.as_bytes()].concat()
    };
    let made: Vec<(&str, Vec<u8>, &str)> = vec![
        ("huge.npy", array("<f8", "(99999999, 99999999)"), "at most"),
        ("short.npy", array("<f8", "(2, 2)"), "0 of 4 numbers"),
        ("complex.npy", array("<c16", "(2, 2)"), "`<c16`"),
        ("deep.npy", array("<f8", "(2, 2, 2)"), "two dimensions"),
        ("jpeg.tif", tiff(8, 7, &[]), "gdal_translate"),
        ("huge.tif", tiff(99_999, 1, &[]), "at most"),
        ("hollow.tif", tiff(5_000, 1, &[]), "bytes can hold"),
        ("short.tif", tiff(20, 1, &[]), "TIFF"),
        ("bits.tif", tiff(8, 1, &[(258, 3, 2)]), "2 bits"),
        (
            "bomb.hgt.gz",
            gzip(&vec![0; 300 << 20]),
            "larger than 256 MiB",
        ),
        ("N17E073.hgt.gz", gzip(b"12345"), "5 bytes"),
        (
            "letter.csv.gz",
            gzip(b"x,y,z\n1,2,3\n4,5,six\n"),
            "line 3, column `z`: `six`",
        ),
        (
            "ragged.xyz",
            b"1 2 3 4\n1 2 3\n".to_vec(),
            "line 2: it has 3 columns",
        ),
        (
            "scattered.xyz",
            b"0 0 1\n1 0 1\n0 1 1\n1.4 1 1\n5 0 1\n".to_vec(),
            "transect map",
        ),
    ];
    let cases = cases
        .iter()
        .map(|(name, bytes, part)| (*name, bytes.to_vec(), *part));
    for (name, bytes, part) in cases.chain(made) {
        let file = folder.path().join(name);
        std::fs::write(&file, bytes).unwrap();
        assert_refused(&["terrain", file.to_str().unwrap()], 2, &[name, part]);
    }
    // Two gigabytes that take no room on the disk.
    let large = folder.path().join("large.tif");
    let sparse = std::fs::File::create(&large).unwrap();
    sparse.set_len(2 << 30).unwrap();
    let large = large.to_str().unwrap();
    assert_refused(
        &["terrain", large],
        2,
        &["large.tif", "larger than 256 MiB"],
    );
    assert_refused(
        &["terrain", folder.path().to_str().unwrap()],
        2,
        &["not a file"],
    );
    assert_refused(
        &["terrain", "jaksboro"],
        2,
        &["`jaksboro`", "did you mean `jacksboro`?"],
    );
    assert_refused(
        &["terrain", "no/where.tif"],
        2,
        &["`no/where.tif`", "no such file"],
    );
    let cache = folder.path().to_str().unwrap();
    assert_refused(
        &["terrain", "S34W070", "--cache", cache],
        2,
        &["transect fetch S34W070"],
    );
    assert_refused(&["terrain", "--png", "x.png"], 2, &["FILE|NAME"]);
    let picture = folder.path().join("q.txt");
    let flag = picture.to_str().unwrap();
    assert_refused(
        &["terrain", "jacksboro", "--png", flag],
        2,
        &["q.txt", ".png"],
    );
    assert!(!picture.exists());
    let words = folder.path().join("words.txt");
    std::fs::write(&words, "root:x:0:0:root\ndaemon:x:1:1:daemon\n").unwrap();
    let (_, message) = verdict(transect().args(["terrain", words.to_str().unwrap()]));
    assert!(
        message.contains("no grid of heights") && !message.contains("--x"),
        "{message}"
    );
}

/// A server with the paths of the public bucket and one tile, all of whose heights are 257 m.
fn serve_tiles() -> String {
    let tile = gzip(&vec![1; 2 * 1201 * 1201]);
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            let mut request = String::new();
            let mut reader = BufReader::new(stream.try_clone().unwrap());
            reader.read_line(&mut request).unwrap();
            let mut header = String::new();
            while reader.read_line(&mut header).is_ok_and(|n| n > 2) {
                header.clear();
            }
            let (status, body) = match request.split(' ').nth(1) {
                Some("/skadi/N17/N17E073.hgt.gz") => ("200 OK", &tile[..]),
                Some("/skadi/N18/N18E073.hgt.gz") => ("200 OK", &tile[..tile.len() / 2]),
                Some("/skadi/N19/N19E073.hgt.gz") => ("500 Internal Server Error", &b"broken"[..]),
                _ => ("404 Not Found", &b"no such key"[..]),
            };
            let head = format!(
                "HTTP/1.1 {status}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
                body.len()
            );
            let _ = stream
                .write_all(head.as_bytes())
                .and_then(|()| stream.write_all(body));
        }
    });
    address
}

fn fetch(tile: &str, cache: &Path, from: &str) -> std::process::Command {
    let mut command = transect();
    command
        .args(["fetch", tile, "--from", from, "--cache"])
        .arg(cache);
    command
        .env("NO_PROXY", "127.0.0.1")
        .env("no_proxy", "127.0.0.1");
    command
}

#[test]
fn a_tile_is_fetched_once_and_known_by_its_name() {
    let folder = tempfile::tempdir().unwrap();
    let cache = folder.path().join("cache");
    let server = serve_tiles();
    let first = succeed(&mut fetch("n17e073", &cache, &server));
    assert!(text(&first.stdout).contains("N17E073.hgt.gz"));
    let again = succeed(&mut fetch("N17E073", &cache, "http://127.0.0.1:1"));
    assert!(text(&again.stdout).contains("already"));
    let said = json(&["terrain", "N17E073", "--cache", cache.to_str().unwrap()]);
    assert_eq!(
        (&said["rows"], &said["mean"]),
        (&1201.into(), &257.0.into())
    );
    assert_eq!(said["crs"], "EPSG:4326");
}

#[test]
fn what_cannot_be_fetched_is_explained_and_leaves_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let cache = folder.path().join("cache");
    let server = serve_tiles();
    for (tile, from, code, parts) in [
        ("N17E73", &server[..], 2, ["`N17E73`", "N17E073"]),
        ("N00E000", &server, 2, ["no tile N00E000", "land"]),
        ("N18E073", &server, 1, ["N18E073.hgt.gz", "cut off"]),
        ("N19E073", &server, 1, ["500", "save it as"]),
        // Nobody listens there: as good as no network.
        (
            "N17E073",
            "http://127.0.0.1:1",
            1,
            ["check the network", "save it as"],
        ),
        ("N17E073", "not an address", 2, ["--from", "not an address"]),
    ] {
        let (got, message) = verdict(&mut fetch(tile, &cache, from));
        assert_eq!(got, code, "{tile}: {message}");
        for part in parts {
            assert!(
                message.contains(part),
                "{tile}: `{part}` is not in: {message}"
            );
        }
        assert!(!cache.exists(), "{tile}");
    }
}
