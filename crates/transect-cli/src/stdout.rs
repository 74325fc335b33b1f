//! Results to stdout. The standard macros panic when nobody reads them any more (`transect terrain | head -1`) or the
//! disk behind them is full; those below end the program in good order instead.

use std::fmt::Arguments;
use std::io::{ErrorKind, Write};

macro_rules! print {
    ($($text:tt)*) => {
        $crate::stdout::write(format_args!($($text)*))
    };
}

macro_rules! println {
    ($($text:tt)*) => {
        $crate::stdout::write(format_args!("{}\n", format_args!($($text)*)))
    };
}

/// Writes, or ends the program: well if whoever read has heard enough, with exit code 1 otherwise.
pub(crate) fn write(text: Arguments<'_>) {
    let mut stdout = std::io::stdout().lock();
    let written = stdout.write_fmt(text).and_then(|()| stdout.flush());
    match written {
        Ok(()) => {}
        Err(error) if error.kind() == ErrorKind::BrokenPipe => std::process::exit(0),
        Err(error) => {
            eprintln!("error: the results cannot be written to stdout: {error}");
            std::process::exit(1);
        }
    }
}
