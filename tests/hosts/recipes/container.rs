//! The container image: what its file says, and its command run as hosts run it.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::support::{Home, UNSTICK};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The file's instructions: the word, and the rest of the line.
fn instructions() -> Vec<(String, String)> {
    let text = fs::read_to_string(root().join("Dockerfile")).expect("readable").replace("\\\n", " ");
    let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines
        .map(|line| line.split_once(' ').map(|(word, rest)| (word.to_owned(), rest.to_owned())).expect("a word"))
        .collect()
}

fn last<'a>(instructions: &'a [(String, String)], word: &str) -> &'a str {
    instructions.iter().rfind(|(known, _)| known == word).map(|(_, rest)| rest.as_str()).expect(word)
}

#[test]
fn base_images_are_pinned_and_new_enough() {
    let manifest = fs::read_to_string(root().join("Cargo.toml")).expect("readable");
    let needed = manifest.split("rust-version = \"").nth(1).and_then(|rest| rest.split('"').next()).expect("a version");
    let mut images = 0;
    for (_, image) in instructions().iter().filter(|(word, _)| word == "FROM") {
        images += 1;
        let image = image.split(' ').next().expect("an image");
        if image == "scratch" {
            continue;
        }
        let (_, tag) = image.split_once(':').unwrap_or_else(|| panic!("{image} has no tag"));
        let version: Vec<&str> = tag.split('-').next().expect("a version").split('.').collect();
        assert!(version.len() == 3 && version.iter().all(|part| part.parse::<u32>().is_ok()), "{image} moves");
        let minor = |text: &str| text.split('.').nth(1).and_then(|part| part.parse::<u32>().ok()).expect("a minor");
        assert!(minor(tag) >= minor(needed), "{image}, but Rust {needed} is needed");
    }
    assert_eq!(images, 2);
}

#[test]
fn the_image_runs_the_program_as_a_user_without_rights() {
    let instructions = instructions();
    let user = last(&instructions, "USER");
    let passwd =
        instructions.iter().find(|(_, rest)| rest.ends_with("> /passwd")).map(|(_, rest)| rest).expect("users");
    // kustomize and kpt run functions with `--user nobody`.
    for name in [user, "nobody"] {
        let entry = passwd.split('\'').find(|entry| entry.starts_with(&format!("{name}:"))).expect("a user");
        assert_ne!(entry.split(':').nth(2), Some("0"), "{name} is root");
    }
    let entry = last(&instructions, "ENTRYPOINT");
    let entry: Vec<String> = serde_json::from_str(entry).expect("a list, not a line for a shell");
    assert_eq!(entry, ["/usr/local/bin/unstick"]);
    let copy = format!("--from=build /src/target/release/unstick {}", entry[0]);
    assert!(instructions.contains(&("COPY".into(), copy)), "the program is copied to where it is started");
}

#[test]
fn the_context_holds_the_whole_workspace() {
    let ignored = fs::read_to_string(root().join(".dockerignore")).expect("readable");
    let kept: Vec<&str> = ignored.lines().filter_map(|line| line.strip_prefix('!')).collect();
    let home = Home::new();
    for name in kept {
        let status = Command::new("cp").arg("-R").arg(root().join(name)).arg(home.path()).status().expect("cp runs");
        assert!(status.success(), "{name}");
    }
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    // The whole workspace is resolved; only what this machine builds with has to be there.
    cargo.args(["tree", "--locked", "--offline", "--package", "unstick-cli"]).current_dir(home.path());
    let output = cargo.output().expect("cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(String::from_utf8_lossy(&output.stdout).contains("unstick-yaml v"));
}

/// Runs the program without an environment, as `nobody` where the tests may become that user.
fn as_nobody(home: &Home, input: &str) -> crate::support::Ran {
    fs::set_permissions(home.path(), fs::Permissions::from_mode(0o755)).expect("a mode");
    let program = home.path().join("function");
    fs::copy(UNSTICK, &program).expect("copied");
    let program = program.to_str().expect("UTF-8");
    let user = Command::new("id").arg("-u").output().expect("id runs");
    if String::from_utf8_lossy(&user.stdout).trim() == "0" {
        let arguments = ["--reuid", "65534", "--regid", "65534", "--clear-groups", "env", "--ignore-environment"];
        home.run(Path::new("/usr/bin/setpriv"), &[&arguments[..], &[program]].concat(), &[], input)
    } else {
        home.run(Path::new("/usr/bin/env"), &["--ignore-environment", program], &[], input)
    }
}

#[test]
fn the_command_answers_a_resource_list_as_nobody() {
    let list = "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n- apiVersion: v1\n  kind: Service\n  metadata:\n    \
                name: web\n  spec:\n    ports: []\n    sessionAffinity: ClientIP\n";
    let home = Home::new();
    let ran = as_nobody(&home, list);
    assert!(ran.success, "{}", ran.stderr);
    assert!(ran.stdout.starts_with(&list.replace("    sessionAffinity: ClientIP\n", "")), "{}", ran.stdout);
    assert!(ran.stdout.contains("results:"), "{}", ran.stdout);
    let ran = as_nobody(&home, &list.replace("ClientIP", "5"));
    assert!(!ran.success && ran.stdout.contains("severity: \"error\""), "{}{}", ran.stdout, ran.stderr);
}
