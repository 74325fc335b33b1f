//! The world of a mission on the water.

use std::collections::VecDeque;

use transect::Error;
use transect::geometry::Position;
use transect::gp::random::Randomness;
use transect::mission::{Advance, LegState, Reading, Whereabouts, World};

use super::deck::Deck;
use transect_field::skipper::{Conclusion, HomeReason, Order, Report, Told};

/// A vehicle that a skipper has the helm of.
pub struct FieldWorld<D> {
    deck: D,
    now: Whereabouts,
    ready: bool,
    recalled: Option<HomeReason>,
    concluded: Option<Conclusion>,
    /// Readings that came while nobody asked.
    waiting: VecDeque<(Reading, Whereabouts)>,
}

impl<D: Deck> FieldWorld<D> {
    /// Where this skipper is.
    pub fn new(deck: D, start: Whereabouts) -> Self {
        Self {
            deck,
            now: start,
            ready: false,
            recalled: None,
            concluded: None,
            waiting: VecDeque::new(),
        }
    }

    /// Waits until the vehicle can be sent places, or it is clear that it never will be.
    pub fn wait_until_ready(&mut self) {
        while !self.ready && !self.is_over() {
            self.hear();
        }
    }

    /// The vehicle could be sent places once.
    pub fn is_ready(&self) -> bool {
        self.ready
    }

    /// Waits until the vehicle is on its way home, for whatever reason.
    pub fn wait_for_recall(&mut self) {
        while !self.is_over() {
            self.hear();
        }
    }

    /// Calls the vehicle home and waits until all is over. Returns the readings of the way home too.
    pub fn finish(&mut self, reason: HomeReason) -> (Conclusion, Vec<Reading>) {
        self.deck.order(Order::ComeHome(reason));
        let conclusion = loop {
            match self.concluded {
                Some(conclusion) => break conclusion,
                None => self.hear(),
            };
        };
        let readings = self.waiting.drain(..).map(|(reading, _)| reading).collect();
        (conclusion, readings)
    }

    /// Why the vehicle is on its way home, if it is.
    pub fn home_reason(&self) -> Option<HomeReason> {
        self.recalled
    }

    /// The way to the skipper.
    pub fn deck(&self) -> &D {
        &self.deck
    }

    /// The way to the skipper.
    pub fn deck_mut(&mut self) -> &mut D {
        &mut self.deck
    }

    fn is_over(&self) -> bool {
        self.concluded.is_some() || self.recalled.is_some()
    }

    /// Takes in the next report; says whether the leg is over.
    fn hear(&mut self) -> Option<LegState> {
        let Some(Told { report, vehicle }) = self.deck.next() else {
            // The skipper ended without a word.
            self.concluded.get_or_insert(Conclusion::LinkGone);
            return None;
        };
        self.now = vehicle;
        match report {
            Report::Reading(reading) => self.waiting.push_back((reading, vehicle)),
            Report::LegOver(state) => return Some(state),
            Report::Recalled(reason) => self.recalled = Some(reason),
            Report::Concluded(conclusion) => self.concluded = Some(conclusion),
            Report::Ready => self.ready = true,
            Report::Passed { .. } | Report::Nothing => {}
        }
        None
    }
}

impl<D: Deck> World for FieldWorld<D> {
    fn sample_at(&mut self, _: Position, _: &mut dyn Randomness) -> Result<Reading, Error> {
        Err(Error::World(
            "a vehicle on the water cannot jump: choose a planner that drives".into(),
        ))
    }

    fn follow(&mut self, path: &[Position], _: &[f64]) -> Result<(), Error> {
        match path {
            [] => {}
            [goal] => self.deck.order(Order::Go(*goal)),
            places => self.deck.order(Order::Follow(places.to_vec())),
        }
        Ok(())
    }

    fn advance(&mut self, _: &mut dyn Randomness) -> Result<Advance, Error> {
        let leg = match self.waiting.is_empty() {
            true => self.hear().unwrap_or(LegState::Underway),
            false => LegState::Underway,
        };
        let reading = self.waiting.pop_front().map(|(reading, vehicle)| {
            self.now = vehicle;
            reading
        });
        Ok(Advance { reading, leg })
    }

    fn whereabouts(&self) -> Whereabouts {
        self.now
    }

    fn recalled(&self) -> bool {
        self.is_over()
    }
}
