//! The fourteen promises under fault. Each has a test that begins with its number, `promise_01_…` to `promise_14_…`; what is injected, and
//! how often, stands in tests/README.md.
//!
//! `HIPOCAMPUSD_TESTS=long` does in each of them what would take a run of all tests too long.

mod calls;
mod clocks;
mod disk;
mod hostile;
mod killed;
mod names;
mod races;
pub(crate) mod shot;
mod soak;
mod told;
mod watch;

/// Whether the long form was asked for.
pub(crate) fn is_long() -> bool {
    std::env::var_os("HIPOCAMPUSD_TESTS").is_some_and(|form| form == "long")
}

/// Each row of the table of promises names files that hold tests of its number.
#[test]
#[expect(clippy::disallowed_methods, reason = "reads the table and the tests")]
fn every_promise_has_a_row_and_tests_of_its_number_where_that_says() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let read = |name: &str| {
        std::fs::read_to_string(folder.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    };
    let promises = read("docs/promises.md");
    for number in 1..=14 {
        let start = format!("| {number} | ");
        let row = promises
            .lines()
            .find(|line| line.starts_with(&start) && line.contains("](../tests/"));
        let row = row.unwrap_or_else(|| panic!("docs/promises.md has no row for promise {number}"));
        let files: Vec<&str> = row
            .split("](")
            .skip(1)
            .filter_map(|rest| rest.split(')').next()?.strip_prefix("../"))
            .collect();
        for file in files {
            let text = read(file);
            let named = text.lines().any(|line| {
                let name = line.split("fn promise_").nth(1).unwrap_or_default();
                let name = name.split('(').next().unwrap_or_default();
                name.split('_')
                    .take_while(|part| *part == "and" || part.parse::<u32>().is_ok())
                    .any(|part| part.parse() == Ok(number))
            });
            assert!(named, "{file} has no test of promise {number}");
        }
    }
}
