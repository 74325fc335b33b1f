//! Who watches.

use super::Event;

/// Watches a mission: progress, logs, figures, journals.
///
/// Closures that take an event are observers, and so are `()`, which sees nothing, and lists of observers.
///
/// ```
/// use transect::mission::{Event, Observer};
///
/// /// Counts soundings.
/// #[derive(Default)]
/// struct Counter(usize);
///
/// impl Observer for Counter {
///     fn event(&mut self, event: &Event<'_>) {
///         if let Event::Sounding { .. } = event {
///             self.0 += 1;
///         }
///     }
/// }
/// # let _: &mut dyn Observer = &mut Counter::default();
/// ```
pub trait Observer {
    /// Something happened.
    fn event(&mut self, event: &Event<'_>);
}

impl Observer for () {
    fn event(&mut self, _: &Event<'_>) {}
}

impl<F: FnMut(&Event<'_>)> Observer for F {
    fn event(&mut self, event: &Event<'_>) {
        self(event);
    }
}

impl Observer for [&mut dyn Observer] {
    fn event(&mut self, event: &Event<'_>) {
        for observer in self {
            observer.event(event);
        }
    }
}

impl Observer for Vec<Box<dyn Observer>> {
    fn event(&mut self, event: &Event<'_>) {
        for observer in self {
            observer.event(event);
        }
    }
}
