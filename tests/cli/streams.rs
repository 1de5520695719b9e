//! Streams that are closed, and terminals.

use std::fs::File;
use std::io::{Read as _, pipe};
use std::process::Stdio;

use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};

use crate::support::{CLEAN, REFUSED, STICKY, command, finish, folder, run, run_in};

/// Returns the writing end of a pipe that nobody reads.
fn closed() -> Stdio {
    let (_, writer) = pipe().expect("a pipe");
    writer.into()
}

/// Returns both ends of a terminal.
fn terminal() -> (File, File) {
    let controller = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).expect("a terminal");
    grantpt(&controller).expect("granted");
    unlockpt(&controller).expect("unlocked");
    let name = ptsname(&controller, Vec::new()).expect("a name");
    let user = File::options().read(true).write(true).open(name.to_str().expect("UTF-8")).expect("opened");
    (File::from(controller), user)
}

#[test]
fn a_reader_that_goes_away_is_no_fault() {
    let folder = folder(&[("a.yaml", STICKY), ("b.yaml", STICKY)]);
    for (arguments, code) in [
        (&[][..], 0),
        (&["diff", "."], 1),
        (&["check", "."], 1),
        (&["check", "--format", "json", "."], 1),
        (&["completions", "bash"], 0),
        (&["--help"], 0),
    ] {
        let mut command = command(folder.path(), arguments);
        command.stdout(closed());
        let ran = finish(command, STICKY.repeat(20_000).as_bytes());
        assert_eq!(ran.code, code, "{arguments:?}");
        assert!(!ran.stderr.contains("error") && !ran.stderr.contains("panic"), "{arguments:?}: {}", ran.stderr);
    }
}

#[test]
fn nobody_has_to_listen_to_the_words() {
    let mut command = command(&std::env::temp_dir(), &["--report", "/dev/null"]);
    command.stderr(closed());
    let ran = finish(command, format!("{STICKY}---\n{REFUSED}").as_bytes());
    assert_eq!((ran.code, ran.out()), (2, format!("{CLEAN}---\n{REFUSED}").as_str()));
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_a_fault() {
    let mut command = command(&std::env::temp_dir(), &["diff", "-"]);
    command.stdout(File::options().write(true).open("/dev/full").expect("opened"));
    let ran = finish(command, STICKY.as_bytes());
    assert_eq!(ran.code, 2);
    assert!(ran.stderr.contains("standard output cannot be written"), "{}", ran.stderr);
}

#[test]
fn a_terminal_gives_no_manifests() {
    for arguments in [&[][..], &["diff", "-"]] {
        let (_controller, user) = terminal();
        let mut command = command(&std::env::temp_dir(), arguments);
        command.stdin(user);
        let output = command.output().expect("the command ends");
        let words = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0), "{words}");
        assert!(words.contains("unstick diff PATH"), "{words}");
    }
}

/// Returns what a run with that environment writes to a terminal as its standard output.
fn shown(arguments: &[&str], environment: &[(&str, &str)]) -> String {
    let (mut controller, user) = terminal();
    let mut command = command(&std::env::temp_dir(), arguments);
    command.stdout(user).envs(environment.iter().copied());
    finish(command, STICKY.as_bytes());
    // The command is gone, and with it the last user of the terminal.
    let mut text = Vec::new();
    let _ = controller.read_to_end(&mut text);
    String::from_utf8_lossy(&text).into_owned()
}

#[test]
fn colours_go_to_terminals_unless_forbidden() {
    let colours = |arguments: &[&str], environment: &[(&str, &str)]| shown(arguments, environment).contains("\u{1b}[");
    assert!(colours(&["diff", "-"], &[]));
    assert!(colours(&["check", "-"], &[("TERM", "xterm")]));
    assert!(!colours(&["diff", "-"], &[("NO_COLOR", "1")]));
    assert!(colours(&["diff", "-"], &[("NO_COLOR", "")]));
    assert!(!colours(&["diff", "-"], &[("TERM", "dumb")]));
    assert!(!colours(&["diff", "--color", "never", "-"], &[("CLICOLOR_FORCE", "1")]));
    assert!(colours(&["diff", "--color", "always", "-"], &[("NO_COLOR", "1")]));
}

#[test]
fn colours_go_to_files_where_they_are_forced() {
    let coloured = |environment: &[(&str, &str)]| {
        let mut command = command(&std::env::temp_dir(), &["diff", "-"]);
        command.envs(environment.iter().copied());
        finish(command, STICKY.as_bytes()).out().contains("\u{1b}[")
    };
    assert!(!coloured(&[]));
    assert!(coloured(&[("CLICOLOR_FORCE", "1")]));
    assert!(!coloured(&[("CLICOLOR_FORCE", "0")]));
    assert!(!coloured(&[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")]));
}

#[test]
fn names_of_files_cannot_speak_to_the_terminal() {
    let name = "e\u{1b}[31mvil.yaml";
    let folder = folder(&[(name, REFUSED)]);
    for arguments in
        [&["check", "."][..], &["diff", "."], &["check", "no\u{1b}[0mne.yaml"], &["check", "missing\u{9b}2J"]]
    {
        let ran = run_in(folder.path(), arguments, b"");
        assert_eq!(ran.code, if arguments == ["check", "."] { 1 } else { 2 });
        assert!(!ran.out().contains(['\u{1b}', '\u{9b}']) && !ran.stderr.contains(['\u{1b}', '\u{9b}']));
    }
}

#[test]
fn standard_input_is_read_once() {
    let ran = run(&["check", "-", "-"], STICKY);
    assert_eq!(
        ran.stderr,
        "1 changed, 0 kept, 0 refused, 1 noted in 1 file; nothing was written: unstick fix does it\n"
    );
}
