//! Opens the devices of a document.

use super::VoyageError;
use super::document::{FieldDocument, ReceiverSettings, SonarSettings};
use transect_field::autopilot::Autopilot;
use transect_field::join::Joiner;
use transect_field::link::Link;
use transect_field::skipper::{Crew, Logbook};
use transect_field::sonar::{Nmea, Ping1d, Sounder};

impl FieldDocument {
    /// Opens the links to autopilot and sonar.
    ///
    /// # Errors
    /// When a link can never work, or a setting is out of range.
    pub fn crew(&self, logbook: Box<dyn Logbook>) -> Result<Crew, VoyageError> {
        let sounder: Option<Box<dyn Sounder + Send>> = match &self.sonar {
            SonarSettings::Ping { link, interval_s } => {
                Some(Box::new(Ping1d::new(Link::open(link)?, *interval_s)))
            }
            SonarSettings::Nmea { link } => Some(Box::new(Nmea::new(Link::open(link)?))),
            SonarSettings::Autopilot {} => None,
        };
        let receiver = match &self.receiver {
            Some(ReceiverSettings::Nmea { link }) => Some(Nmea::new(Link::open(link)?)),
            Some(ReceiverSettings::Gpsd { link }) => Some(Nmea::behind_gpsd(Link::open(link)?)),
            None => None,
        };
        Ok(Crew {
            helm: Box::new(Autopilot::open(self.vehicle.clone())?.at_speed(self.boat.speed_mps)),
            sounder,
            receiver,
            joiner: Joiner::new(self.sounding)?,
            logbook,
        })
    }
}
