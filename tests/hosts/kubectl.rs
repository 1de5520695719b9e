//! kubectl: the legacy exec plugin of `kubectl kustomize`, and `kubectl unstick`.

use std::fs;
use std::path::Path;

use crate::support::{Home, KUBECTL, Ran, UNSTICK, large, sticky};

const SERVICES: &str = "apiVersion: v1\nkind: Service\nmetadata:\n  name: web\nspec:\n  ports:\n  - port: 80\n  sessionAffinity: \
                        ClientIP\n---\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: c\n";

/// Installs the plugin as the recipe says: the binary under the kind's own name.
fn base(config: &str) -> Home {
    let home = Home::new();
    home.write("base/services.yaml", SERVICES);
    home.write(
        "base/unstick.yaml",
        &format!("apiVersion: unstick.dev/v1\nkind: SessionAffinityPolicy\nmetadata:\n  name: unstick\n{config}"),
    );
    home.write("base/kustomization.yaml", "resources: [services.yaml]\ntransformers: [unstick.yaml]\n");
    let folder = home.path().join(".config/kustomize/plugin/unstick.dev/v1/sessionaffinitypolicy");
    fs::create_dir_all(&folder).expect("a folder");
    fs::copy(UNSTICK, folder.join("SessionAffinityPolicy")).expect("copied");
    home
}

fn build(home: &Home, kubectl: &Path) -> Ran {
    home.run(kubectl, &["kustomize", "--enable-alpha-plugins", "base"], &[], "")
}

#[test]
fn the_legacy_plugin_gives_what_the_filter_gives() {
    let Some(kubectl) = KUBECTL.find() else { return };
    let home = base("spec: {action: remove}\n");
    let ran = build(&home, &kubectl);
    assert!(ran.success, "{}", ran.stderr);
    home.write("base/kustomization.yaml", "resources: [services.yaml]\n");
    let plain = build(&home, &kubectl).stdout;
    assert_eq!((sticky(&plain), sticky(&ran.stdout)), (1, 0));
    assert_eq!(ran.stdout, home.filter(&[], &plain).stdout);
}

#[test]
fn the_legacy_plugin_reads_its_config_and_fails_on_a_bad_one() {
    let Some(kubectl) = KUBECTL.find() else { return };
    let ran = build(&base("spec: {action: none}\n"), &kubectl);
    assert!(ran.success && ran.stdout.contains("sessionAffinity: None"), "{}{}", ran.stdout, ran.stderr);
    let ran = build(&base("spec: {acton: none}\n"), &kubectl);
    assert!(!ran.success && ran.stdout.is_empty() && ran.stderr.contains("did you mean action?"), "{}", ran.stderr);
}

#[test]
fn nine_megabytes_pass() {
    let Some(kubectl) = KUBECTL.find() else { return };
    let home = base("spec: {action: remove}\n");
    home.write("base/services.yaml", &large());
    let ran = build(&home, &kubectl);
    assert!(ran.success && ran.stdout.len() > 9_000_000, "{} bytes, {}", ran.stdout.len(), ran.stderr);
    assert_eq!(sticky(&ran.stdout), 0);
}

#[test]
fn kubectl_finds_the_command_by_its_name() {
    let Some(kubectl) = KUBECTL.find() else { return };
    let home = Home::new();
    let ran = home.run(&kubectl, &["unstick", "--action", "none"], &[], SERVICES);
    assert!(ran.success && ran.stdout == SERVICES.replace("ClientIP", "None"), "{}{}", ran.stdout, ran.stderr);
    let ran = home.run(&kubectl, &["unstick", "--nonsense"], &[], SERVICES);
    assert!(!ran.success && ran.stderr.contains("--nonsense"), "{}", ran.stderr);
}
