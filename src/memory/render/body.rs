//! A body that grows part by part.

use super::{Built, Source};
use crate::memory::calendar::Day;
use crate::memory::digest::Digest;
use crate::memory::inert::quoted;
use crate::memory::level::{Period, Status};
use crate::memory::markdown::{self, What};
use crate::memory::node::{Form, Front, Node, Part, TopicName};
use crate::memory::redact::redact;
use crate::memory::task::{Answer, VERBATIM};
use crate::memory::text::{line_count, unbroken};
use crate::memory::{reading, summary};

#[derive(Default)]
pub(super) struct Body {
    text: String,
    lines: usize,
    parts: Vec<Part>,
    digest: Digest,
    /// Who wrote each summary in it; none stands for the extractive one.
    summaries: Vec<Option<String>>,
    /// Whether it holds the text of other nodes: the digest knows more of them than stands there.
    has_nodes: bool,
}

impl Body {
    /// A heading of our own, with a blank line before and behind it.
    pub(super) fn heading(&mut self, line: &str) {
        self.blank();
        // Some are the name of a file, and a name must not become a line of its own.
        self.text.push_str(&unbroken(line));
        self.text.push_str("\n\n");
        self.lines += 2;
    }

    fn blank(&mut self) {
        if !self.text.is_empty() && !self.text.ends_with("\n\n") {
            self.text.push('\n');
            self.lines += 1;
        }
    }

    /// A source's text as it is. A fence or comment that it leaves open is closed behind it, lest it swallow what
    /// follows.
    fn verbatim(&mut self, day: Day, form: Form, text: &str) {
        self.blank();
        let lines = line_count(text);
        self.parts.push(Part {
            day,
            form,
            first_line: self.lines,
            lines,
        });
        self.push(text);
        if let Some(closing) = left_open(text) {
            self.push(&closing);
        }
    }

    fn push(&mut self, text: &str) {
        self.text.push_str(text);
        if !text.is_empty() && !text.ends_with('\n') {
            self.text.push('\n');
        }
        self.lines += line_count(text);
    }

    /// The log of that name without `.md`, as it is but for orders, which stand in quotation marks; what it says is added to the digest.
    pub(super) fn log(&mut self, day: Day, stem: &str, text: &str) {
        let text = quoted(text);
        self.verbatim(day, Form::Raw, &text);
        reading::part_of_file(&mut self.digest, Form::Raw, day, Some(stem), &text);
    }

    /// Text of a log in the same way.
    pub(super) fn log_text(&mut self, day: Day, form: Form, text: &str) {
        let text = quoted(text);
        self.verbatim(day, form, &text);
        reading::part(&mut self.digest, form, day, &text);
    }

    /// A summary of a digest, by whoever has one for what the extractive one says, and the entries that are kept whole
    /// behind it.
    pub(super) fn summary(
        &mut self,
        period: Period,
        mut digest: Digest,
        answer: impl FnOnce(&Digest, &str) -> Option<Answer>,
    ) {
        let subjects = reading::settle(&mut digest);
        let printed = summary::print(&digest, &subjects, period);
        let (text, by) = match answer(&digest, &printed) {
            Some(answer) => (answer.text, Some(answer.by)),
            // What is put together from clean pieces may read like a secret.
            None => (redact(&printed).into_owned(), None),
        };
        self.summaries.push(by);
        self.verbatim(period.last_day(), Form::Summary, &text);
        for kept in digest.kept() {
            self.verbatim(kept.day, Form::Entry, &quoted(&kept.text));
        }
        self.digest.merge(digest);
    }

    pub(super) fn concatenate(&mut self, source: &mut Source<'_>) {
        self.has_nodes = true;
        let node = source.node;
        let heading = format!("# {}", node.front.period);
        // A log that begins with its date brings the heading with it.
        if node
            .body
            .lines()
            .next()
            .is_none_or(|line| line.trim_end() != heading)
        {
            self.heading(&heading);
        } else {
            self.blank();
        }
        self.digest.merge(std::mem::take(&mut source.digest));
        let shift = self.lines;
        let parts = node.parts();
        if parts.is_empty() {
            let form = reading::form_of(&node.body);
            self.verbatim(node.front.period.last_day(), form, &redact(&node.body));
            return;
        }
        self.parts.extend(parts.iter().map(|(part, _)| Part {
            first_line: part.first_line + shift,
            ..*part
        }));
        self.push(&node.body);
    }

    /// The node. Its topics are those of everything that went in; what it says to the level above is what can be read from it, no more.
    pub(super) fn finish(mut self, front: Front) -> Built {
        let verbatim = front.summarizer.as_deref() == Some(VERBATIM);
        if verbatim {
            reading::settle(&mut self.digest);
        }
        let mut node = Node {
            front: Front {
                parts: self.parts,
                ..front
            },
            body: self.text,
        };
        let summarized = !self.summaries.is_empty();
        let answered = summarized && self.summaries.iter().all(Option::is_some);
        if answered {
            node.front.summarizer = self.summaries.into_iter().flatten().next();
        }
        if (verbatim || answered) && node.front.status == Status::NeedsSummarization {
            // Nothing was left out, or somebody has summarized it: there is nothing to wait for.
            node.front.status = Status::Tentative;
        }
        for topic in self.digest.topics() {
            node.front.topics.push(TopicName {
                name: topic.name.clone(),
                kind: topic.kind,
            });
            node.front
                .mentions
                .push(topic.mentioned(node.front.period.first_day()));
        }
        // Of what stands there whole nothing has to be read again.
        let digest = if summarized || self.has_nodes {
            reading::node(&node)
        } else {
            self.digest.set_topics(reading::topics(&node));
            self.digest
        };
        let (text, content) = node.print_hashed();
        Built {
            content,
            node,
            text,
            digest,
        }
    }
}

/// The line that closes a fence or comment which a text leaves open.
pub(in crate::memory) fn left_open(text: &str) -> Option<String> {
    if !["```", "~~~", "<!--"]
        .iter()
        .any(|mark| memchr::memmem::find(text.as_bytes(), mark.as_bytes()).is_some())
    {
        return None;
    }
    let mut fence = None;
    let mut comment = false;
    for line in markdown::lines(text) {
        match line.what {
            What::FenceOpen => fence = Some(line.text),
            What::FenceClose => fence = None,
            _ => {}
        }
        comment = line.what == What::Comment && !line.text.contains("-->");
    }
    if let Some(open) = fence {
        let open = open.trim_start_matches(['>', ' ', '\t']);
        let mark = if open.starts_with('~') { '~' } else { '`' };
        return Some(
            open.chars()
                .take_while(|&letter| letter == mark)
                .collect::<String>()
                + "\n",
        );
    }
    comment.then(|| "-->\n".to_owned())
}
