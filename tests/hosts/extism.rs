//! The WASM plugin: in a real Extism host with messages as Helm's documentation has them, and in Helm as it is.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::support::{EXTISM_PYTHON, HELM_WASM, HELM4, Home, Ran, fixture, large, sticky};

const STICKY: &str = "# The front.\napiVersion: v1\nkind: Service\nmetadata:\n  name: web\nspec:\n  sessionAffinity: \
                      ClientIP # why?\n  ports:\n  - port: 80\n";

/// The Python interpreter that has the host, and the plugin.
struct Host {
    python: PathBuf,
    plugin: PathBuf,
    home: Home,
}

impl Host {
    fn find() -> Option<Self> {
        let (python, folder) = (EXTISM_PYTHON.find()?, HELM_WASM.find()?);
        Some(Self { python, plugin: folder.join("plugin.wasm"), home: Home::new() })
    }

    fn call(&self, message: &str) -> Ran {
        let script = fixture("extism/host.py");
        let arguments = [&script, &self.plugin].map(|path| path.to_str().expect("UTF-8"));
        self.home.run(&self.python, &arguments, &[], message)
    }

    /// Returns the answer's manifests.
    fn answer(&self, manifests: &str, arguments: &Value) -> String {
        let ran = self.call(&json!({"manifests": manifests, "extraArgs": arguments}).to_string());
        assert!(ran.success, "{arguments}: {}", ran.stderr);
        let answer: Value = serde_json::from_str(&ran.stdout).expect("JSON");
        answer["manifests"].as_str().expect("a text").to_owned()
    }
}

#[test]
fn manifests_come_out_as_the_filter_makes_them() {
    let Some(host) = Host::find() else { return };
    let expected = host.home.filter(&[], STICKY).stdout;
    assert_eq!((sticky(&expected), expected.contains("# The front.")), (0, true));
    assert_eq!(host.answer(STICKY, &json!([])), expected);
    assert_eq!(host.answer(STICKY, &Value::Null), expected);
}

#[test]
fn arguments_are_obeyed() {
    let Some(host) = Host::find() else { return };
    for arguments in [&["--action", "none"][..], &["--action=clientIP", "--timeout", "60"], &["--except", "w*"]] {
        let expected = host.home.filter(arguments, STICKY).stdout;
        assert_eq!(host.answer(STICKY, &json!(arguments)), expected, "{arguments:?}");
    }
}

#[test]
fn an_empty_release_gets_a_comment() {
    let Some(host) = Host::find() else { return };
    for manifests in ["", "\n \n"] {
        let answer = host.answer(manifests, &json!([]));
        assert!(answer.starts_with('#') && answer.trim_end().lines().count() == 1, "{answer:?}");
    }
}

#[test]
fn nine_megabytes_pass() {
    let Some(host) = Host::find() else { return };
    let manifests = large();
    let answer = host.answer(&manifests, &json!([]));
    assert_eq!(answer, manifests.replace("  sessionAffinity: ClientIP\n", ""));
    assert!(answer.len() > 9_000_000, "{} bytes", answer.len());
}

#[test]
fn what_is_wrong_is_an_error_with_words_and_no_answer() {
    let Some(host) = Host::find() else { return };
    let refused = STICKY.replace("ClientIP # why?", "5");
    for (message, words) in [
        (json!({"manifests": {}, "extraArgs": []}), "helm/helm#31832"),
        (json!({"extraArgs": []}), "holds no manifests"),
        (json!({"manifests": [STICKY]}), "are no text: a list"),
        (json!({"manifests": null}), "are no text: null"),
        (json!({"manifests": STICKY, "extraArgs": ["--nonsense"]}), "--nonsense is not known"),
        (json!({"manifests": STICKY, "extraArgs": ["--action", "delete"]}), "delete"),
        (json!({"manifests": refused, "extraArgs": []}), "7:3 of web: the value is no string"),
    ] {
        let ran = host.call(&message.to_string());
        assert!(!ran.success && ran.stdout.is_empty(), "{message}: {}", ran.stdout);
        assert!(ran.stderr.contains(words) && !ran.stderr.contains("unreachable"), "{message}: {}", ran.stderr);
    }
    let ran = host.call("manifests: no JSON");
    assert!(!ran.success && ran.stderr.contains("the message is no JSON"), "{}", ran.stderr);
}

fn in_helm(helm: &Path, plugin: &Path, more: &[&str]) -> Ran {
    let home = Home::new();
    let installed = home.run(helm, &["plugin", "install", plugin.to_str().expect("UTF-8")], &[], "");
    assert!(installed.success, "{}", installed.stderr);
    let chart = fixture("chart");
    let arguments = [&["template", "r", chart.to_str().expect("UTF-8"), "--post-renderer", "unstick-wasm"], more];
    home.run(helm, &arguments.concat(), &[], "")
}

// Helm 4.3.2 hands a WASM post-renderer `{"manifests": {}}` and not the manifests. Where it does one day, this fails, and
// the plugin's page has to say so.
#[test]
fn helm_says_that_it_cannot_hand_manifests_over() {
    let (Some(helm), Some(plugin)) = (HELM4.find(), HELM_WASM.find()) else { return };
    for more in [&[][..], &["--post-renderer-args", "--action=none"], &["--debug"]] {
        let ran = in_helm(&helm, &plugin, more);
        assert!(!ran.success, "{more:?}: {}", ran.stdout);
        assert!(!ran.stderr.contains("panic") && !ran.stderr.contains("PANIC"), "{}", ran.stderr);
        let words = "Helm handed over no manifests: this version cannot pass them to a WASM post-renderer \
                     (helm/helm#31832). Install the subprocess plugin, named unstick, and use that one";
        assert!(ran.stderr.contains(words), "{more:?}: {}", ran.stderr);
        assert_eq!(sticky(&ran.stdout), 0, "{more:?}");
    }
}
