//! The survey before there is a model, along a Bézier curve.

use super::{Context, Plan, Planner, Travel};
use crate::Error;
use crate::geometry::{Position, Workspace};
use crate::pilot::bezier_pilot;
use crate::settings::MissionSettings;

/// Goes through the points of the pilot curve over the workspace's bounds, once. Points outside a
/// polygon are moved to the nearest place inside.
#[derive(Debug, Clone)]
pub struct Pilot {
    points: Vec<Position>,
    next: usize,
    travel: Travel,
}

impl Pilot {
    /// A survey of this many points.
    pub fn new(workspace: &Workspace, points: usize, travel: Travel) -> Result<Self, Error> {
        let curve = bezier_pilot(&workspace.bounds(), points)?;
        Ok(Self {
            points: curve.into_iter().map(|p| workspace.nearest(p)).collect(),
            next: 0,
            travel,
        })
    }

    /// The places it goes to, in order.
    pub fn points(&self) -> &[Position] {
        &self.points
    }

    pub(super) fn build(
        settings: &MissionSettings,
        workspace: &Workspace,
    ) -> Result<Box<dyn Planner>, Error> {
        let pilot = &settings.pilot;
        Ok(Box::new(Self::new(
            workspace,
            pilot.soundings,
            pilot.travel,
        )?))
    }

    /// The next leg of the drive. A point that cannot be reached is left out.
    fn drive(&mut self, context: &Context<'_>) -> Option<Plan> {
        loop {
            let goal = *self.points.get(self.next)?;
            let corner = context.first_corner(goal);
            if corner.is_none_or(|corner| corner == goal) {
                self.next += 1;
            }
            if let Some(corner) = corner {
                return Some(Plan::drive(corner));
            }
        }
    }
}

impl Planner for Pilot {
    fn plan(&mut self, context: &mut Context<'_>) -> Result<Option<Plan>, Error> {
        Ok(match self.travel {
            Travel::Drive => self.drive(context),
            Travel::Jump => {
                self.next += 1;
                self.points.get(self.next - 1).map(|&goal| Plan::jump(goal))
            }
        })
    }
}
