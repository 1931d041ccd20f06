//! Which months share a line of the history, and how the line is called.

use super::*;

/// A history that knows of months and nothing else.
fn history(months: impl IntoIterator<Item = (i32, u32)>) -> History {
    let month = |(year, month)| Remembered {
        year,
        month,
        phrases: Vec::new(),
    };
    History {
        months: months.into_iter().map(month).collect(),
        ..History::default()
    }
}

fn labels(history: &History, months: usize, quarters: usize) -> String {
    let groups = groups(history, months, quarters).into_iter();
    let labels: Vec<String> = groups.map(|group| label(&history.months[group])).collect();
    labels.join(" ")
}

#[test]
fn months_long_ago_share_a_line_by_quarters_and_older_ones_by_years() {
    let years = history((0..28).map(|at| (2023 + at / 12, at as u32 % 12 + 1)));
    for (months, quarters, expect) in [
        (
            12,
            24,
            "2023-01~06 2023-07~09 2023-10~12 2024-01~03 2024-04 2024-05 2024-06 2024-07 2024-08 \
             2024-09 2024-10 2024-11 2024-12 2025-01 2025-02 2025-03 2025-04",
        ),
        (
            3,
            12,
            "2023 2024-01~06 2024-07~09 2024-10~12 2025-01 2025-02 2025-03 2025-04",
        ),
        (1, 4, "2023 2024 2025-01~03 2025-04"),
        (1, 1, "2023 2024 2025-01~03 2025-04"),
        (
            6,
            0,
            "2023 2024-01~10 2024-11 2024-12 2025-01 2025-02 2025-03 2025-04",
        ),
    ] {
        assert_eq!(labels(&years, months, quarters), expect, "{months} {quarters}");
    }
}

#[test]
fn a_quarter_is_of_one_year() {
    let gaps = history([(2023, 2), (2024, 2), (2024, 6), (2025, 6), (2025, 7), (2025, 12)]);
    assert_eq!(
        labels(&gaps, 0, 24),
        "2023-02 2024-02 2024-06 2025-06 2025-07 2025-12"
    );
    assert_eq!(labels(&gaps, 0, 0), "2023-02 2024-02~06 2025-06~12");
}
