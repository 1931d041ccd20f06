//! HTML blocks: the seven ways CommonMark knows for one to start, and how each ends. A heading inside one is
//! none.

use memchr::memmem;

use super::What;

/// The block tags that start an HTML block wherever they stand (CommonMark 0.31, section 4.6, kind 6).
const BLOCK_TAGS: [&str; 62] = [
    "address",
    "article",
    "aside",
    "base",
    "basefont",
    "blockquote",
    "body",
    "caption",
    "center",
    "col",
    "colgroup",
    "dd",
    "details",
    "dialog",
    "dir",
    "div",
    "dl",
    "dt",
    "fieldset",
    "figcaption",
    "figure",
    "footer",
    "form",
    "frame",
    "frameset",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "head",
    "header",
    "hr",
    "html",
    "iframe",
    "legend",
    "li",
    "link",
    "main",
    "menu",
    "menuitem",
    "nav",
    "noframes",
    "ol",
    "optgroup",
    "option",
    "p",
    "param",
    "search",
    "section",
    "summary",
    "table",
    "tbody",
    "td",
    "tfoot",
    "th",
    "thead",
    "title",
    "tr",
    "track",
    "ul",
];

/// Tags whose content is not Markdown until they are closed.
const RAW_TAGS: [&str; 4] = ["pre", "script", "style", "textarea"];

/// An HTML block, by how it ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Html {
    /// `<script>` and its kin, to a closing tag of any of them.
    Raw,
    /// `<!--` to `-->`.
    Comment,
    /// `<?` to `?>`.
    Instruction,
    /// `<!DOCTYPE` and its kin, to `>`.
    Declaration,
    /// `<![CDATA[` to `]]>`.
    Cdata,
    /// A block tag, or a line that is one tag, to the next blank line.
    Tag,
}

impl Html {
    /// The block that starts at `line`, which starts with `<`. A lone tag of any other name does not
    /// interrupt a paragraph.
    pub(super) fn start(line: &str, in_paragraph: bool) -> Option<Html> {
        let rest = &line[1..];
        match *rest.as_bytes().first()? {
            b'!' if rest.starts_with("!--") => return Some(Html::Comment),
            b'!' if rest.starts_with("![CDATA[") => return Some(Html::Cdata),
            b'!' if rest[1..].starts_with(|char: char| char.is_ascii_alphabetic()) => {
                return Some(Html::Declaration);
            }
            b'?' => return Some(Html::Instruction),
            b'/' | b'a'..=b'z' | b'A'..=b'Z' => {}
            _ => return None,
        }
        let closing = rest.starts_with('/');
        let name_start = usize::from(closing);
        let name_length = rest[name_start..]
            .bytes()
            .take_while(u8::is_ascii_alphanumeric)
            .take(16)
            .count();
        let name = &rest[name_start..name_start + name_length];
        let after = &rest[name_start + name_length..];
        let ends = after.is_empty() || after.starts_with([' ', '\t', '>']);
        if is_one_of(name, &RAW_TAGS) && ends && !closing {
            return Some(Html::Raw);
        }
        if is_one_of(name, &BLOCK_TAGS) && (ends || after.starts_with("/>")) {
            return Some(Html::Tag);
        }
        (!in_paragraph && lone_tag(rest.as_bytes(), closing).is_some()).then_some(Html::Tag)
    }

    /// Whether the block ends on this line.
    pub(super) fn ends_in(self, line: &str) -> bool {
        let bytes = line.as_bytes();
        match self {
            Html::Raw => memmem::find_iter(bytes, "</").any(|at| {
                let rest = &line[at + 2..];
                let name = &rest[..rest.find('>').filter(|end| *end <= 8).unwrap_or(0)];
                is_one_of(name, &RAW_TAGS)
            }),
            Html::Comment => memmem::find(bytes, b"-->").is_some(),
            Html::Instruction => memmem::find(bytes, b"?>").is_some(),
            Html::Declaration => memchr::memchr(b'>', bytes).is_some(),
            Html::Cdata => memmem::find(bytes, b"]]>").is_some(),
            Html::Tag => false,
        }
    }

    /// Whether a blank line ends it.
    pub(super) fn ends_at_blank(self) -> bool {
        self == Html::Tag
    }

    pub(super) fn what(self) -> What<'static> {
        if self == Html::Comment {
            What::Comment
        } else {
            What::Html
        }
    }
}

fn is_one_of(name: &str, tags: &[&str]) -> bool {
    tags.iter().any(|tag| tag.eq_ignore_ascii_case(name))
}

/// Something if bytes, from behind a `<`, are one complete tag and white space.
fn lone_tag(bytes: &[u8], closing: bool) -> Option<()> {
    let mut at = usize::from(closing);
    if !bytes.get(at).is_some_and(u8::is_ascii_alphabetic) {
        return None;
    }
    at += count(&bytes[at..], |byte| byte.is_ascii_alphanumeric() || byte == b'-');
    if !closing {
        at += attributes_length(&bytes[at..])?;
    }
    at += count(&bytes[at..], is_space);
    if !closing && bytes.get(at) == Some(&b'/') {
        at += 1;
    }
    let lone = bytes.get(at) == Some(&b'>') && bytes[at + 1..].iter().all(|byte| is_space(*byte));
    lone.then_some(())
}

/// The length of a tag's attributes; nothing when one is broken.
fn attributes_length(bytes: &[u8]) -> Option<usize> {
    let mut at = 0;
    loop {
        let spaces = count(&bytes[at..], is_space);
        let name = count(&bytes[at + spaces..], |byte| {
            byte.is_ascii_alphanumeric() || b"_.:-".contains(&byte)
        });
        if spaces == 0 || name == 0 || !attribute_start(bytes[at + spaces]) {
            return Some(at);
        }
        at += spaces + name;
        at += attribute_value(&bytes[at..])?;
    }
}

fn attribute_start(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || matches!(byte, b'_' | b':')
}

/// The length of `= value`, 0 when there is none, nothing when it is broken.
fn attribute_value(bytes: &[u8]) -> Option<usize> {
    let equals = count(bytes, is_space);
    if bytes.get(equals) != Some(&b'=') {
        return Some(0);
    }
    let start = equals + 1 + count(&bytes[equals + 1..], is_space);
    let length = match *bytes.get(start)? {
        quote @ (b'"' | b'\'') => memchr::memchr(quote, &bytes[start + 1..])? + 2,
        _ => count(&bytes[start..], |byte| {
            !is_space(byte) && !b"\"'=<>`".contains(&byte)
        }),
    };
    (length > 0).then_some(start + length)
}

fn count(bytes: &[u8], test: impl Fn(u8) -> bool) -> usize {
    bytes.iter().take_while(|byte| test(**byte)).count()
}

fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t')
}
