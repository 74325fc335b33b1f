//! How a mission speaks to its skipper: in the same thread, or across two.

use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use transect::mission::Whereabouts;

use transect_field::clock::Clock;
use transect_field::skipper::{Order, Report, Skipper, Status, Told};

/// Time between two polls, s.
pub const POLL_S: f64 = 0.1;
/// Nobody waits longer than this for a report, real s: a mission looks up now and then.
const LOOK_UP: Duration = Duration::from_millis(200);

/// A skipper in the mission's thread says how things stand this often: it is not free.
const TICKS_PER_STATUS: u64 = 10;

/// A way to speak to a skipper.
pub trait Deck {
    /// Gives an order.
    fn order(&mut self, order: Order);

    /// The next report; waits a little for it. `None` when there will be none any more.
    fn next(&mut self) -> Option<Told>;
}

/// A skipper who is polled when the mission waits, with time that passes only then. Whatever else must
/// happen in that time is done by `world`: a bench boat moves.
pub struct SameThread<F> {
    skipper: Skipper,
    clock: Clock,
    world: F,
    reports: std::collections::VecDeque<Told>,
    status: Arc<Mutex<Status>>,
    ticks: u64,
}

impl<F: FnMut(f64)> SameThread<F> {
    /// With this clock, and this to be done at every tick of it.
    pub fn new(skipper: Skipper, clock: Clock, world: F) -> Self {
        Self {
            status: Arc::new(Mutex::new(skipper.status())),
            skipper,
            clock,
            world,
            reports: std::collections::VecDeque::new(),
            ticks: 0,
        }
    }

    /// Lets time pass without a mission's doing anything: it thinks.
    pub fn pass(&mut self, seconds: f64) {
        let until_s = self.clock.now_s() + seconds;
        while self.clock.now_s() < until_s {
            self.tick();
        }
    }

    /// How things stand; kept up to date.
    pub fn status(&self) -> Arc<Mutex<Status>> {
        Arc::clone(&self.status)
    }

    /// The skipper.
    pub fn skipper(&self) -> &Skipper {
        &self.skipper
    }

    fn tick(&mut self) {
        self.clock.sleep(POLL_S);
        let now_s = self.clock.now_s();
        (self.world)(now_s);
        let reports = self.skipper.poll(now_s);
        self.ticks += 1;
        if !reports.is_empty() || self.ticks.is_multiple_of(TICKS_PER_STATUS) {
            *self.status.lock().unwrap_or_else(PoisonError::into_inner) = self.skipper.status();
        }
        self.reports.extend(reports);
    }
}

impl<F: FnMut(f64)> Deck for SameThread<F> {
    fn order(&mut self, order: Order) {
        self.skipper.order(order);
    }

    fn next(&mut self) -> Option<Told> {
        if self.reports.is_empty() {
            self.tick();
        }
        let nothing = || Told {
            report: Report::Nothing,
            vehicle: self.skipper.whereabouts(),
        };
        Some(self.reports.pop_front().unwrap_or_else(nothing))
    }
}

/// A skipper in a thread of its own, who goes on whatever the mission is busy with.
pub struct OwnThread {
    orders: Sender<Order>,
    reports: Receiver<Told>,
    last: Whereabouts,
    status: Arc<Mutex<Status>>,
    thread: Option<JoinHandle<()>>,
}

impl OwnThread {
    /// Starts the thread. It ends when all is over; dropping this stops the vehicle, and waits until it has confirmed that.
    pub fn start(mut skipper: Skipper, clock: Clock) -> Self {
        let (orders, ordered) = channel();
        let (tell, reports) = channel();
        let last = skipper.whereabouts();
        let status = Arc::new(Mutex::new(skipper.status()));
        let shared = Arc::clone(&status);
        let thread = std::thread::spawn(move || {
            loop {
                loop {
                    match ordered.try_recv() {
                        Ok(order) => skipper.order(order),
                        Err(std::sync::mpsc::TryRecvError::Empty) => break,
                        // Nobody has a mission any more. The vehicle is not left under way.
                        Err(std::sync::mpsc::TryRecvError::Disconnected) => {
                            skipper.order(Order::StopNow);
                            break;
                        }
                    }
                }
                let told = skipper.poll(clock.now_s());
                *shared.lock().unwrap_or_else(PoisonError::into_inner) = skipper.status();
                for told in told {
                    let over = matches!(told.report, Report::Concluded(_));
                    // Nobody may be listening any more.
                    let _ = tell.send(told);
                    if over {
                        return;
                    }
                }
                clock.sleep(POLL_S);
            }
        });
        Self {
            orders,
            reports,
            last,
            status,
            thread: Some(thread),
        }
    }

    /// How things stand; kept up to date.
    pub fn status(&self) -> Arc<Mutex<Status>> {
        Arc::clone(&self.status)
    }
}

impl Deck for OwnThread {
    fn order(&mut self, order: Order) {
        // A skipper who is gone has said why.
        let _ = self.orders.send(order);
    }

    fn next(&mut self) -> Option<Told> {
        match self.reports.recv_timeout(LOOK_UP) {
            Ok(told) => {
                self.last = told.vehicle;
                Some(told)
            }
            Err(RecvTimeoutError::Timeout) => {
                let status = self.status.lock().unwrap_or_else(PoisonError::into_inner);
                self.last = status.whereabouts;
                Some(Told {
                    report: Report::Nothing,
                    vehicle: self.last,
                })
            }
            Err(RecvTimeoutError::Disconnected) => None,
        }
    }
}

impl Drop for OwnThread {
    fn drop(&mut self) {
        let (orders, _) = channel();
        // The thread stops the vehicle and ends when nobody can give orders any more.
        drop(std::mem::replace(&mut self.orders, orders));
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}
