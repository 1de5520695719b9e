//! Steps with headings, times and a closing table; a failing step does not stop the others.

use std::process::{Command, ExitCode};
use std::time::{Duration, Instant};

/// The steps run so far.
#[derive(Debug, Default)]
pub(crate) struct Steps {
    done: Vec<(String, Duration, bool)>,
}

impl Steps {
    /// Runs one step.
    pub(crate) fn run(&mut self, name: &str, work: impl FnOnce() -> Result<(), String>) {
        println!("\n== {name}");
        let started = Instant::now();
        let result = work();
        if let Err(words) = &result {
            eprintln!("FAILED: {name}: {words}");
        }
        self.done.push((name.to_owned(), started.elapsed(), result.is_ok()));
    }

    /// Runs cargo, which must succeed.
    pub(crate) fn cargo(&mut self, name: &str, arguments: &[&str], environment: &[(&str, String)]) {
        self.cargo_with(name, arguments, environment, Some(0));
    }

    /// Runs cargo, which must end with that exit code.
    pub(crate) fn cargo_with(
        &mut self,
        name: &str,
        arguments: &[&str],
        environment: &[(&str, String)],
        code: Option<i32>,
    ) {
        self.run(name, || {
            let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
            let mut command = Command::new(cargo);
            command.args(arguments).envs(environment.iter().map(|(name, value)| (name, value)));
            let status = command.status().map_err(|error| error.to_string())?;
            if status.code() == code {
                Ok(())
            } else {
                Err(format!("cargo {} ended with {status}", arguments.join(" ")))
            }
        });
    }

    /// Prints the table and returns the run's exit code.
    pub(crate) fn finish(self) -> ExitCode {
        println!();
        for (name, time, passed) in &self.done {
            println!("{:>7.1} s  {}  {name}", time.as_secs_f64(), if *passed { "passed" } else { "FAILED" });
        }
        let failed = self.done.iter().filter(|(_, _, passed)| !passed).count();
        println!("{} passed, {failed} failed", self.done.len() - failed);
        if failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
    }
}
