//! A unicycle with the paper's waypoint controller.
//!
//! With the goal at (xb, yb) in the body frame (forward, left), v = vmax tanh(xb), w = 2 atan2(yb, xb),
//! the pose advances by Euler steps of dt:
//!
//! ```text
//! x += v cos(heading) dt,   y += v sin(heading) dt,   heading += w dt
//! ```

use std::f64::consts::PI;

use super::sampling_clock::SamplingTimer;
use super::{BoatSettings, Pose, StepReport, Vehicle};
use crate::Error;
use crate::geometry::{Position, Workspace};
use crate::vehicle::VehicleError;

/// A boat that faces its goal to within this angle cannot do better by turning, rad.
const ALIGNED_RAD: f64 = 1e-9;

/// A simulated boat.
#[derive(Debug, Clone)]
pub struct Boat {
    settings: BoatSettings,
    pose: Pose,
    goal: Option<Position>,
    fence: Option<Workspace>,
    timer: SamplingTimer,
    travelled_m: f64,
}

/// What the controller wants, and why.
struct Command {
    distance_m: f64,
    bearing_rad: f64,
    speed_mps: f64,
    turn_rate_radps: f64,
}

impl Boat {
    /// A boat at `start` that may go anywhere.
    pub fn new(start: Pose, settings: BoatSettings) -> Result<Self, Error> {
        settings.validate()?;
        if !start.position.is_finite() || !start.heading_rad.is_finite() {
            return Err(VehicleError::BadStart { at: start.position }.into());
        }
        let pose = Pose {
            position: start.position,
            heading_rad: normalised(start.heading_rad % (2.0 * PI)),
        };
        Ok(Self {
            settings,
            pose,
            goal: None,
            fence: None,
            timer: SamplingTimer::new(
                settings.sampling_clock,
                settings.control_rate_hz,
                settings.sampling_rate_hz,
            ),
            travelled_m: 0.0,
        })
    }

    /// Keeps the track inside `workspace`: where a step would leave it, or would lose sight of a goal
    /// that is in sight, the boat stops and turns on the spot until it can go on. A goal in sight (the
    /// straight leg to it is inside) is therefore reached; behind a corner the boat may get stuck, which
    /// [`StepReport::stuck`] tells.
    pub fn fenced(mut self, workspace: Workspace) -> Result<Self, Error> {
        if !workspace.contains(self.pose.position) {
            return Err(VehicleError::BadStart {
                at: self.pose.position,
            }
            .into());
        }
        self.fence = Some(workspace);
        Ok(self)
    }

    /// Its rates and limits.
    pub fn settings(&self) -> &BoatSettings {
        &self.settings
    }

    /// Puts the boat somewhere else; its heading stays, its goal is dropped, no time or way is counted.
    pub fn place(&mut self, at: Position) -> Result<(), Error> {
        let allowed = self.fence.as_ref().is_none_or(|w| w.contains(at));
        if !at.is_finite() || !allowed {
            return Err(VehicleError::BadStart { at }.into());
        }
        self.pose.position = at;
        self.goal = None;
        Ok(())
    }

    fn command(&self, goal: Position) -> Command {
        let limits = &self.settings;
        let (sin, cos) = (self.pose.heading_rad.sin(), self.pose.heading_rad.cos());
        let dx = goal.x - self.pose.position.x;
        let dy = goal.y - self.pose.position.y;
        let forward = cos * dx + sin * dy;
        let left = -sin * dx + cos * dy;
        let bearing_rad = left.atan2(forward);
        let mut speed_mps = limits.max_speed_mps * forward.tanh();
        if (speed_mps * self.control_period_s()).abs() > forward.abs() {
            // A fast boat would jump over its goal for ever. Never so while max_speed · dt <= 1.
            speed_mps = forward / self.control_period_s();
        }
        if !limits.allow_reverse {
            speed_mps = speed_mps.max(0.0);
        }
        Command {
            distance_m: dx.hypot(dy),
            bearing_rad,
            speed_mps,
            turn_rate_radps: self.limited_turn_rate(2.0 * bearing_rad),
        }
    }

    fn limited_turn_rate(&self, turn_rate_radps: f64) -> f64 {
        match self.settings.max_turn_rate_radps {
            Some(limit) => turn_rate_radps.clamp(-limit, limit),
            None => turn_rate_radps,
        }
    }

    fn advanced(&self, speed_mps: f64, turn_rate_radps: f64) -> Pose {
        let dt = self.control_period_s();
        let Pose {
            position,
            heading_rad,
        } = self.pose;
        Pose {
            position: Position {
                x: position.x + speed_mps * heading_rad.cos() * dt,
                y: position.y + speed_mps * heading_rad.sin() * dt,
            },
            heading_rad: normalised(heading_rad + turn_rate_radps * dt),
        }
    }

    fn turned_on_the_spot(&self, bearing_rad: f64) -> Pose {
        let turn_rate = self.limited_turn_rate(bearing_rad / self.control_period_s());
        self.advanced(0.0, turn_rate)
    }

    fn fence_allows(&self, next: Position, goal: Position) -> bool {
        self.fence.as_ref().is_none_or(|workspace| {
            let here = self.pose.position;
            workspace.contains_segment(here, next)
                && (workspace.contains_segment(next, goal)
                    || !workspace.contains_segment(here, goal))
        })
    }

    fn control_period_s(&self) -> f64 {
        1.0 / self.settings.control_rate_hz
    }
}

impl Vehicle for Boat {
    fn set_goal(&mut self, goal: Position) -> Result<(), Error> {
        let allowed = self.fence.as_ref().is_none_or(|w| w.contains(goal));
        if !goal.is_finite() || !allowed {
            return Err(VehicleError::BadGoal { at: goal }.into());
        }
        self.goal = Some(goal);
        Ok(())
    }

    fn goal(&self) -> Option<Position> {
        self.goal
    }

    fn step(&mut self) -> StepReport {
        let mut report = StepReport::default();
        if let Some(goal) = self.goal {
            let command = self.command(goal);
            let mut next = self.advanced(command.speed_mps, command.turn_rate_radps);
            // The paper drops a goal on the distance before the step.
            report.arrived = command.distance_m < self.settings.goal_tolerance_m;
            if !self.fence_allows(next.position, goal) {
                next = self.turned_on_the_spot(command.bearing_rad);
                report.stuck = !report.arrived && command.bearing_rad.abs() <= ALIGNED_RAD;
            }
            self.travelled_m += self.pose.position.distance_to(next.position);
            self.pose = next;
            if report.arrived {
                self.goal = None;
            }
        }
        report.sample_due = self.timer.tick();
        report
    }

    fn state(&self) -> Pose {
        self.pose
    }

    fn travelled_m(&self) -> f64 {
        self.travelled_m
    }

    fn elapsed_s(&self) -> f64 {
        self.timer.elapsed_s()
    }
}

/// The angle in [-π, π], by whole turns.
fn normalised(mut angle_rad: f64) -> f64 {
    while angle_rad > PI {
        angle_rad -= 2.0 * PI;
    }
    while angle_rad < -PI {
        angle_rad += 2.0 * PI;
    }
    angle_rad
}
