//! A tree of random paths that grows over the area: RIG-tree.
//!
//! Hollinger and Sukhatme, "Sampling-based robotic information gathering algorithms", International Journal of Robotics Research
//! 33(9), 2014. A random place is drawn, the tree grows towards it by one step, from every node nearby that can afford it; a node is
//! dropped where another at the same place was reached sooner and is worth more. What a path is worth depends on all of it, so it is
//! judged as a whole each time.

use super::ahead::Ahead;
use super::{Context, Plan, Planner, candidates};
use crate::Error;
use crate::geometry::{Position, Workspace};
use crate::settings::MissionSettings;
use crate::travel::Track;

/// Steps of a path as long as the horizon.
const STEPS: f64 = 4.0;

/// How fast the radius of what is near shrinks as places become many.
const NEARBY: f64 = 4.0;

/// A path that was cut short takes a little more than the limit where its last corner is tight.
const SLACK: f64 = 1.01;

/// The best path of a tree that is grown anew for each decision.
#[derive(Debug)]
pub struct RigTree {
    ahead: Ahead,
}

/// The end of a path from the root.
struct Node {
    corners: Vec<Position>,
    time_s: f64,
    worth: f64,
}

impl RigTree {
    pub(super) fn build(
        settings: &MissionSettings,
        workspace: &Workspace,
    ) -> Result<Box<dyn Planner>, Error> {
        let ahead = Ahead::of(settings, workspace)?;
        Ok(Box::new(Self { ahead }))
    }
}

impl Planner for RigTree {
    fn plan(&mut self, context: &mut Context<'_>) -> Result<Option<Plan>, Error> {
        let limit_s = self.ahead.limit_s(context);
        let step_m = limit_s * self.ahead.travel.speed_mps() / STEPS;
        let start = Ahead::start(context);
        let root = start.position;
        let end = |node: &Node| node.corners.last().copied().unwrap_or(root);
        let mut nodes = vec![Node {
            corners: Vec::new(),
            time_s: 0.0,
            worth: f64::NEG_INFINITY,
        }];
        let (mut judged, mut places) = (0, 1.0_f64);
        // A place may be out of reach of every node: that costs a draw, not a judgement.
        for place in candidates::uniform(context, 4 * self.ahead.trials)? {
            if judged >= self.ahead.trials {
                break;
            }
            let nearest = nodes
                .iter()
                .map(&end)
                .min_by(|a, b| a.distance_to(place).total_cmp(&b.distance_to(place)))
                .unwrap_or(root);
            let share = (step_m / nearest.distance_to(place)).min(1.0);
            let place = nearest.towards(place, share);
            places += 1.0;
            let shrunk_m = step_m * NEARBY * (places.ln() / places).sqrt();
            let near_m = shrunk_m.min(step_m).max(nearest.distance_to(place));
            // The new nodes share this place: the sooner and the worthier of them stay.
            let mut siblings: Vec<Node> = Vec::new();
            for node in nodes.iter().filter(|node| node.time_s < limit_s) {
                let from = end(node);
                let distance_m = from.distance_to(place);
                if !(distance_m > 0.0 && distance_m <= near_m)
                    || (context.stay_inside && !context.workspace.contains_segment(from, place))
                {
                    continue;
                }
                let mut corners = node.corners.clone();
                corners.push(place);
                // A step beyond the limit is cut short.
                let track = Track::new(&self.ahead.travel, start, &corners);
                let last = corners.len() - 1;
                if track.time_s() > limit_s {
                    corners[last] = track.at(limit_s).position;
                }
                let Some(time_s) = self.ahead.affordable_s(context, &corners, SLACK * limit_s)
                else {
                    continue;
                };
                judged += 1;
                let Some(worth) = self.ahead.worth(context, &corners)? else {
                    continue;
                };
                siblings.retain(|s| s.time_s < time_s || s.worth > worth);
                if !siblings
                    .iter()
                    .any(|s| s.time_s <= time_s && s.worth >= worth)
                {
                    siblings.push(Node {
                        corners,
                        time_s,
                        worth,
                    });
                }
            }
            nodes.append(&mut siblings);
        }
        // Paths of unequal length are not compared where there are whole ones: the entropy of readings can fall as a path grows.
        let step_s = limit_s / STEPS;
        let whole = |node: &&Node| node.time_s + step_s > limit_s;
        let paths = || nodes.iter().skip(1);
        let best = paths()
            .filter(whole)
            .max_by(|a, b| a.worth.total_cmp(&b.worth))
            .or_else(|| paths().max_by(|a, b| a.worth.total_cmp(&b.worth)));
        let best = best.map(|node| (node.corners.clone(), node.worth));
        Ok(self.ahead.decide(context, best))
    }
}
