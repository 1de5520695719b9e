//! `--report FILE`.

use std::fs;

use crate::support::{CLEAN, REFUSED, STICKY, folder, read, run_in};

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

#[test]
fn a_report_is_written_in_the_format_asked_for() {
    let folder = folder(&[("svc.yaml", STICKY)]);
    let report = |name: &str, options: &[&str]| {
        let ran = run_in(folder.path(), &[&["check", "--report", name, "svc.yaml"], options].concat(), b"");
        assert_eq!(ran.code, 1, "{}", ran.stderr);
        read(&folder, name)
    };
    for (name, options) in
        [("a.sarif", &[][..]), ("a.sarif.json", &[]), ("A.SARIF", &[]), ("x.json", &["--report-format", "sarif"])]
    {
        let log: serde_json::Value = serde_json::from_str(&report(name, options)).expect("JSON");
        assert_eq!(
            (log["version"].as_str(), log["runs"][0]["results"][0]["ruleId"].as_str()),
            (Some("2.1.0"), Some("sticky"))
        );
    }
    assert!(report("y.sarif", &["--report-format", "json"]).contains("\"files\""));
    assert!(report("y", &["--report-format", "github"]).starts_with("::warning file=svc.yaml,line=6,col=3,"));
    let human = report("y.txt", &["--report-format", "human", "--color", "always"]);
    assert!(
        human.starts_with("svc.yaml: Service web\nwarning[sticky]") && human.contains("1 changed, 0 kept, 0 refused"),
        "{human}"
    );
}

#[test]
fn marks_beside_lines_fit_what_a_fix_left() {
    let before = format!("{STICKY}---\n{REFUSED}");
    for (format, old, new) in
        [("sarif", "\"startLine\": 13", "\"startLine\": 12"), ("github", ",line=13,", ",line=12,")]
    {
        let folder = folder(&[("svc.yaml", &before)]);
        let report = |command| {
            let arguments = [command, "--report", "out", "--report-format", format, "svc.yaml"];
            run_in(folder.path(), &arguments, b"");
            read(&folder, "out")
        };
        let checked = report("check");
        assert!(checked.contains(old) && checked.contains("sticky"), "{checked}");
        let fixed = report("fix");
        assert!(fixed.contains(new) && fixed.contains("unknown-value"), "{fixed}");
        let told = ["\"ruleId\": \"sticky\"", "title=sticky", "fixes"].iter().any(|word| fixed.contains(word));
        assert!(!told, "what was fixed is no problem: {fixed}");
    }
}

#[test]
fn check_writes_sarif_and_annotations() {
    let folder = folder(&[("a b.yaml", STICKY), ("bad.yaml", REFUSED)]);
    let check =
        |format| run_in(folder.path(), &["check", "--format", format, "a b.yaml", "bad.yaml", "none.yaml"], b"");
    let sarif = check("sarif");
    let log: serde_json::Value = serde_json::from_slice(&sarif.stdout).expect("JSON");
    let run = &log["runs"][0];
    assert_eq!(run["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"], "a%20b.yaml");
    let notification = &run["invocations"][0]["toolExecutionNotifications"][0]["message"]["text"];
    assert!(notification.as_str().is_some_and(|text| text.starts_with("none.yaml cannot be read")), "{notification}");
    let github = check("github");
    let lines: Vec<&str> = github.out().lines().collect();
    assert!(
        lines[0]
            .starts_with("::warning file=a b.yaml,line=6,col=3,endLine=6,endColumn=28,title=sticky%3A Service web::")
    );
    assert!(lines.iter().any(|line| line.starts_with("::error file=bad.yaml,line=5")), "{lines:?}");
    assert!(lines.last().is_some_and(|line| line.starts_with("::error title=unstick::none.yaml cannot be read")));
    assert_eq!((sarif.code, github.code), (2, 2));
}

#[test]
fn diff_and_fix_and_check_end_with_the_same_counts() {
    let kept = STICKY.replace("name: web\n", "name: kept\n  annotations: {unstick.dev/keep: dashboards}\n");
    let files = [("a.yaml", STICKY), ("bad.yaml", REFUSED), ("kept.yaml", &kept), ("note.yaml", "# sessionAffinity\n")];
    let folder = folder(&files);
    let last = |command| {
        let ran = run_in(folder.path(), &[command, "--report", "r.json", "."], b"");
        let report: serde_json::Value = serde_json::from_str(&read(&folder, "r.json")).expect("JSON");
        assert_eq!(report["summary"]["changed"], 1, "{command}");
        ran.stderr.lines().last().expect("a line").to_owned()
    };
    let counts = "1 changed, 1 kept, 1 refused, 1 noted in 4 files";
    assert_eq!(last("diff"), format!("{counts}; nothing was written: unstick fix does it"));
    assert!(last("check").starts_with("1 changed, 1 kept, 1 refused, "));
    assert_eq!(last("fix"), counts);
    let quiet = run_in(folder.path(), &["diff", "--quiet", "a.yaml"], b"");
    assert_eq!(quiet.stderr, "");
}
