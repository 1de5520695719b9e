//! The texts of a run: files and standard input.

use std::fs::{self, File, Metadata};
use std::io::{self, IsTerminal as _, Read as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::error::Error;

/// One text to read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Input {
    Stdin,
    File {
        /// The path as it is shown.
        path: PathBuf,
        /// The same file without links on the way, where that can be told.
        target: PathBuf,
    },
    /// A text that can be read once only, and was.
    Held {
        /// Where it came from.
        input: Box<Input>,
        /// What was read.
        bytes: Arc<Vec<u8>>,
    },
}

/// A text in memory.
pub(crate) struct Loaded {
    pub bytes: Vec<u8>,
    /// The file's metadata from before it was read.
    pub metadata: Option<Metadata>,
}

impl Input {
    /// Takes a path as it was named.
    pub(crate) fn named(path: &Path) -> Self {
        // A pipe of the shell, such as /dev/fd/63, has no other path.
        let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        Self::File { path: path.to_owned(), target }
    }

    /// Returns a file in this archive.
    pub(crate) fn inside(&self, name: &str, bytes: &[u8]) -> Self {
        let path = PathBuf::from(format!("{}:{name}", self.shown()));
        let input = Self::File { path, target: self.target().to_owned() };
        Self::Held { input: Box::new(input), bytes: Arc::new(bytes.to_vec()) }
    }

    /// Returns the file without links on the way; an empty path for standard input.
    pub(crate) fn target(&self) -> &Path {
        match self {
            Self::Stdin => Path::new(""),
            Self::File { target, .. } => target,
            Self::Held { input, .. } => input.target(),
        }
    }

    /// Returns the name that reports show, with `/` between its parts.
    pub(crate) fn shown(&self) -> String {
        match self {
            Self::Stdin => "<stdin>".into(),
            Self::File { path, .. } => with_slashes(&path.to_string_lossy()),
            Self::Held { input, .. } => input.shown(),
        }
    }

    /// Returns the path for a diff's header: relative, without `./`.
    pub(crate) fn diff_name(&self) -> Vec<u8> {
        let path = match self {
            Self::Stdin => return b"stdin".to_vec(),
            Self::File { path, .. } => path,
            Self::Held { input, .. } => return input.diff_name(),
        };
        let bytes = path_bytes(path);
        let mut name = &bytes[..];
        while let Some(rest) = name.strip_prefix(b"./").or_else(|| name.strip_prefix(b"/")) {
            name = rest;
        }
        name.to_vec()
    }

    /// Tells whether the text can be read as often as needed: pipes and standard input give theirs once.
    pub(crate) fn is_lasting(&self) -> bool {
        match self {
            Self::Stdin => false,
            Self::File { target, .. } => fs::metadata(target).is_ok_and(|metadata| metadata.is_file()),
            Self::Held { .. } => true,
        }
    }

    pub(crate) fn load(&self) -> Result<Loaded, Error> {
        match self {
            Self::Stdin => Ok(Loaded { bytes: read_stdin()?, metadata: None }),
            Self::Held { bytes, .. } => Ok(Loaded { bytes: bytes.to_vec(), metadata: None }),
            Self::File { path, target } => {
                let read = || -> io::Result<Loaded> {
                    let mut file = File::open(target)?;
                    let metadata = file.metadata()?;
                    let mut bytes = Vec::new();
                    file.read_to_end(&mut bytes)?;
                    Ok(Loaded { bytes, metadata: Some(metadata) })
                };
                read().map_err(|source| Error::Read { path: path.clone(), source })
            }
        }
    }
}

/// Reads all of standard input.
pub(crate) fn read_stdin() -> Result<Vec<u8>, Error> {
    let mut stdin = io::stdin().lock();
    if stdin.is_terminal() {
        return Err(Error::Terminal);
    }
    let mut bytes = Vec::with_capacity(256 * 1024);
    stdin.read_to_end(&mut bytes).map_err(Error::Stdin)?;
    Ok(bytes)
}

#[cfg(unix)]
fn path_bytes(path: &Path) -> Vec<u8> {
    use std::os::unix::ffi::OsStrExt as _;
    path.as_os_str().as_bytes().to_vec()
}

#[cfg(not(unix))]
fn path_bytes(path: &Path) -> Vec<u8> {
    with_slashes(&path.to_string_lossy()).into_bytes()
}

pub(crate) fn with_slashes(path: &str) -> String {
    if std::path::MAIN_SEPARATOR == '/' { path.to_owned() } else { path.replace(std::path::MAIN_SEPARATOR, "/") }
}
