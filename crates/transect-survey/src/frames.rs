//! The map as it was known on the way: for the page's time slider, the journal and live pages.
//!
//! A frame is taken whenever there are 5 % more soundings than at the last one. Early maps change most and get most frames; a
//! mission of 700 soundings has about 60, one of 100,000 about 160. When one is due depends on nothing but the soundings, so
//! that the same mission has the same frames whoever looks on.

use transect_plot::page::FrameData;

/// Soundings at the next frame, as a multiple of those at the last.
const GROWTH: f64 = 1.05;
/// Cells along the longer side of a frame.
pub const LONGER_SIDE: usize = 64;

/// Decides when frames are due, and keeps them.
#[derive(Debug, Clone, Default)]
pub struct Frames {
    taken: Vec<FrameData>,
}

impl Frames {
    /// Whether a map of so many soundings is worth a frame.
    #[must_use]
    pub fn is_due(&self, soundings: usize) -> bool {
        match self.taken.last() {
            None => true,
            Some(last) => {
                soundings as f64
                    >= (GROWTH * last.soundings as f64).max(last.soundings as f64 + 1.0)
            }
        }
    }

    /// Keeps a frame.
    pub fn keep(&mut self, frame: FrameData) {
        self.taken.push(frame);
    }

    /// All frames, in order.
    #[must_use]
    pub fn all(&self) -> &[FrameData] {
        &self.taken
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_grow_like_the_logarithm_of_soundings() {
        let mut frames = Frames::default();
        for soundings in 20..=100_000 {
            if frames.is_due(soundings) {
                frames.keep(FrameData {
                    soundings,
                    ..FrameData::default()
                });
            }
        }
        // ln(100000 / 20) / ln 1.05 = 175 at most.
        assert!(
            (150..=175).contains(&frames.all().len()),
            "{}",
            frames.all().len()
        );
        let until_700 = frames.all().iter().filter(|f| f.soundings <= 700).count();
        assert!((50..=73).contains(&until_700), "{until_700}");
        assert!(!frames.is_due(frames.all().last().unwrap().soundings));
    }
}
