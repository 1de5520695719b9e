//! cargo-fuzz wrapper of [`unstick_fuzz::krm_respond`].
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| unstick_fuzz::krm_respond(data));
