//! The paper's experiments on a machine that has nothing: files from a server, functions from their formulas.

mod common;

use common::{succeed, text, transect, verdict};
use std::io::{Read, Write};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Serves the files that `find` knows, as the authors' repository does.
fn serve(find: impl Fn(&str) -> Option<Vec<u8>> + Send + 'static) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let mut request = [0; 4096];
            let count = stream.read(&mut request).unwrap_or(0);
            let line = String::from_utf8_lossy(&request[..count]).into_owned();
            let path = line.split_whitespace().nth(1).unwrap_or("").to_string();
            let (status, body) = match find(&path) {
                Some(body) => ("200 OK", body),
                None => ("404 Not Found", Vec::new()),
            };
            let head = format!(
                "HTTP/1.1 {status}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
                body.len()
            );
            let _ = stream.write_all(head.as_bytes());
            let _ = stream.write_all(&body);
        }
    });
    address
}

/// The program in an empty folder, with an empty cache.
fn alone(folder: &Path) -> Command {
    let mut command = transect();
    command
        .current_dir(folder)
        .env("XDG_CACHE_HOME", folder.join("cache"));
    command
        .env("NO_PROXY", "127.0.0.1")
        .env("no_proxy", "127.0.0.1");
    command.env_remove("TRANSECT_DATA");
    command
}

/// Needs the authors' files, in the folder that `TRANSECT_DATA` names: they stand in for the download.
#[test]
#[cfg_attr(not(transect_data), ignore = "set TRANSECT_DATA to the reference data")]
fn from_an_empty_cache_everything_is_there_after_one_command() {
    let data = PathBuf::from(std::env::var_os("TRANSECT_DATA").unwrap()).join("terrain");
    let server = serve(move |path| {
        let name = path.rsplit('/').next()?;
        path.contains("/preprocessed/")
            .then(|| std::fs::read(data.join(name)).ok())?
    });
    let folder = tempfile::tempdir().unwrap();
    let (code, said) =
        verdict(alone(folder.path()).args(["reproduce", "tables", "--samples", "100"]));
    assert!(code == 2 && said.contains("transect fetch paper"), "{said}");
    let got = succeed(alone(folder.path()).args(["--quiet", "fetch", "paper", "--from", &server]));
    assert!(
        text(&got.stdout).contains("5 terrains"),
        "{}",
        text(&got.stdout)
    );
    let again =
        succeed(alone(folder.path()).args(["fetch", "paper", "--from", "http://127.0.0.1:1"]));
    assert!(text(&again.stdout).contains("already"));
    // Each as short as it can be: what counts is that it runs.
    for words in [
        "tables --samples 100 --strategy random --kernel rbf --seeds 0",
        "step --steps 5",
        "sine --steps 5",
        "volcano --steps 5 --samples 60",
    ] {
        let mut command = alone(folder.path());
        let done = succeed(
            command
                .args(["--quiet", "reproduce"])
                .args(words.split_whitespace()),
        );
        let said = text(&done.stdout);
        assert!(said.contains("report.html"), "{words}: {said}");
        assert!(
            !said.contains("of the paper's standard deviations"),
            "{said}"
        );
    }
}

#[test]
fn what_is_not_the_authors_file_is_refused_and_the_rest_is_named() {
    let server = serve(|path| path.contains("N17E073").then(|| vec![0; 1_036_928]));
    let folder = tempfile::tempdir().unwrap();
    for (from, part) in [
        (&server[..], "SHA-256 differs"),
        ("http://127.0.0.1:1", "check the network"),
    ] {
        let (code, said) =
            verdict(alone(folder.path()).args(["--quiet", "fetch", "paper", "--from", from]));
        assert_eq!(code, 1, "{said}");
        for part in [part, "helens.npy as", "raw.githubusercontent.com"] {
            assert!(said.contains(part), "{said} does not say {part}");
        }
        assert!(!folder.path().join("cache").exists());
    }
}
