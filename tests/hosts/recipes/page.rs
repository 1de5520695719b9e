//! A page of `docs/hosts`, and the code blocks in it that are marked to be run.

use std::fs;
use std::path::Path;

use crate::support::{Home, Ran};

/// A page's text.
pub(crate) struct Page {
    name: &'static str,
    text: String,
}

impl Page {
    pub(crate) fn read(name: &'static str) -> Self {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/hosts").join(name);
        Self { name, text: fs::read_to_string(path).expect("readable") }
    }

    /// Returns the block below `<!-- marker -->`.
    fn block(&self, marker: &str) -> &str {
        let marker = format!("<!-- {marker} -->\n```");
        let (_, rest) = self.text.split_once(&marker).unwrap_or_else(|| panic!("{} has no {marker}", self.name));
        let (_, rest) = rest.split_once('\n').expect("a language");
        rest.split_once("\n```").map(|(block, _)| block).expect("a closed block")
    }

    pub(crate) fn contains(&self, words: &str) -> bool {
        self.text.contains(words)
    }

    /// Returns the file that a block holds.
    pub(crate) fn file(&self, name: &str) -> String {
        format!("{}\n", self.block(&format!("file: {name}")))
    }

    /// Writes the page's files below the home.
    pub(crate) fn write_files(&self, home: &Home) {
        for rest in self.text.split("<!-- file: ").skip(1) {
            let (name, _) = rest.split_once(" -->").expect("a closed marker");
            home.write(name, &self.file(name));
        }
    }

    /// Runs a block as a user does, in the home and with these programs on the path.
    pub(crate) fn run(&self, label: &str, home: &Home, programs: &[(&str, &Path)]) -> Ran {
        bash(self.block(&format!("run: {label}")), home, programs, &[])
    }

    /// Runs a block that has to succeed, and returns its standard output.
    pub(crate) fn output(&self, label: &str, home: &Home, programs: &[(&str, &Path)]) -> String {
        let ran = self.run(label, home, programs);
        assert!(ran.success, "{} {label}: {}{}", self.name, ran.stdout, ran.stderr);
        ran.stdout
    }
}

/// Runs a script as CI systems do: the first failing command ends it.
pub(crate) fn bash(script: &str, home: &Home, programs: &[(&str, &Path)], environment: &[(&str, &str)]) -> Ran {
    let folder = home.path().join("programs");
    for (name, program) in programs {
        fs::create_dir_all(&folder).expect("a folder");
        let link = folder.join(name);
        drop(fs::remove_file(&link));
        std::os::unix::fs::symlink(program, &link).expect("linked");
    }
    let path = format!("{}:{}:/usr/bin:/bin", home.path().join("bin").display(), folder.display());
    let environment = [&[("PATH", path.as_str())], environment].concat();
    home.run(Path::new("/bin/bash"), &["-e", "-c", script], &environment, "")
}

/// Copies the chart of the tests to `my-chart` in the home.
pub(crate) fn copy_chart(home: &Home) {
    let chart = crate::support::fixture("chart");
    for file in ["Chart.yaml", "values.yaml"] {
        home.write(&format!("my-chart/{file}"), &fs::read_to_string(chart.join(file)).expect("readable"));
    }
    for file in fs::read_dir(chart.join("templates")).expect("a folder") {
        let file = file.expect("an entry");
        let name = format!("my-chart/templates/{}", file.file_name().to_string_lossy());
        home.write(&name, &fs::read_to_string(file.path()).expect("readable"));
    }
}
