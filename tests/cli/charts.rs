//! Charts: folders, trees of charts, single files of a chart.

use std::fs;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use crate::support::{CLEAN, STICKY, folder, read, run_in};

const CHART: &str = "apiVersion: v2\nname: demo\nversion: 0.1.0\n";
const TEMPLATE: &str = "apiVersion: v1\nkind: Service\nmetadata:\n  name: {{ .Release.Name }}\nspec:\n  \
                        sessionAffinity: ClientIP\n  type: {{ .Values.type }}\n";
const FIXED: &str = "apiVersion: v1\nkind: Service\nmetadata:\n  name: {{ .Release.Name }}\nspec:\n  \
                     type: {{ .Values.type }}\n";

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a folder");
    for entry in fs::read_dir(from).expect("readable") {
        let path = entry.expect("an entry").path();
        let target = to.join(path.file_name().expect("a name"));
        if path.is_dir() {
            copy(&path, &target)
        } else {
            fs::write(&target, fs::read(&path).expect("read")).expect("written")
        }
    }
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut open = vec![folder.to_owned()];
    while let Some(next) = open.pop() {
        let Ok(entries) = fs::read_dir(&next) else { continue };
        for path in entries.map(|entry| entry.expect("an entry").path()) {
            if path.is_dir() { open.push(path) } else { found.push(path) }
        }
    }
    found.sort();
    found
}

/// Fixes a copy of a chart case; returns what differs from what is expected.
fn fix_case(case: &Path) -> Vec<String> {
    let work = TempDir::new().expect("a folder");
    let chart = work.path().join("chart");
    copy(&case.join("chart"), &chart);
    let spec = fs::read_to_string(case.join("options.json")).unwrap_or_else(|_| "{}".into());
    let policy = format!("{{\"apiVersion\":\"unstick.dev/v1\",\"kind\":\"SessionAffinityPolicy\",\"spec\":{spec}}}");
    fs::write(work.path().join("policy.json"), policy).expect("written");
    let ran = run_in(work.path(), &["fix", "chart", "--policy", "policy.json"], b"");
    let mut failures = Vec::new();
    if ran.code != 0 && ran.code != 2 {
        failures.push(format!("exit code {}: {}", ran.code, ran.stderr));
    }
    for file in files(&chart) {
        let name = file.strip_prefix(&chart).expect("inside");
        let fixed = case.join("fixed").join(name);
        let expected = if fixed.is_file() { fixed } else { case.join("chart").join(name) };
        if fs::read(&expected).expect("readable") != fs::read(&file).expect("readable") {
            failures.push(format!("{}: other bytes; {}", name.display(), ran.stderr));
        }
    }
    failures
}

#[test]
fn the_chart_cases_come_out_alike() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/chart-cases");
    let cases = fs::read_dir(root).expect("the cases").map(|entry| entry.expect("an entry").path());
    let mut count = 0;
    for case in cases.filter(|case| case.join("chart").is_dir()) {
        count += 1;
        assert_eq!(fix_case(&case), Vec::<String>::new(), "{}", case.display());
    }
    assert!(count >= 30, "{count} cases");
}

#[test]
fn a_tree_holds_charts_and_manifests() {
    let folder = folder(&[
        ("charts/one/Chart.yaml", CHART),
        ("charts/one/templates/service.yaml", TEMPLATE),
        ("charts/one/charts/sub/Chart.yaml", CHART),
        ("charts/one/charts/sub/templates/service.yaml", TEMPLATE),
        ("charts/one/examples/two/Chart.yaml", CHART),
        ("charts/one/examples/two/templates/service.yaml", TEMPLATE),
        ("web.yaml", STICKY),
    ]);
    let ran = run_in(folder.path(), &["fix", "."], b"");
    assert_eq!((ran.code, ran.out()), (0, ""), "{}", ran.stderr);
    for name in ["charts/one", "charts/one/charts/sub", "charts/one/examples/two"] {
        assert_eq!(read(&folder, &format!("{name}/templates/service.yaml")), FIXED, "{name}");
    }
    assert_eq!(read(&folder, "web.yaml"), CLEAN);
}

#[test]
fn a_file_of_a_chart_is_read_with_its_chart() {
    let body = "spec:\n  {{- include \"demo.spec\" . | nindent 2 }}\n";
    let helper = "{{- define \"demo.spec\" -}}\nsessionAffinity: ClientIP\ntype: a\n{{- end }}\n";
    let service = format!("apiVersion: v1\nkind: Service\n{body}");
    let folder = folder(&[
        ("Chart.yaml", CHART),
        ("templates/service.yaml", &service),
        ("templates/_helpers.tpl", helper),
        ("templates/other.yaml", TEMPLATE),
    ]);
    let ran = run_in(folder.path(), &["fix", "templates/_helpers.tpl"], b"");
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert_eq!(read(&folder, "templates/_helpers.tpl"), "{{- define \"demo.spec\" -}}\ntype: a\n{{- end }}\n");
    assert_eq!(read(&folder, "templates/other.yaml"), TEMPLATE, "it was not asked for");
}
