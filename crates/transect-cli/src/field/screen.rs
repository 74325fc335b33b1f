//! One screen with everything that an operator wants to know, drawn again and again.

use super::picture::{Look, picture};
use console::{Term, style};
use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;
use transect_survey::field::View;

/// Time between two pictures.
const PAUSE: Duration = Duration::from_millis(250);
/// The size of a terminal that does not say, rows and columns.
const USUAL_SIZE: (u16, u16) = (24, 80);
/// To the top left corner; the rest of each line and of the screen is cleared while drawing.
const TOP: &str = "\x1b[H";
const CLEAR_SCREEN: &str = "\x1b[2J";
const CLEAR_LINE: &str = "\x1b[K";
const CLEAR_BELOW: &str = "\x1b[J";

/// Draws until it is dropped.
pub(super) struct Screen {
    over: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Screen {
    pub(super) fn start(view: View) -> Self {
        let over = Arc::new(AtomicBool::new(false));
        let ended = Arc::clone(&over);
        let thread = std::thread::spawn(move || {
            // A terminal that is gone is no reason to stop.
            let _ = write!(std::io::stderr(), "{CLEAR_SCREEN}");
            loop {
                let last = ended.load(Ordering::Relaxed);
                draw(&view);
                if last {
                    return;
                }
                std::thread::sleep(PAUSE);
            }
        });
        Self {
            over,
            thread: Some(thread),
        }
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        self.over.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

fn draw(view: &View) {
    let status = view.status.lock().unwrap_or_else(PoisonError::into_inner);
    let status = status.clone();
    let knowledge = view
        .knowledge
        .lock()
        .unwrap_or_else(PoisonError::into_inner);
    let knowledge = *knowledge;
    let (rows, columns) = Term::stderr().size_checked().unwrap_or(USUAL_SIZE);
    // The last row stays empty: a line end there would scroll.
    let lines = picture(view, &status, knowledge, usize::from(rows).max(2) - 1);
    let mut text = String::from(TOP);
    for (look, line) in lines {
        let line: String = line.chars().take(usize::from(columns)).collect();
        let styled = style(line).for_stderr();
        let styled = match look {
            Look::Plain => styled,
            Look::Title => styled.bold(),
            Look::Trouble => styled.yellow().bold(),
            Look::Quiet => styled.dim(),
        };
        text.push_str(&format!("{styled}{CLEAR_LINE}\r\n"));
    }
    let mut stderr = std::io::stderr().lock();
    let _ = write!(stderr, "{text}{CLEAR_BELOW}");
    let _ = stderr.flush();
}
