//! A serial line, eight bits, no parity, one stop bit.

use std::io::{Error, ErrorKind, Result};
use std::time::Duration;

use serial2::SerialPort;

use super::channel::{Channel, MOST_AT_ONCE, Received, is_pause};

pub(super) struct Port(SerialPort);

impl Port {
    pub(super) fn open(device: &str, baud: u32) -> Result<Self> {
        let mut port = SerialPort::open(device, baud)?;
        port.set_read_timeout(Duration::ZERO)?;
        port.set_write_timeout(Duration::ZERO)?;
        Ok(Self(port))
    }
}

impl Channel for Port {
    fn receive(&mut self, into: &mut Vec<u8>) -> Result<Received> {
        let start = into.len();
        let mut buffer = [0; 4096];
        while into.len() - start < MOST_AT_ONCE {
            match self.0.read(&mut buffer) {
                Ok(0) => return Err(Error::new(ErrorKind::UnexpectedEof, "the device is gone")),
                Ok(count) => into.extend(buffer.iter().take(count)),
                Err(error) if is_pause(&error) => break,
                Err(error) => return Err(error),
            }
        }
        Ok(Received::Open)
    }

    fn send(&mut self, bytes: &[u8]) -> Result<()> {
        match self.0.write_all(bytes) {
            Err(error) if !is_pause(&error) => Err(error),
            _ => Ok(()),
        }
    }
}
