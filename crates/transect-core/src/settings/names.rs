//! Choosing from a list by name.

use crate::Error;

/// The entry called `value`; the error names the key, what was given and the nearest name.
pub(crate) fn choose<T: Copy>(
    key: &'static str,
    value: &str,
    list: &[(&'static str, T)],
) -> Result<T, Error> {
    if let Some((_, found)) = list.iter().find(|(name, _)| *name == value) {
        return Ok(*found);
    }
    let names = list.iter().map(|(name, _)| *name);
    let value_lower = value.to_lowercase();
    // One slip (`rfb`) is enough to be understood, however short the name.
    let likeness = |name: &str| match strsim::damerau_levenshtein(name, &value_lower) {
        0..=1 => 1.0,
        _ => strsim::jaro_winkler(name, &value_lower),
    };
    let nearest = names
        .clone()
        .max_by(|a, b| likeness(a).total_cmp(&likeness(b)))
        .filter(|name| likeness(name) > 0.7);
    Err(Error::UnknownName {
        key,
        value: value.into(),
        accepted: names.collect::<Vec<_>>().join(", "),
        nearest,
    })
}

/// The names in a list, for documents that show what may be chosen from.
pub(super) fn names_of<T>(list: &[(&'static str, T)]) -> Vec<&'static str> {
    list.iter().map(|(name, _)| *name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_name_is_met_with_the_nearest() {
        let list = [("random", 1), ("myopic", 2)];
        assert_eq!(choose("planner.name", "myopic", &list), Ok(2));
        let message = |value| {
            choose("planner.name", value, &list)
                .unwrap_err()
                .to_string()
        };
        assert_eq!(
            message("Myopia"),
            "planner.name is `Myopia`: did you mean `myopic`? accepted are random, myopic"
        );
        assert_eq!(
            message("zzz"),
            "planner.name is `zzz`: accepted are random, myopic"
        );
    }
}
