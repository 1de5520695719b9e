//! kpt: imperative and declarative functions, and its pipe.

use std::path::Path;

use crate::support::{Home, KPT, Ran, UNSTICK, large, sticky};

const SERVICE: &str = "# The front.\napiVersion: v1\nkind: Service\nmetadata:\n  name: web\nspec:\n  ports:\n  - port: 80\n  \
                       sessionAffinity: ClientIP\n";
const KPTFILE: &str = "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: shop\n";

fn package() -> Home {
    let home = Home::new();
    home.write("shop/Kptfile", KPTFILE);
    home.write("shop/front/svc.yaml", SERVICE);
    home
}

fn eval(home: &Home, kpt: &Path, more: &[&str]) -> Ran {
    home.run(kpt, &[&["fn", "eval", "shop", "--exec", UNSTICK], more].concat(), &[], "")
}

/// What is left of the Service, and of nothing else in the package.
fn check_service(home: &Home) {
    assert_eq!(home.read("shop/front/svc.yaml"), SERVICE.replace("  sessionAffinity: ClientIP\n", ""));
    let files = std::fs::read_dir(home.path().join("shop/front")).expect("readable").count();
    assert_eq!(files, 1, "no file was renamed or added");
}

#[test]
fn eval_edits_the_package_and_keeps_its_files() {
    let Some(kpt) = KPT.find() else { return };
    let home = package();
    let ran = eval(&home, &kpt, &[]);
    assert!(ran.success, "{}{}", ran.stdout, ran.stderr);
    check_service(&home);
    let ran = eval(&home, &kpt, &["--", "action=keep"]);
    assert!(ran.success, "{}", ran.stderr);
}

#[test]
fn settings_and_config_files_are_obeyed() {
    let Some(kpt) = KPT.find() else { return };
    let home = package();
    assert!(eval(&home, &kpt, &["--", "action=none"]).success);
    assert!(home.read("shop/front/svc.yaml").contains("sessionAffinity: None"));
    let home = package();
    home.write(
        "fc.yaml",
        "apiVersion: unstick.dev/v1\nkind: SessionAffinityPolicy\nmetadata:\n  name: p\nspec:\n  action: keep\n",
    );
    assert!(eval(&home, &kpt, &["--fn-config", "fc.yaml"]).success);
    assert_eq!(sticky(&home.read("shop/front/svc.yaml")), 1);
}

#[test]
fn render_runs_the_pipeline() {
    let Some(kpt) = KPT.find() else { return };
    let home = package();
    let pipeline = format!("pipeline:\n  mutators:\n  - exec: {UNSTICK}\n    configMap:\n      action: remove\n");
    home.write("shop/Kptfile", &format!("{KPTFILE}{pipeline}"));
    let ran = home.run(&kpt, &["fn", "render", "shop", "--allow-exec"], &[], "");
    assert!(ran.success, "{}{}", ran.stdout, ran.stderr);
    check_service(&home);
}

#[test]
fn render_fails_and_changes_nothing() {
    let Some(kpt) = KPT.find() else { return };
    let bad = SERVICE.replace("ClientIP", "5");
    for (settings, service, words) in
        [("action: remove", bad.as_str(), "unknown-value"), ("acton: none", SERVICE, "did you mean action?")]
    {
        let home = package();
        let kptfile =
            format!("{KPTFILE}pipeline:\n  mutators:\n  - exec: {UNSTICK}\n    configMap:\n      {settings}\n");
        home.write("shop/Kptfile", &kptfile);
        home.write("shop/front/other.yaml", service);
        let ran = home.run(&kpt, &["fn", "render", "shop", "--allow-exec"], &[], "");
        assert!(!ran.success && ran.stderr.contains(words), "{words}: {}{}", ran.stdout, ran.stderr);
        let left = ["Kptfile", "front/svc.yaml", "front/other.yaml"].map(|name| home.read(&format!("shop/{name}")));
        assert_eq!(left, [kptfile.as_str(), SERVICE, service], "{words}");
    }
}

#[test]
fn the_pipe_of_source_and_sink_works() {
    let Some(kpt) = KPT.find() else { return };
    let home = package();
    let source = home.run(&kpt, &["fn", "source", "shop"], &[], "");
    let filtered = home.filter(&[], &source.stdout);
    assert!(filtered.success, "{}", filtered.stderr);
    let sink = home.run(&kpt, &["fn", "sink", "out"], &[], &filtered.stdout);
    assert!(sink.success, "{}", sink.stderr);
    assert_eq!(home.read("out/front/svc.yaml"), SERVICE.replace("  sessionAffinity: ClientIP\n", ""));
}

#[test]
fn a_validator_keeps_the_package_and_fails() {
    let Some(kpt) = KPT.find() else { return };
    let home = package();
    let ran = eval(&home, &kpt, &["-t", "validator", "--", "validate=true"]);
    assert!(!ran.success && ran.stderr.contains("the policy does not allow this"), "{}{}", ran.stdout, ran.stderr);
    assert_eq!(home.read("shop/front/svc.yaml"), SERVICE);
}

#[test]
fn failures_change_nothing_and_say_why() {
    let Some(kpt) = KPT.find() else { return };
    let home = package();
    let ran = eval(&home, &kpt, &["--", "acton=none"]);
    assert!(!ran.success && ran.stderr.contains("did you mean action?"), "{}{}", ran.stdout, ran.stderr);
    for (flags, words) in [("--nonsense", "--nonsense"), ("--report nowhere/r.json", "cannot be written")] {
        let command = format!("{UNSTICK} {flags}");
        let ran = home.run(&kpt, &["fn", "eval", "shop", "--exec", &command], &[], "");
        assert!(!ran.success && ran.stderr.contains(words), "{words}: {}{}", ran.stdout, ran.stderr);
    }
    let bad = SERVICE.replace("ClientIP", "5");
    home.write("shop/front/bad.yaml", &bad);
    let ran = eval(&home, &kpt, &[]);
    assert!(!ran.success && ran.stderr.contains("unknown-value"), "{}{}", ran.stdout, ran.stderr);
    assert_eq!((home.read("shop/front/svc.yaml"), home.read("shop/front/bad.yaml")), (SERVICE.to_owned(), bad));
}

#[test]
fn nine_megabytes_pass() {
    let Some(kpt) = KPT.find() else { return };
    let home = package();
    home.write("shop/large.yaml", large().trim_start_matches("---\n"));
    let ran = eval(&home, &kpt, &[]);
    assert!(ran.success, "{}", ran.stderr);
    let text = home.read("shop/large.yaml");
    assert!(text.len() > 9_000_000 && sticky(&text) == 0, "{} bytes", text.len());
}
