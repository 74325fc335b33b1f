//! Where a survey takes place.

use std::path::Path;

use transect::fence::{Fence, Guard};
use transect::geometry::{Polygon, Position};
use transect_io::area::Area;

use super::VoyageError;
use super::document::FieldDocument;
use transect_field::GeoPosition;
use transect_field::skipper::Plane;

/// An area in metres.
#[derive(Debug, Clone)]
pub struct Survey {
    /// Degrees to metres.
    pub plane: Plane,
    /// Where to stay.
    pub area: Polygon,
    /// Where the file says that the vehicle starts and ends.
    pub home: Option<GeoPosition>,
}

impl Survey {
    /// Reads an area file and works it out in metres of `plane`, or else of its own UTM zone.
    ///
    /// # Errors
    /// If the file cannot be read, or is not one area in one piece.
    pub fn read(file: &Path, plane: Option<Plane>) -> Result<Self, VoyageError> {
        let area = Area::read(file)?;
        let plane = match plane {
            Some(plane) => plane,
            None => Plane::around(area.middle())?,
        };
        let project = |place| {
            let at = plane.metres(place).map(<[f64; 2]>::from);
            at.ok_or_else(|| format!("{place} is too far from the rest"))
        };
        let polygon = area
            .in_metres(project)
            .map_err(|reason| VoyageError::Area {
                path: file.to_owned(),
                reason,
            })?;
        Ok(Self {
            plane,
            area: polygon,
            home: area.home,
        })
    }

    /// Guards the area with the margin of a document, the room that its boat needs to turn, and this home.
    ///
    /// # Errors
    /// If that leaves no room, or home is not on the map.
    pub fn guard(&self, document: &FieldDocument, home: GeoPosition) -> Result<Guard, VoyageError> {
        let home = self.metres(home)?;
        let fence = Fence::new(self.area.clone(), document.fence.margin_m, home)?;
        Ok(Guard::new(fence, home).with_turning(document.turning_m())?)
    }

    /// A place in metres.
    ///
    /// # Errors
    /// If it is not in the survey's zone.
    pub fn metres(&self, place: GeoPosition) -> Result<Position, VoyageError> {
        self.plane
            .metres(place)
            .ok_or_else(|| VoyageError::off_the_map(place))
    }
}
