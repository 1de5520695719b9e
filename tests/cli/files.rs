//! Files and folders: `diff`, `fix`, `check`.

use std::fs;
use std::path::Path;

use crate::support::{CLEAN, REFUSED, STICKY, folder, read, run, run_in};

#[test]
fn diff_shows_and_writes_nothing() {
    let folder = folder(&[("b/svc.yaml", STICKY), ("a.yml", CLEAN), ("c.json", "{}"), ("notes.txt", STICKY)]);
    let ran = run_in(folder.path(), &["diff", "."], b"");
    let expected = "--- a/b/svc.yaml\n+++ b/b/svc.yaml\n@@ -3,5 +3,4 @@\n metadata:\n   name: web\n spec:\n-  \
                    sessionAffinity: ClientIP # why?\n   ports: []\n";
    assert_eq!((ran.code, ran.out()), (1, expected));
    assert_eq!(
        ran.stderr,
        "1 changed, 0 kept, 0 refused, 0 noted in 3 files; nothing was written: unstick fix does it\n"
    );
    assert_eq!(read(&folder, "b/svc.yaml"), STICKY);
    assert_eq!(run_in(folder.path(), &["diff", "a.yml"], b"").code, 0);
    let stdin = run(&["diff", "-"], STICKY);
    assert_eq!(stdin.code, 1);
    assert!(stdin.out().starts_with("--- a/stdin\n+++ b/stdin\n"), "{}", stdin.out());
}

#[test]
fn fix_edits_what_needs_it_and_nothing_else() {
    let folder = folder(&[("b/svc.yaml", STICKY), ("a.yml", CLEAN), ("notes.txt", STICKY), (".hidden/x.yaml", STICKY)]);
    let untouched = fs::metadata(folder.path().join("a.yml")).expect("there").modified().expect("a time");
    let ran = run_in(folder.path(), &["fix", "."], b"");
    assert_eq!((ran.code, ran.out()), (0, ""));
    assert_eq!(read(&folder, "b/svc.yaml"), CLEAN);
    assert_eq!((read(&folder, "notes.txt").as_str(), read(&folder, ".hidden/x.yaml").as_str()), (STICKY, STICKY));
    assert_eq!(fs::metadata(folder.path().join("a.yml")).expect("there").modified().expect("a time"), untouched);
    assert_eq!(fs::read_dir(folder.path().join("b")).expect("readable").count(), 1, "no temporary file is left");
    assert_eq!(run_in(folder.path(), &["fix", "notes.txt", ".hidden"], b"").code, 0);
    assert_eq!((read(&folder, "notes.txt").as_str(), read(&folder, ".hidden/x.yaml").as_str()), (CLEAN, CLEAN));
}

#[test]
fn fix_goes_on_after_a_failure() {
    let broken = "spec:\n  sessionAffinity: [\n";
    let folder = folder(&[("a.yaml", broken), ("b.yaml", STICKY), ("c.yaml", &format!("{STICKY}---\n{REFUSED}"))]);
    let ran = run_in(folder.path(), &["fix", "missing.yaml", "."], b"");
    assert_eq!(ran.code, 2);
    assert_eq!(read(&folder, "a.yaml"), broken);
    assert_eq!(read(&folder, "b.yaml"), CLEAN);
    assert_eq!(read(&folder, "c.yaml"), format!("{CLEAN}---\n{REFUSED}"));
    for words in ["missing.yaml cannot be read", "a.yaml:2:20", "c.yaml:13:8", "2 changed, 0 kept, 3 refused"] {
        assert!(ran.stderr.contains(words), "{words}: {}", ran.stderr);
    }
    assert_eq!(run_in(folder.path(), &["fix", "--lenient", "a.yaml"], b"").code, 0);
}

#[test]
fn a_file_with_an_unreadable_document_is_left_whole() {
    let text = format!("{STICKY}---\nspec:\n  sessionAffinity: [\n");
    let folder = folder(&[("a.yaml", &text)]);
    let ran = run_in(folder.path(), &["fix", "a.yaml"], b"");
    assert_eq!((ran.code, read(&folder, "a.yaml")), (2, text));
    assert!(ran.stderr.contains("0 changed"), "{}", ran.stderr);
}

#[test]
fn check_lists_findings_as_text_and_json() {
    let folder = folder(&[("svc.yaml", STICKY), ("none.yaml", &STICKY.replace("ClientIP", "None"))]);
    let ran = run_in(folder.path(), &["check", "."], b"");
    assert_eq!(ran.code, 1);
    assert!(
        ran.out().starts_with("./svc.yaml: Service web\nwarning[sticky]")
            && ran.out().contains("--> ./svc.yaml:6:3 (spec"),
        "{}",
        ran.out()
    );
    assert!(!ran.out().contains("none.yaml"));
    assert!(run_in(folder.path(), &["check", "--all", "."], b"").out().contains("kept[not-sticky]"));
    assert_eq!(run_in(folder.path(), &["check", "none.yaml"], b"").code, 0);
    let json = run_in(folder.path(), &["check", "--format", "json", "."], b"");
    let report: serde_json::Value = serde_json::from_slice(&json.stdout).expect("JSON");
    assert_eq!(report["version"], 1);
    assert_eq!(report["files"][1]["findings"][0]["start"], serde_json::json!({"line": 6, "column": 3}));
    assert_eq!(report["summary"], serde_json::json!({"changed": 1, "kept": 1, "refused": 0, "noted": 1, "files": 2}));
}

#[test]
fn check_tells_findings_from_faults() {
    let files = [("clean.yaml", CLEAN), ("refused.yaml", REFUSED), ("broken.yaml", "spec:\n  sessionAffinity: [\n")];
    let folder = folder(&files);
    for (arguments, code) in [
        (&["clean.yaml"][..], 0),
        (&["refused.yaml"], 1),
        (&["broken.yaml"], 2),
        (&["missing.yaml"], 2),
        (&["refused.yaml", "missing.yaml"], 2),
        (&["--lenient", "refused.yaml"], 0),
        (&["--lenient", "broken.yaml"], 0),
    ] {
        let ran = run_in(folder.path(), &[&["check"], arguments].concat(), b"");
        assert_eq!(ran.code, code, "{arguments:?}");
    }
}

#[test]
fn a_path_without_a_command_is_told_the_way() {
    let folder = folder(&[("svc.yaml", STICKY)]);
    let ran = run_in(folder.path(), &["svc.yaml"], b"");
    assert_eq!(ran.code, 2);
    assert!(ran.stderr.contains("a path comes after a command: diff, fix or check"), "{}", ran.stderr);
    assert!(!run_in(folder.path(), &["none.yaml"], b"").stderr.contains("a path comes after"));
}

#[test]
fn quiet_runs_tell_faults_only() {
    let folder = folder(&[("svc.yaml", STICKY), ("refused.yaml", REFUSED)]);
    assert_eq!(run_in(folder.path(), &["fix", "-q", "svc.yaml"], b"").stderr, "");
    let refused = run_in(folder.path(), &["fix", "-q", "refused.yaml"], b"");
    assert!(refused.stderr.contains("refused[unknown-value]") && !refused.stderr.contains(" in 1 file"));
}

#[test]
fn a_policy_file_counts_and_its_faults_are_shown() {
    let good = "apiVersion: unstick.dev/v1\nkind: SessionAffinityPolicy\nspec:\n  action: none\n  rules:\n  - match: \
                {names: [keep-*]}\n    action: keep\n    reason: dashboards need it\n";
    let kept = STICKY.replace("name: web", "name: keep-me");
    let folder = folder(&[("p.yaml", good), ("svc.yaml", &format!("{STICKY}---\n{kept}"))]);
    assert_eq!(run_in(folder.path(), &["fix", "--policy", "p.yaml", "svc.yaml"], b"").code, 0);
    assert_eq!(read(&folder, "svc.yaml"), format!("{}---\n{kept}", STICKY.replace("ClientIP", "None")));
    let all = run_in(folder.path(), &["check", "--all", "--policy", "p.yaml", "svc.yaml"], b"");
    assert!(all.out().contains("sticky, and kept: dashboards need it"), "{}", all.out());
    fs::write(folder.path().join("p.yaml"), good.replace("action: none", "acton: none")).expect("written");
    let ran = run_in(folder.path(), &["fix", "--policy", "p.yaml", "svc.yaml"], b"");
    assert_eq!(ran.code, 2);
    for words in ["did you mean action?", "p.yaml:4:3", "  acton: none\n   |   ^"] {
        assert!(ran.stderr.contains(words), "{words}: {}", ran.stderr);
    }
}

#[test]
fn ignore_files_are_respected() {
    let folder = folder(&[(".gitignore", "vendor/\n"), ("vendor/a.yaml", STICKY), ("b.yaml", STICKY)]);
    run_in(folder.path(), &["fix", "."], b"");
    assert_eq!((read(&folder, "vendor/a.yaml").as_str(), read(&folder, "b.yaml").as_str()), (STICKY, CLEAN));
}

#[test]
fn templates_met_on_the_way_are_told_and_left() {
    let template = format!("{{{{- if .Values.x }}}}\n{STICKY}{{{{- end }}}}\n");
    let folder = folder(&[("chart/templates/svc.yaml", &template), ("b.yaml", STICKY)]);
    let ran = run_in(folder.path(), &["fix", "."], b"");
    assert_eq!(
        (ran.code, read(&folder, "chart/templates/svc.yaml"), read(&folder, "b.yaml").as_str()),
        (2, template, CLEAN)
    );
    assert!(ran.stderr.contains("refused[template]: a Helm template: not handled here"), "{}", ran.stderr);
}

#[test]
fn an_empty_folder_is_told() {
    let folder = folder(&[("notes.txt", "x")]);
    let ran = run_in(folder.path(), &["check", "."], b"");
    assert_eq!(ran.code, 0);
    assert!(ran.stderr.contains("there are no manifests"), "{}", ran.stderr);
}

#[test]
fn fix_refuses_standard_input() {
    let ran = run(&["fix", "-"], STICKY);
    assert_eq!((ran.code, ran.out()), (2, ""));
}

#[test]
fn many_files_come_out_in_order() {
    let files: Vec<(String, &str)> = (0..300).map(|at| (format!("d{}/f{at:03}.yaml", at % 7), STICKY)).collect();
    let files: Vec<(&str, &str)> = files.iter().map(|(name, text)| (name.as_str(), *text)).collect();
    let folder = folder(&files);
    let first = run_in(folder.path(), &["diff", "."], b"");
    let names: Vec<&str> = first.out().lines().filter(|line| line.starts_with("--- ")).collect();
    assert_eq!(names.len(), 300);
    assert!(names.is_sorted(), "{names:?}");
    assert_eq!(run_in(folder.path(), &["diff", "."], b"").stdout, first.stdout);
}

#[cfg(unix)]
mod unix {
    use std::os::unix::ffi::OsStringExt as _;
    use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};

    use super::*;

    fn mode(path: &Path) -> u32 {
        fs::metadata(path).expect("there").permissions().mode() & 0o7777
    }

    #[test]
    fn the_mode_is_kept() {
        let folder = folder(&[("svc.yaml", STICKY)]);
        let path = folder.path().join("svc.yaml");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).expect("set");
        assert_eq!(run_in(folder.path(), &["fix", "svc.yaml"], b"").code, 0);
        assert_eq!((mode(&path), read(&folder, "svc.yaml").as_str()), (0o640, CLEAN));
    }

    #[test]
    fn read_only_files_are_left() {
        let folder = folder(&[("svc.yaml", STICKY)]);
        let path = folder.path().join("svc.yaml");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o444)).expect("set");
        let ran = run_in(folder.path(), &["fix", "svc.yaml"], b"");
        assert_eq!((ran.code, read(&folder, "svc.yaml").as_str()), (2, STICKY));
        assert!(ran.stderr.contains("svc.yaml is read-only"), "{}", ran.stderr);
    }

    #[test]
    fn hard_links_are_told() {
        let folder = folder(&[("svc.yaml", STICKY)]);
        fs::hard_link(folder.path().join("svc.yaml"), folder.path().join("other.txt")).expect("linked");
        let ran = run_in(folder.path(), &["fix", "svc.yaml"], b"");
        assert_eq!((read(&folder, "svc.yaml").as_str(), read(&folder, "other.txt").as_str()), (CLEAN, STICKY));
        assert!(ran.stderr.contains("other hard links"), "{}", ran.stderr);
        assert_eq!(fs::metadata(folder.path().join("svc.yaml")).expect("there").nlink(), 1);
    }

    #[test]
    fn names_that_are_no_utf8_work() {
        let folder = folder(&[]);
        let name = std::ffi::OsString::from_vec(b"caf\xe9.yaml".to_vec());
        fs::write(folder.path().join(&name), STICKY).expect("written");
        let ran = run_in(folder.path(), &["diff", "."], b"");
        assert!(ran.out().starts_with("--- \"a/caf\\351.yaml\"\n"), "{}", ran.out());
        assert_eq!(run_in(folder.path(), &[std::ffi::OsStr::new("fix"), &name], b"").code, 0);
        assert_eq!(fs::read_to_string(folder.path().join(&name)).expect("readable"), CLEAN);
    }
}
