//! What viewers are sent: Server-Sent Events, each with a name and JSON. The book's chapter on watching documents them.

use serde::Serialize;
use transect_plot::page::FrameData;

/// One event of the stream.
#[derive(Debug, Clone, Serialize)]
#[serde(untagged)]
pub enum Message {
    /// Sent first, and whenever everything before is void: another mission is being watched.
    Hello {
        /// Changes when everything before is void.
        run: u64,
        /// The program.
        program: &'static str,
    },
    /// Soundings in order: x and y in m, value, seconds since the start.
    Soundings {
        /// Number of the first one in `points`.
        from: usize,
        /// The soundings.
        points: Vec<[f64; 4]>,
    },
    /// The way: x and y in m, seconds since the start.
    Track {
        /// Number of the first one in `points`.
        from: usize,
        /// The places.
        points: Vec<[f64; 3]>,
    },
    /// The map as it is known now. Only the newest is sent.
    Map(FrameData),
    /// How things stand.
    Status(Box<Status>),
    /// Something to tell.
    Messages {
        /// Number of the first one in `lines`.
        from: usize,
        /// Seconds since the start, and words.
        lines: Vec<(f64, String)>,
    },
    /// Nothing more will come.
    Ended {
        /// Why, in words.
        ending: String,
    },
}

/// How things stand.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Status {
    /// Seconds since the start.
    pub time_s: f64,
    /// What is being done, in words.
    pub doing: String,
    /// The operator wants the vehicle to wait.
    pub paused: bool,
    /// Where the vehicle is, m.
    pub x: Option<f64>,
    /// Where the vehicle is, m.
    pub y: Option<f64>,
    /// Where it points, rad counter-clockwise from east.
    pub heading_rad: Option<f64>,
    /// Where it is sent, in order: x and y, m.
    pub path: Vec<[f64; 2]>,
    /// Soundings taken.
    pub soundings: usize,
    /// The last reading.
    pub value: Option<f64>,
    /// Way so far, m.
    pub distance_m: f64,
    /// What may be spent.
    pub budget: Budgets,
    /// Root mean square error of the map, where the truth is known.
    pub rmse: Option<f64>,
    /// The link to the vehicle, where there is one.
    pub link: Option<Link>,
}

/// What may be spent; nothing where there is no limit.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct Budgets {
    /// Soundings.
    pub soundings: Option<u64>,
    /// Way, m.
    pub distance_m: Option<f64>,
    /// Time, s.
    pub time_s: Option<f64>,
}

/// The link to a vehicle.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Link {
    /// Seconds since it was heard.
    pub age_s: Option<f64>,
    /// Seconds since the sonar was heard.
    pub sonar_age_s: Option<f64>,
    /// Battery, %.
    pub battery_percent: Option<i32>,
    /// What is wrong, if anything is.
    pub trouble: Option<String>,
}

impl Message {
    /// The event's name.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Hello { .. } => "hello",
            Self::Soundings { .. } => "soundings",
            Self::Track { .. } => "track",
            Self::Map(_) => "map",
            Self::Status(_) => "status",
            Self::Messages { .. } => "messages",
            Self::Ended { .. } => "ended",
        }
    }

    /// The event as it is sent.
    #[must_use]
    pub fn to_event(&self) -> String {
        // Numbers that are not finite become null; nothing else in a message can fail.
        let data = serde_json::to_string(self).unwrap_or_else(|_| "null".into());
        format!("event: {}\ndata: {data}\n\n", self.name())
    }
}
