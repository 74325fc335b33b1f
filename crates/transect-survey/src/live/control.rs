//! Commands to a vehicle, where the operator allowed them.
//!
//! Three things stand between a stranger and the helm: the token, in a header that no page elsewhere may send; the browser's
//! own word on where a request comes from; and a confirmation. The first request names a command and gets a number that is
//! good for that command, once, for 20 seconds. The second one sends it back, and then the command is carried out.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// A confirmation must come within this time.
const PATIENCE: Duration = Duration::from_secs(20);

/// What a vehicle can be told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Command {
    /// Wait where it is.
    Pause,
    /// Go on after a pause.
    Continue,
    /// End the survey and come home.
    Home,
    /// Stop where it is and disarm.
    Stop,
}

/// Carries commands out; says what was done.
type Carry = dyn Fn(Command) -> String + Send + Sync;

/// Takes commands for a vehicle.
#[derive(Clone)]
pub struct Control {
    carry: Arc<Carry>,
    pending: Arc<Mutex<Option<Pending>>>,
}

struct Pending {
    command: Command,
    number: String,
    since: Instant,
}

impl fmt::Debug for Control {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Control")
    }
}

/// What a page sends.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Ask {
    command: Command,
    confirm: Option<String>,
}

/// What it gets.
#[derive(Debug, Serialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Reply {
    /// Send this back to confirm.
    Confirm(String),
    /// It was done.
    Done(String),
    /// It was not done, and why.
    Refused(String),
}

impl Control {
    /// Hands commands to `carry`, which must not block for long and says what it did.
    pub fn new(carry: impl Fn(Command) -> String + Send + Sync + 'static) -> Self {
        Self {
            carry: Arc::new(carry),
            pending: Arc::default(),
        }
    }

    pub(super) fn ask(&self, ask: Ask, now: Instant) -> Reply {
        let mut pending = self.pending.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(given) = ask.confirm else {
            let mut bytes = [0u8; 8];
            if let Err(error) = getrandom::fill(&mut bytes) {
                return Reply::Refused(format!("no random numbers: {error}"));
            }
            let number = bytes.map(|byte| format!("{byte:02x}")).concat();
            *pending = Some(Pending {
                command: ask.command,
                number: number.clone(),
                since: now,
            });
            return Reply::Confirm(number);
        };
        match pending.take() {
            Some(waiting)
                if waiting.command == ask.command
                    && waiting.number == given
                    && now.duration_since(waiting.since) <= PATIENCE =>
            {
                Reply::Done((self.carry)(ask.command))
            }
            _ => Reply::Refused("this confirmation is not good any more: ask again".into()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};

    fn ask(command: Command, confirm: Option<&str>) -> Ask {
        let confirm = confirm.map(Into::into);
        Ask { command, confirm }
    }

    #[test]
    fn a_command_needs_its_own_confirmation_in_time_and_only_once() {
        let carried = Arc::new(AtomicUsize::new(0));
        let count = Arc::clone(&carried);
        let control = Control::new(move |_| {
            count.fetch_add(1, Ordering::Relaxed);
            "coming home".into()
        });
        let now = Instant::now();
        let number = || match control.ask(ask(Command::Home, None), now) {
            Reply::Confirm(number) => number,
            other => panic!("{other:?}"),
        };
        let refused = |reply: Reply| assert!(matches!(reply, Reply::Refused(_)), "{reply:?}");
        refused(control.ask(ask(Command::Home, Some("0")), now));
        let first = number();
        refused(control.ask(ask(Command::Stop, Some(&first)), now));
        refused(control.ask(ask(Command::Home, Some(&first)), now));
        let second = number();
        refused(control.ask(ask(Command::Home, Some(&second)), now + 2 * PATIENCE));
        let third = number();
        assert_eq!(carried.load(Ordering::Relaxed), 0);
        let done = control.ask(ask(Command::Home, Some(&third)), now);
        assert_eq!(done, Reply::Done("coming home".into()));
        refused(control.ask(ask(Command::Home, Some(&third)), now));
        assert_eq!(carried.load(Ordering::Relaxed), 1);
    }
}
