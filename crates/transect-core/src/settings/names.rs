//! What was probably meant.

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
