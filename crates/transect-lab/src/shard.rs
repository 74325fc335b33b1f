//! One of several parts of a sweep, for a machine or process of its own.

/// Every N-th run, starting with the I-th (counted from 0); written `I/N`.
///
/// ```
/// use transect_lab::shard::Shard;
/// let second: Shard = "1/3".parse()?;
/// assert_eq!(second.of(vec![10, 11, 12, 13, 14]), [11, 14]);
/// # Ok::<(), String>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shard {
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
    #[must_use]
    pub fn of<T>(self, all: Vec<T>) -> Vec<T> {
        all.into_iter()
            .skip(self.index)
            .step_by(self.count)
            .collect()
    }
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
}
