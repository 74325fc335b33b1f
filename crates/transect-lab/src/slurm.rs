//! A sweep as a job array of Slurm, whose tasks are its shards.
//!
//! Slurm is the scheduler; this only writes what it wants to read and calls `sbatch`.

use crate::error::{LabError, Result};
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};

/// A sweep to be submitted.
#[derive(Debug, Clone)]
pub struct Submission<'a> {
    /// The results folder, shared by all tasks.
    pub out: &'a Path,
    /// The program that each task runs.
    pub program: &'a Path,
    /// The program's arguments, without those about submitting.
    pub arguments: &'a [String],
    /// How many tasks share the sweep.
    pub tasks: usize,
    /// Cores per task.
    pub cores: usize,
    /// Return when all tasks have ended.
    pub wait: bool,
}

impl Submission<'_> {
    /// Writes the batch script into the results folder and hands it to `sbatch`; returns the job's
    /// number. `waiting` is told that number before this waits for the tasks.
    ///
    /// # Errors
    /// If the script cannot be written, `sbatch` cannot be started or refuses it, or a task that was waited for failed.
    pub fn submit(&self, waiting: &mut dyn FnMut(&str)) -> Result<String> {
        let failed =
            |what: &str, error: std::io::Error| LabError::Scheduler(format!("{what}: {error}"));
        std::fs::create_dir_all(self.out.join("slurm"))
            .map_err(|error| failed(&self.out.display().to_string(), error))?;
        let script = self.script();
        let path = self.out.join("slurm").join("sweep.sbatch");
        std::fs::write(&path, &script)
            .map_err(|error| failed(&path.display().to_string(), error))?;
        let mut sbatch = Command::new("sbatch");
        sbatch.arg("--parsable");
        if self.wait {
            sbatch.arg("--wait");
        }
        let started = sbatch.arg(&path).stdout(Stdio::piped()).spawn();
        let mut sbatch = started.map_err(|error| {
            LabError::Scheduler(format!(
                "sbatch could not be started ({error}); is Slurm installed here? The batch script is \
                 {}: submit it where Slurm is, or run the shards yourself",
                path.display()
            ))
        })?;
        // Its only line, long before it ends if it is to wait.
        let mut said = String::new();
        if let Some(stdout) = sbatch.stdout.take() {
            BufReader::new(stdout)
                .read_line(&mut said)
                .map_err(|error| failed("sbatch", error))?;
        }
        let job = said.trim().split(';').next().unwrap_or_default();
        if self.wait && !job.is_empty() {
            waiting(job);
        }
        let status = sbatch.wait().map_err(|error| failed("sbatch", error))?;
        if status.success() {
            return Ok(job.to_string());
        }
        Err(LabError::Scheduler(match job {
            "" => format!(
                "sbatch refused the job ({status}); it is {}",
                path.display()
            ),
            job => format!(
                "job {job}: a task failed or was cancelled ({status}); its log is beside {}; \
                 submitting again does only what is missing",
                path.display()
            ),
        }))
    }

    fn script(&self) -> String {
        // In the name of a log, Slurm reads % as the beginning of a pattern.
        let folder = self.out.join("slurm").display().to_string();
        let logs = format!("{}/task-%a.log", folder.replace('%', "%%"));
        let words: Vec<String> = self.arguments.iter().map(|word| quoted(word)).collect();
        format!(
            "#!/bin/sh\n\
             #SBATCH --job-name=transect\n\
             #SBATCH --array=0-{}\n\
             #SBATCH --ntasks=1\n\
             #SBATCH --cpus-per-task={}\n\
             #SBATCH --output=\"{}\"\n\
             # Runs already finished are not repeated: after a failure, submit this file again.\n\
             exec {} {} --shard \"$SLURM_ARRAY_TASK_ID/{}\" --jobs {} --no-report\n",
            self.tasks - 1,
            self.cores,
            logs,
            quoted(&self.program.display().to_string()),
            words.join(" "),
            self.tasks,
            self.cores,
        )
    }
}

/// A word as the shell takes it.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./,=:".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        return word.into();
    }
    format!("'{}'", word.replace('\'', "'\\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_survive_the_shell() {
        assert_eq!(quoted("--out=a/b"), "--out=a/b");
        assert_eq!(quoted("it's here"), "'it'\\''s here'");
        assert_eq!(quoted(""), "''");
    }

    #[test]
    fn each_task_is_a_shard() {
        let arguments = ["reproduce".to_string(), "tables".to_string()];
        let submission = Submission {
            out: Path::new("out"),
            program: Path::new("/opt/transect"),
            arguments: &arguments,
            tasks: 4,
            cores: 2,
            wait: false,
        };
        let script = submission.script();
        assert!(script.contains("#SBATCH --array=0-3\n"), "{script}");
        let command =
            "exec /opt/transect reproduce tables --shard \"$SLURM_ARRAY_TASK_ID/4\" --jobs 2";
        assert!(script.contains(command), "{script}");
    }
}
