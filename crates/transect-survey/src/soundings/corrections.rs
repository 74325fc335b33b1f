//! From what the sonar said to depths below one level: sound speed, draught, water level, latency.
//!
//! ```text
//! depth = measured * (speed of sound there / speed the sonar assumed) + draught - (level(t) - datum)
//! ```
//!
//! Heights are treated as the opposite of depths.

use transect_io::soundings::{Clock, LevelTable, Quantity, Soundings, time_words};

/// Positions farther apart in time than this are not joined, s.
const LONGEST_GAP_S: f64 = 10.0;
/// What sonars assume unless they are told otherwise, m/s.
pub const USUAL_SPEED_MPS: f64 = 1500.0;

/// What has to be put right.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Corrections {
    /// How far the transducer is below the water, m.
    pub draught_m: f64,
    /// The speed of sound in the water over that which the sonar assumed.
    pub sound_speed: Option<[f64; 2]>,
    /// How much later than its depth a place was written, s.
    pub latency_s: f64,
    /// The water's level.
    pub level: Option<Level>,
    /// The level that depths are to be below, on the gauge's own scale, m.
    pub datum_m: f64,
    /// What is added to the soundings' times to get the table's, s: two hours where the log has UTC and the gauge summer time.
    pub level_shift_s: f64,
}

/// The water's level above the gauge's zero.
#[derive(Debug, Clone, PartialEq)]
pub enum Level {
    /// All the time, m.
    Constant(f64),
    /// By time.
    Table(LevelTable),
}

impl Corrections {
    /// Corrects all soundings in place; says what was done.
    ///
    /// # Errors
    /// If there is something to correct by time and the soundings have none, or the table has no level for one.
    pub fn apply(&self, soundings: &mut Soundings) -> Result<Vec<String>, String> {
        let mut notes = Vec::new();
        if *self == Self::default() {
            return Ok(notes);
        }
        let downwards = match soundings.quantity {
            Quantity::Depth => 1.0,
            Quantity::Elevation => -1.0,
            Quantity::Other => {
                return Err(format!(
                    "`{}` is neither depth nor height by its name, so draught, level and sound speed mean nothing to it; \
                     say what it is with --quantity depth",
                    soundings.names[2]
                ));
            }
        };
        if self.latency_s != 0.0 {
            notes.push(self.shift_places(soundings)?);
        }
        let stretch = self
            .sound_speed
            .map_or(1.0, |[actual, assumed]| actual / assumed);
        if let Some([actual, assumed]) = self.sound_speed {
            notes.push(format!(
                "sound at {actual} m/s where the sonar assumed {assumed}: depths times {stretch:.5}"
            ));
        }
        if self.draught_m != 0.0 {
            notes.push(format!("draught of {} m added", self.draught_m));
        }
        let levels = self.levels(soundings)?;
        if let Some(levels) = &levels {
            let (low, high) = levels
                .iter()
                .fold((f64::MAX, f64::MIN), |(a, b), v| (a.min(*v), b.max(*v)));
            notes.push(format!(
                "water level between {low:.3} and {high:.3} m: depths are below {} m of the gauge",
                self.datum_m
            ));
        }
        for (i, value) in soundings.values.iter_mut().enumerate() {
            let level = levels.as_ref().map_or(self.datum_m, |levels| levels[i]);
            let depth = downwards * *value * stretch + self.draught_m - (level - self.datum_m);
            *value = downwards * depth;
        }
        Ok(notes)
    }

    fn levels(&self, soundings: &Soundings) -> Result<Option<Vec<f64>>, String> {
        let table = match &self.level {
            None => return Ok(None),
            Some(Level::Constant(level)) => return Ok(Some(vec![*level; soundings.values.len()])),
            Some(Level::Table(table)) => table,
        };
        let fits = matches!(
            (table.clock, soundings.clock),
            (Clock::Dated, Clock::Dated) | (Clock::TimeOfDay, Clock::Dated | Clock::TimeOfDay)
        );
        if !fits {
            return Err(format!(
                "its soundings have {}, the table of levels has {}: no level can be found for them; name the column of \
                 the time with --time-column",
                clock_words(soundings.clock),
                clock_words(table.clock)
            ));
        }
        let mut levels = Vec::with_capacity(soundings.values.len());
        for (i, time) in soundings.times.iter().enumerate() {
            let level = table.at(time + self.level_shift_s);
            levels.push(level.ok_or_else(|| {
                format!(
                    "{}: the table of levels goes from {}, and there is none for {}; give one for the whole survey, \
                     or shift its clock with --level-shift",
                    soundings.origin(i),
                    table.period(),
                    if time.is_nan() { "a sounding without a time".into() } else { time_words(soundings.clock, time + self.level_shift_s) }
                )
            })?);
        }
        Ok(Some(levels))
    }

    /// Puts each sounding where the boat was `latency` earlier, along the track of its file.
    fn shift_places(&self, soundings: &mut Soundings) -> Result<String, String> {
        if soundings.clock == Clock::None {
            return Err("its soundings have no times, so a latency cannot be undone; name their column with --time-column".into());
        }
        let (times, places) = (&soundings.times, &soundings.places);
        let mut moved = places.clone();
        let mut count = 0;
        for i in 0..times.len() {
            let wanted = times[i] - self.latency_s;
            let Some((a, b)) = around(soundings, i, wanted) else {
                continue;
            };
            let share = (wanted - times[a]) / (times[b] - times[a]);
            moved[i] =
                [0, 1].map(|axis| places[a][axis] + share * (places[b][axis] - places[a][axis]));
            count += 1;
        }
        soundings.places = moved;
        let left = times.len() - count;
        let rest = if left > 0 {
            format!("; {left} at gaps of the log stay where they are")
        } else {
            String::new()
        };
        Ok(format!(
            "places of {count} soundings taken {} s earlier on the track{rest}",
            self.latency_s
        ))
    }
}

/// The soundings of the same file just before and after a moment, starting from sounding `i`.
fn around(soundings: &Soundings, i: usize, wanted: f64) -> Option<(usize, usize)> {
    let (times, sources) = (&soundings.times, &soundings.sources);
    if !wanted.is_finite() {
        return None;
    }
    let step: isize = if wanted < times[i] { -1 } else { 1 };
    let mut a = i;
    loop {
        let b = a
            .checked_add_signed(step)
            .filter(|b| *b < times.len() && sources[*b] == sources[i])?;
        let gap = (times[b] - times[a]).abs();
        if gap.is_nan() || gap > LONGEST_GAP_S {
            return None;
        }
        let (low, high) = if step < 0 { (b, a) } else { (a, b) };
        if times[low] <= wanted && wanted <= times[high] && times[low] < times[high] {
            return Some((low, high));
        }
        a = b;
    }
}

fn clock_words(clock: Clock) -> &'static str {
    match clock {
        Clock::None => "no times",
        Clock::Elapsed => "seconds since an unknown start",
        Clock::TimeOfDay => "times of day without a date",
        Clock::Dated => "dates and times",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use transect_io::soundings::{Columns, Unit, parse};

    fn log(name: &str) -> Soundings {
        let text = format!("time,x,y,{name}\n09:00:00,0,0,2\n09:00:01,10,0,3\n09:00:02,20,0,4\n");
        let columns = Columns {
            value: Some(name.into()),
            ..Columns::default()
        };
        parse(text.as_bytes(), &columns).unwrap()
    }

    #[test]
    fn the_equation_holds_for_depths_and_heights() {
        let table = LevelTable::parse(b"09:00:00,1.0\n09:00:02,1.2\n", Unit::Metre).unwrap();
        let corrections = Corrections {
            draught_m: 0.5,
            sound_speed: Some([1450.0, 1500.0]),
            level: Some(Level::Table(table)),
            datum_m: 0.2,
            ..Corrections::default()
        };
        let mut depths = log("depth");
        corrections.apply(&mut depths).unwrap();
        for (i, measured) in [2.0, 3.0, 4.0].into_iter().enumerate() {
            let expected = measured * 1450.0 / 1500.0 + 0.5 - (1.0 + 0.1 * i as f64 - 0.2);
            assert!((depths.values[i] - expected).abs() < 1e-12);
        }
        let mut heights = log("elevation");
        heights.values.iter_mut().for_each(|v| *v = -*v);
        corrections.apply(&mut heights).unwrap();
        assert!(
            heights
                .values
                .iter()
                .zip(&depths.values)
                .all(|(h, d)| *h == -*d)
        );
    }

    #[test]
    fn a_late_sonar_is_put_back_along_the_track() {
        let mut found = log("depth");
        let late = Corrections {
            latency_s: 0.5,
            ..Corrections::default()
        };
        let notes = late.apply(&mut found).unwrap();
        assert_eq!(found.places, [[0.0, 0.0], [5.0, 0.0], [15.0, 0.0]]);
        assert!(
            notes[0].contains("2 soundings") && notes[0].contains("1 at gaps"),
            "{notes:?}"
        );
    }

    #[test]
    fn what_cannot_be_corrected_is_said() {
        let table = LevelTable::parse(b"2021-08-26 09:00,1.0\n2021-08-26 10:00,1.2\n", Unit::Metre)
            .unwrap();
        let dated = Corrections {
            level: Some(Level::Table(table)),
            ..Corrections::default()
        };
        let refused = dated.apply(&mut log("depth")).unwrap_err();
        assert!(refused.contains("times of day without a date"), "{refused}");
        let early = LevelTable::parse(b"07:00,1.0\n07:01,1.2\n", Unit::Metre).unwrap();
        let early = Corrections {
            level: Some(Level::Table(early)),
            ..Corrections::default()
        };
        let refused = early.apply(&mut log("depth")).unwrap_err();
        assert!(
            refused.contains("09:00:00") && refused.contains("07:00:00 to 07:01:00"),
            "{refused}"
        );
        let draught = Corrections {
            draught_m: 1.0,
            ..Corrections::default()
        };
        assert!(
            draught
                .apply(&mut log("rain"))
                .unwrap_err()
                .contains("--quantity")
        );
    }
}
