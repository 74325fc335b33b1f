//! The model judged by what its readings would have been predicted to be without themselves: which are outliers, on which scale
//! maps are made, how wide error bars are.

use transect_gp::{GpError, Points, Warp};

use super::member::Member;
use super::outliers::{NOTABLE_SHARE, outliers};
use super::temperature::{self, Judged, Ladder, REACHES, Temperature, left_out_errors};
use super::{Model, Scale, TRUSTWORTHY_COVERAGE, Trouble};
use crate::settings::ErrorBars;

/// What is believed of a warp at most. Readings are few where a planner finds the ground flat, and what is learnt of those heights
/// is less certain than the evidence of all readings makes it look.
const MOST_TRUST: f64 = 0.8;
/// How often outliers are judged again with those found ignored.
const JUDGEMENTS: usize = 4;
/// Fewer readings say nothing about error bars.
const FEWEST_TO_DOUBT: usize = 100;

impl Model {
    /// Judges the readings and the model by leave-one-out errors, and learns the scale of the map in between.
    pub(super) fn review(&mut self) -> Result<(), GpError> {
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
        let ladder = Ladder::of(self.regression().data().0, &ordinary);
        // Without a new scale the last one stands.
        let _ = self.learn_warp(&ladder, &ordinary);
        if judged {
            self.judge_error_bars(&ladder, &ordinary)?;
        }
        Ok(())
    }

    /// Finds outliers, and ignores them if so told. On a scale that was made to suit them they would not stand out.
    fn judge_readings(&mut self) -> Result<(), GpError> {
        self.take_up(Scale::Plain)?;
        let readings = self.readings.clone();
        let mut found = outliers(&self.left_out_errors(&readings)?);
        if self.settings.ignore_outliers {
            for _ in 0..JUDGEMENTS {
                if found == self.outliers {
                    break;
                }
                self.members().for_each(|member| member.ignore(&found));
                self.outliers.clone_from(&found);
                found = outliers(&self.left_out_errors(&readings)?);
            }
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
    fn judge_error_bars(&mut self, ladder: &Ladder, ordinary: &[usize]) -> Result<(), GpError> {
        self.take_up(Scale::Warped)?;
        let readings: Vec<f64> = self.regression().raw_targets().collect();
        let errors = self.left_out_errors(&readings)?;
        let alone = Judged {
            radius: 0.0,
            places: self.places_of(ordinary)?,
            errors: ordinary.iter().map(|i| errors[*i]).collect(),
        };
        // Without what is known of farther places, what is known of nearer ones has to do.
        let together = self.judge_together(ladder, &readings).unwrap_or_default();
        let reaches = match self.settings.error_bars {
            ErrorBars::Local => REACHES,
            ErrorBars::Kernels | ErrorBars::Overall => &[],
        };
        self.temperature = Temperature::learn(alone, ladder, &together, reaches);
        let coverage = self.temperature.coverage_95();
        if !self.doubted && readings.len() >= FEWEST_TO_DOUBT && coverage < TRUSTWORTHY_COVERAGE {
            self.doubted = true;
            self.troubles.push(Trouble::Overconfident {
                coverage,
                readings: readings.len(),
            });
        }
        Ok(())
    }

    /// Learns anew on which scale the surface is as rough everywhere. What the kernels know is not touched.
    fn learn_warp(&mut self, ladder: &Ladder, ordinary: &[usize]) -> Result<(), GpError> {
        let trust = MOST_TRUST * ladder.likeness();
        let knots = self.settings.warp_knots;
        if knots < 2 {
            return Ok(());
        }
        self.take_up(Scale::Plain)?;
        let scaler = self.first.regression().scalers().1;
        let like = (scaler.unscale(0.0), scaler.unit());
        let mut members = std::iter::once(&mut self.first).chain(&mut self.companions);
        let whiten = |columns: &_| {
            members.try_fold(Vec::new(), |mut all, member| {
                all.push(member.whiten(columns)?);
                Ok(all)
            })
        };
        self.warp = Warp::learn(&self.readings, ordinary, (knots, trust), like, whiten)?;
        Ok(())
    }

    /// Errors of readings that are left out with those around them.
    fn judge_together(
        &mut self,
        ladder: &Ladder,
        readings: &[f64],
    ) -> Result<Vec<Judged>, GpError> {
        let blocks: Vec<Vec<usize>> = ladder
            .rungs
            .iter()
            .flat_map(|rung| rung.blocks.iter().cloned())
            .collect();
        if blocks.is_empty() {
            return Ok(Vec::new());
        }
        let left_out: Result<Vec<_>, GpError> = self
            .members()
            .map(|member| member.leave_blocks_out(&blocks))
            .collect();
        let judged: Vec<usize> = blocks.iter().filter_map(|b| b.last().copied()).collect();
        let values: Vec<f64> = judged.iter().map(|i| readings[*i]).collect();
        let errors = left_out_errors(&left_out?, &values);
        let mut from = 0;
        let of_rung = |rung: &temperature::Rung| {
            let range = from..from + rung.blocks.len();
            from = range.end;
            Ok(Judged {
                radius: rung.radius,
                places: self.places_of(&judged[range.clone()])?,
                errors: errors[range].to_vec(),
            })
        };
        ladder.rungs.iter().map(of_rung).collect()
    }

    /// Places of some readings, in scaled units.
    fn places_of(&self, which: &[usize]) -> Result<Points, GpError> {
        let (places, _) = self.regression().data();
        let coordinates: Vec<f64> = which.iter().flat_map(|i| places.row(*i)).collect();
        Points::from_flat(places.dim(), &coordinates)
    }

    fn left_out_errors(&mut self, readings: &[f64]) -> Result<Vec<f64>, GpError> {
        let left_out: Result<Vec<_>, GpError> = self.members().map(Member::leave_one_out).collect();
        Ok(left_out_errors(&left_out?, readings))
    }
}
