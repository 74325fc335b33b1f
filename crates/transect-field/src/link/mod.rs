//! Bytes to and from a device, whatever the wire.
//!
//! - [`LinkAddress`]: `udp:HOST:PORT`, `udpin:HOST:PORT`, `tcp:HOST:PORT`, `serial:DEVICE:BAUD`, `file:PATH`
//! - [`Link`]: an open address; never blocks, and opens again by itself after a failure
//! - [`LinkStatus`]: how it stands

mod address;
mod backoff;
mod channel;
mod file;
mod serial;
mod tcp;
mod udp;

pub use address::LinkAddress;

use std::sync::mpsc::{Receiver, TryRecvError, sync_channel};

use crate::FieldError;
use backoff::Backoff;
use channel::{Channel, Received};

/// How a link stands.
#[derive(Debug, Clone, PartialEq)]
pub enum LinkStatus {
    /// Being opened.
    Opening,
    /// Open; the other side may still be silent.
    Open,
    /// It failed and will be opened again.
    Waiting {
        /// What went wrong.
        reason: String,
        /// When it will be tried again, s on the caller's clock.
        until_s: f64,
    },
    /// A file that has been read to its end.
    Ended,
}

impl std::fmt::Display for LinkStatus {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Opening => f.write_str("being opened"),
            Self::Open => f.write_str("open, but no vehicle is heard on it"),
            Self::Waiting { reason, .. } => write!(f, "{reason}; it is tried again"),
            Self::Ended => f.write_str("read to its end"),
        }
    }
}

/// Where the bytes go.
enum Wire {
    Closed,
    Opening(Receiver<std::io::Result<Box<dyn Channel>>>),
    Open(Box<dyn Channel>),
}

/// A way to a device. Polled; never blocks; opens again after a failure, ever more patiently.
///
/// ```
/// use transect_field::link::Link;
/// let mut here = Link::open(&"udpin:127.0.0.1:0".parse()?)?;
/// let port = here.local_port().unwrap_or_default();
/// let mut there = Link::open(&format!("udp:127.0.0.1:{port}").parse()?)?;
/// there.send(0.0, b"ping");
/// let mut bytes = Vec::new();
/// here.receive(0.0, &mut bytes);
/// assert_eq!(bytes, b"ping");
/// # Ok::<(), transect_field::FieldError>(())
/// ```
pub struct Link {
    address: LinkAddress,
    wire: Wire,
    status: LinkStatus,
    backoff: Backoff,
    received_bytes: u64,
    local_port: Option<u16>,
}

impl Link {
    /// Opens an address. A device that is not there yet is no error: it is tried again.
    ///
    /// # Errors
    /// When the address can never work: a port in use, a host without a number, a file that is not there.
    pub fn open(address: &LinkAddress) -> Result<Self, FieldError> {
        let failed = |source| FieldError::Link {
            address: address.to_string(),
            source,
        };
        let mut local_port = None;
        let wire = match address {
            LinkAddress::Udp(remote) => {
                Wire::Open(Box::new(udp::Client::open(remote).map_err(failed)?))
            }
            LinkAddress::UdpIn(local) => {
                let server = udp::Server::open(local).map_err(failed)?;
                local_port = server.local_port();
                Wire::Open(Box::new(server))
            }
            LinkAddress::File(path) => Wire::Open(Box::new(file::Log::open(path)?)),
            LinkAddress::Tcp(_) | LinkAddress::Serial { .. } => opening(address.clone()),
        };
        let status = match wire {
            Wire::Open(_) => LinkStatus::Open,
            _ => LinkStatus::Opening,
        };
        Ok(Self {
            address: address.clone(),
            wire,
            status,
            backoff: Backoff::default(),
            received_bytes: 0,
            local_port,
        })
    }

    /// Appends what has arrived, at most 64 KiB at a time, and opens the link again when that is due.
    pub fn receive(&mut self, now_s: f64, into: &mut Vec<u8>) {
        self.reopen_when_due(now_s);
        let Wire::Open(channel) = &mut self.wire else {
            return;
        };
        let before = into.len();
        match channel.receive(into) {
            Ok(Received::Open) => {}
            Ok(Received::Ended) => self.status = LinkStatus::Ended,
            Err(error) => self.failed(now_s, &error),
        }
        self.received_bytes += (into.len() - before) as u64;
        if into.len() > before {
            self.backoff.reset();
        }
    }

    /// Sends, if the link is open. What cannot be sent now is dropped: protocols here repeat what matters.
    pub fn send(&mut self, now_s: f64, bytes: &[u8]) {
        if let Wire::Open(channel) = &mut self.wire
            && let Err(error) = channel.send(bytes)
        {
            self.failed(now_s, &error);
        }
    }

    /// How it stands.
    pub fn status(&self) -> &LinkStatus {
        &self.status
    }

    /// What it was opened with.
    pub fn address(&self) -> &LinkAddress {
        &self.address
    }

    /// Bytes received so far.
    pub fn received_bytes(&self) -> u64 {
        self.received_bytes
    }

    /// The port that a `udpin:` link listens on; port 0 asks for any free one.
    pub fn local_port(&self) -> Option<u16> {
        self.local_port
    }

    fn failed(&mut self, now_s: f64, error: &std::io::Error) {
        self.wire = Wire::Closed;
        self.status = LinkStatus::Waiting {
            reason: error.to_string(),
            until_s: now_s + self.backoff.next_s(),
        };
    }

    fn reopen_when_due(&mut self, now_s: f64) {
        if let LinkStatus::Waiting { until_s, .. } = self.status
            && now_s >= until_s
        {
            self.wire = opening(self.address.clone());
            self.status = LinkStatus::Opening;
        }
        let Wire::Opening(answer) = &self.wire else {
            return;
        };
        match answer.try_recv() {
            Ok(Ok(channel)) => {
                self.wire = Wire::Open(channel);
                self.status = LinkStatus::Open;
            }
            Ok(Err(error)) => self.failed(now_s, &error),
            Err(TryRecvError::Empty) => {}
            Err(TryRecvError::Disconnected) => {
                self.failed(now_s, &std::io::Error::other("could not be opened"));
            }
        }
    }
}

impl std::fmt::Debug for Link {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Link")
            .field("address", &self.address)
            .field("status", &self.status)
            .field("received_bytes", &self.received_bytes)
            .finish_non_exhaustive()
    }
}

/// Opens on a thread of its own: names are looked up and far hosts awaited there.
fn opening(address: LinkAddress) -> Wire {
    let (send, receive) = sync_channel(1);
    std::thread::spawn(move || {
        let opened = channel::open(&address);
        // Nobody may be waiting any more; then the channel closes here.
        drop(send.send(opened));
    });
    Wire::Opening(receive)
}
