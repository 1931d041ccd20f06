//! A ROOT printed from a morning that is remembered is the ROOT that is printed afresh.

use super::*;

/// Numbers that look like chance, the same every time.
struct Dice(u64);

impl Dice {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        usize::try_from(self.0 >> 33).unwrap() % end
    }
}

const TODAY: &str = "2026-03-15";

fn kind(at: usize) -> Kind {
    match at % 11 {
        0 => Kind::User,
        1 => Kind::Feedback,
        2 => Kind::Reference,
        _ => Kind::Project,
    }
}

/// The months as they were when the day began, and what some of the day says of some topics, new ones among them.
fn on_the_day(settled: usize, said: &[usize], words: &str) -> History {
    let mut history = History::default();
    for month in ["2026-01", "2026-02", "2026-03"] {
        let number = Month::parse(month).unwrap();
        let mut digest = Digest::default();
        for at in (0..settled).filter(|at| number.number() as usize == at % 3 + 1) {
            let last = format!("{month}-{:02}", at % 14 + 1);
            let name = format!("matter {at}");
            mention(
                &mut digest,
                &name,
                kind(at),
                &last,
                &["jwt", &format!("word{at}"), &name],
            );
        }
        if month == "2026-03" {
            let mut today = Digest::default();
            for at in said {
                let name = format!("Matter {at}");
                mention(
                    &mut today,
                    &name,
                    kind(*at),
                    TODAY,
                    &[words, &format!("other{at}")],
                );
            }
            digest.merge(today);
        }
        history.add(number, &digest, day(TODAY));
    }
    history
}

#[test]
fn a_remembered_morning_gives_the_same_root() {
    let mut dice = Dice(7);
    for (settled, cap) in [(30, 3000), (120, 3000), (400, 1000), (700, 1500), (40, 150)] {
        let (mut costs, mut mornings) = (Costs::default(), Mornings::default());
        let mut standing = String::new();
        let mut known = 0;
        for step in 0..12 {
            let said: Vec<usize> = (0..dice.below(8))
                .map(|_| dice.below(settled + settled / 4))
                .collect();
            let history = on_the_day(settled, &said, ["queue", "garden"][step % 2]);
            let foreign = ["", "- matter 4 [project, 3d]: ours\n- stranger: theirs\n"][step / 6];
            let standing_now = format!("## Topics Index\n{foreign}{standing}");
            let today = day(TODAY);
            for _ in 0..2 {
                mornings = postcard::from_bytes(&postcard::to_allocvec(&mornings).unwrap()).unwrap();
                let again = merge(
                    &history,
                    &standing_now,
                    Base::default(),
                    today,
                    cap,
                    &mut costs,
                    &mut mornings,
                );
                known += usize::from(!mornings.has_changed());
                let afresh = merge(
                    &history,
                    &standing_now,
                    Base::default(),
                    today,
                    cap,
                    &mut Costs::default(),
                    &mut Mornings::default(),
                );
                assert_eq!(again, afresh, "{settled} {cap} {step}");
            }
            standing = "- written by hand\n".repeat(step % 2);
        }
        // At the latest the second ROOT of the same is printed from what is known, unless every line is charged what it costs.
        assert!(known >= 12, "{settled} {cap}: {known}");
    }
}

#[test]
fn what_the_day_says_of_a_known_topic_is_no_other_morning() {
    let mut mornings = Mornings::default();
    let mut roots = Vec::new();
    for words in ["queue", "garden"] {
        mornings = postcard::from_bytes(&postcard::to_allocvec(&mornings).unwrap()).unwrap();
        let history = on_the_day(30, &[4], words);
        let foreign = Foreign::default();
        let (costs, mornings) = (&mut Costs::default(), &mut mornings);
        let root = print_counting(&history, &foreign, day(TODAY), 3000, costs, mornings);
        roots.push((mornings.has_changed(), root.text.contains(words)));
    }
    assert_eq!(roots, [(true, true), (false, true)]);
}
