//! Failures on purpose, in every host: nothing is deleted, the host fails, and the reason can be found.

use crate::host::{Call, HOSTS, Host, Input, Stage};
use crate::support::{UNSTICK, large};

const STICKY: &str = "apiVersion: v1
kind: Service
metadata:
  name: web
spec:
  ports:
  - port: 80
  sessionAffinity: ClientIP
---
apiVersion: v1
kind: ConfigMap
metadata:
  name: settings
data:
  mode: fast
";

/// A report's place in the home, as the environment names it.
const REPORT: &[(&str, &str)] = &[("UNSTICK_REPORT", "report.json")];

/// Asserts that every host fails on this, changes nothing, and lets the words be found.
fn drill(what: &str, input: &str, call: Call, expected: &str) {
    let input = Input::manifests(input);
    for host in HOSTS {
        let Some(mut stage) = Stage::open(host, &input) else { continue };
        let ran = stage.run(&call);
        stage.check_failed(&ran, what);
        // kustomize starts programs in the folder of the kustomization.
        let report = ["report.json", "base/report.json"].iter().find_map(|name| stage.read(name)).unwrap_or_default();
        assert!(report.contains(expected), "{host:?}, {what}: {report}{}", ran.stderr);
        // Helm 4 throws standard error away.
        let shown = if host == Host::Helm4 { "plugin \"unstick\" exited with error" } else { expected };
        assert!(ran.stderr.replace("\"script\"", "\"unstick\"").contains(shown), "{host:?}, {what}: {}", ran.stderr);
    }
}

#[test]
fn a_service_that_cannot_be_edited() {
    let input = STICKY.replace("ClientIP", "5");
    drill("a refusal", &input, Call { environment: REPORT, ..Call::default() }, "unknown-value");
}

#[test]
fn yaml_that_is_broken_on_its_way() {
    // What a program between the host and unstick may do.
    let script = format!("sed 's/^\\( *\\)sessionAffinity: ClientIP/&\\n\\1- [/' | {UNSTICK} \"$@\"");
    let call = Call { script: Some(&script), environment: REPORT, ..Call::default() };
    drill("broken YAML", STICKY, call, "this document cannot be read");
}

#[test]
fn yaml_that_the_host_cannot_read() {
    let input = Input::manifests(&STICKY.replace("  ports:\n", "  ports: [\n"));
    for host in HOSTS {
        let Some(mut stage) = Stage::open(host, &input) else { continue };
        let ran = stage.run(&Call { environment: REPORT, ..Call::default() });
        stage.check_failed(&ran, "a broken file");
        // It never gets to unstick: the host's own words name the file.
        let file = if matches!(host, Host::Helm3 | Host::Helm4) { "in/templates/all.yaml" } else { "manifests.yaml" };
        assert!(ran.stderr.contains(file), "{host:?}: {}", ran.stderr);
    }
}

#[test]
fn a_flag_that_is_not_known() {
    let call = Call { flags: &["--nonsense"], environment: REPORT, ..Call::default() };
    drill("a flag", STICKY, call, "unexpected argument '--nonsense'");
}

#[test]
fn a_policy_with_a_fault() {
    let call = Call { policy: Some("acton: none"), environment: REPORT, ..Call::default() };
    drill("a policy", STICKY, call, "did you mean action?");
}

#[test]
fn a_report_that_cannot_be_written() {
    let input = Input::manifests(STICKY);
    let environment: &[(&str, &str)] = &[("UNSTICK_REPORT", "nowhere/report.json")];
    let flags: &[&str] = &["--report", "nowhere/report.json"];
    for host in HOSTS {
        let Some(mut stage) = Stage::open(host, &input) else { continue };
        for call in [Call { environment, ..Call::default() }, Call { flags, ..Call::default() }] {
            let ran = stage.run(&call);
            stage.check_failed(&ran, "a report");
            // Helm 4 leaves no place for the words: its page says how to see them.
            let expected = match host {
                Host::Helm4 => "plugin \"unstick\" exited with error",
                _ => "the report nowhere/report.json cannot be written",
            };
            assert!(ran.stderr.contains(expected), "{host:?}: {}", ran.stderr);
        }
    }
}

#[test]
fn nine_megabytes_that_end_in_a_fault() {
    let input = large().replace("ClientIP", "5");
    drill("nine megabytes", &input, Call { environment: REPORT, ..Call::default() }, "unknown-value");
}

// There is nothing to delete and nothing to fail on: the run goes on, and no object comes of it.
#[test]
fn nothing_at_all() {
    for manifests in ["", "# nothing\n"] {
        let input = Input::manifests(manifests);
        for host in HOSTS {
            let Some(mut stage) = Stage::open(host, &input) else { continue };
            let (plain, ran) = (stage.plain(), stage.run(&Call::default()));
            assert_eq!(ran.success, plain.success, "{host:?}, {manifests:?}: {}{}", plain.stderr, ran.stderr);
            assert!(!ran.stdout.contains("kind:"), "{host:?}, {manifests:?}: {}", ran.stdout);
        }
    }
}
