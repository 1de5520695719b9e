//! Helm's WASM plugin: the crate in `plugin-wasm/helm` beside its `plugin.yaml`.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::folders::{root, target};
use crate::wasm::Module;

const MODULE: Module = Module { package: "unstick-helm-wasm", profile: &["lto=\"fat\"", "strip=\"symbols\""] };

/// Builds the plugin's folder, `plugin.yaml` beside `plugin.wasm`, and returns it.
pub(crate) fn build() -> Result<PathBuf, String> {
    let built = MODULE.build()?;
    let folder = target().join("helm-wasm/unstick-wasm");
    assemble(&built, &folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let size = fs::metadata(folder.join("plugin.wasm")).map_err(|error| error.to_string())?.len();
    println!("{}: {size} bytes", folder.join("plugin.wasm").display());
    Ok(folder)
}

fn assemble(built: &Path, folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    fs::copy(built, folder.join("plugin.wasm"))?;
    fs::copy(root().join("plugin-wasm/helm/plugin.yaml"), folder.join("plugin.yaml"))?;
    Ok(())
}
