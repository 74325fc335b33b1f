//! Monte-Carlo tree search over paths of equal legs.
//!
//! Kocsis and Szepesvári, "Bandit based Monte-Carlo planning", ECML 2006 (the choice among children); Morere, Marchant and Ramos,
//! "Sequential Bayesian optimization as a POMDP for environment monitoring with UAVs", ICRA 2017 (for informative paths). Legs lead in
//! eight directions, except straight back; each trial walks down the tree by upper confidence bounds, goes on at random and judges
//! the whole path. What has been tried to its end is not tried again, so that a small tree is searched completely.

use std::f64::consts::{SQRT_2, TAU};

use super::ahead::Ahead;
use super::{Context, Plan, Planner};
use crate::Error;
use crate::geometry::{Position, Workspace};
use crate::settings::MissionSettings;

/// Directions of a leg.
const DIRECTIONS: usize = 8;
/// Legs of a path.
const LEGS: usize = 4;

/// The best path that was met in a search, which begins anew for each decision.
#[derive(Debug)]
pub struct TreeSearch {
    ahead: Ahead,
}

/// A path from the root, by the direction of its last leg.
#[derive(Default)]
struct Node {
    /// By direction; none where no trial has gone yet.
    children: [Option<usize>; DIRECTIONS],
    visits: f64,
    total: f64,
    /// Every path that begins so has been judged.
    done: bool,
}

/// The search for one decision.
struct Search<'a, 'c> {
    ahead: &'a Ahead,
    context: &'a mut Context<'c>,
    leg_m: f64,
    limit_s: f64,
    nodes: Vec<Node>,
    /// Lowest and highest worth so far: bounds compare shares of what lies between them.
    range: (f64, f64),
    best: Option<(Vec<Position>, f64)>,
}

impl TreeSearch {
    pub(super) fn build(
        settings: &MissionSettings,
        workspace: &Workspace,
    ) -> Result<Box<dyn Planner>, Error> {
        let ahead = Ahead::of(settings, workspace)?;
        Ok(Box::new(Self { ahead }))
    }
}

impl Planner for TreeSearch {
    fn plan(&mut self, context: &mut Context<'_>) -> Result<Option<Plan>, Error> {
        let limit_s = self.ahead.limit_s(context);
        let mut search = Search {
            ahead: &self.ahead,
            leg_m: limit_s * self.ahead.travel.speed_mps() / LEGS as f64,
            limit_s,
            context,
            nodes: vec![Node::default()],
            range: (f64::INFINITY, f64::NEG_INFINITY),
            best: None,
        };
        for _ in 0..self.ahead.trials {
            if search.nodes[0].done {
                break;
            }
            search.trial()?;
        }
        let best = search.best;
        Ok(self.ahead.decide(context, best))
    }
}

impl Search<'_, '_> {
    /// The directions in which a path may go on.
    fn open(&self, directions: &[usize], corners: &[Position]) -> Vec<usize> {
        if directions.len() == LEGS {
            return Vec::new();
        }
        let back = directions.last().map(|d| (d + DIRECTIONS / 2) % DIRECTIONS);
        let from = corners
            .last()
            .copied()
            .unwrap_or(Ahead::start(self.context).position);
        let may = |direction: &usize| {
            let to = self.leg(from, *direction);
            Some(*direction) != back
                && self.context.workspace.contains(to)
                && (!self.context.stay_inside || self.context.workspace.contains_segment(from, to))
        };
        (0..DIRECTIONS).filter(may).collect()
    }

    fn leg(&self, from: Position, direction: usize) -> Position {
        let (sin, cos) = (TAU * direction as f64 / DIRECTIONS as f64).sin_cos();
        Position::new(from.x + self.leg_m * cos, from.y + self.leg_m * sin)
    }

    /// One path: down the tree, on at random, judged; what was learnt goes back up.
    fn trial(&mut self) -> Result<(), Error> {
        let mut way = vec![0];
        let (mut directions, mut corners): (Vec<usize>, Vec<Position>) = (Vec::new(), Vec::new());
        let mut in_tree = true;
        loop {
            let mut open = self.open(&directions, &corners);
            let node = way[way.len() - 1];
            if in_tree {
                let done =
                    |d: &usize| self.nodes[node].children[*d].is_some_and(|c| self.nodes[c].done);
                open.retain(|d| !done(d));
            }
            if open.is_empty() {
                break;
            }
            let untried: Vec<usize> = open
                .iter()
                .copied()
                .filter(|&d| self.nodes[node].children[d].is_none())
                .collect();
            let direction = match (in_tree, untried.is_empty()) {
                (true, true) => self.favourite(node, &open),
                (true, false) => self.any(&untried),
                (false, _) => self.any(&open),
            };
            let from = corners
                .last()
                .copied()
                .unwrap_or(Ahead::start(self.context).position);
            corners.push(self.leg(from, direction));
            directions.push(direction);
            if in_tree {
                let child = match self.nodes[node].children[direction] {
                    Some(child) => child,
                    None => {
                        self.nodes.push(Node::default());
                        let child = self.nodes.len() - 1;
                        self.nodes[node].children[direction] = Some(child);
                        in_tree = false;
                        child
                    }
                };
                way.push(child);
            }
        }
        self.judge(&way, &directions, &corners)
    }

    fn any(&mut self, among: &[usize]) -> usize {
        let draw = self.context.randomness.uniform(0.0, among.len() as f64);
        among[(draw as usize).min(among.len() - 1)]
    }

    /// The child with the highest upper confidence bound.
    fn favourite(&self, node: usize, open: &[usize]) -> usize {
        let (low, high) = self.range;
        let width = if high > low { high - low } else { 1.0 };
        let bound = |direction: usize| {
            let child = self.nodes[node].children[direction].map(|c| &self.nodes[c]);
            child.map_or(f64::INFINITY, |child| {
                let mean = (child.total / child.visits - low) / width;
                mean + SQRT_2 * (self.nodes[node].visits.ln() / child.visits).sqrt()
            })
        };
        open.iter()
            .copied()
            .max_by(|&a, &b| bound(a).total_cmp(&bound(b)))
            .unwrap_or(open[0])
    }

    fn judge(
        &mut self,
        way: &[usize],
        directions: &[usize],
        corners: &[Position],
    ) -> Result<(), Error> {
        // Turns take time too: what is beyond the limit is not driven.
        let mut driven = corners.to_vec();
        while !driven.is_empty()
            && self
                .ahead
                .affordable_s(self.context, &driven, self.limit_s + self.turns_s())
                .is_none()
        {
            driven.pop();
        }
        let worth = match driven.is_empty() {
            true => None,
            false => self.ahead.worth(self.context, &driven)?,
        };
        if let Some(worth) = worth {
            self.range = (self.range.0.min(worth), self.range.1.max(worth));
            if self.best.as_ref().is_none_or(|(_, best)| worth > *best) {
                self.best = Some((driven, worth));
            }
        }
        let credit = worth.unwrap_or(if self.range.0.is_finite() {
            self.range.0
        } else {
            0.0
        });
        // The path is done if the tree holds all of it, and so are those before it that have nothing else left.
        for (depth, &node) in way.iter().enumerate().rev() {
            self.nodes[node].visits += 1.0;
            self.nodes[node].total += credit;
            let open = self.open(&directions[..depth], &corners[..depth]);
            let done =
                |d: &usize| self.nodes[node].children[*d].is_some_and(|c| self.nodes[c].done);
            self.nodes[node].done = open.iter().all(done);
        }
        Ok(())
    }

    /// What the turns of a path may add to the time of its legs, s.
    fn turns_s(&self) -> f64 {
        LEGS as f64 * std::f64::consts::PI / self.ahead.travel.turn_rate_radps()
    }
}
