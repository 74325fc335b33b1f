//! Files, and nothing else: whole ones up to a size.

use crate::IoError;
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// The bytes of a file of at most `most` bytes. Anything else, a larger file, a folder, a pipe, is refused.
///
/// # Errors
/// If the file cannot be read, or is refused.
pub(crate) fn read(path: &Path, most: u64) -> Result<Vec<u8>, IoError> {
    let file = open(path)?;
    let length = file.metadata().map_err(IoError::system(path))?.len();
    let mut bytes = Vec::new();
    if length <= most {
        // One more than allowed tells a file that grows meanwhile.
        file.take(most + 1)
            .read_to_end(&mut bytes)
            .map_err(IoError::system(path))?;
    }
    match length.max(bytes.len() as u64) > most {
        true => Err(IoError::content(path)(format!(
            "it is larger than {} MiB, the most that is read",
            most >> 20
        ))),
        false => Ok(bytes),
    }
}

/// Opens a file. Anything else, a folder, a pipe, is refused.
///
/// # Errors
/// If it cannot be opened, or is refused.
pub(crate) fn open(path: &Path) -> Result<File, IoError> {
    // Opening a pipe would wait for whoever writes to it.
    let kind = std::fs::metadata(path).map_err(IoError::system(path))?;
    match kind.is_file() {
        true => File::open(path).map_err(IoError::system(path)),
        false => Err(IoError::content(path)("it is not a file".into())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_up_to_the_limit_are_read_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        std::fs::write(&path, [7; 10]).unwrap();
        assert_eq!(read(&path, 10).unwrap(), [7; 10]);
        let message = |path: &Path| read(path, 9).unwrap_err().to_string();
        assert!(message(&path).contains("larger than"));
        assert!(message(folder.path()).contains("not a file"));
        assert!(message(&folder.path().join("none")).contains("none"));
    }
}
