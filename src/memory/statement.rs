//! What a log says, statement by statement: a bullet, a row, a sentence, each with the headings it stands under (SPEC section 3).

mod above;
mod correction;
pub mod line;
mod list;
mod name;
mod sort;
mod tell;
mod theme;
pub mod turn;

use self::above::{Above, Head, Pending};
pub use self::line::{
    COMPANY_WORDS, begins_condition, clip, ends_abbreviated, every_sentence, label_of, plain,
};
use self::line::{Row, Table};
pub use self::name::{is_account, is_sentence, name, name_of_file, role_in};
pub use self::sort::reads_as_task;
use super::calendar::Day;
use super::entry::{Kind, split_tag};
use super::language::{CAST, Label, NOISE, Role, STANCE, Speaker, THANKS, lexicon};
use super::markdown::{self, What};
use super::text::{head, single_spaced};
use super::topic::without_clock;
use super::words::Words;
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use std::mem;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
pub enum Sort {
    #[default]
    Plain,
    Decision,
    Done,
    Lesson,
    Open,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Statement {
    /// The newest date of a log that says it.
    pub day: Day,
    /// The other dates that say the same.
    pub again: Vec<Day>,
    /// The text on one line, without Markdown's marks.
    pub text: String,
    pub words: Words,
    /// What the headings above it name, outermost first; those that name nothing are left out.
    pub heads: Vec<String>,
    /// The label it begins with or stands under.
    pub label: Option<String>,
    /// Its type, when a tag says so.
    pub kind: Kind,
    /// Whether the type was said by a tag.
    pub tagged: bool,
    /// Whether its lowest heading is a subject for sure: it bears a tag, or a summary calls it so.
    pub named: bool,
    pub sort: Sort,
    /// What its label or the heading above it says that it holds.
    pub role: Option<Role>,
    pub speaker: Option<Speaker>,
    /// Whether it gives a model orders against the one it works for. It must reach no page.
    pub hostile: bool,
    /// Whether it came when the node of its day was fixed already: it may correct what that says.
    pub is_late: bool,
    /// Whether it is a sentence that ends in a colon and only announces what others say.
    pub leads: bool,
    pub line: usize,
    /// The line of the item or label that it is indented below.
    pub under: Option<usize>,
    /// The name of that, where the statement has a label of its own.
    pub upper: Option<String>,
}

impl Statement {
    /// Whether an assistant or a tool says it, and no person.
    pub fn is_answer(&self) -> bool {
        matches!(self.speaker, Some(Speaker::Assistant | Speaker::Tool))
    }

    /// A statement of which nothing but the text is known.
    pub fn of(day: Day, text: &str, languages: u32) -> Self {
        Self {
            day,
            text: text.to_owned(),
            words: Words::of(text, languages),
            ..Self::default()
        }
    }

    /// Whether it has all terms of a name.
    pub fn says_all_of(&self, name: &str) -> bool {
        let name = Words::of(name, lexicon().languages(name));
        name.terms().iter().all(|term| self.words.terms().contains(term))
    }

    pub fn reword(&mut self, text: &str) {
        self.text = single_spaced(text);
        self.words = Words::of(&self.text, lexicon().languages(&self.text));
    }

    /// All dates that say it.
    pub fn days(&self) -> impl Iterator<Item = Day> + use<'_> {
        self.again.iter().copied().chain([self.day])
    }

    /// Takes in the same statement of another place: the newer wording stays.
    pub fn also(&mut self, other: Self) {
        let mut days: Vec<Day> = self.days().chain(other.days()).collect();
        days.sort_unstable();
        days.dedup();
        if other.day >= self.day {
            *self = other;
        }
        days.retain(|day| *day != self.day);
        self.again = days;
    }
}

#[derive(Debug, Clone, Default)]
pub struct Reading {
    /// What is worth telling.
    pub statements: Vec<Statement>,
    /// The names given to conversations that had none.
    pub themes: Vec<String>,
    /// The lines of headings that stand in what somebody said in a transcript: a tag there is not the log's own.
    pub spoken: Vec<usize>,
    /// What the headings name, none for those that say what kind of part they are.
    pub named: FxHashMap<String, Option<String>>,
    /// How many lines say nothing that anybody wants to know: heartbeats, timers, "nothing to report", machinery.
    pub noise: usize,
}

/// What is longer than this is cut: no statement of a person is.
const BYTES_MAX: usize = 1200;
/// Beyond so many bytes a person's turn is something pasted: people's own turns in the logs seen end well before.
const TURN_BYTES_MAX: usize = 1600;

/// A message that casts a model in a role says so within so many bytes: behind "please" at most.
const CAST_BYTES: u32 = 8;

/// How OpenClaw marks what its dreaming writes into a log, below a heading, anew every night; nobody said it.
const DREAMT: &str = "<!-- openclaw:dreaming:";

/// The statements of a text of that day. The name of a session's file may tell what it is about ([`name_of_file`]).
pub fn read(day: Day, about: Option<&str>, text: &str) -> Reading {
    let from = markdown::frontmatter_length(text);
    let mut reader = Reader {
        day,
        languages: lexicon().languages(&text[from..]),
        transcript: turn::is_transcript(&text[from..]),
        sections: vec![0],
        ..Reader::default()
    };
    reader
        .heads
        .extend(about.map(|name| Head { name: Some(name.to_owned()), ..Head::default() }));
    let mut is_dreamt = false;
    for line in markdown::body_lines(text) {
        if line.what == What::Comment
            && let Some(mark) = line.text.trim().strip_prefix(DREAMT)
        {
            is_dreamt = mark.ends_with(":start -->") && text[line.start..].contains(":end -->");
            reader.flush();
            if let Some(head) = reader.heads.last_mut().filter(|_| is_dreamt) {
                head.name = None;
            }
        }
        if is_dreamt {
            reader.out.noise += 1;
        } else if reader.transcript
            && let Some(turn) = turn::unpacked(line.text)
        {
            reader.flush();
            for inner in markdown::lines(&turn) {
                reader.take(inner, line.number);
            }
            reader.flush();
        } else {
            let mut rest = line;
            while let Some(at) = escaped_item(&rest) {
                reader.take(markdown::Line { text: &rest.text[..at], ..rest }, line.number);
                let text = &rest.text[at + ESCAPED_BREAK.len()..];
                rest = markdown::Line { text, what: What::Item, ..rest };
            }
            reader.take(rest, line.number);
        }
    }
    reader.flush();
    reader.out.themes = theme::name_conversations(&mut reader.out.statements, &reader.sections);
    reader.out
}

/// A line break that an agent wrote as two signs: `echo "…\n- …"`.
const ESCAPED_BREAK: &str = "\\n";

/// Where an item ends in such a line, and the next begins. In a code span, in quotation marks and behind a backslash they are two signs.
fn escaped_item(line: &markdown::Line<'_>) -> Option<usize> {
    let at = line.text.find(&format!("{ESCAPED_BREAK}- "))?;
    let before = &line.text[..at];
    let is_even = |mark: char| before.matches(mark).count().is_multiple_of(2);
    let is_break = is_even('`') && is_even('"') && !before.ends_with('\\');
    (is_break && matches!(line.what, What::Item | What::Text)).then_some(at)
}

#[derive(Default)]
struct Reader {
    day: Day,
    languages: u32,
    heads: Vec<Head>,
    transcript: bool,
    /// Whether this is a dump of a session with its key: what its turns hold has headings of its own.
    dump: bool,
    prose_in_fence: bool,
    speaker: Option<Speaker>,
    turn_bytes: usize,
    injected: bool,
    /// The items and labels that what is read stands below, outermost first.
    above: Vec<Above>,
    /// Of the line being read (see [`Statement::under`]).
    under: Option<usize>,
    upper: Option<String>,
    list: Option<list::List>,
    /// Whether the section that is read has items.
    has_items: bool,
    /// Whether the line before is blank.
    apart: bool,
    /// Whether the section tells something without the time before it.
    has_timeless: bool,
    table: Option<Table>,
    open: Option<Pending>,
    /// Where the statements of each heading begin.
    sections: Vec<usize>,
    out: Reading,
}

impl Reader {
    /// A line of the log, or one that is packed into its line of that number.
    fn take(&mut self, line: markdown::Line<'_>, number: usize) {
        if self.transcript && self.is_injected(&line) {
            return;
        }
        match line.what {
            What::Heading(heading) if number == line.number => self.heading(heading),
            What::Heading(heading) => {
                self.flush();
                self.heading(markdown::Heading { number, ..heading });
            }
            What::Item => self.item(line.text, number),
            What::Text if self.goes_on_counting(line.text) => self.item(line.text, number),
            What::Text | What::Html => self.text(line.text, number),
            What::FenceOpen => {
                self.flush();
                self.prose_in_fence = line.text.trim().chars().all(|mark| matches!(mark, '`' | '~'));
            }
            What::Code if self.prose_in_fence && line::is_prose(line.text) => {
                self.flush();
                self.text(line.text, number);
            }
            What::Blank | What::Rule | What::Code | What::FenceClose | What::IndentedCode | What::Comment => {
                self.flush();
                self.apart = true;
                self.table = None;
                // What follows a rule across the page is a footer, and no task even below "Next steps".
                if let (What::Rule, Some(head)) = (line.what, self.heads.last_mut()) {
                    head.role = None;
                }
            }
        }
    }

    /// Whether a line belongs to what a program put into somebody's message: from a tag on its own, such as `<relevant-memories>`,
    /// to the one that ends it, or to the end of the message.
    fn is_injected(&mut self, line: &markdown::Line<'_>) -> bool {
        let is_item = matches!(line.what, What::Item);
        let said = turn::speaker(line.text).filter(|_| !is_item);
        if self.injected && said.is_none() && !matches!(line.what, What::Heading(_)) {
            self.injected = !line.text.trim_start().starts_with("</");
            return true;
        }
        let (speaker, text) = said.map_or((self.speaker, line.text), |(speaker, text)| (Some(speaker), text));
        self.injected = speaker == Some(Speaker::User) && turn::is_injection(text);
        if self.injected {
            self.flush();
            self.turn(Speaker::User);
        }
        self.injected
    }

    fn heading(&mut self, heading: markdown::Heading<'_>) {
        // A setext heading's lines were told as text.
        if self.open.as_ref().is_some_and(|open| open.line >= heading.number) {
            self.open = None;
        }
        self.flush();
        self.table = None;
        self.above.clear();
        self.list = None;
        self.has_items = false;
        self.has_timeless = false;
        let (untagged, kind) = split_tag(heading.title);
        let title = plain(untagged);
        let label = lexicon().heading(&title);
        if self.transcript
            && let Some(speaker) = label.speaker
        {
            self.turn(speaker);
            return;
        }
        let levels = || self.heads.iter().map(|head| head.level);
        let above = levels().max().unwrap_or(0);
        let first = title.split([':', ' ']).next().unwrap_or_default();
        // The next session of a dump has a heading as high as the first: "# Session: 2026-02-19".
        let session = (label.dull || label.skip || lexicon().label(first).dull)
            && levels().min().is_none_or(|top| heading.level <= top);
        // The heading belongs to what somebody says.
        if self.speaker.is_some() && (heading.level > above || self.dump && !session) {
            // People do not give their messages headings: it is a prompt that was pasted or sent by a tool.
            if self.speaker == Some(Speaker::User) {
                self.speaker = Some(Speaker::Tool);
            }
            self.out.spoken.push(heading.number);
            return;
        }
        self.sections.push(self.out.statements.len());
        self.speaker = None;
        self.heads.retain(|head| head.level < heading.level);
        let role = label.role.or_else(|| role_in(&title, self.languages));
        let name = name(&title).filter(|_| label.role.is_none() && !label.dull && !label.skip);
        // A tag says that it is a subject, whatever its words are.
        let tagged = Some(&title).filter(|_| kind.is_some() && label.role.is_none());
        let name = name.or_else(|| Some(super::topic::name(tagged?)?.to_string()));
        // What names something is said with each of its statements.
        let is_said = name.is_some() && !sort::is_crossed(untagged);
        let denial = sort::denial(untagged, &title, self.languages);
        let denial = denial.filter(|_| !is_said && role != Some(Role::Open));
        self.out.named.insert(title, name.clone());
        self.heads.push(Head {
            level: heading.level,
            name,
            role,
            kind,
            skip: label.skip,
            denial,
            ..Head::default()
        });
    }

    fn turn(&mut self, speaker: Speaker) {
        self.speaker = Some(speaker);
        self.turn_bytes = 0;
        self.above.clear();
        self.list = None;
    }

    /// Whether a line is an item that Markdown takes for text, since its number is none that a list begins with: "5. Next", below a label.
    fn goes_on_counting(&self, line: &str) -> bool {
        let text = line.trim_start_matches(['>', ' ', '\t']);
        let is_inside = |open: &Pending| !open.item && open.columns >= line::WRAPPED_COLUMNS;
        text.starts_with(|first: char| first.is_ascii_digit())
            && markdown::item(text).is_some()
            && !self.open.as_ref().is_some_and(is_inside)
    }

    fn item(&mut self, line: &str, number: usize) {
        self.flush();
        self.table = None;
        if let Some(item) = markdown::item(line.trim_start_matches(['>', ' '])) {
            let pending = self.begin(item.text, line, number);
            (pending.item, pending.ticked) = (true, item.checkbox);
            self.has_items = true;
        }
    }

    fn begin(&mut self, text: &str, line: &str, number: usize) -> &mut Pending {
        self.flush();
        self.open.insert(Pending {
            text: text.to_owned(),
            quoted: line.trim_start().starts_with('>'),
            indent: line.len() - line.trim_start().len(),
            columns: line::columns(line),
            line: number,
            apart: mem::take(&mut self.apart),
            ..Pending::default()
        })
    }

    fn text(&mut self, line: &str, number: usize) {
        let text = line.trim_start_matches(['>', ' ', '\t']).trim_end();
        let quoted = line.trim_start().starts_with('>');
        // A heading in a quotation names nothing of the log.
        let title = text.trim_start_matches('#');
        let text = if title.starts_with(' ') { title.trim_start() } else { text };
        if text.starts_with('|') || self.table.is_some() && text.contains('|') {
            match self.table.get_or_insert_default().row(text) {
                Row::Cells(cells) => self.begin(&cells, line, number).columns = 0,
                // The row above names the columns.
                Row::Head => self.open = None,
                Row::Nothing => {}
            }
            return;
        }
        self.table = None;
        match &mut self.open {
            Some(open)
                if open.text.len() < BYTES_MAX
                    && (open.quoted || !quoted)
                    && line::goes_on(&open.text, open.columns, text)
                    && !(self.transcript && turn::speaker(text).is_some()) =>
            {
                line::join(&mut open.text, text);
                open.columns = line::columns(line);
            }
            _ => {
                self.begin(text, line, number);
            }
        }
    }

    fn flush(&mut self) {
        if let Some(pending) = self.open.take() {
            self.line(&pending);
        }
    }

    fn line(&mut self, pending: &Pending) {
        let mut text = pending.text.trim();
        let has_time = pending.item && without_clock(text) != text;
        // "[14:30] Lift stuck", apart from what has no such time, is a new matter.
        if has_time
            && pending.apart
            && self.has_timeless
            && pending.indent == 0
            && let Some(head) = self.heads.last_mut()
        {
            (head.name, head.role) = (None, None);
        }
        self.has_timeless |= !has_time;
        // "2026-03-15 14:30 UTC: Lift stuck": the day is the log's own.
        if has_time && text.trim_start_matches('[').starts_with(&self.day.to_string()) {
            text = without_clock(text);
        }
        if self.transcript
            && let Some((speaker, rest)) = turn::speaker(text)
        {
            // "user: System: [2026-02-02 15:18 UTC] Exec completed" is a tool's.
            let inner = turn::speaker(rest).filter(|(inner, _)| *inner == Speaker::Tool);
            let (speaker, rest) = inner.unwrap_or((speaker, rest));
            self.turn(speaker);
            text = rest;
            // People do not give their messages headings.
            if speaker == Speaker::User
                && text.starts_with('#')
                && text.trim_start_matches('#').starts_with(' ')
            {
                self.speaker = Some(Speaker::Tool);
            }
        }
        let text = head(turn::without_envelope(text), BYTES_MAX);
        if text.is_empty() {
            return;
        }
        // "user: [Thu 2026-02-19 10:01 UTC] [System Message] A cron job completed" is OpenClaw's.
        if self.speaker == Some(Speaker::User) && turn::is_of_openclaw(text) {
            self.speaker = Some(Speaker::Tool);
        }
        if self.turn_bytes == 0 && self.speaker == Some(Speaker::User) {
            // A message that gives the model a role: what follows tells of that role, and nothing of the person.
            let words = Words::of(text, self.languages);
            if words.begins(CAST, CAST_BYTES) && !words.says(THANKS) {
                self.speaker = Some(Speaker::Tool);
            }
        }
        self.turn_bytes += text.len();
        let (text, state) = line::without_state(text);
        let (label, body) = label_of(text);
        let label = label.as_deref();
        let known = label.map_or_else(Label::default, |label| lexicon().label(label));
        self.dump |= known.skip && label.is_some_and(line::is_session_key);
        // "**Source**: telegram", below the key of a session.
        let is_field =
            self.dump && self.speaker.is_none() && label.is_some() && body.split_whitespace().count() <= 2;
        // "user: A new session was started via /new", alone in its file.
        let is_machinery =
            known.speaker.is_some() && !pending.item && Words::of(body, self.languages).begins(NOISE, 1);
        if known.skip
            || is_field
            || is_machinery
            || self.heads.iter().any(|head| head.skip)
            || self.speaker == Some(Speaker::Tool)
        {
            self.out.noise += 1;
            return;
        }
        let is_name = known.role.is_none() && known.speaker.is_none() && !known.dull;
        let mut name = label.filter(|_| is_name).and_then(name);
        // "Scoring rules: a is better than b" may be anybody's.
        let weaker = |role| if role == Role::Rule { Role::Feedback } else { role };
        // Among rules "Decisions, no questions" is one.
        let is_ruled = self.role_above(pending) == Some(Role::Rule);
        let of_words = || role_in(label?, self.languages).map(weaker).filter(|_| !is_ruled);
        // "✅ Rules: read twice" tells that they were looked at.
        let is_ticked = pending.ticked == Some(true) || text.starts_with('✅');
        let is_told = |role: &Role| !is_ticked || matches!(role, Role::Decide | Role::Lesson);
        let role = known.role.or(state).map(|role| if is_ticked { weaker(role) } else { role });
        let mut role = role.or_else(|| of_words().filter(is_told));
        let denial = label.and_then(|label| sort::denial(text, label, self.languages));
        let denial = denial.filter(|_| body.is_empty());
        let (mut denied, mut under, mut upper) = (None, None, None);
        let is_lead = label.is_some() && body.is_empty() && is_name && denial.is_none();
        self.above.retain(|above| pending.is_below(above.indent));
        if let Some(above) = self.above.last() {
            under = Some(above.line);
            upper = above.name.clone().filter(|_| name.is_some());
            name = name.or_else(|| above.name.clone());
            role = role.or(above.role);
            denied.clone_from(&above.denial);
            let own = pending.item.then(|| Above {
                indent: pending.indent,
                line: pending.line,
                name: name.clone(),
                role,
                denial: denial.or_else(|| denied.clone()),
            });
            self.above.extend(own);
            // "*crane, repair* | `id:0a1b2c3d`": the tags of a record are no rule because that is one.
            if text.starts_with('*') && text.contains("* | `id:") {
                role = None;
            }
        } else {
            let alone = label.is_some() && body.is_empty();
            // A label by itself ("**Fixes:**") speaks for the items below, wherever they begin.
            let indent = match pending.item {
                true => Some(pending.indent),
                false => alone.then_some(usize::MAX),
            };
            let name = name.clone();
            self.above
                .extend(indent.map(|indent| Above { indent, line: pending.line, name, role, denial }));
            let is_role = role.is_some() && text.trim_end_matches('*').ends_with([':', '：']);
            if alone && (!pending.item || is_role) {
                self.begin_list(text, is_lead, pending);
                return;
            }
        }
        // What a field is called says what its text is, and is no part of it; but "Fixed: wrong path" without it is a fault, and a cause
        // reads as how things are.
        let is_stance = || {
            // A longer one explains itself.
            const WORDS_MAX: usize = 8;
            let is_short = body.split(' ').count() <= WORDS_MAX;
            is_short && label.is_some_and(|label| Words::of(label, u32::MAX).begins(STANCE, 1))
        };
        // "His timezone: GMT+8".
        let is_bare_like = || known.role == Some(Role::Like) && Words::of(body, self.languages).count() <= 2;
        let is_field = known.role.is_some() && !body.is_empty() && !is_stance() && !is_bare_like();
        let is_mended = || known.role == Some(Role::Done) && label.is_some_and(sort::says_done);
        let text = if is_field && !is_mended() { body } else { text };
        let is_group = label.is_some() && body.is_empty();
        let is_bare = !is_group && role.is_none() && pending.ticked.is_none() && denied.is_none();
        if is_bare && self.join_list(text, name.as_ref(), pending) {
            return;
        }
        (self.under, self.upper) = (under, upper);
        let mut heads = self.heads.iter().rev();
        match denied.or_else(|| heads.find_map(|head| head.denial.clone())) {
            // "Never:" above a list.
            Some(denial) => {
                // "I will NOT", among the next steps, is no task.
                let is_open = role.or_else(|| self.role_above(pending)) == Some(Role::Open);
                let role = if is_open { Some(Role::Lesson) } else { role };
                self.tell(&format!("{denial}: {text}"), name.as_ref(), role, pending);
            }
            None => self.tell(text, name.as_ref(), role, pending),
        }
        self.begin_list(text, is_lead, pending);
    }
}

#[cfg(test)]
mod tests;
