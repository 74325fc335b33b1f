//! Random lakes and what goes wrong on them.

use transect::geometry::{Polygon, Position, common_area};
use transect_field::GeoPosition;
use transect_field::autopilot::Mode;
use transect_field::bench::{Fault, FaultKind};
use transect_field::skipper::Plane;

const MIDDLE: GeoPosition = GeoPosition::new(36.6, -84.2);

pub(super) struct Dice(pub(super) Box<dyn FnMut() -> f64>);

impl Dice {
    pub(super) fn within(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * (self.0)()
    }

    pub(super) fn chance(&mut self, share: f64) -> bool {
        (self.0)() < share
    }

    pub(super) fn count(&mut self, low: usize, high: usize) -> usize {
        self.within(low as f64, high as f64 + 1.0).floor() as usize
    }
}

pub(super) fn star(
    dice: &mut Dice,
    middle: Position,
    corners: usize,
    low_m: f64,
    high_m: f64,
) -> Option<Polygon> {
    let step_rad = std::f64::consts::TAU / corners as f64;
    let ring = (0..corners)
        .map(|i| {
            let (sin, cos) = (i as f64 * step_rad).sin_cos();
            let radius_m = dice.within(low_m, high_m);
            Position::new(middle.x + radius_m * cos, middle.y + radius_m * sin)
        })
        .collect();
    Polygon::new(ring, vec![]).ok()
}

pub(super) fn plane() -> Plane {
    Plane::around(MIDDLE).unwrap()
}

pub(super) fn lake(dice: &mut Dice) -> Option<Polygon> {
    let middle = plane().metres(MIDDLE)?;
    let corners = dice.count(5, 11);
    let shore = star(dice, middle, corners, 30.0, 60.0)?;
    let islands: Vec<Polygon> = (0..dice.count(0, 3))
        .filter_map(|_| {
            let at = Position::new(
                middle.x + dice.within(-40.0, 40.0),
                middle.y + dice.within(-40.0, 40.0),
            );
            let corners = dice.count(4, 7);
            star(dice, at, corners, 3.0, 9.0)
        })
        .collect();
    let pieces = common_area(&[shore], &islands).ok()?;
    pieces
        .into_iter()
        .max_by(|a, b| a.area().total_cmp(&b.area()))
}

pub(super) fn fault(dice: &mut Dice) -> Fault {
    let at_s = dice.within(0.0, 300.0);
    let for_good = dice.chance(0.05);
    let mut lasts = |low: f64, high: f64| Some(dice.within(low, high));
    let (kind, for_s) = match (at_s * 1e6) as u64 % 13 {
        0 => (
            FaultKind::LinkLost,
            if for_good { None } else { lasts(5.0, 60.0) },
        ),
        1 => (FaultKind::NoGpsFix, lasts(3.0, 40.0)),
        2 => (FaultKind::PositionJump(50.0), lasts(1.0, 25.0)),
        3 => (FaultKind::GpsFrozen, lasts(5.0, 40.0)),
        4 => (FaultKind::SonarSilent, lasts(5.0, 60.0)),
        5 => (FaultKind::SonarStuck, lasts(5.0, 60.0)),
        6 => (FaultKind::SonarSpikes, lasts(5.0, 200.0)),
        7 => (FaultKind::SonarUnsure, lasts(5.0, 60.0)),
        8 => (FaultKind::Garbage, lasts(5.0, 200.0)),
        9 => (FaultKind::SecondSystem(42), lasts(5.0, 200.0)),
        10 => (FaultKind::ClockBack(1000.0), lasts(1.0, 60.0)),
        11 => (FaultKind::ArmingRefused, lasts(5.0, 30.0)),
        _ => (FaultKind::OperatorMode(Mode::MANUAL), lasts(5.0, 40.0)),
    };
    Fault { at_s, for_s, kind }
}

/// The link is cut, the operator takes over meanwhile, and gives back some time after the link is back.
pub(super) fn operator_during_silence(dice: &mut Dice) -> [Fault; 2] {
    let (at_s, silent_s) = (dice.within(15.0, 250.0), dice.within(8.0, 60.0));
    let taken_s = dice.within(at_s, at_s + silent_s);
    let mode = match dice.count(0, 2) {
        0 => Mode::MANUAL,
        1 => Mode::HOLD,
        _ => Mode::LOITER,
    };
    let back_s = at_s + silent_s + dice.within(2.0, 30.0);
    [
        Fault {
            at_s,
            for_s: Some(silent_s),
            kind: FaultKind::LinkLost,
        },
        Fault {
            at_s: taken_s,
            for_s: Some(back_s - taken_s),
            kind: FaultKind::OperatorMode(mode),
        },
    ]
}
