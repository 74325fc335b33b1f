//! One open wire.

use std::io::{Error, ErrorKind, Result};

use super::{LinkAddress, file, serial, tcp, udp};

/// Bytes taken from a wire in one go, at most.
pub(super) const MOST_AT_ONCE: usize = 64 * 1024;

/// Whether more can come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Received {
    /// More may come.
    Open,
    /// Nothing will ever come again, and that is in order.
    Ended,
}

/// An open wire that does not block.
pub(super) trait Channel: Send {
    /// Appends what is there.
    fn receive(&mut self, into: &mut Vec<u8>) -> Result<Received>;
    /// Sends, or drops what does not fit.
    fn send(&mut self, bytes: &[u8]) -> Result<()>;
}

/// Opens any address; may take seconds.
pub(super) fn open(address: &LinkAddress) -> Result<Box<dyn Channel>> {
    Ok(match address {
        LinkAddress::Udp(remote) => Box::new(udp::Client::open(remote)?),
        LinkAddress::UdpIn(local) => Box::new(udp::Server::open(local)?),
        LinkAddress::Tcp(remote) => Box::new(tcp::Stream::open(remote)?),
        LinkAddress::Serial { device, baud } => Box::new(serial::Port::open(device, *baud)?),
        LinkAddress::File(path) => Box::new(file::Log::open(path).map_err(Error::other)?),
    })
}

/// No data now, or none could be sent now: not a failure.
pub(super) fn is_pause(error: &Error) -> bool {
    matches!(
        error.kind(),
        ErrorKind::WouldBlock | ErrorKind::TimedOut | ErrorKind::Interrupted
    )
}
