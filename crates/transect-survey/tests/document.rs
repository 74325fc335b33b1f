//! Mission documents: what `init` prints is what is meant by default, and errors point at the place.

use transect::settings::MissionSettings;
use transect_survey::choice::{AreaChoice, SceneChoice};
use transect_survey::document::Source;
use transect_survey::mission::MissionDocument;

fn read(text: &str) -> Result<MissionDocument, String> {
    let source = Source::parse("mission.toml", text).map_err(|e| e.to_string())?;
    MissionDocument::from_source(&source).map_err(|e| e.to_string())
}

#[test]
fn the_printed_document_is_the_default() {
    let text = MissionDocument::default().to_text().unwrap();
    assert_eq!(read(&text).unwrap(), MissionDocument::default());
    assert_eq!(read("").unwrap(), MissionDocument::default());
}

#[test]
fn any_document_survives_being_written() {
    let document = MissionDocument {
        place: SceneChoice {
            area: AreaChoice {
                outline: Some(vec![[0.0, 0.0], [9.5, 0.0], [9.5, 1e3]]),
                holes: vec![vec![[8.0, 1.0], [9.0, 1.0], [9.0, 2.0]]],
                ..AreaChoice::default()
            },
            ..SceneChoice::default()
        },
        settings: MissionSettings {
            seed: 7,
            ..MissionSettings::paper()
        },
    };
    assert_eq!(read(&document.to_text().unwrap()).unwrap(), document);
}

/// Every setting, set or not, stands below a comment; whoever deletes the `# ` before one has set it.
#[test]
fn every_setting_is_there_and_explained() {
    let text = MissionDocument::default().to_text().unwrap();
    let mut above = "";
    let (mut keys, mut optional) = (0, Vec::new());
    let mut table = String::new();
    for line in text.lines() {
        let is_setting = |line: &str| {
            let key = line.split(" = ").next().unwrap_or_default();
            line.contains(" = ") && key.chars().all(|c| c.is_ascii_lowercase() || c == '_')
        };
        if line.starts_with('[') {
            table = line.trim_matches(['[', ']']).to_string();
        }
        let unset = line.strip_prefix("# ").filter(|line| is_setting(line));
        if let Some(setting) = unset {
            optional.push((table.clone(), setting));
        }
        if is_setting(line) || unset.is_some() || line.starts_with('[') {
            assert!(above.starts_with("# "), "{line} has no comment: {above}");
            keys += usize::from(is_setting(line));
        }
        above = line;
    }
    // As JSON has it: every key that serde knows is written or offered.
    let value = serde_json::to_value(MissionSettings::default()).unwrap();
    for (table, settings) in value.as_object().unwrap() {
        for key in settings.as_object().into_iter().flat_map(|t| t.keys()) {
            let line = |start: &str| {
                text.lines()
                    .any(|l| l.starts_with(&format!("{start}{key} = ")))
            };
            assert!(line("") || line("# "), "{table}.{key}");
        }
    }
    assert!(keys > 40, "{keys}");
    for (table, setting) in optional {
        let text = match table.as_str() {
            "" => setting.to_string(),
            table => format!("[{table}]\n{setting}"),
        };
        read(&text).unwrap_or_else(|error| panic!("{text}: {error}"));
    }
}

#[test]
fn errors_name_file_line_and_key() {
    for (text, expected) in [
        (
            "seed = 1\n[planner]\nname = \"myopic\"\ncandidats = 5\n",
            "mission.toml:4: unknown key `candidats` in [planner]; did you mean `candidates`?",
        ),
        (
            "sede = 1",
            "mission.toml:1: unknown key `sede`; did you mean `seed`?",
        ),
        (
            "\n[plannr]",
            "mission.toml:2: unknown key `plannr`; did you mean `planner`?",
        ),
        (
            "[planner]\n\ncandidates = \"many\"",
            "mission.toml:3: planner.candidates: invalid type: string \"many\", a whole number, 0 or more, is needed",
        ),
        (
            "[planner]\ncandidates = 0",
            "mission.toml:2: planner.candidates is 0: at least 1 is needed",
        ),
        (
            "[kernel]\nname = \"gibs\"",
            "mission.toml:2: kernel.name is `gibs`: did you mean `gibbs`?",
        ),
        (
            "[boat]\nmax_speed_mps = -1",
            "mission.toml:2: boat.max_speed_mps is -1: a positive",
        ),
        ("[budget]\ntime_s = 0", "mission.toml:2: budget.time_s is 0"),
        (
            "seed = 1\n[budget]\n",
            "mission.toml:2: the budget limits nothing",
        ),
        ("seed = 1\nseed = 2", "mission.toml:2: duplicate key"),
        ("seed = ", "mission.toml:1: "),
        (
            "[area]\noutline = [[0, 0], [1, \"x\"]]",
            "mission.toml:2: area.outline[1][1]: invalid type",
        ),
        ("boat = 3", "mission.toml:1: boat: invalid type"),
    ] {
        let error = read(text).unwrap_err();
        assert!(
            error.starts_with(expected),
            "{text:?} gives\n{error}\nnot\n{expected}"
        );
    }
}

#[test]
fn flags_change_keys_and_are_named_in_errors() {
    let with = |assignment: &str| {
        let mut source = Source::parse("mission.toml", "[planner]\ncandidates = 5\n").unwrap();
        source.set(assignment).map_err(|e| e.to_string())?;
        MissionDocument::from_source(&source).map_err(|e| e.to_string())
    };
    let settings = |assignment: &str| with(assignment).unwrap().settings;
    assert_eq!(settings("planner.candidates=500").planner.candidates, 500);
    assert_eq!(settings("kernel.name=rbf").kernel.name, "rbf");
    assert_eq!(settings("kernel.name = \"rbf\"").kernel.name, "rbf");
    assert_eq!(
        settings("budget.distance_m=12").budget.distance_m,
        Some(12.0)
    );
    let area = with("area.rectangle=[0, 0, 5, 5]").unwrap().place.area;
    assert_eq!(area.rectangle, Some([0.0, 0.0, 5.0, 5.0]));
    for (assignment, expected) in [
        (
            "planner.candidats=5",
            "--set planner.candidats=5: unknown key `candidats` in [planner]; did you mean `candidates`?",
        ),
        (
            "planner.candidates=x",
            "--set planner.candidates=x: planner.candidates: invalid type",
        ),
        (
            "planner.candidates=0",
            "--set planner.candidates=0: planner.candidates is 0",
        ),
        (
            "planner.candidates",
            "--set planner.candidates: a key and a value are needed",
        ),
        ("planner..x=1", "--set planner..x=1: `planner..x` is no key"),
        (
            "planner.name.x=1",
            "--set planner.name.x=1: planner.name: invalid type",
        ),
        (
            "planner.candidates.x=1",
            "--set planner.candidates.x=1: `candidates` is a value",
        ),
    ] {
        let error = with(assignment).unwrap_err();
        assert!(
            error.starts_with(expected),
            "{assignment} gives\n{error}\nnot\n{expected}"
        );
    }
}
