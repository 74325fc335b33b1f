//! Terrains that come with the program.

use crate::npy::{Array, parse};

/// The Jacksboro fault, Tennessee: elevations in metres, row 0 in the *south* (as terrains have
/// it here; the file has it in the north). See `data/README.md` for its origin.
///
/// # Errors
/// Never, unless the program was built from a damaged file.
pub fn jacksboro() -> Result<Array, String> {
    let mut array = parse(include_bytes!("../data/jacksboro.npy"))?;
    let rows: Vec<&[f64]> = array.values.chunks_exact(array.columns).rev().collect();
    array.values = rows.concat();
    Ok(array)
}

#[cfg(test)]
mod tests {
    #[test]
    fn jacksboro_is_as_large_and_as_high_as_its_origin_says() {
        let array = super::jacksboro().unwrap();
        assert_eq!((array.rows, array.columns), (344, 403));
        let highest = array.values.iter().fold(f64::MIN, |a, b| a.max(*b));
        let lowest = array.values.iter().fold(f64::MAX, |a, b| a.min(*b));
        assert_eq!((lowest, highest), (236.0, 1076.0));
    }
}
