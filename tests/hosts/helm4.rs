//! Helm 4: a post-renderer is a plugin.

use std::fs;
use std::path::{Path, PathBuf};

use yaml_rust2::{Yaml, YamlLoader};

use crate::support::{HELM4, Home, Ran, UNSTICK, fixture, large, sticky};

/// The plugin that `cargo xtask helm-plugin` built, where `UNSTICK_HELM_PLUGIN` says so; else one put together in the
/// same way, with the command under test.
pub(crate) fn plugin(home: &Home) -> PathBuf {
    if let Some(built) = std::env::var_os("UNSTICK_HELM_PLUGIN").filter(|path| !path.is_empty()) {
        return built.into();
    }
    let folder = home.path().join("src/unstick");
    fs::create_dir_all(folder.join("bin")).expect("a folder");
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../plugin-helm/plugin.yaml");
    fs::copy(manifest, folder.join("plugin.yaml")).expect("copied");
    let (os, arch) = (std::env::consts::OS.replace("macos", "darwin"), std::env::consts::ARCH);
    let arch = arch.replace("x86_64", "amd64").replace("aarch64", "arm64");
    fs::copy(UNSTICK, folder.join(format!("bin/unstick-{os}-{arch}"))).expect("copied");
    folder
}

fn installed(helm: &Path) -> Home {
    let home = Home::new();
    let folder = plugin(&home);
    let ran = home.run(helm, &["plugin", "install", folder.to_str().expect("UTF-8")], &[], "");
    assert!(ran.success, "{}", ran.stderr);
    home
}

fn template(home: &Home, helm: &Path, chart: &str, more: &[&str], environment: &[(&str, &str)]) -> Ran {
    let chart = fixture(chart);
    let arguments = [&["template", "r", chart.to_str().expect("UTF-8")], more].concat();
    home.run(helm, &arguments, environment, "")
}

const POST: &[&str] = &["--post-renderer", "unstick"];

#[test]
fn every_service_comes_out_unstuck_hooks_and_flow_style_too() {
    let Some(helm) = HELM4.find() else { return };
    let home = installed(&helm);
    let before = template(&home, &helm, "chart", &[], &[]).stdout;
    assert_eq!(sticky(&before), 4);
    let after = template(&home, &helm, "chart", POST, &[]);
    assert!(after.success, "{}", after.stderr);
    assert_eq!(sticky(&after.stdout), 0, "{}", after.stdout);
    assert!(!after.stdout.contains("sessionAffinity:") || after.stdout.matches("sessionAffinity:").count() == 1);
    assert!(after.stdout.contains("sessionAffinity: ClientIP is only text here."));
    assert!(after.stdout.contains("# Source: shop/templates/services.yaml"));
    assert!(!after.stdout.contains("generated-by-postrender"), "the file annotation was kept: {}", after.stdout);
    let one = template(&home, &helm, "chart", &[POST, &["-s", "templates/flow.yaml"]].concat(), &[]);
    assert!(one.success && sticky(&one.stdout) == 0 && one.stdout.contains("flow"), "{}{}", one.stdout, one.stderr);
}

#[test]
fn output_is_what_the_filter_makes_of_the_same_stream() {
    let Some(helm) = HELM4.find() else { return };
    let home = installed(&helm);
    // A second plugin keeps what Helm hands over.
    let tee = home.path().join("src/tee");
    fs::create_dir_all(&tee).expect("a folder");
    let kept = home.path().join("kept.yaml");
    let manifest = format!(
        "apiVersion: v1\ntype: postrenderer/v1\nname: tee\nversion: 0.1.0\nruntime: subprocess\nruntimeConfig:\n  \
         platformCommand:\n  - command: tee\n    args: [{}]\n",
        kept.display()
    );
    fs::write(tee.join("plugin.yaml"), manifest).expect("written");
    assert!(home.run(&helm, &["plugin", "install", tee.to_str().expect("UTF-8")], &[], "").success);
    let passed = template(&home, &helm, "chart", &["--post-renderer", "tee"], &[]);
    assert!(passed.success, "{}", passed.stderr);
    let filtered = home.filter(&["--host", "helm"], &home.read("kept.yaml"));
    fs::write(home.path().join("filtered.yaml"), &filtered.stdout).expect("written");
    let cat = home.path().join("src/cat");
    fs::create_dir_all(&cat).expect("a folder");
    let manifest = format!(
        "apiVersion: v1\ntype: postrenderer/v1\nname: cat\nversion: 0.1.0\nruntime: subprocess\nruntimeConfig:\n  \
         platformCommand:\n  - command: cat\n    args: [{}]\n",
        home.path().join("filtered.yaml").display()
    );
    fs::write(cat.join("plugin.yaml"), manifest).expect("written");
    assert!(home.run(&helm, &["plugin", "install", cat.to_str().expect("UTF-8")], &[], "").success);
    let expected = template(&home, &helm, "chart", &["--post-renderer", "cat"], &[]).stdout;
    assert_eq!(template(&home, &helm, "chart", POST, &[]).stdout, expected);
}

#[test]
fn arguments_are_passed_on() {
    let Some(helm) = HELM4.find() else { return };
    let home = installed(&helm);
    let more = [POST, &["--post-renderer-args", "--action", "--post-renderer-args", "none"]].concat();
    let ran = template(&home, &helm, "chart", &more, &[]);
    assert!(ran.stdout.contains("sessionAffinity: None") && sticky(&ran.stdout) == 0, "{}{}", ran.stdout, ran.stderr);
}

#[test]
fn an_empty_chart_does_not_fail() {
    let Some(helm) = HELM4.find() else { return };
    let home = installed(&helm);
    let ran = template(&home, &helm, "empty-chart", POST, &[]);
    assert!(ran.success && !ran.stdout.contains("kind:"), "{}{}", ran.stdout, ran.stderr);
}

#[test]
fn duplicate_keys_pass() {
    let Some(helm) = HELM4.find() else { return };
    let home = installed(&helm);
    let raw = "extraRaw: |\n  apiVersion: v1\n  kind: Service\n  metadata:\n    name: twice\n  spec:\n    sessionAffinity: ClientIP\n    \
               ports: []\n    sessionAffinity: ClientIP\n";
    let values = home.write("twice.yaml", raw);
    let values = ["--values", values.to_str().expect("UTF-8")];
    let before = template(&home, &helm, "chart", &values, &[]);
    assert!(before.success && sticky(&before.stdout) == 6, "{}{}", before.stdout, before.stderr);
    let ran = template(&home, &helm, "chart", &[POST, &values].concat(), &[]);
    assert!(ran.success && sticky(&ran.stdout) == 0, "{}{}", ran.stdout, ran.stderr);
}

#[test]
fn a_failed_run_says_why_in_its_report() {
    let Some(helm) = HELM4.find() else { return };
    let home = installed(&helm);
    home.write("policy.yaml", "apiVersion: unstick.dev/v1\nkind: SessionAffinityPolicy\nspec: {acton: none}\n");
    let raw =
        "extraRaw: |\n  apiVersion: v1\n  kind: Service\n  metadata:\n    name: bad\n  spec:\n    sessionAffinity: 5\n";
    let values = home.write("bad.yaml", raw);
    let report = home.path().join("report.json");
    let environment = [("UNSTICK_REPORT", report.to_str().expect("UTF-8"))];
    let refused = ["--values", values.to_str().expect("UTF-8")];
    for (more, words) in [
        (&refused[..], "unknown-value"),
        (&["--post-renderer-args", "--nonsense"], "unexpected argument '--nonsense'"),
        (&["--post-renderer-args", "--policy", "--post-renderer-args", "policy.yaml"], "did you mean action?"),
    ] {
        let ran = template(&home, &helm, "chart", &[POST, more].concat(), &environment);
        assert!(!ran.success && ran.stdout.is_empty(), "{words}: {}", ran.stdout);
        let written = home.read("report.json");
        assert!(written.contains(words), "{words}: {written}");
        fs::remove_file(&report).expect("removed");
    }
    let unwritable = ["--post-renderer-args", "--report", "--post-renderer-args", "nowhere/r.json"];
    assert!(!template(&home, &helm, "chart", &[POST, &unwritable].concat(), &[]).success);
    let by_flag = ["--post-renderer-args", "--report", "--post-renderer-args", "report.json"];
    let ran = template(&home, &helm, "chart", &[POST, &refused, &by_flag].concat(), &[]);
    assert!(!ran.success && home.read("report.json").contains("unknown-value"));
}

#[test]
fn the_plugin_is_packaged_and_installed_from_its_archive() {
    let Some(helm) = HELM4.find() else { return };
    let home = Home::new();
    let folder = plugin(&home);
    let packed = home.run(&helm, &["plugin", "package", folder.to_str().expect("UTF-8"), "--sign=false"], &[], "");
    assert!(packed.success, "{}", packed.stderr);
    let archive = home.path().join("unstick-0.1.0.tgz");
    assert!(archive.is_file(), "{}", packed.stdout);
    let ran = home.run(&helm, &["plugin", "install", archive.to_str().expect("UTF-8"), "--verify=false"], &[], "");
    assert!(ran.success, "{}", ran.stderr);
    let after = template(&home, &helm, "chart", POST, &[]);
    assert!(after.success && sticky(&after.stdout) == 0, "{}{}", after.stdout, after.stderr);
}

#[test]
fn the_manifest_names_a_program_for_every_platform() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../plugin-helm/plugin.yaml");
    let text = fs::read_to_string(path).expect("readable");
    let manifest = YamlLoader::load_from_str(&text).expect("YAML").swap_remove(0);
    let commands = manifest["runtimeConfig"]["platformCommand"].as_vec().expect("a list");
    let mut platforms: Vec<String> = ["linux", "darwin", "windows"]
        .iter()
        .flat_map(|os| ["amd64", "arm64"].map(|arch| format!("{os}-{arch}")))
        .collect();
    for entry in commands {
        let platform = format!("{}-{}", entry["os"].as_str().expect("a name"), entry["arch"].as_str().expect("a name"));
        let suffix = if platform.starts_with("windows") { ".exe" } else { "" };
        let command = format!("${{HELM_PLUGIN_DIR}}/bin/unstick-{platform}{suffix}");
        assert_eq!(entry["command"].as_str(), Some(command.as_str()));
        let arguments: Vec<_> = entry["args"].as_vec().expect("a list").iter().map(Yaml::as_str).collect();
        assert_eq!(arguments, [Some("--host"), Some("helm")], "{platform}");
        let place = platforms.iter().position(|known| *known == platform).expect("a platform, once");
        platforms.remove(place);
    }
    assert!(platforms.is_empty(), "no command for {platforms:?}");
}

#[test]
fn nine_megabytes_pass() {
    let Some(helm) = HELM4.find() else { return };
    let home = installed(&helm);
    let indented: String = large().lines().map(|line| format!("  {line}\n")).collect();
    let values = home.write("large.yaml", &format!("extraRaw: |\n{indented}"));
    let more = [POST, &["--values", values.to_str().expect("UTF-8")]].concat();
    let ran = template(&home, &helm, "chart", &more, &[]);
    assert!(ran.success && ran.stdout.len() > 9_000_000, "{} bytes, {}", ran.stdout.len(), ran.stderr);
    assert_eq!(sticky(&ran.stdout), 0);
}
