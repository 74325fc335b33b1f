//! Judges the model by predictions of each reading from all the others: which readings are outliers, on which scale maps are
//! made, how wide error bars are.

use transect_gp::{GpError, LeftOut, Points, Warp};

use std::sync::Arc;

use super::outliers::{NOTABLE_SHARE, outliers};
use super::{Committee, TRUSTWORTHY_COVERAGE, Trouble};
use crate::calibration::{ErrorScale, REACHES, Residuals, Spread, far_level, levels};
use crate::settings::ErrorBars;

/// Upper bound on the trust put in a learnt warp. Readings are few where a planner finds the ground flat, and what is learnt of those heights
/// is less certain than the evidence of all readings makes it look.
const MOST_TRUST: f64 = 0.8;
/// How many times readings are judged again with the outliers found so far ignored.
const JUDGEMENTS: usize = 4;
/// Fewer readings say nothing about error bars.
const FEWEST_TO_DOUBT: usize = 100;

/// Indices of the marked ones.
fn marked(marks: &[bool]) -> impl Iterator<Item = usize> + '_ {
    (0..marks.len()).filter(|i| marks[*i])
}

impl Committee {
    /// Judges the readings and the model by leave-one-out errors, and learns the scale of the map in between.
    pub(super) fn recalibrate(&mut self) -> Result<(), GpError> {
        let judged = self.settings.error_bars != ErrorBars::Kernels;
        if !judged && self.settings.warp_knots < 2 {
            return Ok(());
        }
        if judged {
            self.judge_readings()?;
        }
        let ignored: &[bool] = match self.settings.ignore_outliers {
            true => &self.outliers,
            false => &[],
        };
        let counts = |i: &usize| !ignored.get(*i).is_some_and(|outlier| *outlier);
        let ordinary: Vec<usize> = (0..self.readings.len()).filter(counts).collect();
        let spread = Spread::of(self.regression().data().0);
        // Without a new scale the last one stands.
        let _ = self.learn_warp(&spread, &ordinary);
        if judged {
            self.judge_error_bars(&spread, &ordinary)?;
        }
        Ok(())
    }

    /// Finds outliers, and ignores them if so told. On a scale that was made to suit them they would not stand out.
    fn judge_readings(&mut self) -> Result<(), GpError> {
        let readings = self.readings.clone();
        let places = self.regression().data().0.clone();
        let mut found = outliers(&places, &self.left_out_errors()?);
        if self.settings.ignore_outliers {
            for judgement in 1..=JUDGEMENTS {
                if marked(&found).eq(marked(&self.outliers)) {
                    break;
                }
                self.members().for_each(|member| member.ignore(&found));
                self.outliers.clone_from(&found);
                if judgement < JUDGEMENTS {
                    found = outliers(&places, &self.left_out_errors()?);
                }
            }
            // Readings that have come since they were judged last fit.
            self.outliers.resize(readings.len(), false);
        } else {
            self.outliers = found;
        }
        let count = self.outliers().filter(|outlier| *outlier).count();
        if !self.told && count as f64 > NOTABLE_SHARE * readings.len() as f64 {
            self.told = true;
            self.troubles.push(Trouble::Outliers {
                count,
                readings: readings.len(),
                ignored: self.settings.ignore_outliers,
            });
        }
        Ok(())
    }

    /// Learns how wide error bars should be from the errors of ordinary readings.
    fn judge_error_bars(&mut self, spread: &Spread, ordinary: &[usize]) -> Result<(), GpError> {
        let warped = self.warped();
        let left_out = self.leave_one_out(warped.as_deref())?;
        let readings = warped.as_ref().unwrap_or(&self.readings);
        let members: Vec<_> = left_out.iter().map(Vec::as_slice).collect();
        let alone = Residuals::of(&members, readings.iter().copied()).only(ordinary);
        let (mut levels, kept) = match self.settings.error_bars {
            // Without what is known of farther places, what is known of nearer ones has to do.
            ErrorBars::Grown | ErrorBars::Local => self
                .judge_without_neighbours(ordinary, warped.as_deref())
                .unwrap_or_default(),
            ErrorBars::Kernels | ErrorBars::Overall => Default::default(),
        };
        // A place beside a track has readings on one side only, and is as hard to predict as one between readings that are twice
        // as far away. By ratio, halfway between one and two times is the root of 2.
        let reach = std::f64::consts::SQRT_2 * spread.typical;
        let typical = kept.iter().take_while(|kept| **kept < reach).count();
        if let Some(nearer) = levels.last() {
            let far = self.judge_from_afar(ordinary, warped.as_deref(), spread.farthest());
            // Standard deviations that are no larger tell nothing new about how errors grow.
            let farther = |far: &Residuals| far.mean_log_std() > nearer.mean_log_std();
            levels.extend(far.ok().flatten().filter(farther));
        }
        let reaches = match self.settings.error_bars {
            ErrorBars::Local => REACHES,
            ErrorBars::Kernels | ErrorBars::Overall | ErrorBars::Grown => &[],
        };
        let places = self.places_of(ordinary)?;
        self.error_scale = Arc::new(ErrorScale::learn(
            places,
            &alone,
            (&levels, typical),
            reaches,
        ));
        let readings = self.readings.len();
        let coverage = self.error_scale.coverage_95();
        if !self.doubted && readings >= FEWEST_TO_DOUBT && coverage < TRUSTWORTHY_COVERAGE {
            self.doubted = true;
            self.troubles
                .push(Trouble::Overconfident { coverage, readings });
        }
        Ok(())
    }

    /// Learns anew on which scale the surface is equally rough everywhere. What the kernels know is not touched.
    fn learn_warp(&mut self, spread: &Spread, ordinary: &[usize]) -> Result<(), GpError> {
        let trust = MOST_TRUST * spread.likeness();
        let knots = self.settings.warp_knots;
        if knots < 2 {
            return Ok(());
        }
        let centre = self.regression().scalers().1.unscale(0.0);
        let mut members = std::iter::once(&mut self.first).chain(&mut self.companions);
        let whiten = |columns: &_| {
            members.try_fold(Vec::new(), |mut all, member| {
                all.push(member.whiten(columns)?);
                Ok(all)
            })
        };
        self.warp = Warp::learn(&self.readings, ordinary, (knots, trust), centre, whiten)?;
        Ok(())
    }

    /// Errors of readings that are left out with more and more of their neighbours, and how far away the nearest of those is that
    /// stays.
    fn judge_without_neighbours(
        &mut self,
        ordinary: &[usize],
        warped: Option<&[f64]>,
    ) -> Result<(Vec<Residuals>, Vec<f64>), GpError> {
        let (levels, kept): (Vec<_>, Vec<_>) = levels(self.regression().data().0, ordinary)
            .into_iter()
            .unzip();
        let blocks = levels.concat();
        if blocks.is_empty() {
            return Ok(Default::default());
        }
        let left_out = self.leave_blocks_out(&blocks, warped)?;
        let readings = warped.unwrap_or(&self.readings);
        let judge = |level: usize| {
            let from = level * ordinary.len();
            let here = from..from + ordinary.len();
            let members: Vec<&[LeftOut]> = left_out.iter().map(|all| &all[here.clone()]).collect();
            Residuals::of(&members, ordinary.iter().map(|i| readings[*i]))
        };
        Ok(((0..levels.len()).map(judge).collect(), kept))
    }

    /// Errors of some readings that are left out with all within a distance; none where too few readings would be left.
    fn judge_from_afar(
        &mut self,
        ordinary: &[usize],
        warped: Option<&[f64]>,
        distance: f64,
    ) -> Result<Option<Residuals>, GpError> {
        let blocks = far_level(self.regression().data().0, ordinary, distance);
        if blocks.is_empty() {
            return Ok(None);
        }
        let left_out = self.leave_blocks_out(&blocks, warped)?;
        let members: Vec<&[LeftOut]> = left_out.iter().map(Vec::as_slice).collect();
        let readings = warped.unwrap_or(&self.readings);
        let judged = blocks.iter().filter_map(|block| block.last());
        let judged = judged.map(|i| readings[*i]);
        Ok(Some(Residuals::of(&members, judged)))
    }

    /// Predictions of the last reading of each block from the readings outside the block, by each member.
    fn leave_blocks_out(
        &mut self,
        blocks: &[Vec<usize>],
        warped: Option<&[f64]>,
    ) -> Result<Vec<Vec<LeftOut>>, GpError> {
        self.members()
            .map(|member| member.leave_blocks_out(blocks, warped))
            .collect()
    }

    /// Places of some readings, in scaled units.
    fn places_of(&self, which: &[usize]) -> Result<Points, GpError> {
        let (places, _) = self.regression().data();
        let coordinates: Vec<f64> = which.iter().flat_map(|i| places.row(*i)).collect();
        Points::from_flat(places.dim(), &coordinates)
    }

    /// Predictions of each reading, or of each of `others` in their place, from all the other readings, by each member.
    fn leave_one_out(&mut self, others: Option<&[f64]>) -> Result<Vec<Vec<LeftOut>>, GpError> {
        self.members()
            .map(|member| member.leave_one_out(others))
            .collect()
    }

    fn left_out_errors(&mut self) -> Result<Vec<f64>, GpError> {
        let left_out = self.leave_one_out(None)?;
        let members: Vec<_> = left_out.iter().map(Vec::as_slice).collect();
        Ok(Residuals::of(&members, self.readings.iter().copied()).errors)
    }
}
