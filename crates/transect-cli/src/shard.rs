//! `--shard I/N` and lists such as `0..9` or `0,3,7`.

/// This process does every N-th run, starting with the I-th (counted from 0).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Shard {
    index: usize,
    count: usize,
}

impl std::str::FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("`{text}` is not a shard; 0/4 to 3/4 are the shards of four");
        let (index, count) = text.split_once('/').ok_or_else(wrong)?;
        let index: usize = index.trim().parse().map_err(|_| wrong())?;
        let count: usize = count.trim().parse().map_err(|_| wrong())?;
        if index >= count {
            return Err(wrong());
        }
        Ok(Self { index, count })
    }
}

impl Shard {
    /// The part of `all` that is this shard's.
    pub(crate) fn of<T>(self, all: Vec<T>) -> Vec<T> {
        all.into_iter()
            .skip(self.index)
            .step_by(self.count)
            .collect()
    }
}

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
    fn shards_cover_everything_once() {
        let all: Vec<u32> = (0..11).collect();
        let mut seen: Vec<u32> = ["0/3", "1/3", "2/3"]
            .iter()
            .flat_map(|text| text.parse::<Shard>().unwrap().of(all.clone()))
            .collect();
        seen.sort_unstable();
        assert_eq!(seen, all);
        for wrong in ["3/3", "x/3", "1", "1/0", ""] {
            assert!(wrong.parse::<Shard>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn seeds_are_ranges_and_lists() {
        assert_eq!(seeds("0..3").unwrap(), [0, 1, 2, 3]);
        assert_eq!(seeds("0,3,7..8").unwrap(), [0, 3, 7, 8]);
        assert!(seeds("3..1").is_err() && seeds("a").is_err() && seeds("").is_err());
    }
}
