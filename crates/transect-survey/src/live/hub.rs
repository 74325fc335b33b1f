//! From the mission to what there is to see.

use super::access::Access;
use super::control::Control;
use super::message::Link;
use super::server::{self, Served};
use super::state::State;
use std::io;
use std::net::TcpListener;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;
use tokio::sync::watch;
use transect::mission::{Event, Observer};
use transect_io::journal::{Entry, Message, Told};

/// The state is brought up to date this often.
const BEAT: Duration = Duration::from_millis(200);
/// What waits in the inbox beyond this is dropped, and it is said: the hub must have stood still for minutes.
const MOST_WAITING: usize = 100_000;

/// Something new.
#[derive(Debug, Clone)]
pub enum News {
    /// An entry of the journal.
    Entry(Entry),
    /// The link to the vehicle.
    Link(Link),
    /// What is being done, in words.
    Doing(String),
    /// The operator wants the vehicle to wait, or not any more.
    Paused(bool),
}

#[derive(Debug, Default)]
struct Waiting {
    news: Vec<News>,
    dropped: usize,
    time_s: f64,
}

/// Takes news from the mission, which never waits for anybody.
#[derive(Debug, Clone, Default)]
pub struct Inbox(Arc<Mutex<Waiting>>);

impl Inbox {
    /// Puts something in.
    pub fn put(&self, news: News) {
        let mut waiting = self.lock();
        if let News::Entry(entry) = &news {
            waiting.time_s = entry.time_s;
        }
        if waiting.news.len() < MOST_WAITING {
            waiting.news.push(news);
        } else {
            waiting.dropped += 1;
        }
    }

    /// Puts a message of a journal in.
    pub fn message<M: Message>(&self, time_s: f64, message: &M) {
        if let Ok(value) = serde_json::to_value(message) {
            self.put(News::Entry(Entry {
                topic: M::TOPIC.into(),
                time_s,
                value,
            }));
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Waiting> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn empty(&self) -> (Vec<News>, usize) {
        let mut waiting = self.lock();
        let dropped = std::mem::take(&mut waiting.dropped);
        (std::mem::take(&mut waiting.news), dropped)
    }
}

impl Observer for Inbox {
    fn event(&mut self, event: &Event<'_>) {
        let Ok(told) = Told::of(event) else { return };
        let time_s = told.time_s.unwrap_or_else(|| self.lock().time_s);
        self.put(News::Entry(Entry {
            topic: told.topic.into(),
            time_s,
            value: told.value,
        }));
    }
}

/// The threads that serve a mission.
pub(super) struct Hub {
    stop: Option<Sender<()>>,
    threads: Vec<JoinHandle<()>>,
}

impl Hub {
    pub(super) fn start(
        inbox: Inbox,
        listener: TcpListener,
        access: Arc<Access>,
        html: String,
        control: Option<Control>,
    ) -> io::Result<Self> {
        let state = Arc::new(Mutex::new(State::default()));
        let (publish, published) = watch::channel(0);
        let (stop, stopped) = channel::<()>();
        let served = Served {
            html: html.into(),
            access,
            control,
            state: Arc::clone(&state),
            published,
        };
        let server = server::start(listener, served)?;
        let work = move || {
            loop {
                let over = stopped.recv_timeout(BEAT) != Err(RecvTimeoutError::Timeout);
                let mut state = state.lock().unwrap_or_else(PoisonError::into_inner);
                let before = state.version();
                take_in(&mut state, &inbox);
                if over {
                    state.close();
                }
                let now = state.version();
                drop(state);
                if now != before {
                    // Nobody watching is no trouble.
                    let _ = publish.send(now);
                }
                if over {
                    // Dropping `publish` tells viewers that nothing more will come.
                    return;
                }
            }
        };
        let hub = std::thread::Builder::new()
            .name("live".into())
            .spawn(work)?;
        Ok(Self {
            stop: Some(stop),
            threads: vec![hub, server],
        })
    }
}

fn take_in(state: &mut State, inbox: &Inbox) {
    let (news, dropped) = inbox.empty();
    for news in news {
        match news {
            News::Entry(entry) => state.take(&entry),
            News::Link(link) => {
                if state.status.link.as_ref() != Some(&link) {
                    state.status.link = Some(link);
                    state.touch();
                }
            }
            News::Doing(doing) => {
                if state.status.doing != doing {
                    state.status.doing = doing;
                    state.touch();
                }
            }
            News::Paused(paused) => {
                if state.status.paused != paused {
                    state.status.paused = paused;
                    state.touch();
                }
            }
        }
    }
    if dropped > 0 {
        let time_s = state.status.time_s;
        state.tell(
            time_s,
            format!("{dropped} events came too fast to be shown"),
        );
    }
}

impl Drop for Hub {
    fn drop(&mut self) {
        self.stop.take();
        for thread in self.threads.drain(..) {
            let _ = thread.join();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_inbox_that_nobody_empties_stays_bounded_and_says_so() {
        let inbox = Inbox::default();
        for _ in 0..MOST_WAITING + 5 {
            inbox.put(News::Doing("waiting".into()));
        }
        assert_eq!(inbox.lock().news.len(), MOST_WAITING);
        let mut state = State::default();
        take_in(&mut state, &inbox);
        assert!(
            String::from_utf8_lossy(&state.news(&mut Default::default()))
                .contains("5 events came too fast")
        );
        assert_eq!(inbox.empty().0.len(), 0);
    }
}
