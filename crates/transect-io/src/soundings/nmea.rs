//! Logs of NMEA 0183 sentences: depths from the sonar between fixes from the receiver.
//!
//! A depth was measured between the fixes before and after it; its place is interpolated between them, by the time
//! stamps in front of the lines where there are any, by the number of lines otherwise. (The field's parser reads single
//! sentences as they come in; a log needs the fix behind a depth, dates, and patience with what other people's loggers write.)
//!
//! | sentence | what is taken from it |
//! |---|---|
//! | `DPT` | depth below the transducer, plus the offset to the waterline where it is positive |
//! | `DBS` | depth below the surface |
//! | `DBT` | depth below the transducer: `--draught` makes it one below the surface |
//! | `DBK` | depth below the keel |
//! | `GGA`, `RMC`, `GLL`, `GNS` | a fix, if it is valid; the time of day |
//! | `RMC`, `ZDA` | the date |

use super::clock::{Clock, DAY_S, DateOrder, days_since_1970, moment};
use super::lines::Lines;
use super::units::Quantity;
use super::{Record, Soundings};
use std::collections::BTreeMap;
use std::io::BufRead;

/// Between fixes farther apart than this nobody knows where the boat was, s.
const LONGEST_GAP_S: f64 = 10.0;
/// Depths that wait for a fix; more are without a place.
const MOST_WAITING: usize = 10_000;
/// A share of lines with sentences that makes a text a log of them, of the first lines.
const SENTENCE_SHARE: f64 = 0.3;

/// Whether the start of a file is a log of sentences.
pub(super) fn is_log(start: &str) -> bool {
    let lines = start
        .split(['\r', '\n'])
        .filter(|line| !line.trim().is_empty());
    let (mut all, mut sentences) = (0.0, 0.0);
    for line in lines.take(200) {
        all += 1.0;
        sentences += f64::from(u8::from(sentence(line).is_some()));
    }
    sentences > SENTENCE_SHARE * all
}

/// Talkers whose checksums are wrong throughout, as where a converter renames the talker and keeps the sum: such sums say
/// nothing about damage.
fn wrong_by_design(start: &str) -> Vec<String> {
    let mut counts: BTreeMap<&str, [usize; 2]> = BTreeMap::new();
    for line in start.split(['\r', '\n']) {
        if let Some(Sentence {
            talker,
            sound: Some(sound),
            ..
        }) = sentence(line)
        {
            counts.entry(talker).or_default()[usize::from(sound)] += 1;
        }
    }
    let wrong = counts
        .into_iter()
        .filter(|(_, [wrong, right])| *wrong >= 10 && *wrong > 9 * right);
    wrong.map(|(talker, _)| talker.to_string()).collect()
}

/// A sentence within a line: what stands in front of it, and its fields without the checksum.
struct Sentence<'a> {
    stamp: &'a str,
    talker: &'a str,
    /// The three letters behind the talker.
    kind: &'a str,
    fields: Vec<&'a str>,
    /// Whether the checksum is right; none if there is none.
    sound: Option<bool>,
}

fn sentence(line: &str) -> Option<Sentence<'_>> {
    let at = line.find(['$', '!'])?;
    let (stamp, text) = line.split_at(at);
    let text = &text[1..];
    let (body, sum) = match text.split_once('*') {
        Some((body, sum)) => (body, sum.get(..2)),
        None => (text.trim_end(), None),
    };
    let mut fields = body.split(',');
    let address = fields.next()?;
    let known = address.len() >= 5
        && address
            .bytes()
            .all(|b| b.is_ascii_uppercase() || b.is_ascii_digit());
    if !known {
        return None;
    }
    let sound = sum.map(|sum| {
        let told = u8::from_str_radix(sum, 16).ok();
        told == Some(body.bytes().fold(0, |sum, byte| sum ^ byte))
    });
    Some(Sentence {
        stamp,
        talker: &address[..address.len() - 3],
        kind: &address[address.len() - 3..],
        fields: fields.collect(),
        sound,
    })
}

/// What kind of depth it is, the best first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum DepthKind {
    Dpt,
    Dbs,
    Dbt,
    Dbk,
}

const KINDS: [(DepthKind, &str, &str); 4] = [
    (
        DepthKind::Dpt,
        "DPT",
        "below the transducer, with its own offset to the waterline where that is given",
    ),
    (DepthKind::Dbs, "DBS", "below the surface"),
    (DepthKind::Dbt, "DBT", "below the transducer"),
    (DepthKind::Dbk, "DBK", "below the keel"),
];

#[derive(Debug, Clone, Copy)]
struct Fix {
    lon: f64,
    lat: f64,
    /// Seconds since the midnight before the first fix.
    time: Option<f64>,
    /// What to interpolate by.
    order: f64,
}

#[derive(Debug, Clone, Copy)]
struct Depth {
    kind: DepthKind,
    depth_m: f64,
    order: f64,
    line: u64,
}

/// A log while it is read.
#[derive(Default)]
struct Log {
    /// Soundings of each kind of depth.
    found: [Soundings; 4],
    last: Option<Fix>,
    waiting: Vec<Depth>,
    lost: usize,
    damaged: usize,
    wrong_by_design: Vec<String>,
    sentences: usize,
    depths: usize,
    invalid_fixes: usize,
    fixes: usize,
    /// Midnights passed since the log began.
    midnights: f64,
    last_day_s: Option<f64>,
    /// Seconds from 1970 to the midnight before the first fix.
    date: Option<f64>,
}

/// Reads a log that begins with `start`; `value` may name a kind of depth.
pub(super) fn read<R: BufRead>(
    lines: &mut Lines<R>,
    start: &str,
    value: Option<&str>,
) -> Result<Soundings, String> {
    let mut log = Log {
        wrong_by_design: wrong_by_design(start),
        ..Log::default()
    };
    for found in &mut log.found {
        *found = Soundings::named(["lon", "lat", "depth"].map(String::from), true);
        found.quantity = Quantity::Depth;
    }
    let mut number = 0;
    loop {
        number += 1;
        let Some(line) = lines.next()? else { break };
        if let Some(sentence) = sentence(&line) {
            log.take(&sentence, number);
        }
    }
    log.finish(value)
}

impl Log {
    fn take(&mut self, sentence: &Sentence<'_>, line: u64) {
        self.sentences += 1;
        if sentence.sound == Some(false)
            && !self.wrong_by_design.iter().any(|t| t == sentence.talker)
        {
            self.damaged += 1;
            return;
        }
        let order = stamp(sentence.stamp).unwrap_or(line as f64);
        let fields = &sentence.fields;
        match sentence.kind {
            "DPT" | "DBS" | "DBT" | "DBK" => self.take_depth(sentence, order, line),
            "GGA" => self.take_fix(
                fields,
                [1, 3, 0],
                !matches!(field(fields, 5), "" | "0" | "6" | "7" | "8"),
                order,
            ),
            "GNS" => self.take_fix(
                fields,
                [1, 3, 0],
                field(fields, 5).contains(['A', 'D', 'P', 'R', 'F']),
                order,
            ),
            "GLL" => self.take_fix(fields, [0, 2, 4], field(fields, 5) != "V", order),
            "RMC" => {
                self.take_date(field(fields, 8), order);
                self.take_fix(fields, [2, 4, 0], field(fields, 1) == "A", order);
            }
            "ZDA" => {
                let number = |index| field(fields, index).parse::<i64>().ok();
                if let (Some(day), Some(month), Some(year)) = (number(1), number(2), number(3)) {
                    self.set_date(days_since_1970(year, month, day));
                }
            }
            _ => {}
        }
    }

    fn take_depth(&mut self, sentence: &Sentence<'_>, order: f64, line: u64) {
        let Some((kind, ..)) = KINDS.iter().find(|(_, name, _)| *name == sentence.kind) else {
            return;
        };
        let number = |index: usize| {
            let number = field(&sentence.fields, index).parse::<f64>().ok();
            number.filter(|number| number.is_finite())
        };
        let depth_m = match kind {
            DepthKind::Dpt => number(0)
                .map(|depth| depth + number(1).filter(|offset| *offset > 0.0).unwrap_or(0.0)),
            // Feet, metres and fathoms; any of the three may be empty.
            _ => number(2)
                .or_else(|| number(0).map(|feet| feet * 0.3048))
                .or_else(|| number(4).map(|fathoms| fathoms * 1.8288)),
        };
        let Some(depth_m) = depth_m.filter(|depth| *depth >= 0.0) else {
            return;
        };
        self.depths += 1;
        if self.waiting.len() >= MOST_WAITING {
            self.lost += self.waiting.len();
            self.waiting.clear();
        }
        self.waiting.push(Depth {
            kind: *kind,
            depth_m,
            order,
            line,
        });
    }

    /// Takes a fix; `at` are the fields of latitude, longitude and time.
    fn take_fix(&mut self, fields: &[&str], at: [usize; 3], valid: bool, order: f64) {
        let lat = degrees(field(fields, at[0]), field(fields, at[0] + 1));
        let lon = degrees(field(fields, at[1]), field(fields, at[1] + 1));
        let (true, Some(lat), Some(lon)) = (valid, lat, lon) else {
            self.invalid_fixes += 1;
            return;
        };
        let day_s = time_of_day(field(fields, at[2]));
        if let (Some(now), Some(before)) = (day_s, self.last_day_s)
            && now < before - DAY_S / 2.0
        {
            self.midnights += 1.0;
        }
        self.last_day_s = day_s.or(self.last_day_s);
        let time = day_s.map(|s| s + DAY_S * self.midnights);
        let fix = Fix {
            lon,
            lat,
            time,
            order,
        };
        // The sentences of one moment repeat its place, GGA and RMC say.
        let repeated = self.last.is_some_and(|last| {
            last.time.is_some() && last.time == fix.time && (last.lon, last.lat) == (lon, lat)
        });
        if repeated {
            return;
        }
        self.fixes += 1;
        self.place_waiting(fix);
        self.last = Some(fix);
    }

    /// Puts the depths since the last fix between it and this one.
    fn place_waiting(&mut self, next: Fix) {
        let waiting = std::mem::take(&mut self.waiting);
        let near = |last: &Fix| match (last.time, next.time) {
            // Some loggers write sentences out of order, so that clocks step back by seconds.
            (Some(a), Some(b)) => (b - a).abs() <= LONGEST_GAP_S,
            _ => true,
        };
        let Some(last) = self.last.filter(near) else {
            self.lost += waiting.len();
            return;
        };
        for depth in waiting {
            let share = ((depth.order - last.order) / (next.order - last.order)).clamp(0.0, 1.0);
            let share = if share.is_nan() { 0.0 } else { share };
            let mix = |a: f64, b: f64| a + share * (b - a);
            let east = (next.lon - last.lon + 180.0).rem_euclid(360.0) - 180.0;
            let time = last.time.zip(next.time).map(|(a, b)| mix(a, b));
            self.found[depth.kind as usize].push(Record {
                place: [last.lon + share * east, mix(last.lat, next.lat)],
                value: depth.depth_m,
                time: time.unwrap_or(f64::NAN),
                line: depth.line,
            });
        }
    }

    /// `ddmmyy` of RMC.
    fn take_date(&mut self, text: &str, _order: f64) {
        let part = |range: std::ops::Range<usize>| text.get(range)?.parse::<i64>().ok();
        if let (6, Some(day), Some(month), Some(year)) =
            (text.len(), part(0..2), part(2..4), part(4..6))
        {
            self.set_date(days_since_1970(year, month, day));
        }
    }

    fn set_date(&mut self, days: Option<i64>) {
        if let (None, Some(days)) = (self.date, days) {
            self.date = Some((days as f64 - self.midnights) * DAY_S);
        }
    }

    fn finish(mut self, value: Option<&str>) -> Result<Soundings, String> {
        self.lost += self.waiting.len();
        let most = self
            .found
            .iter()
            .map(|found| found.values.len())
            .max()
            .unwrap_or(0);
        if most == 0 {
            return Err(self.reason());
        }
        // Devices send the same ping as several sentences: one of them is enough.
        let chosen = match value {
            Some(name) => {
                let known = KINDS
                    .iter()
                    .position(|(_, kind, _)| kind.eq_ignore_ascii_case(name));
                known.ok_or_else(|| {
                    format!("`{name}` is no sentence with a depth; DPT, DBS, DBT and DBK are")
                })?
            }
            None => (0..4)
                .find(|k| 2 * self.found[*k].values.len() > most)
                .unwrap_or(0),
        };
        let (_, name, meaning) = KINDS[chosen];
        let others: Vec<String> = (0..4)
            .filter(|k| *k != chosen && !self.found[*k].values.is_empty())
            .map(|k| format!("{} {}", self.found[k].values.len(), KINDS[k].1))
            .collect();
        let mut found = std::mem::take(&mut self.found[chosen]);
        if found.values.is_empty() {
            return Err(format!(
                "it has no {name} with a place; it has {}",
                others.join(", ")
            ));
        }
        found.rows = found.values.len() + self.lost;
        found.gaps = self.lost;
        found.names[2] = name.to_string();
        found.notes.push(format!(
            "NMEA 0183: {} sentences, {} fixes; depths by {name}, {meaning}",
            self.sentences, self.fixes
        ));
        if !others.is_empty() {
            found.notes.push(format!(
                "left out: {} of the same pings; --value chooses",
                others.join(", ")
            ));
        }
        if !self.wrong_by_design.is_empty() {
            found.notes.push(format!(
                "checksums of {} are wrong throughout, so they were not minded",
                self.wrong_by_design.join(", ")
            ));
        }
        if self.damaged > 0 {
            found.notes.push(format!(
                "{} sentences passed over (wrong checksum)",
                self.damaged
            ));
        }
        if self.invalid_fixes > 0 {
            found.notes.push(format!(
                "{} sentences without a valid fix",
                self.invalid_fixes
            ));
        }
        if self.lost > 0 {
            found.notes.push(format!(
                "{} depths left out: no fix within {LONGEST_GAP_S} s before and after",
                self.lost
            ));
        }
        if found.times.iter().any(|time| time.is_finite()) {
            found.clock = if self.date.is_some() {
                Clock::Dated
            } else {
                Clock::TimeOfDay
            };
            let since = self.date.unwrap_or(0.0);
            for time in &mut found.times {
                *time += since;
            }
        }
        Ok(found)
    }

    /// Why there is no sounding.
    fn reason(&self) -> String {
        let Self {
            sentences,
            depths,
            fixes,
            invalid_fixes,
            damaged,
            ..
        } = self;
        if *depths == 0 {
            return format!(
                "it is an NMEA 0183 log of {sentences} sentences without depths: DPT, DBT, DBS or DBK are needed \
                 ({damaged} have a wrong checksum)"
            );
        }
        format!(
            "it is an NMEA 0183 log of {depths} depths without a place: it has {fixes} valid fixes (GGA, RMC, GLL or GNS), \
             {invalid_fixes} that are not, and {damaged} sentences with a wrong checksum"
        )
    }
}

fn field<'a>(fields: &[&'a str], index: usize) -> &'a str {
    fields.get(index).map_or("", |field| field.trim())
}

/// `ddmm.mmmm` and its hemisphere.
fn degrees(text: &str, hemisphere: &str) -> Option<f64> {
    let angle = super::cell::degrees_and_minutes(text.parse::<f64>().ok()?)?;
    let (sign, most) = match hemisphere {
        "N" => (1.0, 90.0),
        "S" => (-1.0, 90.0),
        "E" => (1.0, 180.0),
        "W" => (-1.0, 180.0),
        _ => return None,
    };
    (angle <= most).then_some(sign * angle)
}

/// `hhmmss.sss`, s.
fn time_of_day(text: &str) -> Option<f64> {
    let part = |range: std::ops::Range<usize>| text.get(range)?.parse::<f64>().ok();
    let seconds: f64 = text.get(4..)?.parse().ok()?;
    let time = part(0..2)? * 3600.0 + part(2..4)? * 60.0 + seconds;
    (0.0..=DAY_S).contains(&time).then_some(time)
}

/// The time in front of a sentence, s of some clock.
fn stamp(text: &str) -> Option<f64> {
    let text = text.trim_matches(|c: char| !c.is_alphanumeric());
    let first = || {
        text.split([';', ',', '\t', '|', ' '])
            .next()
            .unwrap_or_default()
    };
    let read = |text: &str| moment(text, DateOrder::MonthFirst).ok().flatten();
    let found = read(text).or_else(|| read(first()))?;
    Some(found.seconds)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A sentence with its checksum.
    fn with_sum(body: &str) -> String {
        let sum = body.bytes().fold(0_u8, |sum, byte| sum ^ byte);
        format!("${body}*{sum:02X}\n")
    }

    fn read_text(text: &str, value: Option<&str>) -> Result<Soundings, String> {
        read(&mut Lines::new(text.as_bytes()), text, value)
    }

    fn fix(second: u32, lat: &str, lon: &str) -> String {
        with_sum(&format!(
            "GPRMC,0939{second:02}.00,A,{lat},N,{lon},E,0.5,0,260821,,,A"
        ))
    }

    #[test]
    fn depths_lie_between_the_fixes_around_them() {
        let text = fix(54, "5309.7080", "00838.3600")
            + &with_sum("SDDBT,16.4,f,5.00,M,2.7,F")
            + &with_sum("SDDPT,4.6,0.4")
            + &fix(55, "5309.7110", "00838.3630");
        let found = read_text(&text, None).unwrap();
        assert_eq!(
            (found.values.as_slice(), found.names[2].as_str()),
            (&[5.0][..], "DPT")
        );
        // The third of four lines: two thirds of the way.
        let [lon, lat] = found.places[0];
        assert!(
            (lat - (53.0 + (9.708 + 0.002) / 60.0)).abs() < 1e-9,
            "{lat}"
        );
        assert!((lon - (8.0 + (38.36 + 0.002) / 60.0)).abs() < 1e-9, "{lon}");
        // 2021-08-26T09:39:54Z by `date`, and two thirds of a second.
        assert!((found.times[0] - 1_629_970_794.666_666).abs() < 1e-3);
        assert_eq!(found.clock, Clock::Dated);
        assert_eq!(read_text(&text, Some("dbt")).unwrap().values, [5.0]);
    }

    #[test]
    fn stamps_in_front_decide_where() {
        let text = format!(
            "1629970794000 {}1629970794250;A;{}1629970795000 {}",
            fix(54, "5309.0000", "00838.0000"),
            with_sum("IIDBS,3.28,f,,M,,F"),
            fix(55, "5309.0100", "00838.0100"),
        );
        assert!(is_log(&text));
        let found = read_text(&text, None).unwrap();
        assert!((found.values[0] - 3.28 * 0.3048).abs() < 1e-12);
        assert!((found.places[0][1] - (53.0 + 9.0025 / 60.0)).abs() < 1e-9);
    }

    #[test]
    fn damaged_sentences_and_lost_fixes_are_told() {
        let bad = with_sum("SDDBT,16.4,f,5.00,M,2.7,F").replace("5.00", "9.00");
        let text = fix(1, "5309.0", "00838.0")
            + &bad
            + &with_sum("SDDBT,,f,4.00,M,,F")
            + &fix(2, "5309.0", "00838.1")
            + &with_sum("SDDBT,,f,6.00,M,,F")
            + &fix(40, "5309.0", "00838.2");
        let found = read_text(&text, None).unwrap();
        assert_eq!((found.values.as_slice(), found.gaps), (&[4.0][..], 1));
        let notes = found.notes.join("; ");
        assert!(
            notes.contains("1 sentences passed over") && notes.contains("1 depths left out"),
            "{notes}"
        );
        let none = read_text(&with_sum("SDDBT,,f,4.00,M,,F"), None).unwrap_err();
        assert!(none.contains("1 depths without a place"), "{none}");
        let none = read_text(&fix(1, "5309.0", "00838.0"), None).unwrap_err();
        assert!(none.contains("without depths"), "{none}");
    }

    #[test]
    fn sums_that_are_always_wrong_are_not_minded() {
        let renamed = with_sum("IIDBT,,f,4.00,M,,F").replace("$II", "$BG");
        let text: String = (1..15)
            .map(|s| fix(s, "5309.0", "00838.0") + &renamed)
            .collect();
        let found = read_text(&text, None).unwrap();
        assert_eq!(found.values.len(), 13);
        assert!(
            found.notes.iter().any(|note| note.contains("BG")),
            "{:?}",
            found.notes
        );
    }

    #[test]
    fn midnight_does_not_end_a_survey() {
        let late = with_sum("GPGLL,5309.0,N,00838.0,E,235959,A");
        let early = with_sum("GPGLL,5309.0,N,00838.1,E,000001,A");
        let text = late + &with_sum("SDDBT,,f,4.00,M,,F") + &early;
        let found = read_text(&text, None).unwrap();
        assert_eq!((found.times[0], found.clock), (DAY_S, Clock::TimeOfDay));
    }
}
