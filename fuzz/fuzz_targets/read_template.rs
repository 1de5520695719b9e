//! cargo-fuzz wrapper of [`unstick_fuzz::read_template`].
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| unstick_fuzz::read_template(data));
