//! What is aboard besides the real parts: a logbook, a mission that thinks for a while, a planner that fails.

use std::sync::{Arc, Mutex};

use transect::Error;
use transect::geometry::Position;
use transect::planner::{Context, Plan, PlanError, Planner};
use transect_field::skipper::{Entry, Logbook, Order, Told, Why};
use transect_survey::field::{Deck, SameThread};

/// Keeps the legs that were begun, and when the boat turned home. Tells everything if asked to.
#[derive(Clone)]
pub(super) struct Entries(pub(super) Arc<Mutex<Kept>>, pub(super) bool);

#[derive(Default)]
pub(super) struct Kept {
    now_s: f64,
    homeward_s: Option<f64>,
    legs: Vec<(Position, Position, Why)>,
}

impl Entries {
    pub(super) fn legs(&self) -> Vec<(Position, Position, Why)> {
        self.0.lock().unwrap().legs.clone()
    }

    pub(super) fn is_now(&self, now_s: f64) {
        self.0.lock().unwrap().now_s = now_s;
    }

    pub(super) fn homeward_s(&self) -> Option<f64> {
        self.0.lock().unwrap().homeward_s
    }
}

impl Logbook for Entries {
    fn entry(&mut self, _: f64, entry: &Entry) {
        let mut kept = self.0.lock().unwrap();
        if self.1 && !entry.is_routine() {
            eprintln!("{:8.1} {entry}", kept.now_s);
        }
        match entry {
            Entry::Leg {
                from, goal, why, ..
            } => kept.legs.push((*from, *goal, *why)),
            Entry::Homeward { .. } => kept.homeward_s = Some(kept.now_s),
            _ => {}
        }
    }
}

/// A mission that thinks for a while before every second order.
pub(super) struct Late<F> {
    pub(super) deck: SameThread<F>,
    pub(super) thinking_s: f64,
    pub(super) orders: usize,
}

impl<F: FnMut(f64)> Deck for Late<F> {
    fn order(&mut self, order: Order) {
        self.orders += 1;
        if self.thinking_s > 0.0 && self.orders.is_multiple_of(2) {
            self.deck.pass(self.thinking_s);
        }
        self.deck.order(order);
    }

    fn next(&mut self) -> Option<Told> {
        self.deck.next()
    }
}

/// A planner that fails at every third plan.
#[derive(Debug)]
pub(super) struct Failing {
    pub(super) planner: Box<dyn Planner>,
    pub(super) fails: bool,
    pub(super) plans: usize,
}

impl Planner for Failing {
    fn plan(&mut self, context: &mut Context<'_>) -> Result<Option<Plan>, Error> {
        self.plans += 1;
        if self.fails && self.plans.is_multiple_of(3) {
            return Err(PlanError::NoScore.into());
        }
        self.planner.plan(context)
    }
}
