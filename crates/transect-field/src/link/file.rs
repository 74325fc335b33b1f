//! A log, read once from beginning to end.

use std::fs::File;
use std::io::{Read, Result};
use std::path::Path;

use super::channel::{Channel, Received};
use crate::FieldError;

/// Bytes per poll: a long log does not hold up whoever polls.
const CHUNK: u64 = 16 * 1024;

pub(super) struct Log(File);

impl Log {
    pub(super) fn open(path: &Path) -> std::result::Result<Self, FieldError> {
        File::open(path)
            .map(Self)
            .map_err(|source| FieldError::Log {
                path: path.to_owned(),
                source,
            })
    }
}

impl Channel for Log {
    fn receive(&mut self, into: &mut Vec<u8>) -> Result<Received> {
        match (&self.0).take(CHUNK).read_to_end(into)? {
            0 => Ok(Received::Ended),
            _ => Ok(Received::Open),
        }
    }

    fn send(&mut self, _: &[u8]) -> Result<()> {
        Ok(())
    }
}
