//! A TCP connection of ours to a device or a server.

use std::collections::VecDeque;
use std::io::{Error, ErrorKind, Read, Result, Write};
use std::net::{TcpStream, ToSocketAddrs};
use std::time::Duration;

use super::channel::{Channel, MOST_AT_ONCE, Received, is_pause};

/// How long a host may take to answer.
const PATIENCE: Duration = Duration::from_secs(3);

pub(super) struct Stream {
    stream: TcpStream,
    /// What the other side has not yet taken.
    unsent: VecDeque<u8>,
}

impl Stream {
    pub(super) fn open(remote: &str) -> Result<Self> {
        let mut last = Error::new(ErrorKind::NotFound, "the host has no address");
        for address in remote.to_socket_addrs()? {
            match TcpStream::connect_timeout(&address, PATIENCE) {
                Ok(stream) => {
                    stream.set_nonblocking(true)?;
                    stream.set_nodelay(true)?;
                    return Ok(Self {
                        stream,
                        unsent: VecDeque::new(),
                    });
                }
                Err(error) => last = error,
            }
        }
        Err(last)
    }

    fn flush(&mut self) -> Result<()> {
        while !self.unsent.is_empty() {
            match self.stream.write(self.unsent.as_slices().0) {
                Ok(count) => drop(self.unsent.drain(..count)),
                Err(error) if is_pause(&error) => break,
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }
}

impl Channel for Stream {
    fn receive(&mut self, into: &mut Vec<u8>) -> Result<Received> {
        self.flush()?;
        let start = into.len();
        let mut buffer = [0; 4096];
        while into.len() - start < MOST_AT_ONCE {
            match self.stream.read(&mut buffer) {
                Ok(0) => {
                    return Err(Error::new(
                        ErrorKind::UnexpectedEof,
                        "the other side closed the connection",
                    ));
                }
                Ok(count) => into.extend(buffer.iter().take(count)),
                Err(error) if is_pause(&error) => break,
                Err(error) => return Err(error),
            }
        }
        Ok(Received::Open)
    }

    fn send(&mut self, bytes: &[u8]) -> Result<()> {
        // Whole messages or none: half a message would cost the next one too.
        if self.unsent.len() + bytes.len() <= MOST_AT_ONCE {
            self.unsent.extend(bytes);
        }
        self.flush()
    }
}
