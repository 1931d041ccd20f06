//! Fuzzes `raw_log` of the checks.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| hipocampusd_fuzz::raw_log(bytes));
