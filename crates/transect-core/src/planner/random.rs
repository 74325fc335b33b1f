//! Anywhere, uniformly: the yardstick.

use super::{Context, Plan, Planner, candidates};
use crate::Error;
use crate::geometry::Workspace;
use crate::settings::MissionSettings;

/// Samples uniformly over the workspace; x is drawn before y.
#[derive(Debug, Clone, Copy, Default)]
pub struct Random;

impl Random {
    pub(super) fn build(_: &MissionSettings, _: &Workspace) -> Result<Box<dyn Planner>, Error> {
        Ok(Box::new(Self))
    }
}

impl Planner for Random {
    fn plan(&mut self, context: &mut Context<'_>) -> Result<Option<Plan>, Error> {
        let places = candidates::uniform(context, 1)?;
        Ok(places.first().map(|&place| Plan::jump(place)))
    }
}
