//! What users are told when something is wrong, and that results do not depend on how the work
//! was divided.

mod common;

use common::{Place, assert_same, contents, succeed, text, transect, verdict};
use std::process::Stdio;

/// The command fails with `code` and a message in which all of `parts` occur.
#[track_caller]
fn assert_refused(command: &mut std::process::Command, code: i32, parts: &[&str]) {
    let (got, message) = verdict(command);
    assert_eq!(got, code, "{message}");
    for part in parts {
        assert!(message.contains(part), "`{part}` is not in: {message}");
    }
    assert!(!message.contains("panicked"), "{message}");
}

#[test]
fn unknown_names_are_answered_with_the_nearest() {
    let place = Place::new();
    let data = place.data();
    for (flags, parts) in [
        ("tables --terrain N17E037", ["`N17E037`", "`N17E073`"]),
        (
            "tables --terrain N17E073 --kernel gibs",
            ["`gibs`", "`gibbs`"],
        ),
        (
            "tables --terrain N17E073 --strategy randon",
            ["`randon`", "`random`"],
        ),
        ("tabels", ["`tabels`", "`tables`"]),
        ("overfit --terrain N17E073 --kernel rfb", ["`rfb`", "`rbf`"]),
        ("step --kernel rfb", ["`rfb`", "`rbf`"]),
    ] {
        let mut command = transect();
        command.arg("reproduce").args(flags.split(' '));
        command.arg("--data").arg(&data);
        command.arg("--out").arg(place.path().join("out"));
        assert_refused(&mut command, 2, &parts);
        assert!(!place.path().join("out").exists(), "{flags}");
    }
}

#[test]
fn helps_are_short() {
    let top = text(&succeed(transect().arg("--help")).stdout);
    let listed = top.lines().skip_while(|line| *line != "Commands:").skip(1);
    let listed = listed.take_while(|line| !line.is_empty());
    let names = listed.filter_map(|line| line.split_whitespace().next());
    let mut helps = vec![top.clone()];
    for name in names {
        let said = |flag| text(&succeed(transect().args([name, flag])).stdout);
        assert_eq!(said("-h"), said("--help"));
        helps.push(said("--help"));
    }
    assert!(helps.len() > 10, "{top}");
    for help in helps {
        let widest = help.lines().map(|line| line.chars().count()).max();
        // Commands that read any log have what can be said about logs; the others fit a screen.
        let most = if help.contains("--sound-speed") {
            100
        } else {
            45
        };
        assert!(
            help.lines().count() <= most && widest <= Some(104),
            "{help}"
        );
        assert!(
            !help.contains("possible values") || help.contains("shell"),
            "{help}"
        );
    }
}

/// As with `| head -1`: whoever reads goes away before everything is said.
#[test]
fn nobody_needs_to_listen_to_the_end() {
    for arguments in [
        &["terrain"][..],
        &["init", "mission"],
        &["completions", "bash"],
    ] {
        let mut child = transect()
            .args(arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        assert_eq!(
            (output.status.code(), text(&output.stderr)),
            (Some(0), String::new())
        );
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_behind_stdout_is_told() {
    let full = std::fs::File::options()
        .write(true)
        .open("/dev/full")
        .unwrap();
    let mut command = transect();
    command.arg("terrain").stdout(full);
    let output = command
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
        .wait_with_output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1));
    let message = text(&output.stderr);
    assert!(
        message.contains("stdout") && !message.contains("panicked"),
        "{message}"
    );
}

#[test]
fn an_experiment_may_stand_in_a_document() {
    let place = Place::new();
    let printed = succeed(transect().args(["init", "experiment"]));
    let printed = text(&printed.stdout);
    assert!(printed.contains("# terrain = [\"N17E073\", "), "{printed}");
    let document = place.path().join("sweep.toml");
    std::fs::write(&document, &printed).unwrap();
    let run = |document: &std::path::Path, flags: &str| {
        let mut command = transect();
        command.arg("reproduce").arg(document);
        command.args(flags.split_whitespace());
        command
    };
    // As printed it asks for the paper's terrains, of which its folder has one.
    assert_refused(&mut run(&document, ""), 2, &["`N43W080`", "--data"]);

    let small = "data = \"terrain\"\nout = \"out\"\nterrain = [\"N17E073\"]\nstrategy = [\"random\"]\n\
                 kernel = [\"rbf\"]\nseeds = [3]\nsamples = 60\n";
    std::fs::write(&document, small).unwrap();
    succeed(&mut run(&document, "--quiet"));
    succeed(&mut run(&document, "--quiet --seeds 0 --jobs 1"));
    succeed(&mut place.sweep("same", "--quiet --kernel rbf --seeds 0,3"));
    // Paths in the document start from its own folder.
    assert_same(&place.path().join("out"), &place.path().join("same"));

    for (from, to, parts) in [
        ("seeds", "seed", ["sweep.toml:6", "did you mean `seeds`?"]),
        ("[3]", "[-3]", ["sweep.toml:6", "seeds"]),
        ("rbf", "rfb", ["sweep.toml", "`rbf`"]),
        (
            "data = ",
            "experiment = \"tabels\"\ndata = ",
            ["sweep.toml:1", "`tables`"],
        ),
        ("60", "0", ["sweep.toml", "--samples"]),
    ] {
        std::fs::write(&document, small.replacen(from, to, 1)).unwrap();
        assert_refused(&mut run(&document, ""), 2, &parts);
    }
    assert_refused(
        &mut run(&place.path().join("none.toml"), ""),
        2,
        &["none.toml"],
    );
}

#[test]
fn any_terrain_will_do() {
    let place = Place::new();
    let grid: String = (0..12)
        .map(|row| {
            (0..12)
                .map(|column| format!("{} ", (row * column) % 7))
                .collect::<String>()
                + "\n"
        })
        .collect();
    let header = "ncols 12\nnrows 12\nxllcorner 0\nyllcorner 0\ncellsize 5\n";
    std::fs::write(place.data().join("lake.asc"), format!("{header}{grid}")).unwrap();
    for name in ["lake", "quarry"] {
        let mut command = transect();
        command.args([
            "reproduce",
            "tables",
            "--strategy",
            "random",
            "--samples",
            "55",
        ]);
        command.args([
            "--kernel",
            "rbf",
            "--seeds",
            "0",
            "--quiet",
            "--terrain",
            name,
        ]);
        command.arg("--data").arg(place.data());
        command.arg("--out").arg(place.path().join("out"));
        succeed(&mut command);
        let run = place.path().join("out/tables/paper").join(name);
        assert!(run.join("random/rbf/seed0/metrics.csv").exists());
    }
    // Soundings show that north is up: the highest row of the file is the highest y.
    let soundings = place
        .path()
        .join("out/tables/paper/lake/random/rbf/seed0/soundings.csv");
    for line in std::fs::read_to_string(soundings).unwrap().lines().skip(1) {
        let numbers: Vec<f64> = line.split(',').map(|n| n.parse().unwrap()).collect();
        let cell = |v: f64| ((v + 11.0) / 22.0 * 12.0).floor() as i64;
        let (row, column) = (11 - cell(numbers[1]), cell(numbers[0]));
        // The sensor's noise has a standard deviation of 1.
        assert!(
            (numbers[2] - ((row * column) % 7) as f64).abs() < 4.5,
            "{line}"
        );
    }
    for (name, part) in [
        ("lak", "did you mean `lake`?"),
        ("lake.asc", "there are N17E073, lake"),
        ("../x", "not known"),
    ] {
        let mut command = transect();
        command.args(["reproduce", "tables", "--terrain", name, "--data"]);
        command.arg(place.data());
        assert_refused(&mut command, 2, &[name, part]);
    }
}

#[test]
fn nonsense_in_flags_is_named() {
    let place = Place::new();
    for (flags, part) in [
        ("--seeds 9..0", "`9..0`"),
        ("--seeds x", "`x`"),
        ("--seeds 0,,1", "`0,,1`"),
        ("--seeds -1", "`-1`"),
        ("--shard 3/3", "`3/3`"),
        ("--shard 1", "`1`"),
        ("--shard a/b", "`a/b`"),
        ("--samples 0", "--samples"),
        ("--samples many", "--samples"),
        ("--jobs 0", "--jobs"),
        ("--profile papre", "paper"),
        ("--submit slrum", "slurm"),
        ("--wait", "--submit"),
        ("--submit slurm --shard 0/2", "--shard"),
        ("--kernels rbf", "--kernel"),
    ] {
        assert_refused(&mut place.sweep("out", flags), 2, &[part]);
        assert!(!place.path().join("out").exists(), "{flags}");
    }
}

#[test]
fn terrains_one_cannot_survey_are_refused() {
    let place = Place::new();
    let slope = |row: usize, column: usize| (row + column) as f64;
    place.write_terrain("flat", |_, _| 3.0);
    place.write_terrain("holes", |row, column| match (row, column) {
        (3..5, 7) => f64::NAN,
        _ => slope(row, column),
    });
    place.write_terrain("abyss", |row, column| match (row, column) {
        (3, 7) => f64::NEG_INFINITY,
        _ => slope(row, column),
    });
    place.write_terrain("nothing", |_, _| f64::NAN);
    std::fs::write(place.data().join("cut.npy"), b"\x93NUMPY\x01\x00v").unwrap();
    std::fs::write(place.data().join("other.npy"), "not an array").unwrap();
    for (name, part) in [
        ("flat", "same value"),
        ("holes", "2 cells are void"),
        ("abyss", "row 3, column 7"),
        ("nothing", "void"),
        ("cut", ""),
        ("other", ""),
    ] {
        let mut command = transect();
        command.args(["reproduce", "tables", "--terrain", name, "--data"]);
        command.arg(place.data());
        command.arg("--out").arg(place.path().join("out"));
        assert_refused(&mut command, 2, &[&format!("{name}.npy"), part]);
    }
    let mut command = transect();
    command.args(["reproduce", "tables", "--terrain", "flat", "--data"]);
    command.arg(place.path().join("nowhere"));
    assert_refused(&mut command, 2, &["nowhere", "--data"]);
}

#[test]
fn results_go_only_where_they_may() {
    let place = Place::new();
    // Below a regular file: not even root can write there.
    std::fs::write(place.path().join("file"), "mine").unwrap();
    let sweep = "--kernel rbf --seeds 0";
    assert_refused(&mut place.sweep("file/out", sweep), 1, &["file/out"]);
    assert_refused(&mut place.sweep("file", sweep), 1, &["file"]);
    assert_eq!(std::fs::read(place.path().join("file")).unwrap(), b"mine");

    std::fs::create_dir(place.path().join("full")).unwrap();
    std::fs::write(place.path().join("full/thesis.tex"), "mine").unwrap();
    let mut command = place.sweep("full", sweep);
    assert_refused(&mut command, 2, &["full", "not empty", "--out"]);

    std::fs::create_dir(place.path().join("later")).unwrap();
    let mark = place.path().join("later/.transect-results");
    std::fs::write(&mark, "{\"format\":99}\n").unwrap();
    let mut command = place.sweep("later", sweep);
    assert_refused(&mut command, 2, &["later", "format 99", "--out"]);
    let mut report = transect();
    report.arg("report").arg(place.path().join("later"));
    assert_refused(&mut report, 2, &["format 99"]);
    assert_eq!(contents(&place.path().join("later")).len(), 1);

    let mut report = transect();
    report.arg("report").arg(place.path().join("nowhere"));
    assert_refused(&mut report, 2, &["nowhere", "no results"]);
}

#[test]
fn a_damaged_result_is_named_and_left_alone() {
    let place = Place::new();
    let out = place.path().join("out");
    succeed(&mut place.sweep("out", "--kernel rbf --seeds 0..1"));
    let metrics = out.join("tables/paper/N17E073/random/rbf/seed1/metrics.csv");
    let good = std::fs::read_to_string(&metrics).unwrap();
    let lines: Vec<&str> = good.lines().collect();
    let fourth = good.replacen(lines[3], "53,0.1,zero,1,2,3", 1);
    let half = good[..good.len() / 2].to_string();
    for (damaged, part) in [
        (fourth, "line 4"),
        (half, "line "),
        (String::new(), "line 1"),
    ] {
        std::fs::write(&metrics, damaged).unwrap();
        let before = contents(&out);
        let mut report = transect();
        report.arg("report").arg(&out);
        assert_refused(&mut report, 1, &["seed1/metrics.csv", part]);
        let mut again = place.sweep("out", "--kernel rbf --seeds 0..1");
        assert_refused(&mut again, 1, &["seed1/metrics.csv", part]);
        assert!(contents(&out) == before, "something was changed");
    }
    // The message's advice works.
    std::fs::remove_dir_all(metrics.parent().unwrap()).unwrap();
    succeed(&mut place.sweep("out", "--kernel rbf --seeds 0..1"));
    assert_eq!(std::fs::read_to_string(&metrics).unwrap(), good);
}

#[test]
fn json_is_one_document_and_quiet_is_silent() {
    let place = Place::new();
    let sweep = "--kernel rbf --seeds 0..1 --json --quiet";
    let mut report = transect();
    report.args(["report", "--json"]);
    report.arg(place.path().join("out"));
    for command in [&mut place.sweep("out", sweep), &mut report] {
        let output = succeed(command);
        assert_eq!(text(&output.stderr), "");
        let document: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        let rows = document["tables"].as_array().unwrap();
        assert_eq!(rows.len(), 1, "one profile: {document}");
    }
}

#[test]
fn how_the_work_is_divided_does_not_show() {
    let place = Place::new();
    let path = |name: &str| place.path().join(name);
    let sweep = "--quiet --kernel rbf,ak --seeds 0..2";
    succeed(&mut place.sweep("one", &format!("{sweep} --jobs 1")));
    succeed(&mut place.sweep("two", &format!("{sweep} --jobs 2")));
    assert_same(&path("two"), &path("one"));

    for shard in ["1/3", "0/3", "2/3"] {
        succeed(&mut place.sweep("shards", &format!("{sweep} --shard {shard}")));
    }
    let mut report = transect();
    succeed(
        report
            .args(["report", "--data"])
            .arg(place.data())
            .arg(path("shards")),
    );
    assert_same(&path("shards"), &path("one"));

    let together: Vec<_> = (0..3)
        .map(|_| {
            let mut sweep = place.sweep("together", &format!("{sweep} --jobs 1"));
            sweep.stdout(Stdio::null()).stderr(Stdio::piped());
            sweep.spawn().unwrap()
        })
        .collect();
    for process in together {
        let output = process.wait_with_output().unwrap();
        assert!(output.status.success(), "{}", text(&output.stderr));
    }
    assert_same(&path("together"), &path("one"));
}
