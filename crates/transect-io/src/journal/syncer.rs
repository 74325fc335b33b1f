//! Brings what was written to the disk, once a second, beside the mission: a disk may take its time.

use std::fs::File;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;

const PAUSE: Duration = Duration::from_secs(1);

/// A thread that syncs a file for as long as this lives.
pub(super) struct Syncer {
    dirty: Arc<AtomicBool>,
    alive: Option<Sender<()>>,
    thread: Option<JoinHandle<io::Result<()>>>,
}

impl Syncer {
    pub(super) fn of(file: File) -> io::Result<Self> {
        let dirty = Arc::new(AtomicBool::new(false));
        let (alive, ended) = channel::<()>();
        let there_is_more = Arc::clone(&dirty);
        let work = move || {
            while ended.recv_timeout(PAUSE) == Err(RecvTimeoutError::Timeout) {
                if there_is_more.swap(false, Ordering::Relaxed) {
                    file.sync_data()?;
                }
            }
            file.sync_all()
        };
        let builder = std::thread::Builder::new().name("journal".into());
        Ok(Self {
            dirty,
            alive: Some(alive),
            thread: Some(builder.spawn(work)?),
        })
    }

    /// Something was written.
    pub(super) fn touch(&self) {
        self.dirty.store(true, Ordering::Relaxed);
    }

    /// Syncs a last time; says whether everything reached the disk.
    pub(super) fn finish(&mut self) -> io::Result<()> {
        self.alive.take();
        match self.thread.take().map(JoinHandle::join) {
            Some(Ok(outcome)) => outcome,
            Some(Err(_)) => Err(io::Error::other("the thread that syncs the file died")),
            None => Ok(()),
        }
    }
}

impl Drop for Syncer {
    fn drop(&mut self) {
        let _ = self.finish();
    }
}
