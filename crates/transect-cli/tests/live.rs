//! Missions that are watched while they run.
#![cfg(feature = "live")]

mod common;

use common::{Place, contents, succeed, transect, verdict};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// A short mission over a built-in lake.
fn mission(out: &Path) -> Command {
    let document = out.with_extension("toml");
    std::fs::write(
        &document,
        "[budget]\nsoundings = 60\n[kernel]\nname = \"rbf\"\n",
    )
    .unwrap();
    let mut command = transect();
    command.arg("run").arg(document).arg("--out").arg(out);
    command
}

/// A program that prints where its page is; killed at the end of the test.
struct Served {
    child: Child,
    link: String,
}

impl Served {
    fn start(command: &mut Command) -> Self {
        let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        let stdout = child.stdout.take().unwrap();
        BufReader::new(stdout).read_line(&mut line).unwrap();
        let link = line.trim().strip_prefix("live: ").expect(&line).to_owned();
        Self { child, link }
    }

    /// What comes back for a path within a second, however long it goes on.
    fn get(&self, path: &str) -> String {
        let at = self.link.strip_prefix("http://").unwrap();
        let host = at.split('/').next().unwrap();
        let mut stream = TcpStream::connect(host).unwrap();
        stream
            .set_read_timeout(Some(Duration::from_secs(1)))
            .unwrap();
        write!(stream, "GET {path} HTTP/1.1\r\nHost: {host}\r\n\r\n").unwrap();
        let mut bytes = Vec::new();
        let _ = stream.read_to_end(&mut bytes);
        String::from_utf8_lossy(&bytes).into_owned()
    }

    fn token(&self) -> &str {
        self.link
            .split_once("?token=")
            .map_or("", |(_, token)| token)
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn a_mission_that_is_served_writes_the_same_bytes() {
    let place = Place::new();
    let (alone, served) = (place.path().join("alone"), place.path().join("served"));
    succeed(&mut mission(&alone));
    let output = succeed(mission(&served).args(["--live", "127.0.0.1:0"]));
    let told = common::text(&output.stderr);
    assert!(told.contains("live: http://127.0.0.1:"), "{told}");
    let expected = contents(&alone);
    for (name, bytes) in contents(&served) {
        assert!(bytes == expected[&name], "{} differs", name.display());
    }
}

#[test]
fn a_journal_is_shown_with_everything_in_it_and_nothing_else_is() {
    let place = Place::new();
    let out = place.path().join("out");
    succeed(&mut mission(&out));
    let served = Served::start(
        transect()
            .arg("watch")
            .arg(&out)
            .args(["--live", "127.0.0.1:0"]),
    );
    let page = served.get("/");
    assert!(page.starts_with("HTTP/1.1 200 OK"), "{page}");
    assert!(page.contains("content-security-policy: default-src 'none'"));
    assert!(page.contains("The mission in out"));
    let events = served.get("/events");
    let last = std::fs::read_to_string(out.join("soundings.csv")).unwrap();
    let last: Vec<f64> = (last.lines().last().unwrap().split(','))
        .map(|number| number.parse().unwrap())
        .collect();
    let told = serde_json::to_string(&last).unwrap();
    assert!(events.contains(&told), "{told} is not in {events}");
    for event in ["hello", "track", "soundings", "map", "status", "ended"] {
        assert!(events.contains(&format!("event: {event}\n")), "{event}");
    }
    for path in ["/soundings.csv", "/../mission.toml", "/%2e%2e/mission.toml"] {
        assert!(served.get(path).starts_with("HTTP/1.1 404"), "{path}");
    }
}

#[test]
fn addresses_of_other_machines_come_with_a_token() {
    let place = Place::new();
    let out = place.path().join("out");
    succeed(&mut mission(&out));
    let served = Served::start(
        transect()
            .arg("watch")
            .arg(&out)
            .args(["--live", "0.0.0.0:0"]),
    );
    let token = served.token().to_owned();
    assert_eq!(token.len(), 32, "{}", served.link);
    for path in ["/", "/events", "/?token=", "/events?token=0"] {
        assert!(served.get(path).starts_with("HTTP/1.1 403"), "{path}");
    }
    assert!(
        served
            .get(&format!("/?token={token}"))
            .starts_with("HTTP/1.1 200")
    );
}

#[test]
fn bad_requests_are_named_with_what_to_do() {
    let place = Place::new();
    let out = place.path().join("out");
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    let (code, message) = verdict(mission(&out).args(["--live", &port]));
    assert_eq!(code, 2, "{message}");
    assert!(
        message.contains(&format!("127.0.0.1:{port}")) && message.contains("--live "),
        "{message}"
    );
    assert!(
        !out.exists(),
        "nothing is written before it is clear that it can be watched"
    );
    let (code, message) = verdict(mission(&out).args(["--live", "lake.toml"]));
    assert_eq!(code, 2);
    assert!(message.contains("`lake.toml` is no address"), "{message}");
    let (code, message) = verdict(transect().arg("watch").arg(place.path().join("nowhere")));
    assert_eq!(code, 2, "{message}");
    assert!(message.contains("nowhere is not there"), "{message}");
    let (code, message) = verdict(
        transect()
            .arg("watch")
            .arg(place.path())
            .args(["--speed", "-1"]),
    );
    assert_eq!(code, 2, "{message}");
}
