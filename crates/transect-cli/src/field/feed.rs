//! What a live page is told of a vehicle beside the mission's events: link, battery, what it is doing, what was said.

use std::sync::PoisonError;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;
use transect_field::skipper::{Entry, Logbook, Operator};
use transect_survey::field::{Aboard, View};
use transect_survey::live::{Command, Control, Inbox, Link, News};

/// Time between two looks at the vehicle.
const BEAT: Duration = Duration::from_millis(500);

/// Looks at the vehicle until it is dropped.
pub(super) struct Feed {
    stop: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Feed {
    pub(super) fn start(view: View, inbox: Inbox) -> Self {
        let (stop, stopped) = channel::<()>();
        let thread = std::thread::spawn(move || {
            while stopped.recv_timeout(BEAT) == Err(RecvTimeoutError::Timeout) {
                let status = view.status.lock().unwrap_or_else(PoisonError::into_inner);
                let link = Link {
                    age_s: status.vehicle.link_age_s,
                    sonar_age_s: status.sonar_age_s,
                    battery_percent: status.vehicle.battery_percent.map(i32::from),
                    trouble: (status.vehicle.position_trouble).map(|trouble| trouble.to_string()),
                };
                let (doing, paused) = (status.doing.clone(), status.paused);
                drop(status);
                inbox.put(News::Link(link));
                inbox.put(News::Doing(doing));
                inbox.put(News::Paused(paused));
            }
        });
        Self {
            stop: Some(stop),
            thread: Some(thread),
        }
    }
}

impl Drop for Feed {
    fn drop(&mut self) {
        self.stop.take();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// Puts what an operator would want to read on the page.
pub(super) struct Remarks(pub(super) Inbox);

impl Logbook for Remarks {
    fn entry(&mut self, time_s: f64, entry: &Entry) {
        if !entry.is_routine() {
            let (text, details) = (entry.to_string(), serde_json::Value::Null);
            self.0.message(time_s, &Aboard { text, details });
        }
    }
}

/// Commands from the page: home and stop are as if the operator had pressed Ctrl-C once or twice.
pub(super) fn control(operator: Operator) -> Control {
    Control::new(move |command| {
        let told = match command {
            Command::Pause => {
                operator.pause(true);
                "The vehicle is told to wait where it is. Its time goes on."
            }
            Command::Continue => {
                operator.pause(false);
                "The vehicle is told to go on."
            }
            Command::Home => {
                operator.come_home();
                "The vehicle is called home."
            }
            Command::Stop => {
                operator.stop();
                "The vehicle is told to stop where it is."
            }
        };
        told.into()
    })
}
