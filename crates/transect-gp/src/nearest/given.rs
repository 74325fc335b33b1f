//! What would be known after measuring somewhere.
//!
//! Supposed measurements stand beside the points of the process and are found with them: nothing is copied and nothing
//! refactored. Their value is what the process expects there, so that means stay and variances shrink.

use super::Vecchia;
use super::rows::Rows;
use crate::error::Result;
use crate::points::Points;
use crate::posterior::{Joint, Prediction};
use std::sync::Arc;

/// Supposed measurements, embedded and standardised.
#[derive(Debug, Clone, Default)]
pub(super) struct Supposed {
    pub(super) rows: Rows,
    pub(super) y: Vec<f64>,
}

/// No supposed measurements.
pub(super) static NOTHING: Supposed = Supposed {
    rows: Rows::EMPTY,
    y: Vec::new(),
};

/// A process with points, or supposed measurements on top.
#[derive(Debug, Clone, Copy)]
pub(super) struct View<'a> {
    pub(super) process: &'a Vecchia,
    pub(super) more: &'a Supposed,
}

impl<'a> View<'a> {
    /// The embedded point `i`.
    pub(super) fn row(&self, i: usize) -> &'a [f64] {
        let own = self.process.len();
        if i < own {
            self.process.rows.row(i)
        } else {
            self.more.rows.row(i - own)
        }
    }

    /// The value at point `i`, standardised.
    pub(super) fn y(&self, i: usize) -> f64 {
        let own = self.process.len();
        if i < own {
            self.process.y[i]
        } else {
            self.more.y[i - own]
        }
    }

    /// The noise variance of point `i`, standardised; that of a single reading for supposed ones.
    pub(super) fn noise(&self, i: usize) -> f64 {
        let share = self.process.noise_share.get(i);
        self.process.noise() * share.copied().unwrap_or(1.0)
    }
}

/// What a process would know after more measurements.
#[derive(Debug, Clone)]
pub struct Given {
    process: Arc<Vecchia>,
    more: Supposed,
}

impl Given {
    /// What `process` would know after measuring at `places`.
    ///
    /// # Errors
    /// As [`Vecchia::marginals`].
    pub fn new(process: Arc<Vecchia>, places: &Points) -> Result<Self> {
        let more = Supposed {
            rows: Rows::new(process.rows.width()),
            y: Vec::new(),
        };
        Self { process, more }.given(places)
    }

    /// What would be known after measuring at `places` too.
    ///
    /// # Errors
    /// As [`Vecchia::marginals`].
    pub fn given(&self, places: &Points) -> Result<Self> {
        let expected = self.process.marginals(places)?.mean;
        let mut more = self.more.clone();
        more.rows.extend(&self.process.embedding_of(places)?);
        let targets = &self.process.targets;
        more.y
            .extend(expected.iter().map(|mean| targets.scale(*mean)));
        Ok(Self {
            process: Arc::clone(&self.process),
            more,
        })
    }

    fn view(&self) -> View<'_> {
        View {
            process: &self.process,
            more: &self.more,
        }
    }

    /// As [`Vecchia::marginals`].
    ///
    /// # Errors
    /// As [`Vecchia::marginals`].
    pub fn marginals(&self, places: &Points) -> Result<Prediction> {
        self.view().marginals(places)
    }

    /// As [`Vecchia::joint`].
    ///
    /// # Errors
    /// As [`Vecchia::joint`].
    pub fn joint(&self, places: &Points) -> Result<Joint> {
        self.view().joint(places)
    }
}
