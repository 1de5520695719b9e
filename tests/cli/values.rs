//! `unstick values`, and chart archives in all commands.

use std::fs;
use std::io::Write as _;
use std::path::Path;

use tempfile::TempDir;

use crate::support::{Ran, folder, read, run_in};

const CHART: &str = "apiVersion: v2\nname: demo\nversion: 0.1.0\n";
const NOT_REACHED: &str = "ClientIP is written in the template itself: no value switches it off";

/// Writes a template of a Service with these lines in its spec.
fn service(lines: &[&str]) -> String {
    let spec: String = lines.iter().map(|line| format!("  {line}\n")).collect();
    format!("apiVersion: v1\nkind: Service\nmetadata:\n  name: {{{{ .Release.Name }}}}\nspec:\n{spec}  ports: []\n")
}

fn values(files: &[(&str, &str)], more: &[&str]) -> Ran {
    let chart = folder(files);
    let path = chart.path().to_str().expect("UTF-8").to_owned();
    run_in(chart.path(), &[&["values", &path], more].concat(), b"")
}

/// Returns the YAML without its comments.
fn data(ran: &Ran) -> String {
    ran.out().lines().filter(|line| !line.starts_with('#')).map(|line| format!("{line}\n")).collect()
}

/// Runs `values` on a chart with one template; returns the exit code and the YAML.
fn one(spec: &[&str], defaults: &str) -> (i32, String) {
    let template = service(spec);
    let ran = values(&[("Chart.yaml", CHART), ("values.yaml", defaults), ("templates/a.yaml", &template)], &[]);
    (ran.code, data(&ran))
}

#[test]
fn prints_keys_that_are_sticky_by_default() {
    let guarded = ["{{- if .Values.s.a }}", "sessionAffinity: {{ .Values.s.a }}", "{{- end }}"];
    assert_eq!(one(&guarded, "s: {a: ClientIP}\n"), (0, "s:\n  a: None\n".into()));
    assert_eq!(one(&guarded, "s: {a: None}\n"), (0, "{}\n".into()));
    assert_eq!(one(&guarded, "s: {}\n"), (0, "{}\n".into()));
    let fallback = ["sessionAffinity: {{ .Values.s.a | default \"ClientIP\" | quote }}"];
    assert_eq!(one(&fallback, "s: {a: \"\"}\n"), (0, "s:\n  a: None\n".into()));
    assert_eq!(one(&fallback, "s: {a: None}\n"), (0, "{}\n".into()));
    let either = ["sessionAffinity: {{ coalesce .Values.a .Values.b \"None\" }}"];
    assert_eq!(one(&either, "a: ClientIP\nb: ClientIP\n"), (0, "a: None\nb: None\n".into()));
    let odd = ["sessionAffinity: {{ index .Values \"on\" \"x y\" }}"];
    assert_eq!(one(&odd, "\"on\": {x y: ClientIP}\n"), (0, "\"on\":\n  \"x y\": None\n".into()));
}

#[test]
fn switches_off_what_a_constant_depends_on() {
    let guarded = ["{{- if .Values.sticky }}", "sessionAffinity: ClientIP", "{{- end }}"];
    assert_eq!(one(&guarded, "sticky: true\n"), (0, "sticky: false\n".into()));
    assert_eq!(one(&guarded, "sticky: \"yes\"\n"), (0, "sticky: \"\"\n".into()));
    assert_eq!(one(&guarded, "sticky: 3\n"), (0, "sticky: 0\n".into()));
    assert_eq!(one(&guarded, "sticky: false\n"), (0, "{}\n".into()));
    let compared = ["{{- if eq .Values.mode \"ClientIP\" }}", "sessionAffinity: ClientIP", "{{- end }}"];
    assert_eq!(one(&compared, "mode: ClientIP\n"), (0, "mode: None\n".into()));
    let more = ["{{- if .Values.x }}", "type: NodePort", "sessionAffinity: ClientIP", "{{- end }}"];
    assert_eq!(one(&more, "x: true\n").0, 1);
}

#[test]
fn says_what_no_value_reaches() {
    let template = service(&["sessionAffinity: ClientIP"]);
    let plain = "apiVersion: v1\nkind: Service\nmetadata:\n  name: b\nspec:\n  sessionAffinity: ClientIP\n";
    let ran = values(&[("Chart.yaml", CHART), ("templates/a.yaml", &template), ("templates/b.yaml", plain)], &[]);
    assert_eq!(ran.code, 1);
    assert_eq!(data(&ran), "{}\n");
    for line in ["templates/a.yaml:6", "templates/b.yaml:6"] {
        assert!(ran.out().contains(&format!("# - {line}: {NOT_REACHED}\n")), "{}", ran.out());
    }
    assert_eq!(ran.stderr.matches(NOT_REACHED).count(), 2, "{}", ran.stderr);
    let listed = service(&["{{- range .Values.l }}", "sessionAffinity: {{ .a }}", "{{- end }}"]);
    let ran =
        values(&[("Chart.yaml", CHART), ("values.yaml", "l: [{a: ClientIP}]\n"), ("templates/a.yaml", &listed)], &[]);
    assert_eq!(ran.code, 1);
    assert!(ran.out().contains("l[0].a stands in a list, which values replace as a whole"), "{}", ran.out());
    let kept = ["--except", "*"];
    let ran = values(&[("Chart.yaml", CHART), ("templates/b.yaml", plain)], &kept);
    assert_eq!((ran.code, data(&ran)), (0, "{}\n".into()), "{}", ran.stderr);
}

#[test]
fn asks_the_schema() {
    let guarded = service(&["{{- if .Values.a }}", "sessionAffinity: {{ .Values.a }}", "{{- end }}"]);
    let open = service(&["sessionAffinity: {{ .Values.a }}"]);
    let schema = "{\"properties\": {\"a\": {\"enum\": [\"\", \"ClientIP\"]}}}";
    let run = |template: &str| {
        let files = [
            ("Chart.yaml", CHART),
            ("values.yaml", "a: ClientIP\n"),
            ("values.schema.json", schema),
            ("templates/a.yaml", template),
        ];
        let ran = values(&files, &[]);
        (ran.code, data(&ran))
    };
    assert_eq!(run(&guarded), (0, "a: \"\"\n".into()));
    assert_eq!(run(&open), (1, "{}\n".into()));
}

#[test]
fn prints_all_switches_when_asked() {
    let template = service(&["sessionAffinity: {{ .Values.s.a }}"]);
    let elements = service(&["{{- range .Values.all }}", "sessionAffinity: {{ .a }}", "{{- end }}"]);
    let files = [
        ("Chart.yaml", CHART),
        ("values.yaml", "s: {a: None}\nall: {}\n"),
        ("templates/a.yaml", &template),
        ("templates/b.yaml", &elements),
    ];
    let ran = values(&files, &["--all"]);
    assert_eq!(data(&ran), "s:\n  a: None\n");
    assert!(ran.out().contains("# Also, in each element: all[*].a\n"), "{}", ran.out());
}

#[test]
fn follows_what_a_spec_is_handed_as_a_whole() {
    let template = service(&["{{- toYaml .Values.spec | nindent 2 }}"]);
    let files = [
        ("Chart.yaml", CHART),
        ("values.yaml", "spec: {sessionAffinity: ClientIP}\n"),
        ("templates/a.yaml", &template),
    ];
    let ran = values(&files, &[]);
    assert_eq!((ran.code, data(&ran)), (0, "spec:\n  sessionAffinity: None\n".into()));
    assert!(ran.stderr.contains("opaque-spec"), "{}", ran.stderr);
}

#[test]
fn refuses_what_is_no_chart() {
    let ran = values(&[("values.yaml", "")], &[]);
    assert_eq!(ran.code, 2);
    assert!(ran.stdout.is_empty() && ran.stderr.contains("holds no chart"), "{}", ran.stderr);
}

/// Packs a chart as `helm package` does.
fn pack(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut builder = tar::Builder::new(flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default()));
    for (name, bytes) in files {
        let mut header = tar::Header::new_gnu();
        header.set_size(bytes.len() as u64);
        header.set_mode(0o644);
        builder.append_data(&mut header, name, *bytes).expect("packed");
    }
    builder.into_inner().and_then(flate2::write::GzEncoder::finish).expect("packed")
}

fn sub_chart() -> Vec<u8> {
    let template = service(&["sessionAffinity: {{ .Values.a }}"]);
    pack(&[
        ("db/Chart.yaml", b"name: db\nversion: 0.1.0\n"),
        ("db/values.yaml", b"a: ClientIP\n"),
        ("db/templates/s.yaml", template.as_bytes()),
    ])
}

fn write(folder: &Path, name: &str, bytes: &[u8]) {
    let path = folder.join(name);
    fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
    fs::File::create(path).and_then(|mut file| file.write_all(bytes)).expect("written");
}

/// A chart that uses an archive under an alias.
fn umbrella() -> TempDir {
    let chart = folder(&[
        (
            "top/Chart.yaml",
            "apiVersion: v2\nname: top\nversion: 0.1.0\ndependencies:\n- {name: db, alias: store, version: 0.x.x, condition: store.on}\n",
        ),
        ("top/values.yaml", "store: {on: true}\n"),
    ]);
    write(chart.path(), "top/charts/db-0.1.0.tgz", &sub_chart());
    chart
}

#[test]
fn reads_archives() {
    let work = umbrella();
    let packed = sub_chart();
    write(work.path(), "db.tgz", &packed);
    let ran = run_in(work.path(), &["values", "db.tgz"], b"");
    assert_eq!((ran.code, data(&ran)), (0, "a: None\n".into()), "{}", ran.stderr);
    let ran = run_in(work.path(), &["values", "top"], b"");
    assert_eq!((ran.code, data(&ran)), (0, "store:\n  a: None\n".into()), "{}", ran.stderr);
    assert!(ran.out().contains("# store is used where store.on is set.\n"), "{}", ran.out());
    let ran = run_in(work.path(), &["check", "db.tgz"], b"");
    assert_eq!(ran.code, 1, "{}", ran.stderr);
    assert!(ran.out().contains("in an archive, which is not written: a makes Services sticky"), "{}", ran.out());
    assert!(ran.out().contains("db.tgz:values.yaml:1:1"), "{}", ran.out());
    let ran = run_in(work.path(), &["check", "top"], b"");
    assert!(ran.out().contains("top/charts/db-0.1.0.tgz:values.yaml:1:1"), "{}", ran.out());
    assert_eq!(fs::read(work.path().join("db.tgz")).expect("readable"), packed);
}

#[test]
fn writes_no_archive() {
    let work = umbrella();
    let archive = work.path().join("top/charts/db-0.1.0.tgz");
    let before = fs::read(&archive).expect("readable");
    for command in ["fix", "diff"] {
        let ran = run_in(work.path(), &[command, "top/charts/db-0.1.0.tgz"], b"");
        assert_eq!(ran.code, 2);
        assert!(ran.stderr.contains("is a chart archive, which is read only"), "{}", ran.stderr);
    }
    let ran = run_in(work.path(), &["fix", "top"], b"");
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert!(ran.stderr.contains("in an archive, which is not written"), "{}", ran.stderr);
    assert_eq!(fs::read(&archive).expect("readable"), before);
    assert_eq!(read(&work, "top/values.yaml"), "store: {on: true}\n");
}

#[test]
fn tells_of_broken_archives() {
    let work = folder(&[("broken.tgz", "no archive"), ("top/Chart.yaml", CHART), ("top/charts/x.tgz", "no archive")]);
    for arguments in [["check", "broken.tgz"], ["values", "broken.tgz"], ["check", "top"], ["values", "top"]] {
        let ran = run_in(work.path(), &arguments, b"");
        assert_eq!(ran.code, 2, "{arguments:?}");
        assert!(ran.stderr.contains("cannot be used: it is no gzipped tar archive"), "{arguments:?}: {}", ran.stderr);
    }
}
