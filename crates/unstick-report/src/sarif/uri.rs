//! From shown paths to URIs.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

use super::log::ArtifactLocation;

/// All that may not stand in a part of a path as it is; a colon could be read as a scheme's.
const ENCODED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~').remove(b'/');

/// The base of relative URIs: the folder in which unstick ran, which code scanning takes for the repository's root.
const ROOT: &str = "%SRCROOT%";

/// Returns where a text is: relative to the working folder, or absolute as a `file` URI.
pub(super) fn location(path: &str) -> ArtifactLocation {
    if path == "<stdin>" {
        return ArtifactLocation { uri: "stdin".into(), uri_base_id: None };
    }
    let encode = |path: &str| utf8_percent_encode(path, ENCODED).to_string();
    let drive = path.get(..3).filter(|start| start.ends_with(":/") && start.as_bytes()[0].is_ascii_alphabetic());
    if let Some(drive) = drive {
        let uri = format!("file:///{drive}{}", encode(&path[3..]));
        return ArtifactLocation { uri, uri_base_id: None };
    }
    if path.starts_with('/') {
        return ArtifactLocation { uri: format!("file://{}", encode(path)), uri_base_id: None };
    }
    let mut relative = path;
    while let Some(rest) = relative.strip_prefix("./") {
        relative = rest.trim_start_matches('/');
    }
    ArtifactLocation { uri: encode(relative), uri_base_id: Some(ROOT) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn encodes_what_a_uri_cannot_hold() {
        for (path, uri) in [
            ("svc.yaml", "svc.yaml"),
            ("./a b/ü#?.yaml", "a%20b/%C3%BC%23%3F.yaml"),
            (".//x.yaml", "x.yaml"),
            ("a:b/100%.yaml", "a%3Ab/100%25.yaml"),
            ("../x[1].yaml", "../x%5B1%5D.yaml"),
            ("/srv/a b.yaml", "file:///srv/a%20b.yaml"),
            ("C:/a b.yaml", "file:///C:/a%20b.yaml"),
            ("<stdin>", "stdin"),
        ] {
            let location = location(path);
            assert_eq!(location.uri, uri);
            assert_eq!(location.uri_base_id.is_some(), !uri.contains("file:") && path != "<stdin>", "{path}");
        }
    }
}
