//! `--report FILE`.

use std::fs;

use crate::support::{CLEAN, STICKY, folder, read, run_in};

#[test]
fn a_report_is_written_beside_any_command() {
    let folder = folder(&[("svc.yaml", STICKY)]);
    let ran = run_in(folder.path(), &["fix", "--report", "out.json", "svc.yaml"], b"");
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let report: serde_json::Value = serde_json::from_str(&read(&folder, "out.json")).expect("JSON");
    assert_eq!(report["files"][0]["path"], "svc.yaml");
    let refused = run_in(folder.path(), &["fix", "--report", "nowhere/out.json", "svc.yaml"], b"");
    assert_eq!(refused.code, 2);
    assert!(refused.stderr.contains("nowhere/out.json cannot be written"), "{}", refused.stderr);
}

#[test]
fn a_report_says_why_a_run_failed() {
    let folder = folder(&[("svc.yaml", STICKY)]);
    let report = || -> serde_json::Value { serde_json::from_str(&read(&folder, "out.json")).expect("JSON") };
    for (arguments, words) in [
        (&["fix", "--report", "out.json", "--policy", "missing.yaml", "svc.yaml"][..], "missing.yaml cannot be read"),
        (&["fix", "--report", "out.json", "--timeout", "9", "svc.yaml"], "action clientIP"),
        (&["fix", "--report", "out.json", "missing.yaml"], "missing.yaml cannot be read"),
    ] {
        assert_eq!(run_in(folder.path(), arguments, b"").code, 2, "{arguments:?}");
        assert!(report()["errors"][0].as_str().expect("a text").contains(words), "{arguments:?}");
    }
}

#[test]
fn a_report_in_the_folder_is_no_input() {
    let folder = folder(&[("svc.yaml", STICKY)]);
    let first = run_in(folder.path(), &["check", "--report", "out.json", "."], b"");
    let report = read(&folder, "out.json");
    let second = run_in(folder.path(), &["check", "--report", "./out.json", "."], b"");
    assert_eq!((first.stdout, first.stderr), (second.stdout, second.stderr));
    assert_eq!(read(&folder, "out.json"), report);
}

#[test]
fn a_report_never_takes_the_place_of_an_input() {
    let folder = folder(&[("svc.yaml", STICKY)]);
    for arguments in [["fix", "--report", "./svc.yaml", "svc.yaml"], ["diff", "--report", "svc.yaml", "svc.yaml"]] {
        let ran = run_in(folder.path(), &arguments, b"");
        assert_eq!((ran.code, ran.out(), read(&folder, "svc.yaml").as_str()), (2, "", STICKY));
        assert!(ran.stderr.contains("svc.yaml is to be read"), "{}", ran.stderr);
    }
}

#[test]
fn a_shorter_report_leaves_nothing_of_a_longer_one() {
    let folder = folder(&[("svc.yaml", STICKY), ("out.json", &"x".repeat(100_000))]);
    run_in(folder.path(), &["fix", "--report", "out.json", "svc.yaml"], b"");
    assert!(serde_json::from_str::<serde_json::Value>(&read(&folder, "out.json")).is_ok());
}

#[cfg(unix)]
#[test]
fn a_report_is_written_through_links_and_into_devices() {
    use std::os::unix::fs::{FileTypeExt as _, symlink};
    let folder = folder(&[("svc.yaml", STICKY), ("real/out.json", "")]);
    symlink("real/out.json", folder.path().join("link.json")).expect("linked");
    assert_eq!(run_in(folder.path(), &["fix", "--report", "link.json", "svc.yaml"], b"").code, 0);
    assert!(read(&folder, "real/out.json").starts_with("{\n"));
    let ran = run_in(folder.path(), &["diff", "--report", "/dev/stdout", "-"], STICKY.as_bytes());
    assert!(ran.out().starts_with("--- a/stdin\n") && ran.out().ends_with("}\n"), "{}", ran.out());
    assert_eq!(run_in(folder.path(), &["check", "--report", "/dev/null", "svc.yaml"], b"").code, 0);
    assert!(fs::metadata("/dev/null").expect("there").file_type().is_char_device());
    assert_eq!(read(&folder, "svc.yaml"), CLEAN);
}
