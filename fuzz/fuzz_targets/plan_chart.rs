//! cargo-fuzz wrapper of [`unstick_fuzz::plan_chart`].
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| unstick_fuzz::plan_chart(data));
