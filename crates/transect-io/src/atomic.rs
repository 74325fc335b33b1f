//! Files that appear whole or not at all.

use crate::error::IoError;
use std::fs::{self, File};
use std::io::Write;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

/// Files begun by this process, so that each has its own name while it is not finished.
static BEGUN: AtomicU64 = AtomicU64::new(0);

/// What to do with a file that is already there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Existing {
    /// Refuse to write.
    Keep,
    /// Write over it.
    Replace,
}

/// Writes a file under another name and renames it, so that nobody ever sees half of it: neither a reader, nor
/// whoever comes after a full disk or a power cut.
///
/// # Errors
/// If the file is there and may not be replaced, or the system refuses.
pub fn write(path: &Path, contents: &[u8], existing: Existing) -> Result<(), IoError> {
    if existing == Existing::Keep && path.exists() {
        return Err(IoError::Exists {
            path: path.to_owned(),
        });
    }
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let number = BEGUN.fetch_add(1, Ordering::Relaxed);
    let partial = format!(".{name}.partial{}-{number}", std::process::id());
    let partial = path.with_file_name(partial);
    let finish = || {
        let mut file = File::create(&partial)?;
        file.write_all(contents)?;
        file.sync_all()?;
        fs::rename(&partial, path)
    };
    finish().map_err(|source| {
        let _ = fs::remove_file(&partial);
        IoError::Write {
            path: path.to_owned(),
            source,
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn replaces_only_when_told_and_leaves_nothing_behind() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("map.tif");
        write(&path, b"one", Existing::Keep).unwrap();
        let refusal = write(&path, b"two", Existing::Keep)
            .unwrap_err()
            .to_string();
        assert!(
            refusal.contains("map.tif") && refusal.contains("--force"),
            "{refusal}"
        );
        assert_eq!(fs::read(&path).unwrap(), b"one");
        write(&path, b"two", Existing::Replace).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"two");

        let nowhere = path.join("below-a-file.tif");
        let refusal = write(&nowhere, b"x", Existing::Keep)
            .unwrap_err()
            .to_string();
        assert!(refusal.contains("below-a-file.tif"), "{refusal}");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
