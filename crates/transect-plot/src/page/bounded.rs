//! Keeps pages of large surveys small, and says what was left out.

use super::data::{FrameData, GridData, MapData, SurveyData};
use super::pack::{millimetres, short};

/// Most soundings, and places of the way, that are drawn of one survey.
const MOST_POINTS: usize = 20_000;
/// Most frames of the time slider.
const MOST_FRAMES: usize = 48;
/// Most cells along a side of a map.
const LONGEST_SIDE: usize = 500;

/// Every `n`-th of a list, so that no more than `most` are left; the last one always is.
fn thin<T: Copy>(list: &mut Vec<T>, most: usize) -> Option<usize> {
    let every = list.len().div_ceil(most.max(1));
    if every < 2 {
        return None;
    }
    let last = list.last().copied();
    let mut kept: Vec<T> = list.iter().copied().step_by(every).collect();
    if !(list.len() - 1).is_multiple_of(every) {
        kept.extend(last);
    }
    *list = kept;
    Some(every)
}

impl MapData {
    /// The same with no more than a page can carry, and what was left out in words.
    pub(super) fn bounded(mut self) -> (Self, Vec<String>) {
        let mut notes = Vec::new();
        for survey in &mut self.surveys {
            survey.bound(&mut notes);
        }
        (self, notes)
    }
}

impl SurveyData {
    fn bound(&mut self, notes: &mut Vec<String>) {
        self.soundings_total = self.soundings_total.max(self.soundings.len());
        for [x, y, value, time_s] in &mut self.soundings {
            (*x, *y, *time_s) = (millimetres(*x), millimetres(*y), millimetres(*time_s));
            *value = short(*value);
        }
        for [x, y, time_s] in &mut self.track {
            (*x, *y, *time_s) = (millimetres(*x), millimetres(*y), millimetres(*time_s));
        }
        for [x, y, value] in &mut self.flagged {
            (*x, *y, *value) = (millimetres(*x), millimetres(*y), short(*value));
        }
        if let Some(every) = thin(&mut self.soundings, MOST_POINTS) {
            notes.push(format!(
                "Of {} soundings one in {every} is drawn.",
                self.soundings_total
            ));
        }
        if let Some(every) = thin(&mut self.track, MOST_POINTS) {
            notes.push(format!("Of the places of the way one in {every} is drawn."));
        }
        let flagged = self.flagged.len();
        if let Some(every) = thin(&mut self.flagged, MOST_POINTS) {
            notes.push(format!(
                "Of {flagged} flagged soundings one in {every} is drawn."
            ));
        }
        if self.frames.len() > MOST_FRAMES {
            let last = self.frames.len() - 1;
            let chosen = (0..MOST_FRAMES).map(|i| i * last / (MOST_FRAMES - 1));
            self.frames = chosen.map(|i| self.frames[i].clone()).collect();
        }
        if let Some(grid) = &mut self.grid {
            let (columns, rows) = (grid.columns, grid.rows);
            let block = columns.max(rows).div_ceil(LONGEST_SIDE).max(1);
            if block > 1 {
                if let Some(truth) = &mut self.truth {
                    *truth = grid.block_means(truth, block);
                }
                grid.coarsen(block);
                notes.push(format!(
                    "The map has {columns} x {rows} cells; here {block} x {block} of them are shown as one. The GeoTIFF has them all."
                ));
            }
        }
    }
}

impl GridData {
    /// Means over blocks of cells, missing ones passed over.
    fn block_means(&self, values: &[f64], block: usize) -> Vec<f64> {
        let mut means = Vec::new();
        for row in (0..self.rows).step_by(block) {
            for column in (0..self.columns).step_by(block) {
                let (mut sum, mut count) = (0.0, 0.0);
                for r in row..(row + block).min(self.rows) {
                    for c in column..(column + block).min(self.columns) {
                        let value = values[r * self.columns + c];
                        if value.is_finite() {
                            (sum, count) = (sum + value, count + 1.0);
                        }
                    }
                }
                means.push(sum / count);
            }
        }
        means
    }

    fn coarsen(&mut self, block: usize) {
        self.mean = self.block_means(&self.mean, block);
        self.std = self.block_means(&self.std, block);
        let [west, south, east, north] = self.extent;
        let (columns, rows) = (self.columns.div_ceil(block), self.rows.div_ceil(block));
        // The last block may reach beyond the last cell.
        let (width, height) = (
            (east - west) / self.columns as f64,
            (north - south) / self.rows as f64,
        );
        self.extent = [
            west,
            south,
            west + (columns * block) as f64 * width,
            south + (rows * block) as f64 * height,
        ];
        (self.columns, self.rows) = (columns, rows);
    }

    /// The first thing that is wrong with its shape, if anything is.
    pub(super) fn check(&self) -> Result<(), crate::PlotError> {
        check(self.columns, self.rows, &[&self.mean, &self.std])
    }
}

impl FrameData {
    /// The first thing that is wrong with its shape, if anything is.
    pub(super) fn check(&self) -> Result<(), crate::PlotError> {
        check(self.columns, self.rows, &[&self.mean, &self.std])
    }
}

fn check(columns: usize, rows: usize, layers: &[&[f64]]) -> Result<(), crate::PlotError> {
    let cells = columns * rows;
    match layers
        .iter()
        .find(|values| values.len() != cells || cells == 0)
    {
        None => Ok(()),
        Some(values) => Err(crate::PlotError::Shape {
            what: "map",
            values: values.len(),
            rows,
            columns,
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_million_soundings_are_thinned_and_it_is_said() {
        let sounding = |i: usize| [i as f64, 0.0, 1.0, i as f64];
        let survey = SurveyData {
            soundings: (0..1_000_000).map(sounding).collect(),
            ..SurveyData::default()
        };
        let map = MapData {
            surveys: vec![survey],
            ..MapData::default()
        };
        let (map, notes) = map.bounded();
        let drawn = &map.surveys[0].soundings;
        assert!(drawn.len() <= MOST_POINTS + 1);
        assert_eq!(drawn[0][0], 0.0);
        assert_eq!(drawn.last().map(|s| s[0]), Some(999_999.0));
        assert_eq!(map.surveys[0].soundings_total, 1_000_000);
        assert_eq!(notes, ["Of 1000000 soundings one in 50 is drawn."]);
    }

    #[test]
    fn coarse_maps_keep_their_places_and_means() {
        let mut grid = GridData {
            columns: 3,
            rows: 2,
            extent: [0.0, 0.0, 3.0, 2.0],
            mean: vec![1.0, 3.0, 9.0, f64::NAN, 5.0, f64::NAN],
            std: vec![1.0; 6],
        };
        grid.coarsen(2);
        assert_eq!((grid.columns, grid.rows), (2, 1));
        assert_eq!(grid.extent, [0.0, 0.0, 4.0, 2.0]);
        assert_eq!(grid.mean, [3.0, 9.0]);
    }

    #[test]
    fn few_frames_stand_for_many_first_and_last_included() {
        let frame = |i: usize| FrameData {
            soundings: i,
            ..FrameData::default()
        };
        let mut survey = SurveyData {
            frames: (0..1000).map(frame).collect(),
            ..SurveyData::default()
        };
        survey.bound(&mut Vec::new());
        assert_eq!(survey.frames.len(), MOST_FRAMES);
        assert_eq!(survey.frames[0].soundings, 0);
        assert_eq!(survey.frames[MOST_FRAMES - 1].soundings, 999);
    }
}
