//! What the screen says, line by line.

use transect_field::autopilot::Phase;
use transect_field::skipper::Status;
use transect_survey::field::{Knowledge, View};

/// Cells of a bar.
const BAR: usize = 20;
/// A device that was not heard for this time is in trouble, s.
const LATE_S: f64 = 3.0;

/// How a line looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Look {
    Plain,
    Title,
    Trouble,
    Quiet,
}

/// A line and how it looks.
type Line = (Look, String);

/// The lines of a screen with so many rows.
pub(super) fn picture(
    view: &View,
    status: &Status,
    knowledge: Option<Knowledge>,
    rows: usize,
) -> Vec<Line> {
    let mut lines = vec![
        (Look::Title, format!("transect field: {}", status.doing)),
        (Look::Plain, String::new()),
    ];
    lines.extend(whereabouts(status));
    lines.extend(sonar(status));
    lines.push(map(view, knowledge));
    lines.extend(budget(view, status));
    let log = format!("log        {}", view.log.display());
    lines.push((Look::Quiet, log));
    let keys = "keys       Ctrl-C: come home; twice: stop here and disarm";
    lines.push((Look::Quiet, keys.into()));
    lines.push((Look::Plain, String::new()));
    let room = rows.saturating_sub(lines.len());
    let skipped = status.messages.len().saturating_sub(room);
    let told = status.messages.iter().skip(skipped);
    lines.extend(told.map(|(at_s, text)| (Look::Plain, format!("{:>8} {text}", clock(*at_s)))));
    lines.truncate(rows);
    lines
}

/// Link, mode, position and where it goes.
fn whereabouts(status: &Status) -> Vec<Line> {
    let vehicle = &status.vehicle;
    let mode = vehicle
        .mode
        .map_or("unknown mode".into(), |mode| mode.to_string());
    let armed = if vehicle.armed { "armed" } else { "disarmed" };
    let battery = match vehicle.battery_percent {
        Some(percent) => format!(", battery {percent} %"),
        None => String::new(),
    };
    let mut position = vehicle
        .fix
        .map_or("unknown".into(), |fix| fix.position.to_string());
    if let Some(trouble) = vehicle.position_trouble {
        position = format!("{position}; {trouble}");
    }
    let next = match (status.goal, status.goal_place) {
        (Some(goal), Some(place)) => {
            let away_m = status.whereabouts.pose.position.distance_to(goal);
            let paused = match vehicle.phase {
                Phase::Paused { .. } => "when it is given back: ",
                _ => "",
            };
            format!("{paused}{place}, {away_m:.1} m away")
        }
        _ => "none yet".into(),
    };
    vec![
        (
            late(vehicle.link_age_s),
            format!("link       {}", heard(vehicle.link_age_s)),
        ),
        (Look::Plain, format!("vehicle    {mode}, {armed}{battery}")),
        (
            match vehicle.position_trouble {
                Some(_) => Look::Trouble,
                None => Look::Plain,
            },
            format!("position   {position}"),
        ),
        (Look::Plain, format!("next       {next}")),
    ]
}

fn sonar(status: &Status) -> Vec<Line> {
    let depth = match status.depth_m {
        Some(depth_m) => format!("{depth_m:.2} m, "),
        None => String::new(),
    };
    let unused = match status.rejected {
        0 => String::new(),
        count => format!("; {count} depths not used"),
    };
    vec![
        (
            late(status.sonar_age_s),
            format!("sonar      {depth}{}", heard(status.sonar_age_s)),
        ),
        (
            Look::Plain,
            format!("soundings  {}{unused}", status.spent.soundings),
        ),
    ]
}

fn map(view: &View, knowledge: Option<Knowledge>) -> Line {
    let Some(knowledge) = knowledge else {
        return (Look::Plain, "map        none yet: pilot survey".into());
    };
    let mut text = format!(
        "map        expected error {:.2} m",
        knowledge.expected_error_m
    );
    let stop = view.document.stop;
    if let (Some(share), Some(std_m)) = (knowledge.share, stop.std_below_m) {
        let (known, wanted) = (100.0 * share, 100.0 * stop.share);
        text += &format!("; {known:.0} % of the area under {std_m} m, {wanted:.0} % wanted");
    }
    (Look::Plain, text)
}

/// What is spent of each limit, and whether it is enough for the way home.
fn budget(view: &View, status: &Status) -> Vec<Line> {
    let (budget, spent) = (&view.document.budget, &status.spent);
    let limits = [
        ("time", spent.time_s, budget.time_s, "s"),
        ("way", spent.distance_m, budget.distance_m, "m"),
        (
            "soundings",
            spent.soundings as f64,
            budget.soundings.map(|count| count as f64),
            "",
        ),
    ];
    let mut lines = Vec::new();
    for (name, spent, limit, unit) in limits {
        let head = if lines.is_empty() { "budget" } else { "" };
        let text = match limit {
            Some(limit) => format!("{} {spent:.0} of {limit:.0} {unit}", bar(spent / limit)),
            None if name == "soundings" => continue,
            None => format!("{:BAR$}   {spent:.0} {unit}", ""),
        };
        lines.push((Look::Plain, format!("{head:10} {name:9} {text}")));
    }
    let place = status.home.map_or_else(String::new, |at| format!("{at}, "));
    let mut home = match status.home_m {
        Some(home_m) => format!("{place}{home_m:.0} m away"),
        None => "no way home from here".into(),
    };
    if status.reach_m.is_finite() {
        home += &format!(
            "; what is left is good for {:.0} m",
            status.reach_m.max(0.0)
        );
    }
    lines.push((Look::Plain, format!("home       {home}")));
    lines
}

fn bar(share: f64) -> String {
    let full = (share.clamp(0.0, 1.0) * BAR as f64).round() as usize;
    format!("[{}{}]", "#".repeat(full), "-".repeat(BAR - full))
}

fn heard(age_s: Option<f64>) -> String {
    age_s.map_or("never heard".into(), |s| format!("heard {s:.1} s ago"))
}

fn late(age_s: Option<f64>) -> Look {
    match age_s {
        Some(age_s) if age_s < LATE_S => Look::Plain,
        _ => Look::Trouble,
    }
}

/// Minutes and seconds of a time in s.
fn clock(time_s: f64) -> String {
    let seconds = time_s.max(0.0) as u64;
    format!("{}:{:02}", seconds / 60, seconds % 60)
}

#[cfg(test)]
mod tests {
    use super::{bar, clock};

    #[test]
    fn bars_and_clocks() {
        assert_eq!(bar(0.5), "[##########----------]");
        assert_eq!(bar(7.0), "[####################]");
        assert_eq!(bar(f64::NAN).len(), 22);
        assert_eq!(clock(125.9), "2:05");
    }
}
