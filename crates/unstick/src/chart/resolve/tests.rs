use super::*;
use crate::chart::ChartFile;

/// Resolves the action behind `key:` in `templates/a.yaml`; writes the answer in one line.
fn resolved(files: &[(&str, &str)]) -> String {
    let all = files.iter().map(|(path, text)| ChartFile { path, bytes: text.as_bytes() });
    let chart = [ChartFile {
        path: "Chart.yaml",
        bytes: b"name: top\ndependencies: [{name: sub, alias: one, version: 1.x}]\n",
    }];
    let set = ChartSet::new(chart.into_iter().chain(all).collect());
    assert!(set.faults.is_empty(), "{:?}", set.faults);
    let resolver = Resolver::new(&set);
    let mut answers = Vec::new();
    for file in 0..set.files.len() {
        let Some(template) = &set.templates[file] else { continue };
        for found in memchr::memmem::find_iter(set.text(file), b"key: ") {
            let token = template.token_at(found).unwrap() + 1;
            let resolution = resolver.resolve(file, token);
            let mut words: Vec<String> = resolution.paths.iter().map(ToString::to_string).collect();
            words.extend(resolution.fallback.map(|text| format!("else {text}")));
            words.extend(resolution.literals.iter().map(|text| format!("or {text}")));
            words.extend(resolution.opaque.map(|reason| format!("{reason:?}")));
            answers.push(words.join(", "));
        }
    }
    answers.join(" / ")
}

fn template(text: &str) -> String {
    resolved(&[("templates/a.yaml", text)])
}

#[test]
fn follows_pipes_scopes_and_variables() {
    let cases = [
        ("key: {{ .Values.a.b | quote }}", "a.b"),
        ("key: {{ (.Values.a).b | toString | trim | lower }}", "a.b"),
        ("key: {{ default \"None\" .Values.a }}", "a, else None"),
        ("key: {{ .Values.a | default \"ClientIP\" | quote }}", "a, else ClientIP"),
        ("key: {{ coalesce .Values.a .Values.b \"None\" .Values.c }}", "a, b, else None"),
        ("key: {{ .Values.a | default .Values.b }}", "a, b"),
        ("key: {{ ternary \"ClientIP\" \"None\" .Values.sticky }}", "or ClientIP, or None"),
        ("key: {{ tpl .Values.a $ }}", "a"),
        ("key: {{ get .Values.a \"b\" }}", "a.b"),
        ("key: {{ index .Values.a \"x.y\" .z }}", "a[\"x.y\"][*]"),
        ("key: {{ dig \"a\" \"b\" \"None\" .Values }}", "a.b, else None"),
        ("{{ with .Values.a }}key: {{ .b }}{{ else }}key: {{ .Values.c }}{{ end }}", "a.b / c"),
        ("{{ if .Values.x }}{{ else with .Values.a }}key: {{ . }}{{ end }}", "a"),
        ("{{ with .Values.a }}{{ with $.Values.c }}key: {{ $.Values.d }}{{ end }}{{ end }}", "d"),
        ("{{ range .Values.l }}key: {{ .b }}{{ end }}", "l[*].b"),
        ("{{ range $k, $v := .Values.l }}key: {{ $v.b }}{{ end }}", "l[*].b"),
        ("{{ range $k, $v := .Values.l }}key: {{ $k }}{{ end }}", "RangeKey"),
        ("{{ $root := . }}{{ range .Values.l }}key: {{ $root.Values.b }}{{ end }}", "b"),
        ("{{ $v := .Values.a }}{{ if .Values.c }}{{ $v = .Values.b }}{{ end }}key: {{ $v }}", "a, b"),
        ("{{ $v := .Values.a }}{{ $v = .Values.b }}key: {{ $v }}", "b"),
        ("{{ $v := .Values.a }}{{ if 1 }}{{ $v := .Values.b }}{{ end }}key: {{ $v.c }}", "a.c"),
        ("{{ with $v := .Values.a }}key: {{ $v.b }}{{ end }}", "a.b"),
        ("{{ $d := dict }}{{ $_ := set $d \"k\" .Values.a }}key: {{ $d.k }}", "a"),
        ("key: {{ .Release.Name }}", "Builtin(\"Release\")"),
        ("key: {{ $nope }}", "Variable(\"nope\")"),
        ("key: {{ lookup \"v1\" \"Service\" \"\" \"a\" }}", "Function(\"lookup\")"),
        ("key: {{ (merge (dict \"b\" .Values.x) .Values.a).b }}", "x, a.b"),
        ("key: {{ (deepCopy .Values.a | mergeOverwrite (dict \"c\" 1)).b }}", "a.b"),
    ];
    for (text, expected) in cases {
        assert_eq!(template(text), expected, "{text}");
    }
}

#[test]
fn follows_calls_of_definitions() {
    let helper = ("templates/_h.tpl", "{{ define \"svc\" }}key: {{ .context.Values.a }}{{ end }}");
    let call = |text| resolved(&[helper, ("templates/b.yaml", text)]);
    assert_eq!(call("{{ include \"svc\" (dict \"context\" $) }}"), "a");
    assert_eq!(call("{{ template \"svc\" dict \"context\" . }}"), "a");
    assert_eq!(call("{{ dict \"context\" . | include \"svc\" }}"), "a");
    assert_eq!(call("{{ include \"other\" . }}"), "NeverIncluded");
    let dot = ("templates/_h.tpl", "{{ define \"svc\" }}{{ with . }}key: {{ .b }}{{ end }}{{ end }}");
    let two = "{{ include \"svc\" .Values.x }}{{ range .Values.l }}{{ include \"svc\" . }}{{ end }}";
    assert_eq!(resolved(&[dot, ("templates/b.yaml", two)]), "x.b, l[*].b");
    let list = "{{ define \"svc\" }}{{ $ := index . 0 }}key: {{ $.Values.a }}{{ end }}{{ include \"svc\" (list . 1) }}";
    assert_eq!(template(list), "a");
    let printed =
        "{{ define \"v\" }}{{ if .Values.x }}{{ .Values.a }}{{ else }}None{{ end }}{{ end }}key: {{ include \"v\" . }}";
    assert_eq!(template(printed), "a, or None");
    let helper = "key: {{ include \"common.tplvalues.render\" (dict \"value\" .Values.a \"context\" $) }}";
    assert_eq!(template(helper), "a");
    assert_eq!(template("key: {{ include \"gone\" . }}"), "Undefined(\"gone\")");
    let block = "{{ block \"b\" .Values.x }}key: {{ .y }}{{ end }}";
    assert_eq!(template(block), "x.y");
}

#[test]
fn ends_on_recursive_definitions() {
    let endless = "{{ define \"r\" }}{{ $x := . }}{{ range .l }}{{ $x = dict \"a\" $x }}{{ end }}\
                   {{ include \"r\" (dict \"a\" . \"b\" $x) }}key: {{ .v }}{{ end }}{{ include \"r\" .Values.t }}";
    assert!(template(endless).starts_with("t.v"), "{}", template(endless));
    let printed = "{{ define \"r\" }}{{ include \"r\" . }}{{ .a }}{{ end }}key: {{ include \"r\" .Values.t }}";
    assert_eq!(template(printed), "t.a, TooMany");
}

#[test]
fn follows_a_library_into_the_chart_that_uses_it() {
    let files = [
        ("charts/lib/Chart.yaml", "name: lib\ntype: library"),
        ("charts/lib/templates/_s.tpl", "{{ define \"lib.svc\" }}key: {{ .Values.service.a }}{{ end }}"),
        ("templates/b.yaml", "{{ include \"lib.svc\" . }}"),
    ];
    assert_eq!(resolved(&files), "service.a");
}

#[test]
fn names_keys_from_the_outermost_chart() {
    let files = [
        ChartFile {
            path: "Chart.yaml",
            bytes: b"name: top\ndependencies: [{name: sub, alias: one, version: 1.x}, {name: sub, version: 1.x}]\n",
        },
        ChartFile { path: "charts/sub/Chart.yaml", bytes: b"name: sub" },
        ChartFile { path: "charts/sub/charts/deep/Chart.yaml", bytes: b"name: deep" },
        ChartFile { path: "charts/sub/charts/deep/templates/a.yaml", bytes: b"{{ .Values.a }}{{ .Values.global.b }}" },
    ];
    let set = ChartSet::new(files.to_vec());
    let resolver = Resolver::new(&set);
    let outer = |token| {
        let paths = resolver.resolve(3, token).paths;
        let all: Vec<String> = paths[0].outermost(&set).iter().map(ToString::to_string).collect();
        all.join(" ")
    };
    assert_eq!(outer(0), "one.deep.a sub.deep.a");
    assert_eq!(outer(1), "global.b");
}

#[test]
fn reads_guards() {
    let text = "{{ if and .Values.a (not .Values.b) }}{{ if eq .Values.c \"x\" }}{{ else }}{{ with .Values.d }}key: {{ . }}\
                {{ end }}{{ end }}{{ end }}";
    let files = [
        ChartFile { path: "Chart.yaml", bytes: b"name: a" },
        ChartFile { path: "templates/a.yaml", bytes: text.as_bytes() },
    ];
    let set = ChartSet::new(files.to_vec());
    let resolver = Resolver::new(&set);
    let template = set.templates[1].as_ref().unwrap();
    let token = template.token_at(text.find("key").unwrap()).unwrap() + 1;
    let guards = resolver.resolve(1, token).guards;
    let shown: Vec<String> = guards.iter().map(|guard| format!("{} {:?}", guard.paths[0], guard.test)).collect();
    assert_eq!(shown, ["a Set", "b Unset", "c Other", "d Set"]);
}

#[test]
fn tells_how_keys_are_read() {
    let text = "{{ if .Values.a.b }}{{ end }}{{ with .Values.c }}{{ toYaml .d }}{{ end }}{{ range .Values.l }}{{ end }}\
                {{ include \"x\" (dict \"v\" .Values.m) }}{{ include \"gone\" .Values.n }}\
                {{ define \"x\" }}{{ .v.o | quote }}{{ end }}";
    let files = [
        ChartFile { path: "Chart.yaml", bytes: b"name: a" },
        ChartFile { path: "templates/a.yaml", bytes: text.as_bytes() },
    ];
    let set = ChartSet::new(files.to_vec());
    let mut shown: Vec<String> =
        Resolver::new(&set).reads().iter().map(|read| format!("{} {:?}", read.path, read.manner)).collect();
    shown.sort();
    assert_eq!(shown, ["a.b Test", "c Scope", "c.d Whole", "l Walk", "m.o Whole", "n Whole"]);
}
