//! Bringing rasters to metres: surveys run in metres, files often come in degrees.

use crate::crs::Crs;
use crate::geo::GeoPosition;
use crate::raster::{Placement, Raster, checked_cells};
use transect::geometry::Position;

/// A raster wider than a UTM zone and its half cannot be shown in one, degrees.
const WIDEST_DEG: f64 = 9.0;
/// Places along each side that are projected to find the new extent.
const PLACES_PER_SIDE: usize = 65;

impl Raster {
    /// This raster in metres: itself if its system is metric, else resampled (linear in x and y) to square cells in the
    /// UTM zone of its middle, about as many as before.
    ///
    /// A rectangle of degrees has slanted sides in metres. The result is the largest upright rectangle between them,
    /// so that no cell is without data only because it lies outside.
    ///
    /// # Errors
    /// If the raster is too large for a UTM zone, or lies at a pole.
    pub fn in_metres(&self) -> Result<Self, String> {
        if self.crs().is_metric() {
            return Ok(self.clone());
        }
        let extent = self.extent().map_err(|error| error.to_string())?;
        let middle = Position::new(
            (extent.xmin() + extent.xmax()) / 2.0,
            (extent.ymin() + extent.ymax()) / 2.0,
        );
        let place = |x: f64, y: f64| self.crs().lon_lat(Position::new(x, y));
        let middle = self.crs().lon_lat(middle);
        let utm = middle.and_then(|middle| Some((middle, Crs::utm_at(middle)?)));
        let (middle, utm) = utm.ok_or("it lies at a pole, where there is no UTM zone")?;
        let wide = match (
            place(extent.xmin(), extent.ymin()),
            place(extent.xmax(), extent.ymin()),
        ) {
            (Some(west), Some(east)) => east.lon_deg - west.lon_deg,
            _ => f64::INFINITY,
        };
        if wide > WIDEST_DEG {
            return Err(format!(
                "it spans {wide} degrees of longitude; at most {WIDEST_DEG} can be brought to metres: crop it first"
            ));
        }
        let metres = |x: f64, y: f64| place(x, y).and_then(|at| utm.position(at));
        let side = |from: (f64, f64), to: (f64, f64)| -> Option<Vec<Position>> {
            let step = |i: usize| i as f64 / (PLACES_PER_SIDE - 1) as f64;
            (0..PLACES_PER_SIDE)
                .map(|i| {
                    metres(
                        from.0 + step(i) * (to.0 - from.0),
                        from.1 + step(i) * (to.1 - from.1),
                    )
                })
                .collect()
        };
        let (w, e, s, n) = (extent.xmin(), extent.xmax(), extent.ymin(), extent.ymax());
        let sides = (
            side((w, s), (w, n)),
            side((e, s), (e, n)),
            side((w, s), (e, s)),
            side((w, n), (e, n)),
        );
        let (Some(west), Some(east), Some(south), Some(north)) = sides else {
            return Err("part of it lies where there is no UTM zone".into());
        };
        let most = |side: &[Position], f: fn(&Position) -> f64| {
            side.iter().map(f).fold(f64::MIN, f64::max)
        };
        let least = |side: &[Position], f: fn(&Position) -> f64| {
            side.iter().map(f).fold(f64::MAX, f64::min)
        };
        let (xmin, xmax) = (most(&west, |p| p.x), least(&east, |p| p.x));
        let (ymin, ymax) = (most(&south, |p| p.y), least(&north, |p| p.y));
        let across = |a: &[Position], b: &[Position]| {
            let middle = PLACES_PER_SIDE / 2;
            a[middle].distance_to(b[middle])
        };
        let cells = (self.rows() * self.columns()) as f64;
        let cell = (across(&west, &east) * across(&south, &north) / cells).sqrt();
        if xmax <= xmin || ymax <= ymin || !cell.is_finite() || cell <= 0.0 {
            return Err("no upright rectangle in metres fits into it: it is too narrow".into());
        }
        let rows = (((ymax - ymin) / cell) as usize).max(1);
        let columns = (((xmax - xmin) / cell) as usize).max(1);
        checked_cells(rows, columns)?;
        let placement = Placement {
            west: xmin,
            north: ymax,
            cell_width: cell,
            cell_height: cell,
        };
        let mut values = Vec::with_capacity(rows * columns);
        for row in 0..rows {
            for column in 0..columns {
                let (x, y) = placement.centre(row, column);
                let source = utm.lon_lat(Position::new(x, y)).and_then(|at| {
                    // Beyond the date line a place has two longitudes: the one that this raster counts is meant.
                    let turns = ((middle.lon_deg - at.lon_deg) / 360.0).round();
                    let lon = at.lon_deg + 360.0 * turns;
                    self.crs().position(GeoPosition { lon_deg: lon, ..at })
                });
                values.push(source.map_or(f64::NAN, |at| self.between(at)));
            }
        }
        Self::new(values, rows, columns, placement, utm).map_err(|error| error.to_string())
    }

    /// The value at a place in this raster's own coordinates: linear between the four nearest centres, constant beyond
    /// the outermost ones. NaN where a cell that has a share is NaN, and outside.
    pub fn between(&self, at: Position) -> f64 {
        let placement = self.placement();
        let column = (at.x - placement.west) / placement.cell_width - 0.5;
        let row = (placement.north - at.y) / placement.cell_height - 0.5;
        let (rows, columns) = (self.rows() as f64, self.columns() as f64);
        let inside = (-0.5..=rows - 0.5).contains(&row) && (-0.5..=columns - 0.5).contains(&column);
        if !inside {
            return f64::NAN;
        }
        let (row, column) = (row.clamp(0.0, rows - 1.0), column.clamp(0.0, columns - 1.0));
        let (down, right) = (row.fract(), column.fract());
        let (r, c) = (row as usize, column as usize);
        let shares = [
            (r, c, (1.0 - down) * (1.0 - right)),
            (r, c + 1, (1.0 - down) * right),
            (r + 1, c, down * (1.0 - right)),
            (r + 1, c + 1, down * right),
        ];
        // Cells without a share are left out: they may have no data, or be beyond the edge.
        let with_share = shares.into_iter().filter(|(_, _, share)| *share > 0.0);
        with_share.map(|(r, c, share)| share * self.at(r, c)).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A plane in degrees stays that plane, to the second order that linear interpolation leaves.
    #[test]
    fn values_stay_where_they_are_on_the_earth() {
        let placement = Placement {
            west: -84.4,
            north: 36.7,
            cell_width: 1.0 / 1200.0,
            cell_height: 1.0 / 1200.0,
        };
        let (rows, columns) = (200, 240);
        let values = (0..rows * columns).map(|i| {
            let (lon, lat) = placement.centre(i / columns, i % columns);
            100.0 * lon + 1000.0 * lat
        });
        let degrees = Raster::new(values.collect(), rows, columns, placement, Crs::WGS84).unwrap();
        let metres = degrees.in_metres().unwrap();
        assert_eq!(metres.crs().to_string(), "EPSG:32616");
        assert!(metres.values().iter().all(|v| !v.is_nan()));
        // A degree of latitude is 110.98 km here, one of longitude 89.4 km.
        let side = metres.placement().cell_width;
        let expected = (110_980.0_f64 * 89_400.0).sqrt() / 1200.0;
        assert!(
            (side / expected - 1.0).abs() < 0.02,
            "{side} against {expected}"
        );
        for (row, column) in [(5, 5), (100, 30), (metres.rows() - 5, metres.columns() - 5)] {
            let (x, y) = metres.placement().centre(row, column);
            let [lon, lat] = metres.crs().lon_lat(Position::new(x, y)).unwrap().lon_lat();
            let plane = 100.0 * lon + 1000.0 * lat;
            let value = metres.at(row, column);
            assert!((value - plane).abs() < 1e-6, "{value} against {plane}");
        }
    }

    #[test]
    fn the_date_line_is_no_border() {
        for west in [179.9, -180.1] {
            let placement = Placement {
                west,
                north: -17.0,
                cell_width: 0.01,
                cell_height: 0.01,
            };
            let values = (0..400).map(f64::from).collect();
            let degrees = Raster::new(values, 20, 20, placement, Crs::WGS84).unwrap();
            let metres = degrees.in_metres().unwrap();
            assert!(metres.values().iter().all(|v| !v.is_nan()), "{west}");
            // The middle is on the date line, between the rows 9 and 10 and the columns 9 and 10.
            let middle = GeoPosition {
                lat_deg: -17.1,
                lon_deg: 180.0,
            };
            let value = metres.between(metres.crs().position(middle).unwrap());
            assert!((value - 199.5).abs() < 0.05, "{west}: {value}");
        }
    }

    #[test]
    fn metres_stay_as_they_are_and_continents_are_refused() {
        let local = Raster::new(vec![1.0], 1, 1, Placement::unknown(1), Crs::Local).unwrap();
        assert_eq!(local.in_metres().unwrap(), local);
        let over = |west, north, cell_width| {
            let placement = Placement {
                west,
                north,
                cell_width,
                cell_height: 1.0,
            };
            Raster::new(vec![1.0; 4], 2, 2, placement, Crs::WGS84)
                .unwrap()
                .in_metres()
                .unwrap_err()
        };
        assert!(over(-10.0, 50.0, 10.0).contains("20 degrees"));
        assert!(over(0.0, 90.0, 1.0).contains("pole"));
    }
}
