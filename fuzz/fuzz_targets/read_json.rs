//! cargo-fuzz wrapper of [`unstick_fuzz::read_json`].
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| unstick_fuzz::read_json(data));
