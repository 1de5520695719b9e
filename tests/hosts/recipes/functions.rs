//! Pages of hosts that run KRM functions, and of kubectl.

use super::page::Page;
use crate::support::{Home, KPT, KUBECTL, KUSTOMIZE, sticky};

const SERVICE: &str = "apiVersion: v1\nkind: Service\nmetadata:\n  name: web\nspec:\n  ports:\n  - port: 80\n  \
                       sessionAffinity: ClientIP\n";

#[test]
fn kustomize() {
    let Some(kustomize) = KUSTOMIZE.find() else { return };
    let (page, home, programs) = (Page::read("kustomize.md"), Home::new(), [("kustomize", kustomize.as_path())]);
    page.write_files(&home);
    home.write("transform/services.yaml", SERVICE);
    let output = page.output("transform", &home, &programs);
    assert!(output.contains("name: web") && !output.contains("sessionAffinity"), "{output}");
    home.write("validate/services.yaml", SERVICE);
    let ran = page.run("validate", &home, &programs);
    assert!(!ran.success && ran.stderr.contains("the policy does not allow this"), "{}", ran.stderr);
    std::fs::remove_file(home.path().join("validate/unstick")).expect("removed");
    home.write("validate/services.yaml", &SERVICE.replace("ClientIP", "None"));
    assert!(page.output("validate", &home, &programs).contains("sessionAffinity: None"));
}

#[test]
fn kubectl_kustomize() {
    let Some(kubectl) = KUBECTL.find() else { return };
    let (page, home, programs) = (Page::read("kustomize.md"), Home::new(), [("kubectl", kubectl.as_path())]);
    page.write_files(&home);
    home.write("legacy/services.yaml", SERVICE);
    page.output("kubectl-install", &home, &programs);
    let output = page.output("kubectl", &home, &programs);
    assert!(output.contains("name: web") && !output.contains("sessionAffinity"), "{output}");
    // What the page warns of.
    home.write("transform/services.yaml", SERVICE);
    let ran = home.run(&kubectl, &["kustomize", "--enable-alpha-plugins", "transform"], &[], "");
    assert!(ran.success && sticky(&ran.stdout) == 1 && ran.stderr.is_empty(), "{}{}", ran.stdout, ran.stderr);
    let ran = home.run(&kubectl, &["kustomize", "--enable-exec", "transform"], &[], "");
    assert!(!ran.success && ran.stderr.contains("unknown flag: --enable-exec"), "{}", ran.stderr);
}

#[test]
fn kubectl() {
    let Some(kubectl) = KUBECTL.find() else { return };
    let (page, home, programs) = (Page::read("kubectl.md"), Home::new(), [("kubectl", kubectl.as_path())]);
    home.write("manifests/service.yaml", SERVICE);
    page.output("install", &home, &programs);
    assert!(home.path().join(".local/bin/kubectl-unstick").is_file());
    let ran = page.run("diff", &home, &programs);
    assert!(!ran.success && ran.stdout.contains("-  sessionAffinity: ClientIP"), "{}{}", ran.stdout, ran.stderr);
}

#[test]
fn kpt() {
    let Some(kpt) = KPT.find() else { return };
    let (page, programs) = (Page::read("kpt.md"), [("kpt", kpt.as_path())]);
    let package = || {
        let home = Home::new();
        page.write_files(&home);
        home.write("shop/service.yaml", SERVICE);
        home
    };
    let clean = SERVICE.replace("  sessionAffinity: ClientIP\n", "");
    for (label, expected) in [
        ("eval", clean.clone()),
        ("settings", SERVICE.replace("ClientIP", "None")),
        ("render", clean.clone()),
        ("pipe", SERVICE.to_owned()),
    ] {
        let home = package();
        page.output(label, &home, &programs);
        assert_eq!(home.read("shop/service.yaml"), expected, "{label}");
        if label == "pipe" {
            assert_eq!(home.read("shop-unstuck/service.yaml"), clean);
        }
    }
    let home = package();
    let ran = page.run("validate", &home, &programs);
    assert!(!ran.success && ran.stderr.contains("the policy does not allow this"), "{}", ran.stderr);
    assert_eq!(home.read("shop/service.yaml"), SERVICE);
    let refused = SERVICE.replace("ClientIP", "5");
    home.write("shop/service.yaml", &refused);
    let ran = page.run("pipe", &home, &programs);
    assert!(!ran.success && ran.stderr.contains("unknown-value"), "{}", ran.stderr);
    assert_eq!(home.read("shop/service.yaml"), refused);
}
