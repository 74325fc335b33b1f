//! Exact while that is quick, a nearest-neighbour model of many readings from then on.
//!
//! The exact surrogate is the better one and its work grows with the third power of its readings. With one reading more than
//! [`EXACT_UP_TO`] the nearest-neighbour one takes over: it begins with the kernels, parameters and outliers of the exact one. What is
//! known does not jump, and nothing is decided by a clock: a replay changes over at the same reading.

use std::sync::Arc;

use transect_gp::Points;

use super::many::Nearest;
use super::{Committee, FirstReadings, Surrogate, Training, Trouble};
use crate::Error;
use crate::posterior::{Forecast, Posterior};

/// Most readings that are modelled exactly. With 1,000 a training step of the default kernels takes some 30 ms, and there is one for every
/// reading.
pub const EXACT_UP_TO: usize = 1000;

/// The surrogate of missions that do not name another.
#[derive(Debug)]
pub struct Auto {
    state: State,
    seed: u64,
}

#[derive(Debug)]
enum State {
    Exact {
        model: Box<Committee>,
        /// In raw units.
        places: Points,
    },
    Many(Box<Nearest>),
}

impl Auto {
    pub(super) fn begin(from: &FirstReadings<'_>) -> Result<Box<dyn Surrogate>, Error> {
        let state = match from.readings.len() <= EXACT_UP_TO {
            true => State::Exact {
                model: Box::new(Committee::of_settings(from)?),
                places: from.places.clone(),
            },
            false => State::Many(Box::new(Nearest::of_settings(from)?)),
        };
        let seed = from.settings.seed;
        Ok(Box::new(Self { state, seed }))
    }

    /// The exact model, as long as it is one.
    pub fn exact(&self) -> Option<&Committee> {
        match &self.state {
            State::Exact { model, .. } => Some(model),
            State::Many(_) => None,
        }
    }

    fn model(&self) -> &dyn Surrogate {
        match &self.state {
            State::Exact { model, .. } => &**model,
            State::Many(model) => &**model,
        }
    }

    fn model_mut(&mut self) -> &mut dyn Surrogate {
        match &mut self.state {
            State::Exact { model, .. } => &mut **model,
            State::Many(model) => &mut **model,
        }
    }
}

impl Surrogate for Auto {
    fn name(&self) -> &'static str {
        super::AUTO
    }

    fn add(&mut self, places: &Points, readings: &[f64]) -> Result<(), Error> {
        if let State::Exact {
            model,
            places: before,
        } = &mut self.state
        {
            if model.readings().len() + readings.len() <= EXACT_UP_TO {
                model.add(places, readings)?;
                before.append(places)?;
                return Ok(());
            }
            let mut many = Nearest::after(model, before, self.seed)?;
            many.add(places, readings)?;
            many.keep_troubles(model.take_troubles());
            self.state = State::Many(Box::new(many));
            return Ok(());
        }
        self.model_mut().add(places, readings)
    }

    fn readings(&self) -> &[f64] {
        self.model().readings()
    }

    fn train(&mut self, steps: usize) -> Training {
        self.model_mut().train(steps)
    }

    fn posterior(&self) -> Arc<dyn Posterior> {
        self.model().posterior()
    }

    fn left_out(&mut self) -> Option<Forecast> {
        self.model_mut().left_out()
    }

    fn take_troubles(&mut self) -> Vec<Trouble> {
        self.model_mut().take_troubles()
    }

    fn save(&self) -> Result<String, Error> {
        self.model().save()
    }
}
