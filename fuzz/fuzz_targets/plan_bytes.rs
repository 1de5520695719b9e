//! cargo-fuzz wrapper of [`unstick_fuzz::plan_bytes`].
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| unstick_fuzz::plan_bytes(data));
