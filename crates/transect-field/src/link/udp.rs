//! Datagrams, both ways round.

use std::io::{Error, ErrorKind, Result};
use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr, ToSocketAddrs, UdpSocket};

use super::channel::{Channel, MOST_AT_ONCE, Received, is_pause};

/// The largest datagram there is.
const DATAGRAM: usize = 65_535;

/// Sends to one address and hears from it alone.
pub(super) struct Client {
    socket: UdpSocket,
    buffer: Vec<u8>,
}

impl Client {
    pub(super) fn open(remote: &str) -> Result<Self> {
        let remote = resolve(remote)?;
        let any = match remote {
            SocketAddr::V4(_) => SocketAddr::from((Ipv4Addr::UNSPECIFIED, 0)),
            SocketAddr::V6(_) => SocketAddr::from((Ipv6Addr::UNSPECIFIED, 0)),
        };
        let socket = UdpSocket::bind(any)?;
        socket.connect(remote)?;
        socket.set_nonblocking(true)?;
        Ok(Self {
            socket,
            buffer: vec![0; DATAGRAM],
        })
    }
}

impl Channel for Client {
    fn receive(&mut self, into: &mut Vec<u8>) -> Result<Received> {
        let start = into.len();
        while into.len() - start < MOST_AT_ONCE {
            match self.socket.recv(&mut self.buffer) {
                Ok(count) => into.extend(self.buffer.iter().take(count)),
                Err(error) if is_pause(&error) || nobody_there(&error) => break,
                Err(error) => return Err(error),
            }
        }
        Ok(Received::Open)
    }

    fn send(&mut self, bytes: &[u8]) -> Result<()> {
        sent(self.socket.send(bytes))
    }
}

/// Someone who spoke to a [`Server`].
#[derive(Clone, Copy)]
struct Peer {
    address: SocketAddr,
    /// Datagrams from others since it last spoke.
    silent_for: u32,
}

/// Listens, and answers whoever spoke lately.
///
/// Not only the last one: a stray datagram must not steal the line from the vehicle.
pub(super) struct Server {
    socket: UdpSocket,
    peers: Vec<Peer>,
    buffer: Vec<u8>,
}

impl Server {
    const MOST_PEERS: usize = 4;
    /// A peer is forgotten after so many datagrams from others.
    const PATIENCE: u32 = 1000;
    /// ... or, when there is no room for a newcomer, after so many.
    const MAY_BE_GONE: u32 = 2;

    pub(super) fn open(local: &str) -> Result<Self> {
        let socket = UdpSocket::bind(resolve(local)?)?;
        socket.set_nonblocking(true)?;
        Ok(Self {
            socket,
            peers: Vec::new(),
            buffer: vec![0; DATAGRAM],
        })
    }

    pub(super) fn local_port(&self) -> Option<u16> {
        self.socket.local_addr().ok().map(|address| address.port())
    }

    fn heard(&mut self, address: SocketAddr) {
        for peer in &mut self.peers {
            peer.silent_for = if peer.address == address {
                0
            } else {
                peer.silent_for.saturating_add(1)
            };
        }
        self.peers.retain(|peer| peer.silent_for < Self::PATIENCE);
        if self.peers.iter().any(|peer| peer.address == address) {
            return;
        }
        let newcomer = Peer {
            address,
            silent_for: 0,
        };
        if self.peers.len() < Self::MOST_PEERS {
            self.peers.push(newcomer);
        } else if let Some(gone) = self.peers.iter_mut().max_by_key(|peer| peer.silent_for)
            && gone.silent_for > Self::MAY_BE_GONE
        {
            // A program that was started again speaks from another port; those before it are gone.
            *gone = newcomer;
        }
    }
}

impl Channel for Server {
    fn receive(&mut self, into: &mut Vec<u8>) -> Result<Received> {
        let start = into.len();
        while into.len() - start < MOST_AT_ONCE {
            match self.socket.recv_from(&mut self.buffer) {
                Ok((count, from)) => {
                    into.extend(self.buffer.iter().take(count));
                    self.heard(from);
                }
                Err(error) if is_pause(&error) || nobody_there(&error) => break,
                Err(error) => return Err(error),
            }
        }
        Ok(Received::Open)
    }

    fn send(&mut self, bytes: &[u8]) -> Result<()> {
        self.peers
            .iter()
            .try_for_each(|peer| sent(self.socket.send_to(bytes, peer.address)))
    }
}

/// Datagrams may get lost: a host or port that is not there now may come back.
fn sent(result: Result<usize>) -> Result<()> {
    match result {
        Err(error) if !is_pause(&error) && !nobody_there(&error) => Err(error),
        _ => Ok(()),
    }
}

fn nobody_there(error: &Error) -> bool {
    matches!(
        error.kind(),
        ErrorKind::ConnectionRefused
            | ErrorKind::ConnectionReset
            | ErrorKind::HostUnreachable
            | ErrorKind::NetworkUnreachable
            | ErrorKind::NetworkDown
    )
}

pub(super) fn resolve(address: &str) -> Result<SocketAddr> {
    let none = || Error::new(ErrorKind::NotFound, "the host has no address");
    address.to_socket_addrs()?.next().ok_or_else(none)
}

#[cfg(test)]
mod tests {
    use super::{Channel, Server};
    use std::net::UdpSocket;
    use std::time::Duration;

    /// A program that is started again and again speaks from a new port each time.
    #[test]
    fn the_tenth_to_speak_is_answered_too() {
        let mut server = Server::open("127.0.0.1:0").unwrap();
        let port = server.local_port().unwrap();
        for _ in 0..10 {
            let program = UdpSocket::bind("127.0.0.1:0").unwrap();
            program
                .set_read_timeout(Some(Duration::from_millis(200)))
                .unwrap();
            let answered = (0..5).any(|_| {
                program.send_to(b"hello", ("127.0.0.1", port)).unwrap();
                server.receive(&mut Vec::new()).unwrap();
                server.send(b"here").unwrap();
                program.recv(&mut [0; 16]).is_ok()
            });
            assert!(answered);
        }
    }
}
