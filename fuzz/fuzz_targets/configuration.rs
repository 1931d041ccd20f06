//! Fuzzes `configuration` of the checks.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| hipocampusd_fuzz::configuration(bytes));
