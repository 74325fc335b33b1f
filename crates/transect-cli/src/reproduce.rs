//! `transect reproduce` and `transect report`.

use crate::Failure;
use crate::progress::SweepBar;
use crate::shard::{Shard, seeds};
use crate::slurm::Submission;
use clap::{Args, ValueEnum};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use transect_lab::experiment::{Experiment, Job, Profile, Selection};
use transect_lab::results::Results;
use transect_lab::sweep::sweep;
use transect_lab::{DataFolder, gains, report, tables};

#[derive(Debug, Clone, Copy, ValueEnum)]
enum ProfileName {
    /// What the authors' program did, seed for seed
    Paper,
    /// Ours
    Default,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Scheduler {
    /// A Slurm job array
    Slurm,
}

/// `transect reproduce`
#[derive(Debug, Args)]
#[command(
    after_help = "Lists are written a,b,c. Runs already finished in --out are not repeated.\n\
    Several processes may share one --out, each with its --shard; or, with GNU parallel:\n  \
    parallel transect reproduce tables --out DIR --jobs 1 --shard {}/8 ::: {0..7}"
)]
pub(crate) struct Reproduce {
    /// tables, overfit, sensitivity, ablation, step, sine, volcano or all
    experiment: String,
    /// Whose behaviour
    #[arg(long, value_enum, default_value = "paper")]
    profile: ProfileName,
    /// Folder with the terrain files
    #[arg(long, default_value = ".")]
    data: PathBuf,
    /// Terrains [default: the paper's]
    #[arg(long, value_delimiter = ',')]
    terrain: Vec<String>,
    /// random, active, myopic [default: all three]
    #[arg(long, value_delimiter = ',')]
    strategy: Vec<String>,
    /// rbf, ak, gibbs, dkl, ... [default: the paper's]
    #[arg(long, value_delimiter = ',')]
    kernel: Vec<String>,
    /// 0..9 or 0,3,7 [default: the paper's]
    #[arg(long, allow_hyphen_values = true)]
    seeds: Option<String>,
    /// Soundings per run, or fixed samples
    #[arg(long)]
    samples: Option<usize>,
    /// Training steps on fixed samples
    #[arg(long)]
    steps: Option<usize>,
    /// Runs side by side [default: all cores]
    #[arg(long)]
    jobs: Option<usize>,
    /// Do every N-th run only, from the I-th on
    #[arg(long, value_name = "I/N")]
    shard: Option<Shard>,
    /// Results folder
    #[arg(long, default_value = "results")]
    out: PathBuf,
    /// Hand the sweep to a scheduler
    #[arg(long, value_enum, conflicts_with = "shard")]
    submit: Option<Scheduler>,
    /// Tasks of the submitted sweep
    #[arg(long, default_value = "8", requires = "submit")]
    tasks: usize,
    /// Wait until the submitted sweep has ended
    #[arg(long, requires = "submit")]
    wait: bool,
    /// Only run; make no tables, figures or report
    #[arg(long)]
    no_report: bool,
}

impl Reproduce {
    fn selection(&self) -> Result<Selection, Failure> {
        Ok(Selection {
            profile: match self.profile {
                ProfileName::Paper => Profile::Paper,
                ProfileName::Default => Profile::Default,
            },
            terrains: self.terrain.clone(),
            strategies: self.strategy.clone(),
            kernels: self.kernel.clone(),
            seeds: match &self.seeds {
                Some(text) => seeds(text).map_err(Failure::Request)?,
                None => Vec::new(),
            },
            samples: self.samples,
            steps: self.steps,
        })
    }

    pub(crate) fn run(&self, quiet: bool, json: bool) -> Result<(), Failure> {
        let selection = self.selection()?;
        let mut all: Vec<(Experiment, Vec<Job>)> = Vec::new();
        for experiment in Experiment::named(&self.experiment)? {
            all.push((experiment, selection.jobs(experiment)?));
        }
        let data = DataFolder::new(&self.data);
        for terrain in all
            .iter()
            .flat_map(|(_, jobs)| jobs)
            .filter_map(Job::terrain)
        {
            data.check(terrain)?;
        }
        if self.tasks == 0 || self.jobs == Some(0) {
            return Err(Failure::Request(
                "--tasks and --jobs must be at least 1".into(),
            ));
        }
        let results = Results::open(&self.out)?;
        if let Some(Scheduler::Slurm) = self.submit {
            let job = self.submission(quiet)?;
            if !self.wait {
                match json {
                    true => println!("{}", serde_json::json!({"job": job})),
                    false => println!("submitted as job {job}"),
                }
                return Ok(());
            }
        } else {
            let cores = std::thread::available_parallelism().map_or(1, usize::from);
            for (experiment, jobs) in all {
                let jobs = match self.shard {
                    Some(shard) => shard.of(jobs),
                    None => jobs,
                };
                let bar = SweepBar::new(experiment.name(), quiet);
                let workers = self.jobs.unwrap_or(cores);
                let outcome = sweep(&jobs, &results, &data, workers, &|news| bar.show(news));
                bar.finish();
                outcome?;
            }
        }
        if self.no_report || self.shard.is_some() {
            return Ok(());
        }
        conclude(&results, Some(&data), json)
    }

    /// Hands everything over to Slurm; returns the job's number.
    fn submission(&self, quiet: bool) -> Result<String, Failure> {
        let mut arguments = without_submission(std::env::args_os().skip(1))?;
        // The tasks, and whoever submits the script again, may be in another folder.
        for (flag, path) in [("--data", &self.data), ("--out", &self.out)] {
            arguments.extend([flag.to_string(), absolute(path)?]);
        }
        let out = absolute(&self.out)?;
        let submission = Submission {
            out: Path::new(&out),
            arguments: &arguments,
            tasks: self.tasks,
            cores: self.jobs.unwrap_or(1),
            wait: self.wait,
            quiet,
        };
        submission.submit()
    }
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
    /// Results folder
    folder: PathBuf,
    /// Folder with the terrain files, for the figures that show them
    #[arg(long)]
    data: Option<PathBuf>,
}

impl Report {
    pub(crate) fn run(&self, json: bool) -> Result<(), Failure> {
        let data = self.data.as_deref().map(DataFolder::new);
        conclude(&Results::existing(&self.folder)?, data.as_ref(), json)
    }
}

/// Tables, figures, report; the comparison goes to stdout.
fn conclude(results: &Results, data: Option<&DataFolder>, json: bool) -> Result<(), Failure> {
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
        // Where both profiles were run, the second gets a file of its own.
        name = format!("tables-{}.csv", Profile::Default.name());
    }
    let page = report::write(results, data)?;
    match json {
        true => {
            let page = page.display().to_string();
            println!("{}", serde_json::json!({"tables": printed, "report": page}));
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
