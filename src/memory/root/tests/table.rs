//! Small made-up histories and the whole ROOT of each, at a cap and a date that the table gives. They were chosen because each tells this
//! ROOT from one that is wrong in a single place.

use crate::memory::root::{Foreign, History, print};
use crate::memory::shown::{Tree, logs};

#[test]
fn of_every_history_comes_the_root_below_it() {
    for case in include_str!("roots.txt")
        .split("=== tree ")
        .filter(|case| !case.is_empty())
    {
        let (asked, rest) = case
            .split_once('\n')
            .expect("a case begins with its cap and how many days later it is");
        let (cap, later) = asked.split_once(" tokens, days later: ").expect("both are there");
        let (before, expected) = rest
            .split_once("=== root\n")
            .expect("the logs are followed by ROOT");
        let logs = logs(before);
        let (&last, _) = logs.last_key_value().expect("there is a log");
        let today = last.plus(later.parse().expect("a number of days"));
        let tree = Tree::of(&logs);
        let mut history = History::default();
        for (&month, built) in &tree.months {
            history.add(month, &built.digest, today);
        }
        let printed = print(
            &history,
            &Foreign::default(),
            today,
            cap.parse().expect("a number of tokens"),
        );
        let said = format!(
            "{}=== {} tokens, {} topics, cut short: {}\n",
            printed.text, printed.tokens, printed.topics, printed.cut_short
        );
        assert_eq!(
            said, expected,
            "at {asked} of the history that begins with\n{before:.400}"
        );
    }
}
