//! Pages of hosts that render charts: Helm, Argo CD, Flux.

use std::fs;
use std::path::PathBuf;

use yaml_rust2::{Yaml, YamlLoader};

use super::page::{Page, bash, copy_chart};
use crate::helm4::plugin;
use crate::support::{HELM3, HELM4, Home, KUSTOMIZE, sticky};

const BAD: &str =
    "extraRaw: |\n  apiVersion: v1\n  kind: Service\n  metadata:\n    name: bad\n  spec:\n    sessionAffinity: 5\n";

fn home() -> Home {
    let home = Home::new();
    copy_chart(&home);
    home
}

/// Makes the chart render a Service that is refused.
fn spoil(home: &Home) {
    let values = home.read("my-chart/values.yaml");
    home.write("my-chart/values.yaml", &format!("{values}{BAD}"));
}

/// A home with the plugin's folder where `cargo xtask helm-plugin` puts it.
fn home_with_plugin() -> Home {
    let home = home();
    let built = plugin(&home);
    fs::create_dir_all(home.path().join("target/helm-plugin")).expect("a folder");
    std::os::unix::fs::symlink(built, home.path().join("target/helm-plugin/unstick")).expect("linked");
    home
}

#[test]
fn helm3() {
    let Some(helm) = HELM3.find() else { return };
    let (page, home) = (Page::read("helm3.md"), home());
    let output = page.output("template", &home, &[("helm", &helm)]);
    assert!(output.contains("kind: Service"), "{output}");
    let hook = output.split("---\n").filter(|document| !document.contains("helm.sh/hook")).collect::<String>();
    assert_eq!((sticky(&output), sticky(&hook)), (1, 0), "the hook alone is left: {output}");
    assert!(page.output("arguments", &home, &[("helm", &helm)]).contains("sessionAffinity: None"));
    spoil(&home);
    let ran = page.run("template", &home, &[("helm", &helm)]);
    assert!(!ran.success && ran.stderr.contains("unknown-value"), "{}", ran.stderr);
}

#[test]
fn helm4() {
    let Some(helm) = HELM4.find() else { return };
    let (page, home, programs) = (Page::read("helm4.md"), home_with_plugin(), [("helm", helm.as_path())]);
    page.output("install", &home, &programs);
    let output = page.output("template", &home, &programs);
    assert!(sticky(&output) == 0 && output.contains("kind: Service"), "{output}");
    assert!(page.output("arguments", &home, &programs).contains("sessionAffinity: None"));
    let ran = page.run("by-hand", &home, &programs);
    assert!(!ran.success && ran.stderr.contains("nowhere/unstick.json cannot be written"), "{}", ran.stderr);
    spoil(&home);
    let ran = page.run("report", &home, &programs);
    assert!(!ran.success && ran.stderr.contains("plugin \"unstick\" exited with error"), "{}", ran.stderr);
    assert!(!ran.stderr.contains("unknown-value") && home.read("unstick.json").contains("unknown-value"));
}

#[test]
fn helm4_beside_helm3() {
    let (Some(helm3), Some(helm4)) = (HELM3.find(), HELM4.find()) else { return };
    let (page, home) = (Page::read("helm4.md"), home_with_plugin());
    let list = |home: &Home| home.run(&helm3, &["plugin", "list"], &[], "");
    let output = page.output("apart", &home, &[("helm", &helm4)]);
    assert!(sticky(&output) == 0 && output.contains("kind: Service"), "{output}");
    let plugins = list(&home);
    assert!(plugins.success && !plugins.stderr.contains("failed to load"), "{}", plugins.stderr);
    // What the page warns of.
    page.output("install", &home, &[("helm", &helm4)]);
    let plugins = list(&home);
    assert!(plugins.stderr.contains("unknown field \"apiVersion\""), "{}{}", plugins.stdout, plugins.stderr);
}

/// The plugin's `generate` command, as a script.
fn generate(page: &Page) -> String {
    let documents = YamlLoader::load_from_str(&page.file("plugin.yaml")).expect("YAML");
    let plugin = &documents[0];
    assert_eq!(plugin["kind"].as_str(), Some("ConfigManagementPlugin"));
    let generate = &plugin["spec"]["generate"];
    let command: Vec<&str> = generate["command"].as_vec().expect("a list").iter().filter_map(Yaml::as_str).collect();
    assert_eq!(command, ["bash", "-c"]);
    generate["args"][0].as_str().expect("a script").to_owned()
}

#[test]
fn argo_cd() {
    let script = format!("cd my-chart\n{}", generate(&Page::read("argo-cd.md")));
    let environment = [
        ("ARGOCD_APP_NAME", "shop"),
        ("ARGOCD_APP_NAMESPACE", "front"),
        ("KUBE_VERSION", "v1.33.0"),
        ("KUBE_API_VERSIONS", "v1,apps/v1"),
    ];
    for tool in [HELM3, HELM4] {
        let Some(helm) = tool.find() else { return };
        let home = home();
        let ran = bash(&script, &home, &[("helm", &helm)], &environment);
        assert!(ran.success && ran.stdout.contains("shop-web") && sticky(&ran.stdout) == 0, "{}", ran.stderr);
        spoil(&home);
        let ran = bash(&script, &home, &[("helm", &helm)], &environment);
        assert!(!ran.success && ran.stderr.contains("unknown-value"), "a refusal: {}", ran.stderr);
        home.write("my-chart/templates/broken.yaml", "{{ fail \"no\" }}\n");
        let ran = bash(&script, &home, &[("helm", &helm)], &environment);
        assert!(!ran.success && ran.stdout.trim().is_empty(), "a chart that does not render: {}", ran.stdout);
    }
}

#[test]
fn flux() {
    let Some(kustomize) = KUSTOMIZE.find() else { return };
    let (page, home) = (Page::read("flux.md"), Home::new());
    let exported = page.output("helm-release", &home, &[]);
    let documents = YamlLoader::load_from_str(&exported).expect("YAML");
    let renderers = documents[0]["spec"]["postRenderers"].as_vec().expect("a list");
    let patches = renderers[0]["kustomize"]["patches"].as_vec().expect("a list");
    assert_eq!((renderers.len(), patches.len()), (1, 1));
    // Flux gives these patches to kustomize.
    let mut text = String::new();
    yaml_rust2::YamlEmitter::new(&mut text).dump(&renderers[0]["kustomize"]).expect("written");
    let service = "apiVersion: v1\nkind: Service\nmetadata: {name: web}\nspec:\n  sessionAffinity: ClientIP\n  \
                   sessionAffinityConfig: {clientIP: {timeoutSeconds: 5}}\n  ports: [{port: 80}]\n";
    home.write("base/service.yaml", service);
    for patches in [text.trim_start_matches("---\n").to_owned(), page.output("kustomization", &home, &[])] {
        home.write("base/kustomization.yaml", &format!("resources: [service.yaml]\n{patches}\n"));
        let ran = home.run(&kustomize, &["build", "base"], &[], "");
        assert!(ran.success && ran.stdout.contains("name: web"), "{}", ran.stderr);
        assert!(!ran.stdout.contains("sessionAffinity"), "{}", ran.stdout);
    }
}

#[test]
fn skaffold() {
    let config = YamlLoader::load_from_str(&Page::read("skaffold.md").file("skaffold.yaml")).expect("YAML");
    let hook = &config[0]["manifests"]["hooks"]["after"][0]["host"];
    assert_eq!(hook["withChange"].as_bool(), Some(true));
    let command: Vec<&str> = hook["command"].as_vec().expect("a list").iter().filter_map(Yaml::as_str).collect();
    let home = Home::new();
    let service =
        "apiVersion: v1\nkind: Service\nmetadata:\n  name: web\nspec:\n  sessionAffinity: ClientIP\n  ports: []\n";
    home.write("in.yaml", service);
    // Skaffold gives the hook one pipe for both of its outputs.
    let script = format!("{} '{}' < in.yaml 2>&1", command[..command.len() - 1].join(" "), command[command.len() - 1]);
    let ran = bash(&script, &home, &[], &[]);
    assert!(ran.success && ran.stdout == home.filter(&[], service).stdout, "{}", ran.stdout);
    home.write("in.yaml", &service.replace("ClientIP", "5"));
    assert!(!bash(&script, &home, &[], &[]).success && home.read("unstick.log").contains("unknown-value"));
}

#[test]
fn the_index_names_every_page() {
    let index = Page::read("README.md");
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs/hosts");
    for entry in fs::read_dir(folder).expect("a folder") {
        let name = entry.expect("an entry").file_name().into_string().expect("UTF-8");
        assert!(name == "README.md" || index.contains(&format!("]({name}")), "{name} is not in the index");
    }
}
