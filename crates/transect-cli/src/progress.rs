//! Progress on stderr: a bar with the time left on a terminal, a plain line now and then otherwise.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal;
use std::sync::Mutex;
use std::time::{Duration, Instant};
use transect_lab::sweep::SweepProgress;

/// Plain lines come at most this often.
const PAUSE: Duration = Duration::from_secs(15);
const WHOLE: u64 = 10_000;

/// Shows how far a sweep is.
pub(crate) struct SweepBar {
    bar: ProgressBar,
    plain: Option<Mutex<Instant>>,
    started: Instant,
}

impl SweepBar {
    /// A bar with a name, or nothing at all if `quiet`.
    pub(crate) fn new(name: &str, quiet: bool) -> Self {
        let terminal = std::io::stderr().is_terminal();
        let target = match terminal && !quiet {
            true => ProgressDrawTarget::stderr(),
            false => ProgressDrawTarget::hidden(),
        };
        let bar = ProgressBar::with_draw_target(Some(WHOLE), target);
        if let Ok(style) =
            ProgressStyle::with_template("{prefix} [{bar:30}] {msg} {elapsed} ETA {eta}")
        {
            bar.set_style(style.progress_chars("=> "));
        }
        bar.set_prefix(name.to_string());
        Self {
            bar,
            plain: (!terminal && !quiet).then(|| Mutex::new(Instant::now())),
            started: Instant::now(),
        }
    }

    /// Takes news, from any thread.
    pub(crate) fn show(&self, progress: SweepProgress) {
        let runs = format!("{}/{} runs", progress.finished, progress.total);
        self.tell(progress.share, runs);
    }

    /// Takes news of a single piece of work: the share of it that is done.
    pub(crate) fn show_share(&self, share: f64) {
        self.tell(share, format!("{:.0} %", 100.0 * share));
    }

    /// Says something once, above the bar.
    pub(crate) fn say(&self, words: &str) {
        if self.plain.is_some() {
            eprintln!("{}: {words}", self.bar.prefix());
        } else {
            self.bar.println(format!("{}: {words}", self.bar.prefix()));
        }
    }

    fn tell(&self, share: f64, words: String) {
        self.bar.set_position((share * WHOLE as f64) as u64);
        self.bar.set_message(words.clone());
        let Some(last) = &self.plain else { return };
        let Ok(mut last) = last.try_lock() else {
            return;
        };
        if last.elapsed() >= PAUSE {
            *last = Instant::now();
            let spent = self.started.elapsed().as_secs_f64();
            let left = spent * (1.0 - share) / share.max(1e-6);
            eprintln!(
                "{}: {words}, {spent:.0} s spent, about {left:.0} s left",
                self.bar.prefix()
            );
        }
    }

    /// Takes the bar away.
    pub(crate) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}
