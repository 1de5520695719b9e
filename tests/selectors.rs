//! Holds label selectors to Kubernetes' own verdicts; the README in `tests/selectors` says how.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde::Deserialize;
use unstick::LabelSelector;

#[derive(Deserialize)]
struct Sets {
    labels: Vec<BTreeMap<String, String>>,
}

#[derive(Deserialize)]
struct Verdict {
    selector: String,
    matches: Option<Vec<bool>>,
}

#[test]
fn selectors_are_taken_and_match_as_kubernetes_says() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/selectors/verdicts.jsonl");
    let text = fs::read_to_string(path).expect("the verdicts");
    let mut lines = text.lines();
    let Sets { labels } = serde_json::from_str(lines.next().expect("sets")).expect("sets");
    let (mut taken, mut refused) = (0, 0);
    for line in lines {
        let Verdict { selector, matches } = serde_json::from_str(line).expect("a verdict");
        let read = selector.parse::<LabelSelector>();
        let ours: Option<Vec<bool>> =
            read.as_ref().ok().map(|read| labels.iter().map(|labels| read.matches(labels)).collect());
        assert_eq!(ours, matches, "{selector:?}: {read:?}");
        match read {
            Ok(read) => {
                taken += 1;
                assert_eq!(read.to_string().parse(), Ok(read), "{selector:?} is printed as another");
            }
            Err(error) => {
                refused += 1;
                assert!(error.place <= 1 + selector.chars().count(), "{selector:?}: {error}");
            }
        }
    }
    assert!(taken > 150 && refused > 150, "{taken} {refused}");
}
