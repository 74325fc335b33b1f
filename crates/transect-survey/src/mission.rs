//! The mission document.

use crate::choice::SceneChoice;
use crate::document::{DocumentError, Part, Source, commented};
use crate::error::{Result, SurveyError};
use transect::settings::MissionSettings;

const HEADING: &str = "A mission for `transect run`. Every setting has its default here: what is left out has this \
                       value too.\nLengths are metres, times seconds, angles radians.";

/// A simulated mission: where, and everything else.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct MissionDocument {
    /// Where.
    pub place: SceneChoice,
    /// Everything else.
    pub settings: MissionSettings,
}

impl MissionDocument {
    /// Reads and checks a document.
    ///
    /// # Errors
    /// If a key is not known or a value cannot be; the error says where it stands.
    pub fn from_source(source: &Source) -> std::result::Result<Self, DocumentError> {
        source.check_keys(&[
            Source::keys::<SceneChoice>(),
            Source::keys::<MissionSettings>(),
        ])?;
        let place: SceneChoice = source.part()?;
        let settings: MissionSettings = source.part()?;
        settings
            .validate()
            .map_err(|error| source.refuse_setting(&error))?;
        Ok(Self {
            place: place.based_in(source.folder()),
            settings,
        })
    }

    /// The document as text, with every setting explained. Reading it gives the same document.
    ///
    /// # Errors
    /// If a number is too large for TOML.
    pub fn to_text(&self) -> Result<String> {
        let parts = Part::of(&self.place).and_then(|place| {
            let settings = Part::of(&self.settings)?;
            Ok([place, settings])
        });
        let parts = parts.map_err(|error| {
            SurveyError::Request(format!("the settings do not fit into a document: {error}"))
        })?;
        Ok(commented(HEADING, &parts))
    }
}
