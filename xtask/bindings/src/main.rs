//! Makes the JavaScript bindings of a WASM module: `xtask-bindings MODULE FOLDER NAME`.
//!
//! A program of its own, so that the other tasks need not wait for its dependencies to be built.

use std::path::Path;
use std::process::ExitCode;

use wasm_bindgen_cli_support::Bindgen;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [module, folder, name] = &arguments[..] else {
        eprintln!("usage: xtask-bindings MODULE FOLDER NAME");
        return ExitCode::from(2);
    };
    match make(Path::new(module), Path::new(folder), name) {
        Ok(()) => ExitCode::SUCCESS,
        Err(words) => {
            eprintln!("error: {words}");
            ExitCode::FAILURE
        }
    }
}

fn make(module: &Path, folder: &Path, name: &str) -> Result<(), String> {
    let mut bindgen = Bindgen::new();
    let bindgen = bindgen.web(true).map_err(|error| format!("{error:#}"))?;
    // Each entry says where its module is; a fault inside needs a fresh instance.
    bindgen.omit_default_module_path(true).reset_state_function(true).typescript(true).ts_typed_array_buffers(true);
    bindgen.remove_producers_section(true).remove_name_section(true);
    bindgen.input_path(module).out_name(name).generate(folder).map_err(|error| format!("{error:#}"))
}
