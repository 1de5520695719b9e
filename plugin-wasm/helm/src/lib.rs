//! unstick as a WASM post-renderer of Helm 4 (`runtime: extism/v1`).
//!
//! The message is JSON both ways: `{"manifests": "...", "extraArgs": ["--action", "none"]}` comes in,
//! `{"manifests": "..."}` goes out. Helm up to 4.3 sends `{"manifests": {}}` (helm/helm#31832): that is an error
//! here, never an answer that Helm would take for an empty release.

#[cfg(target_arch = "wasm32")]
mod entry;
mod flags;
mod message;

pub use message::answer;
