//! Orders of survey of IHO S-44 (edition 6.1): the vertical uncertainty at 95 % may be `sqrt(a^2 + (b d)^2)` at depth `d`.
//!
//! Only this is judged here. Position, coverage and the size of what must be found are matters of the survey itself.

/// Share of cells that must keep an order for it to be reached.
const SHARE: f64 = 0.95;
/// Standard deviations of a 95 % interval.
const NORMAL_95: f64 = 1.96;

/// Orders with a (m) and b, the strictest first.
const ORDERS: [(&str, f64, f64); 4] = [
    ("Exclusive", 0.15, 0.0075),
    ("Special", 0.25, 0.0075),
    ("1a/1b", 0.5, 0.013),
    ("2", 1.0, 0.023),
];

/// How much of a map keeps an order.
#[derive(Debug, Clone, PartialEq)]
pub struct Order {
    /// Its name in S-44.
    pub name: &'static str,
    /// Share of the map's cells whose uncertainty it allows.
    pub share: f64,
}

/// The share of cells for each order, the strictest first, and the strictest that 95 % of the cells keep.
#[must_use]
pub fn order_reached(depths: &[f64], stds: &[f64]) -> (Vec<Order>, Option<&'static str>) {
    let known: Vec<(f64, f64)> = depths
        .iter()
        .zip(stds)
        .filter(|(depth, std)| depth.is_finite() && std.is_finite())
        .map(|(depth, std)| (depth.abs(), NORMAL_95 * std))
        .collect();
    let share = |a: f64, b: f64| {
        let kept = known
            .iter()
            .filter(|(depth, uncertainty)| *uncertainty <= a.hypot(b * depth));
        kept.count() as f64 / known.len().max(1) as f64
    };
    let orders: Vec<Order> = ORDERS
        .iter()
        .map(|(name, a, b)| Order {
            name,
            share: share(*a, *b),
        })
        .collect();
    let reached = orders
        .iter()
        .find(|order| order.share >= SHARE)
        .map(|order| order.name);
    (orders, reached)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tables_of_the_standard() {
        // At 10 m, S-44 allows 0.168, 0.261, 0.517 and 1.026 m.
        for (uncertainty, name) in [
            (0.16, "Exclusive"),
            (0.26, "Special"),
            (0.51, "1a/1b"),
            (1.02, "2"),
        ] {
            assert_eq!(order_reached(&[10.0], &[uncertainty / 1.96]).1, Some(name));
        }
        assert_eq!(order_reached(&[10.0], &[1.0]).1, None);
        let (orders, reached) = order_reached(&[10.0, 10.0], &[0.01, 9.0]);
        assert_eq!((orders[0].share, reached), (0.5, None));
    }
}
