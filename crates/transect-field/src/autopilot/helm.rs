//! What a mission asks of any vehicle.

use super::{HelmEvent, HelmState, Parting};
use crate::GeoPosition;
use crate::sonar::DepthReading;

/// A vehicle that can be sent to places. Nothing here waits: a wish is kept until it is fulfilled, and
/// [`Helm::poll`] works on it.
///
/// The order of a mission: poll until the phase is [`Standby`](super::Phase::Standby), [`Helm::engage`], poll
/// until [`Ready`](super::Phase::Ready), [`Helm::go_to`] place after place, [`Helm::release`].
pub trait Helm {
    /// Does what is due at `now_s` and tells what happened. Call it ten times a second or more often. A time before that of
    /// an earlier call counts as that one.
    fn poll(&mut self, now_s: f64) -> Vec<HelmEvent>;

    /// How things stood at the last poll.
    fn state(&self) -> &HelmState;

    /// Takes command: guided mode, then arming, asked for until granted.
    fn engage(&mut self);

    /// Heads for `target` from now on, in place of any other. Without command, the wish is kept until there is.
    fn go_to(&mut self, target: GeoPosition);

    /// Stays where it is, against wind and current. Where its position misleads it, or it is not to be, it stops instead.
    fn hold(&mut self);

    /// From now on only places that are `inside` are held: a receiver that errs, or an operator, may have put the vehicle anywhere.
    fn hold_only(&mut self, inside: Box<dyn Fn(GeoPosition) -> bool + Send>);

    /// Lets the vehicle return by its own means, in a straight line, whatever is in between.
    fn return_home(&mut self);

    /// Gives the command back and leaves the vehicle like this; [`HelmState::farewell`] tells how far that has come. A vehicle
    /// that somebody else has, or that was never ours, is left as it is.
    fn release(&mut self, parting: Parting);

    /// Moves the depths that came through the vehicle since the last call to `into`; many have none.
    fn take_depths(&mut self, _into: &mut Vec<DepthReading>) {}

    /// Seconds since the last depth that came through the vehicle; `None` before the first.
    fn depth_age_s(&self) -> Option<f64> {
        None
    }
}
