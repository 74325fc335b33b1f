//! `--submit slurm`: a job array whose tasks are shards of one sweep.
//!
//! Slurm is the scheduler; this only writes what it wants to read and calls `sbatch`.

use crate::Failure;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};

/// A sweep to be submitted.
pub(crate) struct Submission<'a> {
    /// The results folder, shared by all tasks.
    pub(crate) out: &'a Path,
    /// The program's arguments, without those about submitting.
    pub(crate) arguments: &'a [String],
    /// How many tasks share the sweep.
    pub(crate) tasks: usize,
    /// Cores per task.
    pub(crate) cores: usize,
    /// Return when all tasks have ended.
    pub(crate) wait: bool,
    /// Say nothing while waiting.
    pub(crate) quiet: bool,
}

impl Submission<'_> {
    /// Writes the batch script into the results folder and hands it to `sbatch`; returns the job's
    /// number.
    pub(crate) fn submit(&self) -> Result<String, Failure> {
        let failed = |what: &str, error: std::io::Error| Failure::Work(format!("{what}: {error}"));
        std::fs::create_dir_all(self.out.join("slurm"))
            .map_err(|error| failed(&self.out.display().to_string(), error))?;
        let program =
            std::env::current_exe().map_err(|error| failed("this program's path", error))?;
        let script = self.script(&program);
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
            Failure::Work(format!(
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
        if self.wait && !self.quiet && !job.is_empty() {
            eprintln!("waiting for job {job}");
        }
        let status = sbatch.wait().map_err(|error| failed("sbatch", error))?;
        if status.success() {
            return Ok(job.to_string());
        }
        Err(Failure::Work(match job {
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

    fn script(&self, program: &Path) -> String {
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
            quoted(&program.display().to_string()),
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
            arguments: &arguments,
            tasks: 4,
            cores: 2,
            wait: false,
            quiet: true,
        };
        let script = submission.script(Path::new("/opt/transect"));
        assert!(script.contains("#SBATCH --array=0-3\n"), "{script}");
        let command =
            "exec /opt/transect reproduce tables --shard \"$SLURM_ARRAY_TASK_ID/4\" --jobs 2";
        assert!(script.contains(command), "{script}");
    }
}
