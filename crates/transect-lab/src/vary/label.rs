//! Names for values: for readers, and for folders.

use toml::Value;

/// Folder names are kept to this many characters.
const LONGEST: usize = 48;

/// What a value is called in tables and figures.
pub(super) fn of(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Table(table) => {
            let name = table.get("name").map(of);
            let rest = table.iter().filter(|(key, _)| *key != "name");
            let rest = rest.map(|(key, value)| format!("{key}={}", of(value)));
            name.into_iter().chain(rest).collect::<Vec<_>>().join(" ")
        }
        other => other.to_string(),
    }
}

/// A name for a folder that no other label has: letters, digits and `.+_-` as they are, anything else, and what is too
/// long, by a number made from the whole label.
pub(super) fn for_folder(label: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || ".+_-".contains(c);
    let kept: String = label
        .chars()
        .map(|c| if plain(c) { c } else { '-' })
        .take(LONGEST)
        .collect();
    if kept == label && !kept.is_empty() && kept.chars().any(|c| c != '.') {
        return kept;
    }
    // FNV-1a.
    let hash = label.bytes().fold(0x811c_9dc5_u32, |hash, byte| {
        (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193)
    });
    format!("{kept}-{hash:08x}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_are_readable_and_different() {
        assert_eq!(for_folder("tour"), "tour");
        assert_eq!(for_folder("0.25"), "0.25");
        let (a, b) = (for_folder("ak components=5"), for_folder("ak components 5"));
        assert!(a.starts_with("ak-components-5-") && b.starts_with("ak-components-5-"));
        assert_ne!(a, b);
        for awkward in ["", ".", "..", "a/b", "../x", "ä"] {
            let name = for_folder(awkward);
            assert!(name.contains('-') && !name.contains('/'), "{name}");
        }
        assert!(for_folder(&"x".repeat(300)).len() < 64);
    }
}
