//! Choosing from a list by name.

use crate::Error;

/// The entry called `value`; the error names the key, what was given and the nearest name.
pub(super) fn choose<T: Copy>(
    key: &'static str,
    value: &str,
    list: &[(&'static str, T)],
) -> Result<T, Error> {
    if let Some((_, found)) = list.iter().find(|(name, _)| *name == value) {
        return Ok(*found);
    }
    let names = list.iter().map(|(name, _)| *name);
    Err(Error::UnknownName {
        key,
        value: value.into(),
        nearest: nearest(value, names.clone()),
        accepted: names.collect::<Vec<_>>().join(", "),
    })
}

/// The name that was probably meant by `value`, if any is like it.
///
/// ```
/// use transect::settings::nearest;
/// assert_eq!(nearest("rfb", ["ak", "rbf"]), Some("rbf"));
/// assert_eq!(nearest("zzz", ["ak", "rbf"]), None);
/// ```
pub fn nearest<'a>(value: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let value = value.to_lowercase();
    // One slip is enough to be understood, however short the name.
    let likeness = |name: &str| {
        let name = name.to_lowercase();
        match strsim::damerau_levenshtein(&name, &value) {
            0..=1 => 1.0,
            _ => strsim::jaro_winkler(&name, &value),
        }
    };
    let named = names.into_iter().map(|name| (likeness(name), name));
    let (likeness, name) = named.max_by(|(a, _), (b, _)| a.total_cmp(b))?;
    (likeness > 0.7).then_some(name)
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
