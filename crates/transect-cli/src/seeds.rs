//! Lists of seeds such as `0..9` or `0,3,7`.

/// Seeds: `0..9` (ends included), `4`, or `0,3,7`.
pub(crate) fn seeds(text: &str) -> Result<Vec<u64>, String> {
    let wrong = || format!("`{text}` is not a list of seeds; 0..9 and 0,3,7 are");
    let mut seeds = Vec::new();
    for part in text.split(',') {
        match part.split_once("..") {
            None => seeds.push(part.trim().parse().map_err(|_| wrong())?),
            Some((from, to)) => {
                let from: u64 = from.trim().parse().map_err(|_| wrong())?;
                let to: u64 = to
                    .trim_start_matches('=')
                    .trim()
                    .parse()
                    .map_err(|_| wrong())?;
                if to < from || to - from > 100_000 {
                    return Err(wrong());
                }
                seeds.extend(from..=to);
            }
        }
    }
    Ok(seeds)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seeds_are_ranges_and_lists() {
        assert_eq!(seeds("0..3").unwrap(), [0, 1, 2, 3]);
        assert_eq!(seeds("0,3,7..8").unwrap(), [0, 3, 7, 8]);
        assert!(seeds("3..1").is_err() && seeds("a").is_err() && seeds("").is_err());
    }
}
