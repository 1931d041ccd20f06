//! What may stand between a label and its value: `:`, `=`, `is`, a type, a table's bar, a flag's space, brackets, tags.

use memchr::memchr3;

use super::extent::JUDGED_MAX;
use super::labels::Label;
use super::layout;
use super::line::{Line, floor, is_all};
use super::rules::pattern;
use super::values::Trust;
use super::words;

/// What a cell may say before its label, in bytes: a name.
const NAME_MAX: usize = 40;

/// What separates a label from its value.
#[derive(Clone, Copy, Default)]
pub(super) struct Separator {
    pub(super) end: usize,
    /// `is`, `to`, a dash, a bar: prose has them too.
    pub(super) loose: bool,
    /// `=` with no space around it, a flag, markup.
    pub(super) glued: bool,
    /// In brackets, or behind nothing but a space: only what cannot be a word counts.
    pub(super) guessed: bool,
}

impl Separator {
    pub(super) fn at(end: usize, loose: bool) -> Self {
        Self {
            end,
            loose,
            ..Self::default()
        }
    }

    fn guessed(self, guessed: bool) -> Self {
        Self { guessed, ..self }
    }

    fn glued(self, glued: bool) -> Self {
        Self { glued, ..self }
    }
}

/// Where the value starts in `name: DB_PASSWORD` with `value: x` behind it, on the same line or the next, and its kin; and
/// whether prose could read so.
pub(super) fn beside_its_name(text: &str, line: &Line, label: &Label) -> Option<(usize, bool)> {
    /// Between a name and its value stand a few tags and the indentation of a line.
    const NEAR: usize = 120;
    let before = line.before(text, label.start);
    let names = |c: char| ":=<>\"' ".contains(c);
    if !before.ends_with(names) || !pattern("named").is_match(before.as_bytes()) {
        return None;
    }
    let near = &text.as_bytes()[label.end..floor(text, label.end + NEAR)];
    let value = pattern("given-next").find(near);
    if let Some(value) = value.filter(|_| !near.starts_with(b">")) {
        return Some((label.end + value.end(), false));
    }
    // `"value": "x", "name": "DB_PASSWORD"`
    let from = floor(text, label.start.saturating_sub(NEAR));
    let value = pattern("given-first").captures(&text.as_bytes()[from..label.start]);
    Some((from + value?.get(1)?.start(), false))
}

/// What separates a label from its value, if a separator follows it at all.
pub(super) fn separator(text: &str, line: &Line, label: &Label) -> Option<Separator> {
    const ASSIGNS: [&str; 20] = [
        ":: ", "or ", "==>", "<-", "!=", ":::=", "::=", "??=", "||=", "===", ":=", "?=", ".=", "+=", "==",
        "=>", "=", ":", "|| ", "?? ",
    ];
    let after = &text[label.end..line.end];
    let closed = after.trim_start_matches(|c: char| "*_`\"'\\])}?".contains(c));
    let spaced = closed.trim_start();
    let spaces = closed.len() - spaced.len();
    let either = |length: usize, loose: bool| Separator::at(line.end - spaced.len() + length, loose);
    let strict = |length: usize| either(length, false);
    let loose = |length: usize| either(length, true);
    let before = line.before(text, label.start);
    let name = &text[label.start..label.end];
    let quotes = |text: &str| text.starts_with(['"', '\'']);
    let marks = [' ', '*', '`', '_', '-', '>'];
    let starts_cell =
        before.trim_end_matches(marks).ends_with(['|', '\t']) || before.trim_matches(marks).is_empty();
    // `| Asana token | x |`: what it is for stands before it.
    let is_named =
        |cell: &str| cell.len() <= NAME_MAX && !cell.contains([':', '=', '|']) && !layout::is_failed(cell);
    let ends_cell =
        label.trust != Trust::Code && before.rsplit_once('|').is_some_and(|(_, cell)| is_named(cell));
    // `<password type="x">`
    let near = &closed[..floor(closed, JUDGED_MAX)];
    let inside = near.find(['<', '>']).filter(|_| near.starts_with(' '));
    let opened = &closed[inside.unwrap_or(0)..];
    let tag = opened.strip_prefix('>').filter(|_| before.ends_with(['<', ':']));
    if tag.is_some_and(|rest| rest.trim().is_empty() || rest[..floor(rest, JUDGED_MAX)].contains("</")) {
        return Some(Separator::at(line.end - opened.len() + 1, false).glued(true));
    }
    let near = &after.as_bytes()[..floor(after, JUDGED_MAX)];
    let typed = memchr3(b'"', b'\'', b'`', near).and_then(|_| pattern("typed").find(near));
    if let Some(typed) = typed {
        return Some(Separator::at(label.end + typed.end() - 1, false));
    }
    if let Some(assign) = ASSIGNS.iter().find(|it| spaced.starts_with(**it)) {
        let rest = &spaced[assign.len()..];
        let is_path = *assign == ":" && (rest.starts_with(':') || rest.starts_with("//"));
        let inner = rest.trim_start();
        let begins = spaced.len() - inner.len();
        // What is compared is a name more often than a value.
        let compares = matches!(*assign, "==" | "===" | "!=") && !quotes(inner);
        if let Some((length, guessed)) = in_bracket(inner) {
            return Some(loose(begins + length).guessed(guessed && !quotes(&inner[length..])));
        }
        let glued = *assign == "=" && spaces == 0 && !rest.starts_with([' ', '\t']) && !name.contains(' ');
        let is_or = assign.ends_with(' ') && *assign != ":: " && !quotes(inner);
        // Further away, a colon belongs to something else.
        let separator = strict(assign.len()).glued(glued).guessed(compares);
        return (!is_path && !is_or && spaces <= 24).then_some(separator);
    }
    // `||password||x||` is a head's cell with its value in Jira.
    if spaced.starts_with('|') && (starts_cell || ends_cell) {
        return Some(loose(1 + usize::from(spaced.starts_with("||"))));
    }
    if starts_cell
        && (closed.starts_with('\t') || spaced.starts_with([',', ';']) && !spaced[1..].starts_with(' '))
    {
        return Some(loose(usize::from(spaced.starts_with([',', ';']))));
    }
    if (closed.len() < after.len() || before.ends_with('('))
        && spaced.starts_with([',', ';'])
        && quotes(spaced[1..].trim_start())
    {
        let upper = label.identifier && !name.bytes().any(|b| b.is_ascii_lowercase());
        return Some(either(1, !upper));
    }
    let flag = before.ends_with("--") || before.ends_with(" -") || before.ends_with("`-");
    if spaces > 0 && flag && !spaced.starts_with('-') {
        return Some(strict(0).glued(true));
    }
    let called = spaced.strip_prefix('(').filter(|rest| quotes(rest));
    if called.is_some() || spaces > 0 && quotes(spaced) {
        let keyword =
            !name.bytes().any(|b| b.is_ascii_lowercase()) || name.eq_ignore_ascii_case("identified by");
        return Some(either(usize::from(called.is_some()), !keyword));
    }
    let value = after.strip_prefix('/');
    if let Some(value) = value.filter(|it| it.starts_with(|c: char| c.is_ascii_alphanumeric())) {
        // `password/x`, and no path: that has a folder before it or behind it.
        return (!before.ends_with('/') && !value.contains('/')).then_some(loose(1).guessed(true));
    }
    if !name.is_ascii() && after.starts_with(|c: char| quotes(after) || c.is_ascii_alphanumeric()) {
        // `パスワード「x」`, `密码x`: those who write so put no space.
        return Some(Separator::at(label.end, true).guessed(!quotes(after)));
    }
    if let Some((length, guessed)) = in_bracket(spaced) {
        return Some(loose(length).guessed(guessed));
    }
    let (length, guessed) = loose_separator(spaced, spaces > 0, before, name, label.trust)?;
    Some(loose(length).guessed(guessed))
}

/// `(x)`, `[x]`, `(now x)`: the length of what stands before the value in a bracket that holds one word and is no list's, and
/// whether that is nothing but the bracket.
fn in_bracket(text: &str) -> Option<(usize, bool)> {
    let near = &text[..floor(text, JUDGED_MAX)];
    let closes = match near.bytes().next()? {
        b'(' => ')',
        b'[' => ']',
        b'{' => '}',
        // `<b>x</b>` is no bracket.
        b'<' if !near.contains("</") => '>',
        _ => return None,
    };
    let value = behind_verbs(&near[1..]);
    let told = value.len() + 1 < near.len();
    let end = value.find(|c: char| c == closes || c.is_whitespace())?;
    let behind = value[end..].trim_start_matches(closes).trim_start();
    let fills = value[end..].starts_with(closes) && !behind.starts_with([':', '=', '|']);
    (fills || told && value.contains(closes)).then_some((near.len() - value.len(), !told))
}

/// The length of a separator that prose uses as well, and whether it is nothing but a space.
fn loose_separator(
    spaced: &str,
    after_space: bool,
    before: &str,
    name: &str,
    trust: Trust,
) -> Option<(usize, bool)> {
    const QUALIFIED_MAX: usize = 48;
    let trimmed = |rest: &str| {
        let rest = rest.trim_start_matches(|c: char| c.is_whitespace() || c == '.');
        spaced.len() - rest.strip_prefix([':', '=']).unwrap_or(rest).trim_start().len()
    };
    // An arrow, a bullet, a dash, a picture.
    let symbol = spaced
        .chars()
        .next()
        .filter(|c| matches!(c, '\u{2000}'..='\u{2bff}' | '\u{1f000}'..));
    let sign = words::begins("sign", spaced)
        .map(str::len)
        .or(symbol.map(char::len_utf8));
    if let Some(length) = sign {
        return Some((trimmed(&spaced[length..]), false));
    }
    // `รหัสผ่านใหม่: x`: some write without spaces.
    let unspaced = spaced.starts_with(|c: char| !c.is_ascii());
    if !after_space && !unspaced || spaced.is_empty() {
        return None;
    }
    let rest = behind_verbs(spaced);
    let is_password = matches!(trust, Trust::Password | Trust::Strong);
    let is_about = |text: &str| {
        let first = text.split_inclusive([' ', '(', '[', ':']).next();
        let first = first.unwrap_or("").trim_end();
        words::has("about", first) || (is_password || trust == Trust::Random) && words::has("whose", first)
    };
    // `password on db1: x`, `password was generated for bob: x`, `heslo na wifi je x`; some verbs are such words, too.
    let told = if is_about(rest) { rest } else { spaced };
    let head = &told[..floor(told, QUALIFIED_MAX)];
    let foreign = is_password && words::begins("english", name).is_none();
    let names = foreign || head.starts_with("on ") && (head.contains(": ") || head.contains(" is "));
    let about = is_about(rest) || is_about(spaced) && (names || rest.len() == spaced.len());
    let told_so = || Some((trimmed(rest), false)).filter(|_| rest.len() < spaced.len());
    if !about && let Some(told_so) = told_so() {
        return Some(told_so);
    }
    // `пароль к серверу x`, `รหัสผ่านใหม่คือ x`: who does not write English writes no sentence about passwords.
    let others = spaced.rsplit_once(' ').map(|(others, _)| others);
    if let Some(others) = others.filter(|others| others.len() <= QUALIFIED_MAX) {
        let words = others.split(' ').count();
        let last = others.rsplit(' ').next().unwrap_or(others);
        let leads = about && words <= 3 || words == 1 && words::has("into", last);
        let leads = leads || words::has("verb", last) || !last.is_ascii() && words::ends("sign", last);
        if foreign && (leads || words < 3) && !others.contains([':', '=', '|']) {
            return Some((others.len() + 1, !leads));
        }
    }
    if about {
        let skipped = spaced.len() - told.len();
        let signs = head.match_indices([':', '=', '|']);
        let mut signs = signs.map(|(at, _)| (at, 1));
        let colon = signs.find(|(at, _)| !head[*at..].starts_with("://"));
        let dashes = [" — ", " – ", " - "].iter();
        let dash = dashes.filter_map(|it| Some((head.find(it)?, it.len())));
        let spaces = head.match_indices(' ');
        let mut verbs = spaces.map(|(at, _)| (at, told.len() - at - behind_verbs(&told[at + 1..]).len()));
        let verb = verbs.find(|(_, length)| *length > 1);
        let Some((at, length)) = colon.into_iter().chain(dash).chain(verb).min() else {
            if let Some(told_so) = told_so() {
                return Some(told_so);
            }
            // `password for bob x`
            let others = head
                .trim_end()
                .rsplit_once(' ')
                .filter(|_| head.len() == told.len());
            let (others, _) = others?;
            return Some((skipped + others.len() + 1, true));
        };
        return Some((skipped + at + length, false));
    }
    // `the password I use is x`
    let told = head.match_indices(' ').take(3).find_map(|(at, _)| {
        let length = at + 1 + spaced[at + 1..].len() - behind_verbs(&spaced[at + 1..]).len();
        (length > at + 1 && !head[..at].contains([':', '=', '.', ','])).then_some(length)
    });
    if let Some(length) = told {
        return Some((length, true));
    }
    // `Passwort NAS: x`, `heslo na wifi: x`
    let is_name = |name: &str| is_all(name, |b| !b.is_ascii() || b.is_ascii_alphabetic() || b == b' ');
    let whose = head.split_once(':').filter(|(whose, _)| is_name(whose));
    if let Some((whose, _)) = whose.filter(|_| is_password) {
        // Sentences about passwords are written in English most often.
        let english = words::begins("english", name).is_some();
        return Some((whose.len() + 1, english));
    }
    // Nothing but a space: the value has to be the line's last word, or somebody logs in `with password x`.
    let last = spaced.chars().take(JUDGED_MAX).all(|c| !c.is_whitespace());
    let before = before.to_ascii_lowercase();
    Some((0, !last && !words::ends("with", &before)))
}

/// What follows *is*, *was set to*, *variable to* and their kin.
fn behind_verbs(text: &str) -> &str {
    let near = &text.as_bytes()[..floor(text, JUDGED_MAX)];
    &text[pattern("verbs").find(near).map_or(0, |verbs| verbs.end())..]
}
