//! The hooks for pre-commit and the action for GitHub.

use std::fs;
use std::path::{Path, PathBuf};

use yaml_rust2::{Yaml, YamlLoader};

use super::page::{Page, bash};
use crate::support::{Home, PRE_COMMIT, Ran, UNSTICK};

const SERVICE: &str = "apiVersion: v1\nkind: Service\nmetadata:\n  name: web\nspec:\n  sessionAffinity: ClientIP\n";

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn load(text: &str) -> Yaml {
    YamlLoader::load_from_str(text).expect("YAML").swap_remove(0)
}

/// Runs pre-commit over a repository that holds a Service, with the hooks of this project.
fn commit(pre_commit: &Path, home: &Home, config: &str) -> Ran {
    fs::create_dir_all(home.path().join("hooks")).expect("a folder");
    fs::copy(root().join(".pre-commit-hooks.yaml"), home.path().join("hooks/.pre-commit-hooks.yaml")).expect("copied");
    let config = config.replace("https://git.example/unstick", home.path().join("hooks").to_str().expect("UTF-8"));
    home.write("shop/.pre-commit-config.yaml", &config);
    let script = "export GIT_CONFIG_GLOBAL=$HOME/gitconfig
        git config --global user.name Tester; git config --global user.email tester@example.org
        cd hooks; test -d .git || { git init --quiet; git add .; git commit --quiet --message hooks; git tag v0.1.0; }
        cd ../shop; git init --quiet; git add .
        pre-commit run --all-files --verbose";
    bash(script, home, &[("pre-commit", pre_commit)], &[])
}

#[test]
fn pre_commit_edits_and_stops_once() {
    let Some(pre_commit) = PRE_COMMIT.find() else { return };
    let (config, home) = (Page::read("pre-commit.md").file(".pre-commit-config.yaml"), Home::new());
    home.write("shop/service.yaml", SERVICE);
    home.write("shop/notes.txt", "sessionAffinity: ClientIP\n");
    let ran = commit(&pre_commit, &home, &config);
    assert!(!ran.success && ran.stdout.contains("files were modified by this hook"), "{}{}", ran.stdout, ran.stderr);
    assert_eq!(home.read("shop/service.yaml"), SERVICE.replace("ClientIP", "None"));
    let ran = commit(&pre_commit, &home, &config);
    assert!(ran.success && ran.stdout.contains("Passed"), "{}{}", ran.stdout, ran.stderr);
}

#[test]
fn pre_commit_checks_and_changes_nothing() {
    let Some(pre_commit) = PRE_COMMIT.find() else { return };
    let config = Page::read("pre-commit.md").file(".pre-commit-config.yaml");
    let config = config.replace("id: unstick\n    args: [--action, none]", "id: unstick-check");
    let home = Home::new();
    home.write("shop/service.yaml", SERVICE);
    let ran = commit(&pre_commit, &home, &config);
    assert!(!ran.success && ran.stdout.contains("service.yaml:6:3"), "{}{}", ran.stdout, ran.stderr);
    assert_eq!(home.read("shop/service.yaml"), SERVICE);
}

#[test]
fn every_hook_starts_the_program() {
    let hooks = load(&fs::read_to_string(root().join(".pre-commit-hooks.yaml")).expect("readable"));
    let hooks = hooks.as_vec().expect("a list");
    let page = Page::read("pre-commit.md");
    assert_eq!(hooks.len(), 3);
    for hook in hooks {
        let entry = hook["entry"].as_str().expect("an entry");
        let (program, command) = entry.split_once(' ').expect("a command");
        assert!(program == "unstick" && Home::new().filter(&[command, "--help"], "").success, "{entry}");
        assert!(page.contains(&format!("| `{}` |", hook["id"].as_str().expect("a name"))), "{hook:?}");
    }
}

/// The action's last step, run as GitHub runs it.
struct Action {
    home: Home,
    action: Yaml,
}

impl Action {
    fn new() -> Self {
        let home = Home::new();
        let bin = home.path().join("temp/unstick/bin");
        fs::create_dir_all(&bin).expect("a folder");
        fs::copy(UNSTICK, bin.join("unstick")).expect("copied");
        home.write("manifests/service.yaml", SERVICE);
        Self { home, action: load(&fs::read_to_string(root().join("action.yml")).expect("readable")) }
    }

    /// Fills in `${{ … }}`.
    fn expand(&self, text: &str, inputs: &[(&str, &str)]) -> String {
        let mut text = text.replace("${{ runner.temp }}", self.home.path().join("temp").to_str().expect("UTF-8"));
        for (name, input) in self.action["inputs"].as_hash().expect("inputs") {
            let name = name.as_str().expect("a name");
            let given = inputs.iter().find(|(known, _)| *known == name).map(|(_, value)| *value);
            let value = given.or(input["default"].as_str()).expect("a default");
            text = text.replace(&format!("${{{{ inputs.{name} }}}}"), value);
        }
        assert!(!text.contains("${{"), "not known: {text}");
        text
    }

    fn run(&self, inputs: &[(&str, &str)]) -> (Ran, String) {
        let step = &self.action["runs"]["steps"][1];
        let script = step["run"].as_str().expect("a script");
        assert!(!script.contains("${{"), "an input's text in the script would be run");
        let mut environment = vec![("RUNNER_TEMP".to_owned(), self.expand("${{ runner.temp }}", &[]))];
        environment.push(("GITHUB_OUTPUT".into(), self.home.write("output", "").display().to_string()));
        for (name, value) in step["env"].as_hash().expect("variables") {
            let value = self.expand(value.as_str().expect("a text"), inputs);
            environment.push((name.as_str().expect("a name").to_owned(), value));
        }
        let environment: Vec<(&str, &str)> =
            environment.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        let ran = bash(&format!("set -o pipefail\n{script}"), &self.home, &[], &environment);
        (ran, self.home.read("output"))
    }
}

#[test]
fn the_action_finds_shows_and_fixes() {
    let action = Action::new();
    let (ran, output) = action.run(&[]);
    let annotation = "::warning file=manifests/service.yaml,line=6,col=3,title=unstick sticky::";
    assert!(!ran.success && ran.stdout.contains(annotation), "{}{}", ran.stdout, ran.stderr);
    assert!(output.contains("changed=1\n") && output.contains("temp/unstick.json\n"), "{output}");
    let (ran, _) = action.run(&[("command", "diff"), ("paths", "manifests\n\n")]);
    assert!(!ran.success && ran.stdout.contains("-  sessionAffinity: ClientIP"), "{}{}", ran.stdout, ran.stderr);
    let (ran, _) = action.run(&[("command", "fix"), ("args", "--action\nnone\n"), ("paths", "manifests")]);
    assert!(ran.success, "{}{}", ran.stdout, ran.stderr);
    assert_eq!(action.home.read("manifests/service.yaml"), SERVICE.replace("ClientIP", "None"));
    let (ran, output) = action.run(&[]);
    assert!(ran.success && output.contains("changed=0\n") && !ran.stdout.contains("::"), "{}", ran.stdout);
}

#[test]
fn the_action_escapes_names_and_fails_on_faults() {
    let action = Action::new();
    fs::remove_file(action.home.path().join("manifests/service.yaml")).expect("removed");
    action.home.write("manifests/a,b: 100%.yaml", SERVICE);
    let (ran, _) = action.run(&[]);
    assert!(ran.stdout.contains("::warning file=manifests/a%2Cb%3A 100%25.yaml,line=6,"), "{}", ran.stdout);
    let (ran, _) = action.run(&[("command", "rm")]);
    assert!(!ran.success && ran.stdout.contains("::error::command must be"), "{}", ran.stdout);
    for input in [("args", "--nonsense"), ("paths", "nowhere")] {
        let (ran, output) = action.run(&[input]);
        assert!(!ran.success && output.contains("changed=0\n"), "{input:?}: {}{output}", ran.stderr);
    }
}

#[test]
fn the_action_and_its_page_agree() {
    let action = Action::new();
    let (page, workflow) = (Page::read("github-action.md"), load(&Page::read("github-action.md").file("workflow.yml")));
    let used = &workflow["jobs"]["affinity"]["steps"][1];
    assert_eq!(used["uses"].as_str(), Some("OWNER/unstick@COMMIT"));
    let inputs = action.action["inputs"].as_hash().expect("inputs");
    for name in used["with"].as_hash().expect("inputs").keys() {
        assert!(inputs.contains_key(name), "{name:?}");
    }
    for name in inputs.keys().chain(action.action["outputs"].as_hash().expect("outputs").keys()) {
        assert!(page.contains(&format!("`{}`", name.as_str().expect("a name"))), "{name:?}");
    }
    let build = action.action["runs"]["steps"][0]["run"].as_str().expect("a command");
    let package = build.split('"').find_map(|word| word.strip_prefix("$GITHUB_ACTION_PATH/")).expect("a path");
    assert!(root().join(package).join("Cargo.toml").is_file(), "{package}");
}
