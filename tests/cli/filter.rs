//! Standard input to standard output.

use crate::support::{CLEAN, REFUSED, STICKY, run};

#[test]
fn takes_affinity_out_and_touches_nothing_else() {
    let ran = run(&[], STICKY);
    assert_eq!((ran.code, ran.out()), (0, CLEAN));
    assert_eq!(ran.stderr, "1 changed, 0 kept, 0 refused, 0 noted in 1 file\n");
}

#[test]
fn is_silent_where_nothing_is_to_do() {
    for text in [CLEAN, "", "# nothing\n", "kind: [\n", "a: {{ .Values.x }}\n{{- if\n"] {
        let ran = run(&[], text);
        assert_eq!((ran.code, ran.out(), ran.stderr.as_str()), (0, text, ""));
    }
}

#[test]
fn writes_the_rest_and_fails_where_a_service_is_refused() {
    let input = format!("{STICKY}---\n{REFUSED}");
    let ran = run(&[], &input);
    assert_eq!((ran.code, ran.out()), (2, format!("{CLEAN}---\n{REFUSED}").as_str()));
    assert!(ran.stderr.contains("refused[unknown-value]") && ran.stderr.contains("<stdin>:13:8"), "{}", ran.stderr);
    assert!(ran.stderr.contains("help: write ClientIP or None"), "{}", ran.stderr);
    let lenient = run(&["--lenient"], &input);
    assert_eq!((lenient.code, lenient.stdout == ran.stdout), (0, true));
    assert!(lenient.stderr.contains("refused[unknown-value]"), "{}", lenient.stderr);
}

#[test]
fn stops_where_a_document_that_names_the_key_cannot_be_read() {
    for broken in
        ["spec: [\n# sessionAffinity\n", "spec:\n  sessionAffinity: [\n", "{{- if .x }}\nsessionAffinity: a\n"]
    {
        let ran = run(&[], format!("{STICKY}---\n{broken}"));
        assert_eq!((ran.code, ran.out()), (2, ""), "{broken}");
        assert!(ran.stderr.contains("cannot be read"), "{}", ran.stderr);
    }
    let lenient = run(&["--lenient"], format!("{STICKY}---\nspec: [\n# sessionAffinity\n"));
    assert_eq!((lenient.code, lenient.out()), (0, format!("{CLEAN}---\nspec: [\n# sessionAffinity\n").as_str()));
}

#[test]
fn obeys_its_options() {
    let none = STICKY.replace("ClientIP", "None");
    assert_eq!(run(&["--action", "none"], STICKY).out(), none);
    assert_eq!(run(&["--include-none"], &none).out(), CLEAN);
    assert_eq!(run(&[], &none).out(), none);
    assert_eq!(run(&["--action", "keep"], STICKY).out(), STICKY);
    assert_eq!(run(&["--only", "other*"], STICKY).out(), STICKY);
    assert_eq!(run(&["--only", "w*", "--except", "default/web"], STICKY).out(), STICKY);
    let config =
        "sessionAffinity: ClientIP # why?\n  sessionAffinityConfig:\n    clientIP:\n      timeoutSeconds: 600\n";
    let expected = STICKY.replace("sessionAffinity: ClientIP # why?\n", config);
    assert_eq!(run(&["--action", "clientIP", "--timeout", "600"], STICKY).out(), expected);
    let commented = STICKY.replace("  sessionAffinity", "  # sessionAffinity pins clients\n  sessionAffinity");
    assert_eq!(run(&[], &commented).out(), CLEAN);
    let kept = CLEAN.replace("  ports", "  # sessionAffinity pins clients\n  ports");
    assert_eq!(run(&["--comments", "keep"], &commented).out(), kept);
    let custom = "apiVersion: grafana.integreatly.org/v1beta1\nkind: Grafana\nspec:\n  service:\n    spec:\n      \
                  sessionAffinity: ClientIP\n      type: ClusterIP\n";
    assert_eq!(run(&[], custom).out(), custom);
    assert_eq!(run(&["--embedded", "edit"], custom).out(), custom.replace("      sessionAffinity: ClientIP\n", ""));
}

#[test]
fn tells_what_is_wrong_with_options() {
    for (arguments, words) in [
        (&["--timeout", "5"][..], "only makes sense with the action clientIP"),
        (&["--action", "clientIP", "--timeout", "0"], "out of range"),
        (&["--action", "clientIP", "--timeout", "86401"], "1 to 86400"),
        (&["--action", "delete"], "possible values: remove, none, clientIP, keep"),
        (&["--acton", "none"], "--action"),
        (&["--report", "/nowhere/at/all.json"], "cannot be written"),
        (&["--policy", "/nowhere/at/all.yaml"], "cannot be read"),
    ] {
        let ran = run(arguments, STICKY);
        assert_eq!((ran.code, ran.out()), (2, ""), "{arguments:?}");
        assert!(ran.stderr.contains(words), "{arguments:?}: {}", ran.stderr);
    }
}

#[test]
fn never_gives_helm_an_empty_output() {
    for empty in ["", "\n", " \n\n"] {
        let ran = run(&["--host", "helm"], empty);
        assert_eq!(ran.code, 0);
        assert!(ran.out().starts_with("# ") && ran.out().ends_with('\n'), "{}", ran.out());
    }
    assert_eq!(run(&["--host", "helm"], STICKY).out(), CLEAN);
}

#[test]
fn answers_resource_lists() {
    let item = STICKY.replace('\n', "\n  ").trim_end().to_owned();
    let list = format!("apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n- {item}\n");
    let ran = run(&[], &list);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert!(!ran.out().contains("ClientIP #") && ran.out().contains("results:\n- message: "), "{}", ran.out());
    assert_eq!(run(&["--host", "krm"], &list).stdout, ran.stdout);
    let refused = list.replace("ClientIP # why?", "5");
    let ran = run(&[], &refused);
    assert_eq!(ran.code, 1);
    assert!(ran.out().starts_with(&refused) && ran.out().contains("severity: \"error\""), "{}", ran.out());
    assert!(ran.stderr.contains("unknown-value"), "{}", ran.stderr);
    assert_eq!(run(&["--lenient"], &refused).code, 0);
    assert_eq!(run(&["--host", "krm"], STICKY).code, 2);
}

#[test]
fn keeps_every_other_byte() {
    let text = b"\xEF\xBB\xBFapiVersion: v1\r\nkind: Service # caf\xe9\r\nspec:\r\n  sessionAffinity: ClientIP\r\n  a: \"\xff\"";
    let expected = b"\xEF\xBB\xBFapiVersion: v1\r\nkind: Service # caf\xe9\r\nspec:\r\n  a: \"\xff\"";
    assert_eq!(run(&[], text).stdout, expected);
}

#[test]
fn colours_only_when_asked() {
    assert!(run(&["--color", "always"], REFUSED).stderr.contains("\u{1b}["));
    assert!(!run(&[], REFUSED).stderr.contains("\u{1b}["));
}

#[test]
fn explains_itself() {
    let ran = run(&["--help"], "");
    assert_eq!(ran.code, 0);
    assert!(ran.out().contains("Exit codes:\n  0  done"), "{}", ran.out());
    for command in ["diff", "fix", "check"] {
        assert!(run(&[command, "--help"], "").out().contains("Exit codes:"), "{command}");
    }
    assert!(run(&["completions", "bash"], "").out().contains("_unstick"));
}
