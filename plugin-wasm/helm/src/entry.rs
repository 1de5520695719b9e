//! The function that the host calls.

use extism_pdk::{Error, FnResult, WithReturnCode, plugin_fn};

/// Answers one call of Helm; a failure sets the host's error text.
#[plugin_fn]
pub fn helm_plugin_main(input: Vec<u8>) -> FnResult<Vec<u8>> {
    crate::answer(&input).map_err(|message| WithReturnCode::new(Error::msg(message), 1))
}
