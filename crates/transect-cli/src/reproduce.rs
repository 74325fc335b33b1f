//! `transect reproduce` and `transect report`.

use crate::Failure;
use crate::progress::SweepBar;
use crate::shard::{Shard, seeds};
use crate::slurm::Submission;
use clap::{Args, ValueEnum};
use std::path::PathBuf;
use transect_lab::experiment::{Experiment, Job, Profile, Selection};
use transect_lab::results::Results;
use transect_lab::sweep::sweep;
use transect_lab::{DataFolder, report, tables};

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
    #[arg(long)]
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
    #[arg(long, value_enum)]
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
            self.submission()?;
            if !self.wait {
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

    /// Hands everything over to Slurm.
    fn submission(&self) -> Result<(), Failure> {
        // The same words again, without those about submitting.
        let mut words = std::env::args().skip(1).peekable();
        let mut arguments = Vec::new();
        while let Some(word) = words.next() {
            match word.as_str() {
                "--submit" | "--tasks" | "--jobs" => drop(words.next()),
                "--wait" => {}
                other
                    if ["--submit=", "--tasks=", "--jobs="]
                        .iter()
                        .any(|p| other.starts_with(p)) => {}
                _ => arguments.push(word),
            }
        }
        let out = std::path::absolute(&self.out)
            .map_err(|error| Failure::Work(format!("{}: {error}", self.out.display())))?;
        let submission = Submission {
            out: &out,
            arguments: &arguments,
            tasks: self.tasks,
            cores: self.jobs.unwrap_or(1),
            wait: self.wait,
        };
        submission.submit()
    }
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
    let mut csv = Vec::new();
    for profile in [Profile::Paper, Profile::Default] {
        let rows = tables::collect(results, profile)?;
        if rows.is_empty() {
            continue;
        }
        match json {
            true => printed.push(tables::to_json(&rows, profile)),
            false => print!("{}", tables::to_text(&rows)),
        }
        csv.push(tables::to_csv(&rows));
    }
    if let Some(first) = csv.first() {
        results.write("tables.csv", first.as_bytes())?;
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
