//! Helm 3: any executable is a post-renderer.

use crate::support::{HELM3, Home, UNSTICK, fixture, large, sticky};

fn template(home: &Home, helm: &std::path::Path, chart: &str, more: &[&str]) -> crate::support::Ran {
    let chart = fixture(chart);
    let arguments = [&["template", "r", chart.to_str().expect("UTF-8")], more].concat();
    home.run(helm, &arguments, &[], "")
}

#[test]
fn output_is_what_the_filter_makes_of_the_same_stream() {
    let Some(helm) = HELM3.find() else { return };
    let home = Home::new();
    let rendered = template(&home, &helm, "chart", &["--no-hooks"]).stdout;
    assert_eq!(sticky(&rendered), 3);
    let expected = home.filter(&[], &rendered).stdout;
    assert_eq!(sticky(&expected), 0);
    let post = template(&home, &helm, "chart", &["--no-hooks", "--post-renderer", UNSTICK]);
    assert!(post.success, "{}", post.stderr);
    assert_eq!(post.stdout, expected);
    let by_name = template(&home, &helm, "chart", &["--no-hooks", "--post-renderer", "unstick"]);
    assert_eq!(by_name.stdout, expected);
}

#[test]
fn arguments_are_passed_on() {
    let Some(helm) = HELM3.find() else { return };
    let home = Home::new();
    let arguments =
        ["--no-hooks", "--post-renderer", UNSTICK, "--post-renderer-args", "--action", "--post-renderer-args", "none"];
    let ran = template(&home, &helm, "chart", &arguments);
    assert!(ran.stdout.contains("sessionAffinity: None") && sticky(&ran.stdout) == 0, "{}{}", ran.stdout, ran.stderr);
}

#[test]
fn source_comments_survive_so_that_one_template_can_be_shown() {
    let Some(helm) = HELM3.find() else { return };
    let home = Home::new();
    let ran = template(&home, &helm, "chart", &["--post-renderer", UNSTICK, "-s", "templates/services.yaml"]);
    assert!(ran.success && ran.stdout.contains("# Source: shop/templates/services.yaml"), "{}", ran.stderr);
    assert_eq!(sticky(&ran.stdout), 0);
}

#[test]
fn an_empty_chart_stays_empty() {
    let Some(helm) = HELM3.find() else { return };
    let home = Home::new();
    for arguments in [&[][..], &["--post-renderer-args", "--host", "--post-renderer-args", "helm"]] {
        let ran = template(&home, &helm, "empty-chart", &[&["--post-renderer", UNSTICK], arguments].concat());
        assert!(ran.success && !ran.stdout.contains("kind:"), "{}{}", ran.stdout, ran.stderr);
    }
}

#[test]
fn a_refusal_fails_the_host_and_its_reason_is_shown() {
    let Some(helm) = HELM3.find() else { return };
    let home = Home::new();
    let values = home.write(
        "bad.yaml",
        "extraRaw: |\n  apiVersion: v1\n  kind: Service\n  metadata:\n    name: bad\n  spec:\n    sessionAffinity: 5\n",
    );
    let values = values.to_str().expect("UTF-8");
    let ran = template(&home, &helm, "chart", &["--values", values, "--post-renderer", UNSTICK]);
    assert!(!ran.success);
    assert!(
        ran.stderr.contains("refused[unknown-value]") && ran.stderr.contains("write ClientIP or None"),
        "{}",
        ran.stderr
    );
}

#[test]
fn wrong_options_fail_the_host_and_are_named() {
    let Some(helm) = HELM3.find() else { return };
    let home = Home::new();
    home.write("policy.yaml", "apiVersion: unstick.dev/v1\nkind: SessionAffinityPolicy\nspec: {acton: none}\n");
    for (arguments, words) in [
        (["--nonsense", "x"], "unexpected argument '--nonsense'"),
        (["--policy", "policy.yaml"], "did you mean action?"),
        (["--report", "nowhere/r.json"], "nowhere/r.json cannot be written"),
    ] {
        let passed = ["--post-renderer-args", arguments[0], "--post-renderer-args", arguments[1]];
        let ran = template(&home, &helm, "chart", &[&["--post-renderer", UNSTICK][..], &passed].concat());
        assert!(!ran.success && ran.stderr.contains(words), "{words}: {}", ran.stderr);
    }
}

#[test]
fn nine_megabytes_pass() {
    let Some(helm) = HELM3.find() else { return };
    let home = Home::new();
    let indented: String = large().lines().map(|line| format!("  {line}\n")).collect();
    let values = home.write("large.yaml", &format!("extraRaw: |\n{indented}"));
    let values = values.to_str().expect("UTF-8");
    let ran = template(&home, &helm, "chart", &["--no-hooks", "--values", values, "--post-renderer", UNSTICK]);
    assert!(ran.success && ran.stdout.len() > 9_000_000, "{} bytes, {}", ran.stdout.len(), ran.stderr);
    assert_eq!(sticky(&ran.stdout), 0);
}
