//! From degrees to the metres that missions work in, and back.

use transect::geometry::Position;
use transect_io::Crs;

use crate::{FieldError, GeoPosition};

/// A projection around the survey.
#[derive(Debug, Clone, Copy)]
pub struct Plane {
    crs: Crs,
}

impl Plane {
    /// The UTM zone around a place.
    ///
    /// # Errors
    /// Near the poles, where there is none.
    pub fn around(place: GeoPosition) -> Result<Self, FieldError> {
        let crs = Crs::utm_at(place).ok_or(FieldError::OffTheMap { place })?;
        Ok(Self { crs })
    }

    /// The plane of a reference system in metres.
    pub fn of(crs: Crs) -> Self {
        Self { crs }
    }

    /// Its reference system.
    pub fn crs(&self) -> Crs {
        self.crs
    }

    /// In metres; none far outside the zone.
    pub fn metres(&self, place: GeoPosition) -> Option<Position> {
        self.crs.position(place).filter(|p| p.is_finite())
    }

    /// In degrees; none for what is nowhere near the zone.
    pub fn degrees(&self, at: Position) -> Option<GeoPosition> {
        self.crs.lon_lat(at).filter(|place| place.is_plausible())
    }
}
