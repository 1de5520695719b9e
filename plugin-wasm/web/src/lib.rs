//! unstick for browsers and Node: texts come in, a [`Batch`] plans them, and the npm package in `js` takes the answers
//! out.
//!
//! Nothing is decided here. JSON and diffs are those of `unstick-report`, so that they are byte for byte the command's;
//! only the UTF-16 offsets, which JavaScript counts in, are added.

mod batch;
mod fault;
mod offsets;

pub use batch::Batch;
pub use fault::PolicyFault;
use wasm_bindgen::prelude::wasm_bindgen;

/// Returns the version of unstick.
#[wasm_bindgen]
#[must_use]
pub fn version() -> String {
    env!("CARGO_PKG_VERSION").to_owned()
}

/// Returns how much memory the instance holds, in pages of 64 KiB.
#[cfg(target_arch = "wasm32")]
#[wasm_bindgen(js_name = memoryPages)]
#[must_use]
pub fn memory_pages() -> usize {
    core::arch::wasm32::memory_size::<0>()
}
