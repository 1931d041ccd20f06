//! Facts planted into histories: which day, in which form, which words, and how they can be told to be known.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use hipocampusd::memory::calendar::Day;

use super::words::{ADVICE, NAMES, PEOPLE, SUBJECTS, SYSTEMS, THINGS};
use super::{forms, held};

/// Raw logs by date.
pub(crate) type Logs = BTreeMap<Day, String>;

/// SplitMix64.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((mixed ^ (mixed >> 31)) % end as u64).unwrap_or(0)
    }
}

/// Something that stands in the logs once and that an agent may be asked about.
#[derive(Debug, Clone)]
pub(crate) struct Fact {
    pub(crate) day: Day,
    /// The words by which its topic can be found.
    pub(crate) subject: String,
    /// All words that must stand together.
    pub(crate) words: Vec<String>,
    /// Whether its form is one of those that are not looked at.
    pub(crate) held: bool,
    /// The whole entry, when it is to be kept word for word.
    pub(crate) kept: Option<String>,
    /// Whether it stands in a conversation about something else.
    pub(crate) aside: bool,
    /// Which form it has, for the one who tunes.
    pub(crate) form: String,
}

/// A history with facts in it.
pub(crate) struct History {
    pub(crate) name: &'static str,
    pub(crate) logs: Logs,
    pub(crate) facts: Vec<Fact>,
    pub(crate) today: Day,
}

/// One choice of what the holes of a form are filled with.
struct Filling {
    subject: String,
    person: String,
    name: String,
    thing: String,
    number: String,
}

impl Filling {
    fn new(random: &mut Random, subject: &str, number: usize) -> Self {
        let name =
            |number: usize| format!("{}{}", NAMES[0][number % 16], NAMES[1][(number / 16 + number) % 16]);
        Self {
            subject: subject.to_owned(),
            person: PEOPLE[number % PEOPLE.len()].to_owned(),
            name: name(number),
            thing: format!("{} {}", THINGS[0][number % 16], THINGS[1][(number / 16 + number * 3) % 16]),
            number: (40 + random.below(900)).to_string(),
        }
    }

    fn fill(&self, form: &str) -> String {
        form.replace("{s}", &self.subject)
            .replace("{p}", &self.person)
            .replace("{b}", &self.name)
            .replace("{t}", &self.thing)
            .replace("{n}", &self.number)
    }

    /// The words of the fact that a form states.
    fn words(&self, form: &str, subject: &str) -> Vec<String> {
        let holes = [("{p}", &self.person), ("{b}", &self.name), ("{t}", &self.thing)];
        std::iter::once(subject.to_owned())
            .chain(
                holes
                    .iter()
                    .filter(|(hole, _)| form.contains(hole))
                    .map(|(_, word)| (*word).clone()),
            )
            .collect()
    }
}

/// Conversations with an agent: every day some about a subject of their own, in the shape of public benchmark data.
pub(crate) fn conversations(logs: &mut Logs, days: &[Day], a_day: usize, random: &mut Random) -> Vec<Fact> {
    let mut facts = Vec::new();
    for (number, &day) in days.iter().flat_map(|day| std::iter::repeat_n(day, a_day)).enumerate() {
        let held = number % 2 == 1;
        let form = if held { &held::SPOKEN } else { &forms::SPOKEN }[(number / 2) % 12];
        let subject = SUBJECTS[(number * 7 + number / SUBJECTS.len()) % SUBJECTS.len()];
        let filling = Filling::new(random, subject, number);
        let log = logs.entry(day).or_insert_with(|| format!("# {day}\n"));
        let _ = write!(
            log,
            "\n## Session {:08x}_{}\nSession Date: {day}\n\n",
            number * 7919 + 0x3c11_77aa,
            number % 5
        );
        for (turn, text) in [form[0], form[1]].into_iter().enumerate() {
            let _ = writeln!(log, "User: {}", filling.fill(text));
            answer(log, &filling, random, 6 + turn * 3);
        }
        facts.push(Fact {
            day,
            subject: subject.to_owned(),
            words: filling.words(form[1], subject),
            held,
            kept: None,
            aside: false,
            form: form[1].chars().take(40).collect(),
        });
    }
    facts
}

fn answer(log: &mut String, filling: &Filling, random: &mut Random, points: usize) {
    let _ = writeln!(
        log,
        "Assistant: That's a great question! Here are some ideas for your {}:\n",
        filling.subject
    );
    for point in 1..=points {
        let decoy = random.below(256);
        let decoy = format!("{}{}", NAMES[0][decoy % 16].to_lowercase(), NAMES[1][decoy / 16]);
        let decoy = format!("{}{}", decoy[..1].to_uppercase(), &decoy[1..]);
        let advice = ADVICE[random.below(ADVICE.len())].replace("{d}", &format!("{decoy} Pro"));
        let _ = writeln!(log, "{point}. {}", filling.fill(&advice));
    }
    let _ = writeln!(log, "\nLet me know if you have any other questions!");
}

/// Facts dropped into conversations about something else: the last thing that the person says there.
pub(crate) fn buried(logs: &mut Logs, random: &mut Random) -> Vec<Fact> {
    const ASIDES: [&str; 2] = [
        "By the way, I just bought a {s} from {b}, it arrived this morning.",
        "Oh, and {p} is lending me a {s} for the summer, which is nice.",
    ];
    let mut facts = Vec::new();
    for (number, (&day, log)) in logs.iter_mut().enumerate() {
        let Some(at) = log.rfind("\nUser: ") else { continue };
        let subject = SUBJECTS[(number * 11 + 3) % SUBJECTS.len()];
        let filling = Filling::new(random, subject, 500 + number);
        let form = ASIDES[number % 2];
        log.insert_str(at + "\nUser: ".len(), &format!("{} ", filling.fill(form)));
        facts.push(Fact {
            day,
            subject: subject.to_owned(),
            words: filling.words(form, subject),
            held: number % 2 == 1,
            kept: None,
            aside: true,
            form: form.to_owned(),
        });
    }
    facts
}

/// Entries about work, in English.
pub(crate) fn work(logs: &mut Logs, days: &[Day], random: &mut Random) -> Vec<Fact> {
    let mut facts = Vec::new();
    for (number, &day) in days.iter().enumerate() {
        let held = number % 2 == 1;
        let form = if held { &held::WRITTEN } else { &forms::WRITTEN }[(number / 2) % 16];
        let subject = SYSTEMS[number % SYSTEMS.len()];
        let filling = Filling::new(random, subject, number + 31);
        let heading = format!("{}{}", subject[..1].to_uppercase(), &subject[1..]);
        let log = logs.entry(day).or_insert_with(|| format!("# {day}\n"));
        let _ = write!(log, "\n## {heading}\n\n{}", filling.fill(form));
        facts.push(Fact {
            day,
            subject: subject.to_owned(),
            words: filling.words(form, subject),
            held,
            kept: None,
            aside: false,
            form: form.chars().take(40).collect(),
        });
    }
    facts
}

/// Entries in other languages, thirteen of them and a fourteenth that is held out.
pub(crate) fn foreign(logs: &mut Logs, days: &[Day], random: &mut Random) -> Vec<Fact> {
    let mut facts = Vec::new();
    for (number, &day) in days.iter().enumerate().take(48) {
        let held = number % 2 == 1;
        let (heading, form, word) = if held { &held::FOREIGN } else { &forms::FOREIGN }[number / 2];
        let filling = Filling::new(random, word, number + 90);
        let log = logs.entry(day).or_insert_with(|| format!("# {day}\n"));
        let _ = write!(log, "\n## {heading}\n\n{}", filling.fill(form));
        facts.push(Fact {
            day,
            subject: word.to_owned(),
            words: filling.words(form, word),
            held,
            kept: None,
            aside: false,
            form: form.trim().to_owned(),
        });
    }
    facts
}

/// User and feedback entries.
pub(crate) fn kept(logs: &mut Logs, days: &[Day], random: &mut Random) -> Vec<Fact> {
    let mut facts = Vec::new();
    for (number, &day) in days.iter().enumerate() {
        let held = number % 2 == 1;
        let (tag, form) = if held { &held::KEPT } else { &forms::KEPT }[(number / 2) % 4];
        let subject = SUBJECTS[(number * 5 + 1) % SUBJECTS.len()];
        let filling = Filling::new(random, subject, number + 200);
        let entry = format!("## About {subject} [{tag}]\n\n{}", filling.fill(form));
        let log = logs.entry(day).or_insert_with(|| format!("# {day}\n"));
        let _ = write!(log, "\n{entry}");
        facts.push(Fact {
            day,
            subject: subject.to_owned(),
            words: filling.words(form, subject),
            held,
            kept: Some(entry.trim_end().to_owned()),
            aside: false,
            form: form.to_owned(),
        });
    }
    facts
}
