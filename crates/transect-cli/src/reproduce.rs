//! `transect reproduce` and `transect report`.

use crate::Failure;
use crate::progress::SweepBar;
use crate::seeds::seeds;
use clap::{Args, ValueEnum};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use transect_lab::claims::Verdict;
use transect_lab::experiment::{Experiment, ExperimentDocument, Job, Profile};
use transect_lab::report::{Against, SweepView};
use transect_lab::results::Results;
use transect_lab::shard::Shard;
use transect_lab::slurm::Submission;
use transect_lab::sweep::sweep;
use transect_lab::vary::{Sweep, SweepTables, paired, tidy};
use transect_lab::{
    DataFolder, LabError, authors, claims, gains, planners, report, tables, variants,
};
use transect_survey::document::Source;

#[derive(Debug, Clone, Copy, ValueEnum)]
enum ProfileName {
    Paper,
    Default,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Scheduler {
    Slurm,
}

const WHAT: &str = "What to run; lists are written a,b,c";
const HOW: &str = "Where and how";
const SWEEPS: &str = "Sweeps; lists are written a,b,c";

/// `transect reproduce`
#[derive(Debug, Args)]
#[command(
    after_help = "Runs already finished in --out are not repeated. Several processes may share one --out, each with its own \
    --shard. With GNU parallel:\n\n  parallel transect reproduce tables --jobs 1 --shard {}/8 ::: {0..7}"
)]
pub(crate) struct Reproduce {
    /// tables, overfit, sensitivity, ablation, step, sine, volcano, field or all; planners, which is not the paper's; or a document, as `transect init experiment`
    /// prints it, of one of these or of a sweep over any setting
    #[arg(value_name = "EXPERIMENT|FILE.toml")]
    experiment: String,
    /// paper for what the authors' program did, seed for seed; default for ours [default: paper]
    #[arg(long, value_enum, hide_possible_values = true, value_name = "NAME", help_heading = WHAT)]
    profile: Option<ProfileName>,
    /// Terrains: files in --data, without their endings, or built in [default: the paper's]
    #[arg(long, value_delimiter = ',', value_name = "NAMES", help_heading = WHAT)]
    terrain: Vec<String>,
    /// random, active, myopic [default: all three]; for planners tour, lawnmower and others
    #[arg(long, alias = "planner", value_delimiter = ',', value_name = "NAMES", help_heading = WHAT)]
    strategy: Vec<String>,
    /// rbf, ak, gibbs, dkl and others [default: the paper's]
    #[arg(long, value_delimiter = ',', value_name = "NAMES", help_heading = WHAT)]
    kernel: Vec<String>,
    /// 0..9 or 0,3,7 [default: the paper's]
    #[arg(long, allow_hyphen_values = true, value_name = "LIST", help_heading = WHAT)]
    seeds: Option<String>,
    /// Soundings per run, or fixed samples
    #[arg(long, value_name = "N", help_heading = WHAT)]
    samples: Option<usize>,
    /// Training steps on fixed samples
    #[arg(long, value_name = "N", help_heading = WHAT)]
    steps: Option<usize>,
    /// Folder with the terrain files [default: .]
    #[arg(long, value_name = "DIR", help_heading = HOW)]
    data: Option<PathBuf>,
    /// Results folder [default: results]
    #[arg(long, value_name = "DIR", help_heading = HOW)]
    out: Option<PathBuf>,
    /// Runs side by side [default: all cores]
    #[arg(long, value_name = "N", help_heading = HOW)]
    jobs: Option<usize>,
    /// Do every N-th run only, from the I-th on
    #[arg(long, value_name = "I/N", help_heading = HOW)]
    shard: Option<Shard>,
    /// Only run; make no tables, figures or report
    #[arg(long, help_heading = HOW)]
    no_report: bool,
    /// Hand the sweep to a scheduler: slurm
    #[arg(long, value_enum, hide_possible_values = true, value_name = "NAME", conflicts_with = "shard", help_heading = HOW)]
    submit: Option<Scheduler>,
    /// Tasks of the submitted sweep
    #[arg(long, default_value = "8", value_name = "N", requires = "submit", help_heading = HOW)]
    tasks: usize,
    /// Wait until the submitted sweep has ended
    #[arg(long, requires = "submit", help_heading = HOW)]
    wait: bool,
}

impl Reproduce {
    /// The document's file, if one was named.
    fn document(&self) -> Option<&Path> {
        let path = Path::new(&self.experiment);
        path.extension()
            .is_some_and(|ending| ending == "toml")
            .then_some(path)
    }

    /// What the document says, if there is one, and what the flags say.
    fn asked(&self) -> Result<(ExperimentDocument, Option<Sweep>), Failure> {
        let (mut asked, sweep) = match self.document() {
            Some(path) => read(path)?,
            None => (
                ExperimentDocument {
                    experiment: self.experiment.clone(),
                    ..ExperimentDocument::default()
                },
                None,
            ),
        };
        if let Some(profile) = self.profile {
            asked.profile = match profile {
                ProfileName::Paper => Profile::Paper,
                ProfileName::Default => Profile::Default,
            };
        }
        for (list, flag) in [
            (&mut asked.terrain, &self.terrain),
            (&mut asked.strategy, &self.strategy),
            (&mut asked.kernel, &self.kernel),
        ] {
            if !flag.is_empty() {
                list.clone_from(flag);
            }
        }
        if let Some(text) = &self.seeds {
            asked.seeds = seeds(text).map_err(Failure::Request)?;
        }
        asked.samples = self.samples.or(asked.samples);
        asked.steps = self.steps.or(asked.steps);
        asked.jobs = self.jobs.or(asked.jobs);
        asked.data = self.data.clone().unwrap_or(asked.data);
        asked.out = self.out.clone().unwrap_or(asked.out);
        Ok((asked, sweep))
    }

    pub(crate) fn run(&self, quiet: bool, json: bool) -> Result<(), Failure> {
        let (asked, sweep_asked) = self.asked()?;
        let selection = asked.selection();
        let mut all: Vec<(String, Vec<Job>)> = Vec::new();
        match &sweep_asked {
            Some(sweep) => all.push((sweep.name.clone(), sweep.jobs(&selection)?)),
            None => {
                for experiment in Experiment::named(&asked.experiment)? {
                    all.push((experiment.name().into(), selection.jobs(experiment)?));
                }
            }
        }
        let data = DataFolder::new(&asked.data);
        let mut known = Vec::new();
        for job in all.iter().flat_map(|(_, jobs)| jobs) {
            job.check(&data, &mut known)?;
        }
        if self.tasks == 0 || asked.jobs == Some(0) {
            return Err(Failure::Request(
                "--tasks and --jobs must be at least 1".into(),
            ));
        }
        let results = Results::open(&asked.out)?;
        if let Some(Scheduler::Slurm) = self.submit {
            let job = self.submission(&asked, quiet)?;
            if !self.wait {
                match json {
                    true => println!("{}", serde_json::json!({"job": job})),
                    false => println!("submitted as job {job}"),
                }
                return Ok(());
            }
        } else {
            let cores = std::thread::available_parallelism().map_or(1, usize::from);
            for (name, jobs) in all {
                let jobs = match self.shard {
                    Some(shard) => shard.of(jobs),
                    None => jobs,
                };
                let bar = SweepBar::new(&name, quiet);
                let workers = asked.jobs.unwrap_or(cores);
                let outcome = sweep(&jobs, &results, &data, workers, &|news| bar.show(news));
                bar.finish();
                outcome?;
            }
        }
        if self.no_report || self.shard.is_some() {
            return Ok(());
        }
        conclude(&results, Some(&data), &SweepView::default(), json)
    }

    /// Hands everything over to Slurm; returns the job's number.
    fn submission(&self, asked: &ExperimentDocument, quiet: bool) -> Result<String, Failure> {
        let mut arguments = without_submission(std::env::args_os().skip(1))?;
        // The tasks, and whoever submits the script again, may be in another folder.
        if let Some(path) = self.document() {
            let whole = absolute(path)?;
            for word in arguments
                .iter_mut()
                .filter(|word| **word == self.experiment)
            {
                word.clone_from(&whole);
            }
        }
        for (flag, path) in [("--data", &asked.data), ("--out", &asked.out)] {
            arguments.extend([flag.to_string(), absolute(path)?]);
        }
        let out = absolute(&asked.out)?;
        let program = std::env::current_exe()
            .map_err(|error| Failure::Work(format!("this program's path: {error}")))?;
        let submission = Submission {
            out: Path::new(&out),
            program: &program,
            arguments: &arguments,
            tasks: self.tasks,
            cores: asked.jobs.unwrap_or(1),
            wait: self.wait,
        };
        let mut waiting = |job: &str| {
            if !quiet {
                eprintln!("waiting for job {job}");
            }
        };
        Ok(submission.submit(&mut waiting)?)
    }
}

/// The experiment that a document describes. Its paths start from its own folder.
fn read(path: &Path) -> Result<(ExperimentDocument, Option<Sweep>), Failure> {
    let source = Source::read(path)?;
    source.check_keys(&[
        Source::keys::<ExperimentDocument>(),
        Source::keys::<SweepTables>(),
    ])?;
    let mut document: ExperimentDocument = source.part()?;
    let refuse = |key: &str, error: LabError| source.refuse(key, error.to_string());
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let sweep = Sweep::from_source(&source, &stem)?;
    match &sweep {
        Some(sweep) => {
            // A sweep is of missions of one's own, unless its document says otherwise.
            if source.value("profile").is_none() {
                document.profile = Profile::Default;
            }
            for (key, varied) in Sweep::SELECTED {
                if source.value(key).is_some() && sweep.varies(varied) {
                    let reason = format!("`{key}` and vary.{varied} say the same thing: keep one");
                    return Err(source.refuse(key, reason).into());
                }
            }
            sweep.jobs(&document.selection())?;
        }
        None => {
            let experiments = Experiment::named(&document.experiment);
            for experiment in experiments.map_err(|error| refuse("experiment", error))? {
                let jobs = document.selection().jobs(experiment);
                jobs.map_err(|error| refuse("", error))?;
            }
        }
    }
    document.data = source.folder().join(document.data);
    document.out = source.folder().join(document.out);
    Ok((document, sweep))
}

/// The words of the command line again, without those that are said anew for each task.
fn without_submission(words: impl Iterator<Item = OsString>) -> Result<Vec<String>, Failure> {
    let valued = ["--submit", "--tasks", "--jobs", "--data", "--out"];
    let bare = ["--wait", "--no-report", "--json", "--quiet", "-q"];
    let mut kept = Vec::new();
    let mut words = words;
    while let Some(word) = words.next() {
        let word = in_script(word)?;
        let flag = word.split_once('=').map_or(&word[..], |(flag, _)| flag);
        match () {
            () if valued.contains(&&word[..]) => drop(words.next()),
            () if valued.contains(&flag) || bare.contains(&flag) => {}
            () => kept.push(word),
        }
    }
    Ok(kept)
}

fn absolute(path: &Path) -> Result<String, Failure> {
    let absolute = std::path::absolute(path)
        .map_err(|error| Failure::Work(format!("{}: {error}", path.display())))?;
    in_script(absolute.into_os_string())
}

fn in_script(word: OsString) -> Result<String, Failure> {
    word.into_string().map_err(|word| {
        let word = word.display();
        Failure::Request(format!(
            "`{word}` is not UTF-8: it cannot be written in a batch script; rename it"
        ))
    })
}

/// `transect report`
#[derive(Debug, Args)]
pub(crate) struct Report {
    /// The results folder of `transect reproduce`
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// Folder with the terrain files, for the figures that show them
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
    /// Of sweeps: metrics to draw and compare [default: smse,msll]
    #[arg(long, value_delimiter = ',', value_name = "NAMES", help_heading = SWEEPS)]
    metric: Vec<String>,
    /// Of sweeps: soundings, distance, time or cpu [default: soundings]
    #[arg(long, value_name = "AXIS", help_heading = SWEEPS)]
    against: Option<Against>,
    /// Of sweeps: the settings to compare [default: all that are varied but the terrain]
    #[arg(long, value_delimiter = ',', value_name = "KEYS", help_heading = SWEEPS)]
    by: Vec<String>,
    /// Of sweeps: the group that others are compared with, by its name in the figures [default: the first]
    #[arg(long, value_name = "GROUP", help_heading = SWEEPS)]
    reference: Option<String>,
}

impl Report {
    pub(crate) fn run(&self, json: bool) -> Result<(), Failure> {
        let data = self.data.as_deref().map(DataFolder::new);
        let view = SweepView {
            metrics: self.metric.clone(),
            against: self.against.unwrap_or_default(),
            by: self.by.clone(),
            reference: self.reference.clone(),
        };
        conclude(
            &Results::existing(&self.folder)?,
            data.as_ref(),
            &view,
            json,
        )
    }
}

/// Tables, figures, report; the comparison goes to stdout.
fn conclude(
    results: &Results,
    data: Option<&DataFolder>,
    view: &SweepView,
    json: bool,
) -> Result<(), Failure> {
    let mut printed = Vec::new();
    let mut name = "tables.csv".to_string();
    for profile in [Profile::Paper, Profile::Default] {
        let rows = tables::collect(results, profile)?;
        if rows.is_empty() {
            continue;
        }
        // The paper profile repeats the paper; only the other can gain on it.
        let gained = match profile {
            Profile::Paper => Vec::new(),
            Profile::Default => gains::collect(results, &rows, profile)?,
        };
        match json {
            true => {
                let mut table = tables::to_json(&rows, profile);
                table["gains"] = gains::to_json(&gained);
                printed.push(table);
            }
            false => print!("{}{}", tables::to_text(&rows), gains::to_text(&gained)),
        }
        results.write(&name, tables::to_csv(&rows).as_bytes())?;
        let runs = tables::runs_csv(results, profile)?;
        let file = format!("runs-{}.csv", profile.name());
        results.write(&file, runs.as_bytes())?;
        // Where both profiles were run, the second gets a file of its own.
        name = format!("tables-{}.csv", Profile::Default.name());
    }
    if let Some(data) = data.filter(|_| !json) {
        print!("{}", authors::to_text(&authors::beside(results, data)?));
    }
    for experiment in [Experiment::Sensitivity, Experiment::Ablation] {
        for profile in [Profile::Paper, Profile::Default] {
            let rows = variants::collect(results, experiment, profile)?;
            if rows.is_empty() {
                continue;
            }
            let name = format!("{}-{}.csv", experiment.name(), profile.name());
            results.write(&name, variants::to_csv(&rows).as_bytes())?;
            if !json {
                print!("{}", variants::to_text(&rows, experiment));
            }
        }
    }
    let claims = claims::judge(results, data)?;
    if claims.iter().any(|claim| claim.verdict != Verdict::Open) {
        results.write("claims.csv", claims::to_csv(&claims).as_bytes())?;
    }
    if !json {
        print!("{}", claims::to_text(&claims));
    }
    let compared = planners::collect(results)?;
    if !compared.is_empty() {
        results.write("planners.csv", planners::to_csv(&compared).as_bytes())?;
        if !json {
            print!("{}", planners::to_text(&compared));
        }
    }
    let mut sweeps = Vec::new();
    for sweep in tidy::collect(results)? {
        for (name, contents) in sweep.files() {
            results.write(&name, &contents)?;
            sweeps.push(results.root().join(name).display().to_string());
        }
        let differences = view.differences(&sweep)?;
        let name = format!("sweep-{}-paired.csv", sweep.name);
        results.write(&name, paired::to_csv(&differences).as_bytes())?;
        if !json {
            print!("{}", paired::to_text(&sweep.name, &differences));
        }
    }
    let page = report::write(results, data, view)?;
    match json {
        true => {
            let page = page.display().to_string();
            let claims_json = claims::to_json(&claims);
            println!(
                "{}",
                serde_json::json!({"tables": printed, "claims": claims_json, "sweeps": sweeps, "report": page})
            );
        }
        false => println!("report: {}", page.display()),
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tasks_hear_nothing_of_submitting() {
        let line = "-q reproduce tables --out=a --submit slurm --tasks=3 --kernel rbf,ak --wait \
                    --jobs 2 --no-report --seeds 0..3 --data b";
        let words = line.split_whitespace().map(OsString::from);
        let kept = without_submission(words).unwrap();
        assert_eq!(
            kept.join(" "),
            "reproduce tables --kernel rbf,ak --seeds 0..3"
        );
    }
}
