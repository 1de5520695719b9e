//! Runs the command in a clean environment.

use std::ffi::OsStr;
use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use tempfile::TempDir;

/// A sticky Service, as a person would write it.
pub(crate) const STICKY: &str = "apiVersion: v1\nkind: Service\nmetadata:\n  name: web\nspec:\n  sessionAffinity: \
                                 ClientIP # why?\n  ports: []\n";
/// The same without affinity.
pub(crate) const CLEAN: &str = "apiVersion: v1\nkind: Service\nmetadata:\n  name: web\nspec:\n  ports: []\n";
/// A Service that has to be refused.
pub(crate) const REFUSED: &str = "apiVersion: v1\nkind: Service\nmetadata:\n  name: bad\nspec: {sessionAffinity: 5}\n";

/// What a run left.
#[derive(Debug)]
pub(crate) struct Ran {
    pub code: i32,
    pub stdout: Vec<u8>,
    pub stderr: String,
}

impl Ran {
    pub(crate) fn out(&self) -> &str {
        std::str::from_utf8(&self.stdout).expect("UTF-8 on standard output")
    }
}

/// Returns the command, in a folder and without an environment.
pub(crate) fn command<A: AsRef<OsStr>>(folder: &Path, arguments: &[A]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_unstick"));
    command.args(arguments).current_dir(folder).env_clear();
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// Runs the command in `folder` with `input` on standard input.
pub(crate) fn run_in<A: AsRef<OsStr>>(folder: &Path, arguments: &[A], input: &[u8]) -> Ran {
    finish(command(folder, arguments), input)
}

/// Runs a command with `input` on standard input.
pub(crate) fn finish(mut command: Command, input: &[u8]) -> Ran {
    let mut child = command.spawn().expect("the command starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    let input = input.to_vec();
    // The command may end before it has read everything.
    let writer = std::thread::spawn(move || drop(stdin.write_all(&input)));
    let output = child.wait_with_output().expect("the command ends");
    writer.join().expect("the input is written");
    Ran {
        code: output.status.code().expect("an exit code"),
        stdout: output.stdout,
        stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}

/// Runs the command with `input` on standard input.
pub(crate) fn run(arguments: &[&str], input: impl AsRef<[u8]>) -> Ran {
    run_in(&std::env::temp_dir(), arguments, input.as_ref())
}

/// Makes a folder that holds these files.
pub(crate) fn folder(files: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, text) in files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
        fs::write(path, text).expect("written");
    }
    folder
}

/// Returns the text of a file in a folder.
pub(crate) fn read(folder: &TempDir, name: &str) -> String {
    fs::read_to_string(folder.path().join(name)).expect("readable")
}
