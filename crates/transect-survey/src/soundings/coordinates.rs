//! From the coordinates of a file to metres, without being fooled.
//!
//! What the user says (`--crs`) wins over what columns are called; degrees are never taken for metres; fixes at (0, 0) and
//! places far from all others are set aside.

use super::flags::{Flag, Reason};
use transect::geometry::Position;
use transect_io::{Crs, GeoPosition};

/// Share of places that may be wrong before all of them are.
const FEW: f64 = 0.01;
/// A survey in degrees is smaller than this; in metres, nobody surveys a square metre.
const SMALL_DEGREES: f64 = 1.0;
/// Coordinates within this of the origin are those of a unit square, not of the Gulf of Guinea.
const UNIT: f64 = 1.5;
/// A fix at (0, 0), degrees: what receivers write when they have none.
const NO_FIX_DEG: f64 = 1e-3;
/// How much farther than three quarters of all places the odd one may be.
const FAR: f64 = 10.0;
/// And at least this far, m.
const FAR_M: f64 = 1000.0;
/// Metres of a degree of latitude, about.
const DEGREE_M: f64 = 111_000.0;

/// Places in metres.
#[derive(Debug, Clone, PartialEq)]
pub struct Located {
    /// Where, m in `crs`; NaN for those that are flagged.
    pub metres: Vec<[f64; 2]>,
    /// What the metres are.
    pub crs: Crs,
    /// Whether the places were degrees.
    pub degrees: bool,
    /// The place in the middle, where the earth is known.
    pub centre: Option<GeoPosition>,
    /// Places that are none.
    pub flags: Vec<Flag>,
    /// What was found out, in words.
    pub notes: Vec<String>,
}

/// Places as a file has them.
#[derive(Debug, Clone, Copy)]
pub struct Places<'a> {
    /// x and y, or longitude and latitude.
    pub coordinates: &'a [[f64; 2]],
    /// Whether the columns' names say longitude and latitude.
    pub named_degrees: bool,
    /// What the user says they are; for degrees, the system in metres to use.
    pub given: Option<Crs>,
}

impl Places<'_> {
    /// The places in metres of the user's system, of the right UTM zone, or of an origin nobody told.
    ///
    /// # Errors
    /// If the coordinates are not what they are said to be; the message says what they look like.
    pub fn locate(&self) -> Result<Located, String> {
        match self.kind()? {
            Kind::Metres(crs, note) => self.in_metres(crs, note),
            Kind::Degrees(note) => self.in_degrees(note),
        }
    }

    fn kind(&self) -> Result<Kind, String> {
        let all = self.coordinates;
        let share = |inside: fn(&[f64; 2]) -> bool| {
            all.iter().filter(|place| inside(place)).count() as f64 / all.len().max(1) as f64
        };
        let fits = share(|[x, y]| x.abs() <= 360.0 && y.abs() <= 90.0) >= 1.0 - FEW;
        let fits_swapped = share(|[x, y]| x.abs() <= 90.0 && y.abs() <= 360.0) >= 1.0 - FEW;
        let ranges = Ranges::of(all);
        match (self.given, self.named_degrees) {
            (Some(Crs::Local), named) => Ok(Kind::Metres(
                Crs::Local,
                named.then(|| "taken as metres, as --crs local says".into()),
            )),
            (Some(crs), true) if fits && !crs.is_metric() && !matches!(crs, Crs::Geographic(_)) => {
                Err(format!(
                    "its columns are longitude and latitude ({ranges}), not metres of {crs}; leave out --crs, or say \
                 --crs EPSG:4326: the map will be in metres of the right UTM zone"
                ))
            }
            (_, true) if fits => Ok(Kind::Degrees(None)),
            (None | Some(Crs::Geographic(_)), named @ true)
            | (Some(Crs::Geographic(_)), named @ false)
                if !fits =>
            {
                Err(no_degrees(&ranges, named, fits_swapped))
            }
            (Some(Crs::Geographic(_)), _) => Ok(Kind::Degrees(None)),
            (Some(crs), named) => {
                if fits {
                    return Err(format!(
                        "its coordinates ({ranges}) look like degrees, not like metres of {crs}; say --crs EPSG:4326 if \
                         they are, or --crs local if they are metres of their own"
                    ));
                }
                let note = named.then(|| {
                    format!("columns called longitude and latitude hold metres: taken as {crs}")
                });
                Ok(Kind::Metres(crs, note))
            }
            (None, _) => {
                let small = ranges.extent().iter().all(|extent| *extent < SMALL_DEGREES);
                let somewhere = ranges.reach().iter().any(|reach| *reach > UNIT);
                if fits && small && somewhere {
                    return Ok(Kind::Degrees(Some(format!(
                        "x and y ({ranges}) look like degrees: taken as longitude and latitude; --crs local takes them \
                         as metres"
                    ))));
                }
                Ok(Kind::Metres(Crs::Local, None))
            }
        }
    }

    fn in_metres(&self, crs: Crs, note: Option<String>) -> Result<Located, String> {
        let ranges = Ranges::of(self.coordinates);
        let middle = middle(self.coordinates);
        if let Crs::Utm(..) = crs {
            let [x, y] = middle;
            if x > 1e6 && (1e5..1e6).contains(&y) {
                return Err(format!(
                    "its coordinates ({ranges}) are northing and easting: swap them with --x and --y"
                ));
            }
        }
        let place = Position::new(middle[0], middle[1]);
        let centre = crs.lon_lat(place);
        if centre.is_none() && matches!(crs, Crs::Utm(..) | Crs::WebMercator) {
            return Err(format!(
                "its coordinates ({ranges}) are no place in {crs}; --crs says what they are"
            ));
        }
        let (flags, metres) = set_far_apart(self.coordinates.to_vec(), Vec::new());
        Ok(Located {
            metres,
            crs,
            degrees: false,
            centre,
            flags,
            notes: note.into_iter().collect(),
        })
    }

    fn in_degrees(&self, note: Option<String>) -> Result<Located, String> {
        let mut flags = Vec::new();
        let mut places = self.coordinates.to_vec();
        let on_earth = |[lon, lat]: [f64; 2]| lon.abs() <= 360.0 && lat.abs() <= 90.0;
        let centre = middle(
            &places
                .iter()
                .copied()
                .filter(|p| on_earth(*p))
                .collect::<Vec<_>>(),
        );
        let at_home = centre.iter().all(|angle| angle.abs() < 1.0);
        for (index, place) in places.iter_mut().enumerate() {
            let reason = if !on_earth(*place) {
                Reason::NoPlace
            } else if !at_home && place.iter().all(|angle| angle.abs() < NO_FIX_DEG) {
                Reason::NoFix
            } else {
                // Near the date line, and in logs that count to 360, longitudes go on rather than jump.
                place[0] = centre[0] + (place[0] - centre[0] + 180.0).rem_euclid(360.0) - 180.0;
                continue;
            };
            flags.push(Flag { index, reason });
            *place = [f64::NAN; 2];
        }
        let shrink = centre[1].to_radians().cos();
        let rough = places
            .iter()
            .map(|[lon, lat]| [lon * DEGREE_M * shrink, lat * DEGREE_M]);
        let (flags, rough) = set_far_apart(rough.collect(), flags);
        for (place, rough) in places.iter_mut().zip(&rough) {
            if rough[0].is_nan() {
                *place = [f64::NAN; 2];
            }
        }
        let [lon, lat] = middle(
            &places
                .iter()
                .copied()
                .filter(|p| p[0].is_finite())
                .collect::<Vec<_>>(),
        );
        let centre = GeoPosition::new(lat, lon);
        let crs = match self
            .given
            .filter(|crs| crs.is_metric() && *crs != Crs::Local)
        {
            Some(crs) => crs,
            None => Crs::utm_at(centre).ok_or(
                "there is no UTM zone there; give a coordinate system in metres with --crs"
                    .to_string(),
            )?,
        };
        let mut metres = Vec::with_capacity(places.len());
        for [lon, lat] in places {
            if lon.is_nan() {
                metres.push([f64::NAN; 2]);
                continue;
            }
            let at = crs.position(GeoPosition::new(lat, lon)).ok_or_else(|| {
                format!("longitude {lon}, latitude {lat} is out of reach of {crs}")
            })?;
            metres.push([at.x, at.y]);
        }
        Ok(Located {
            metres,
            crs,
            degrees: true,
            centre: Some(GeoPosition {
                lat_deg: lat,
                lon_deg: (lon + 180.0).rem_euclid(360.0) - 180.0,
            }),
            flags,
            notes: note.into_iter().collect(),
        })
    }
}

/// What coordinates are.
enum Kind {
    Degrees(Option<String>),
    Metres(Crs, Option<String>),
}

fn no_degrees(ranges: &Ranges, named: bool, swapped: bool) -> String {
    if swapped {
        return format!(
            "its coordinates ({ranges}) are no place on the earth: latitudes end at 90; swap them with --x and --y"
        );
    }
    let who = if named {
        "its columns are called longitude and latitude, but"
    } else {
        "--crs says degrees, but"
    };
    format!(
        "{who} hold {ranges}: no place on the earth; if they are metres, say which with --crs EPSG:n (EPSG:32633 is UTM zone \
         33 north), and name the columns with --x and --y if they are swapped"
    )
}

/// Sets aside the few places that are far from all others; `flags` are those already found, whose places are NaN.
fn set_far_apart(mut metres: Vec<[f64; 2]>, mut flags: Vec<Flag>) -> (Vec<Flag>, Vec<[f64; 2]>) {
    let finite: Vec<[f64; 2]> = metres
        .iter()
        .copied()
        .filter(|p| p[0].is_finite())
        .collect();
    let centre = middle(&finite);
    let distance = |place: &[f64; 2]| (place[0] - centre[0]).hypot(place[1] - centre[1]);
    let mut distances: Vec<f64> = finite.iter().map(distance).collect();
    distances.sort_unstable_by(f64::total_cmp);
    let usual = distances
        .get(distances.len() * 3 / 4)
        .copied()
        .unwrap_or_default();
    let limit = FAR * usual + FAR_M;
    let far: Vec<usize> = (0..metres.len())
        .filter(|i| distance(&metres[*i]) > limit)
        .collect();
    if far.len() as f64 <= FEW * metres.len() as f64 {
        for index in far {
            let km = distance(&metres[index]) / 1e3;
            flags.push(Flag {
                index,
                reason: Reason::FarAway { km },
            });
            metres[index] = [f64::NAN; 2];
        }
    }
    (flags, metres)
}

/// The median of either coordinate.
fn middle(places: &[[f64; 2]]) -> [f64; 2] {
    [0, 1].map(|axis| {
        let mut sorted: Vec<f64> = places.iter().map(|place| place[axis]).collect();
        sorted.sort_unstable_by(f64::total_cmp);
        sorted.get(sorted.len() / 2).copied().unwrap_or_default()
    })
}

/// From where to where coordinates go.
struct Ranges([[f64; 2]; 2]);

impl Ranges {
    fn of(places: &[[f64; 2]]) -> Self {
        Self([0, 1].map(|axis| {
            let all = places.iter().map(|place| place[axis]);
            let empty = [f64::INFINITY, f64::NEG_INFINITY];
            all.fold(empty, |[low, high], v| [low.min(v), high.max(v)])
        }))
    }

    fn extent(&self) -> [f64; 2] {
        self.0.map(|[low, high]| high - low)
    }

    fn reach(&self) -> [f64; 2] {
        self.0.map(|[low, high]| low.abs().max(high.abs()))
    }
}

impl std::fmt::Display for Ranges {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let [[west, east], [south, north]] = self.0;
        write!(f, "x {west} to {east}, y {south} to {north}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn locate(
        coordinates: &[[f64; 2]],
        named_degrees: bool,
        given: Option<Crs>,
    ) -> Result<Located, String> {
        Places {
            coordinates,
            named_degrees,
            given,
        }
        .locate()
    }

    const PLACES: [[f64; 2]; 3] = [[73.5, 17.5], [73.6, 17.4], [73.4, 17.6]];

    #[test]
    fn degrees_go_to_their_zone_and_metres_stay() {
        let found = locate(&PLACES, true, None).unwrap();
        assert_eq!(found.crs.to_string(), "EPSG:32643");
        // By `cs2cs` of PROJ.
        assert!((found.metres[0][0] - 340_749.566_665).abs() < 1e-4);
        assert!((found.metres[0][1] - 1_935_495.846_596).abs() < 1e-4);
        assert_eq!(found.centre, Some(GeoPosition::new(17.5, 73.5)));
        // The neighbouring zone, if asked; degrees without telling names, if told or if they look like it.
        let neighbour = Crs::from_epsg(32642);
        assert_eq!(
            locate(&PLACES, true, neighbour).unwrap().crs,
            neighbour.unwrap()
        );
        for given in [Some(Crs::WGS84), None] {
            assert_eq!(locate(&PLACES, false, given).unwrap().metres, found.metres);
        }
        let metres = [[340_000.0, 1_935_000.0], [340_100.0, 1_935_100.0]];
        let stays = locate(&metres, false, neighbour).unwrap();
        assert_eq!(
            (stays.metres.as_slice(), stays.crs),
            (&metres[..], neighbour.unwrap())
        );
        let unknown = locate(&metres, false, None).unwrap();
        assert_eq!((unknown.crs, unknown.centre), (Crs::Local, None));
        // A unit square, and a pool of 20 m, are metres of their own.
        assert_eq!(
            locate(&[[0.1, 0.9], [0.5, 0.2]], false, None).unwrap().crs,
            Crs::Local
        );
        assert_eq!(
            locate(&[[1.0, 19.0], [15.0, 2.0]], false, None)
                .unwrap()
                .crs,
            Crs::Local
        );
    }

    #[test]
    fn what_the_user_says_wins_over_names() {
        let metres = [
            [363_421.257_8, 5_801_136.079],
            [363_419.116_4, 5_801_114.37],
        ];
        let refused = locate(&metres, true, None).unwrap_err();
        assert!(
            refused.contains("no place on the earth") && refused.contains("--crs"),
            "{refused}"
        );
        let given = locate(&metres, true, Crs::from_epsg(25833)).unwrap();
        assert_eq!(given.metres, metres);
        assert!(given.notes[0].contains("EPSG:25833"));
        let centre = given.centre.unwrap();
        // 52.34° N, 12.99° E by `cs2cs`.
        assert!(
            (centre.lat_deg - 52.343).abs() < 0.01 && (centre.lon_deg - 12.995).abs() < 0.01,
            "{centre:?}"
        );
    }

    #[test]
    fn degrees_are_never_taken_for_metres() {
        for code in [3857, 32643] {
            let refused = locate(&PLACES, false, Crs::from_epsg(code)).unwrap_err();
            assert!(
                refused.contains("degrees") && refused.contains("EPSG:4326"),
                "{refused}"
            );
        }
        let refused = locate(&PLACES, true, Crs::from_epsg(3857)).unwrap_err();
        assert!(refused.contains("EPSG:3857"), "{refused}");
    }

    #[test]
    fn impossible_places_are_named() {
        let swapped = locate(&[[17.5, 173.5]], true, None).unwrap_err();
        assert!(
            swapped.contains("173.5") && swapped.contains("--x"),
            "{swapped}"
        );
        let swapped =
            locate(&[[1_935_000.0, 340_000.0]], false, Crs::from_epsg(32643)).unwrap_err();
        assert!(swapped.contains("northing and easting"), "{swapped}");
        let pole = locate(&[[0.0, 89.0]], true, None).unwrap_err();
        assert!(pole.contains("--crs"), "{pole}");
    }

    #[test]
    fn fixes_at_nowhere_and_far_places_are_set_aside() {
        let mut places: Vec<[f64; 2]> = (0..400)
            .map(|i| {
                [
                    8.6 + 1e-5 * f64::from(i % 20),
                    53.1 + 1e-5 * f64::from(i / 20),
                ]
            })
            .collect();
        places[7] = [0.0, 0.0];
        places[9] = [8.6, 54.5];
        places[11] = [8.6, 953.1];
        let found = locate(&places, true, None).unwrap();
        let mut flagged: Vec<usize> = found.flags.iter().map(|flag| flag.index).collect();
        flagged.sort_unstable();
        assert_eq!(flagged, [7, 9, 11]);
        assert!(
            found
                .metres
                .iter()
                .filter(|m| m[0].is_finite())
                .all(|m| m[0] > 470_000.0 && m[0] < 480_000.0)
        );
        // Longitudes that count to 360, and both sides of the date line.
        let turned: Vec<[f64; 2]> = PLACES.map(|[lon, lat]| [lon + 210.0, lat]).to_vec();
        assert_eq!(
            locate(&turned, true, None).unwrap().crs.to_string(),
            "EPSG:32618"
        );
        let line = locate(
            &[[179.999, -17.0], [-179.999, -17.0], [-179.998, -17.0]],
            true,
            None,
        )
        .unwrap();
        assert!(
            (line.metres[1][0] - line.metres[0][0]).abs() < 300.0,
            "{:?}",
            line.metres
        );
    }
}
