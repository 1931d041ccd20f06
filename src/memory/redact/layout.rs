//! Where a value stands apart from its label: elsewhere in its line, on a line below, in a table's column, in a manifest, in a list.
//! There the look of a value decides, and a word beside it that says that it is something else.

use std::ops::Range;

use super::super::text::head;
use super::extent::{self, JUDGED_MAX, Line, bare, floor, lines_below, nothing_more, place};
use super::labels::{self, Label};
use super::rules::{group, pattern};
use super::values::{self, Setting, Trust};
use super::words;

/// More lines than anybody puts between a label and the end of what it announces.
const LINES_MAX: usize = 256;
/// As far from a label, or from the end of its line, as a comment is from what it tells of, in bytes.
const NEAR: usize = 160;

/// What stands below a label. Below one that is alone on its line (`Password:`, `### Password`, `<password>`), perhaps in a list or a
/// fence, one strong word; or several, each behind its name: `passwords:`, `[tokens]`, `password {`. Below any other, what tells by itself
/// that it is secret, but for a short name before it: `= x`, `Out[4]: x`.
pub(super) fn below(text: &str, line: &Line, label: &Label, found: &mut Vec<Range<usize>>) {
    /// An empty line, a fence, a ruler.
    const BLANK_ROWS_MAX: usize = 2;
    const ROWS_MAX: usize = 16;
    /// `value:`
    const OWN_NAME_MAX: usize = 8;
    let (own, rest) = (&text[line.first..label.start], &text[label.end..line.end]);
    if rest.len() > NEAR {
        return;
    }
    let heads = is_head(text, line, label);
    let name = &text[label.start..label.end];
    let many = heads && (name.ends_with(['s', 'S']) || !name.is_ascii());
    let trust = match label.trust {
        Trust::Secret if heads => Trust::Random,
        trust => trust,
    };
    let rest = rest.trim_end();
    let is_open = rest.ends_with(['{', '[', '(']);
    // A prompt's command, or nothing but a colon, lets any password follow that tells by itself.
    let announces = rest.bytes().all(|b| b.is_ascii_punctuation())
        || rest.ends_with(':')
        || pattern("prompt").is_match(own.as_bytes());
    let is_digest = || {
        let mut words = text[line.first..line.end].split(ends_word);
        words.any(|word| words::has("digest", word))
    };
    let decoration = |c: char| c.is_whitespace() || "`\"'*>|,;".contains(c);
    let (mut blank, mut rows) = (0, 0);
    for row in lines_below(text, line.end).take(ROWS_MAX) {
        let content = &text[row.start..floor(text, row.end.min(row.start + JUDGED_MAX))];
        if content.bytes().all(|b| b" \t+-=|>*`".contains(&b)) || content.trim_start().starts_with("```") {
            blank += 1;
            if rows > 0 || blank > BLANK_ROWS_MAX {
                return;
            }
            continue;
        }
        let inner = content.trim_matches(decoration);
        let item = inner.strip_prefix(['-', '*', ':', '+', '•', '=']);
        let item = item.filter(|it| it.starts_with(' '));
        let inner = item.unwrap_or(inner).trim_matches(decoration);
        let inner = group("in-tags", inner).unwrap_or(inner);
        // `= "x" as string;`
        let string = content.trim_start();
        let string = extent::quoted(string)
            .filter(|it| rest.contains('=') && !string[place(it, string).end..].contains(':'));
        let inner = string.unwrap_or(inner);
        let single = !inner.contains(|c: char| c.is_whitespace() || matches!(c, '|' | '(' | '<'))
            || values::phrase(inner) == Some(inner.len());
        let named = inner.contains(['=', ':']) && values::without_name(inner).len() < inner.len();
        let signs = ["=", ":", " — ", " – ", " - "];
        let first = signs.iter().filter_map(|sign| inner.find(sign)).min();
        let first = first.or_else(|| inner.find(' '));
        let entry = first.map(|at| inner.split_at(at));
        let (name, value) = entry.filter(|_| named || !single).unwrap_or(("", inner));
        let marks = |c: char| !name.is_empty() && (decoration(c) || ":=-–—".contains(c));
        let value = value.trim_matches(marks);
        let talks = !single && (name.is_empty() || value.contains(char::is_whitespace));
        let tells = |trust| values::tells_itself(value, trust);
        let believed = if heads {
            let told = words::has("said", name) || words::ends("reference", name);
            let given = name.is_empty() || many && !told || words::has("given", name);
            (given || values::is_unmistakable(value, trust, true))
                && labels::is_secret_cell(value, &Label { trust, ..*label })
        } else {
            let is_short = name.len() <= OWN_NAME_MAX || is_open && !name.contains(' ');
            is_short
                && !is_else(name)
                && !value.contains([';', ',', '|'])
                && (tells(Trust::Random) || announces && tells(trust))
                && !is_digest()
        };
        if talks && rows >= usize::from(many) {
            return;
        }
        rows += 1;
        if believed && (rows == 1 || many || !name.is_empty()) {
            let Range { start, end } = place(value, text);
            found.push(start..extent::whole(text, &Line::at(text, start), start, end));
        }
        if !heads || name.is_empty() && item.is_none() {
            return;
        }
    }
}

/// Whether a label is alone on its line, but for marks, whose it is, or words such as *is the following*.
fn is_head(text: &str, line: &Line, label: &Label) -> bool {
    let rest = &text[label.end..line.end];
    let bullets = |c: char| c.is_ascii_digit() || "*_<>- #[.)|".contains(c);
    let own = text[line.first..label.end].trim_start_matches(bullets);
    let below = lines_below(text, line.end).next().unwrap_or(0..0);
    let heads = line.is_heading || pattern("ruler").is_match(text[below].as_bytes());
    let opens = heads && !is_failed(&text[line.first..label.start])
        || rest.contains([':', '=', '|', '>', '*', '_', '{', '?'])
        || own.len() == label.end - label.start;
    let said = rest.trim_matches(|c: char| c.is_whitespace() || "*_>|`\"':=-~+?.]{".contains(c));
    // `## Password for the NAS`, `### Password (prod)`
    let about = heads && words::has("about", said.split(' ').next().unwrap_or(said))
        || said.starts_with('(') && said.ends_with(')');
    // `The password is:`
    let is_verb = |word| words::has("verb", word) || words::has("follows", word);
    // `Use the following password to log in:`
    let announced = text[line.first..line.end].contains("ollowing") && rest.trim_end().ends_with(':');
    match said {
        "" => opens,
        _ => opens && about || said.split(' ').all(is_verb) || announced,
    }
}

/// `Forgot password`: the words before a label say that there is none.
pub(super) fn is_failed(before: &str) -> bool {
    let word = before.split_whitespace().next_back().unwrap_or("");
    words::has("failed", word)
}

/// Adds the secret cells below the heading that the label is, in a table, CSV or TSV, or behind SQL's `VALUES`; nothing when
/// `line` is no table's head. `table` is the last table that was looked through: none of its rows is a head.
pub(super) fn column(
    text: &str,
    line: &Line,
    label: &Label,
    table: &mut Range<usize>,
    found: &mut Vec<Range<usize>>,
) {
    // Far beyond what people write; it keeps a monstrous line cheap.
    const HEAD_MAX: usize = 2048;
    let is_row = table.start < line.start && line.start < table.end;
    if is_row || line.end - line.first > HEAD_MAX {
        return;
    }
    let decoration = |c: char| c == ' ' || "*`_\"'".contains(c);
    let before = text[line.first..label.start].trim_end_matches(decoration);
    // `| Door code (secret) |`
    let after = &text[label.end..line.end];
    let skipped = pattern("decoration").find(after.as_bytes());
    let after = &after[skipped.map_or(0, |it| it.end())..];
    let signs = ['|', ',', ';', '\t'];
    let next_to = after.chars().next().into_iter().chain(before.chars().next_back());
    // ` `: columns of a terminal, with more than one space somewhere.
    let apart = text[line.first..line.end].contains("  ").then_some(' ');
    let Some(sign) = next_to.filter(|c| signs.contains(c)).chain(apart).next() else {
        return;
    };
    // `||user||password||` heads a table in Jira.
    let jira = sign == '|' && text[line.first..].starts_with("||");
    let values = group("insert", after).filter(|_| sign == ',' || after.starts_with(')'));
    if let Some(values) = values {
        let column = before.rsplit('(').next().unwrap_or(before).matches(',').count();
        found.extend(cell(text, place(values, text), ',', column, label));
        return;
    }
    // `| default password |`
    let own = before.rsplit(sign).next().unwrap_or(before).trim();
    let named = sign == '|' && own.bytes().all(|b| b.is_ascii_alphabetic() || b == b' ') && !is_failed(own);
    let bounded = (own.is_empty() || named) && (after.is_empty() || after.starts_with(sign));
    if sign != ' ' && !bounded {
        return;
    }
    // A row of HTML is read as one with a bar before each of its cells, and none at its end.
    let row = |row| cells(unbarred(row), sign);
    let head = &text[line.first..line.end];
    let Some(first) = lines_below(text, line.end).next().map(|row| &text[row]) else {
        return;
    };
    // A line with commas is a head when all of it is names, as many as the line below has cells. Sentences have commas, too.
    let is_name =
        |cell: &str| (1..=32).contains(&cell.trim().len()) && (sign != ',' || !cell.trim().contains(' '));
    let is_alone = |cell: &str| {
        cell.bytes()
            .all(|b| b.is_ascii_alphabetic() || b"_ ".contains(&b))
    };
    let is_ruled = |row: &str| row.contains('-') && row.trim_end().bytes().all(|b| b"|-+: \t".contains(&b));
    let named = row(head).all(is_name) && row(first).count() == row(head).count() && row(head).count() > 1;
    let plain = named && (!matches!(sign, ' ' | '|') || row(head).all(is_alone));
    if !(plain || sign == '|' && (jira || is_ruled(first))) {
        return;
    }
    *table = line.start..line.end;
    let column = match sign {
        ' ' => cells(before, sign).count(),
        _ => before.matches(sign).count() / (1 + usize::from(jira)),
    };
    let is_row = |row: &Range<usize>| text[row.clone()].contains(sign) || is_ruled(&text[row.clone()]);
    for row in lines_below(text, line.end).take_while(is_row) {
        table.end = row.end;
        found.extend(cell(text, row, sign, column, label));
    }
}

fn unbarred(row: &str) -> &str {
    let inner = row.strip_prefix('|').filter(|inner| !inner.ends_with('|'));
    inner.unwrap_or(row)
}

/// The cells of a row; between those of a terminal's columns are two spaces or more.
fn cells(row: &str, sign: char) -> impl Iterator<Item = &str> {
    let mut spaces = 0;
    let between = move |c: char| {
        spaces = if c == ' ' { spaces + 1 } else { 0 };
        c == sign && (c != ' ' || spaces > 1)
    };
    row.split(between)
        .filter(move |cell| sign != ' ' || !cell.trim().is_empty())
}

/// The secret in a row's cell, without white space and decoration.
fn cell(text: &str, row: Range<usize>, sign: char, column: usize, label: &Label) -> Option<Range<usize>> {
    let cell = cells(&text[row], sign).nth(column)?;
    // `admin / x`
    let cell = cell.rsplit(" / ").next()?;
    let value = cell.trim_matches(|c: char| c.is_whitespace() || "`*\"');".contains(c));
    labels::is_secret_cell(value, label).then(|| place(value, text))
}

/// The secrets of a list behind a word that announces one: the words of a wallet, each line of them; codes; cookies.
pub(super) fn listed(text: &str, at: usize, name: &str, item: &str) -> Vec<Range<usize>> {
    /// A page of cookies, or more codes than anybody gets.
    const LIST_MAX: usize = 4096;
    let list = group(name, head(&text[at..], LIST_MAX)).unwrap_or_default();
    let items = pattern(item).captures_iter(list.as_bytes());
    let items = items.filter_map(|item| list.get(item.get(1)?.range()));
    let is_secret =
        |item: &&str| name == "seed-list" || values::has_digit(item) && !values::stands_for_a_value(item);
    items.filter(is_secret).map(|item| place(item, text)).collect()
}

/// The values below `data:` or `stringData:` of a Kubernetes secret.
pub(super) fn manifest(text: &str, line: &Line, at: &Range<usize>) -> Vec<Range<usize>> {
    /// No manifest is longer. In alphabetical order the data stand before the kind.
    const REACH: usize = 4096;
    let depth = |row: &str| row.len() - row.trim_start().len();
    let near = &text[floor(text, at.start.saturating_sub(REACH))..floor(text, at.end + REACH)];
    let own = &text[line.start..at.start];
    if !own.trim().trim_matches('"').is_empty() || !pattern("manifest").is_match(near.as_bytes()) {
        return Vec::new();
    }
    let rows = lines_below(text, line.end).map(|row| &text[row]).take(LINES_MAX);
    let rows = rows.take_while(|row| row.trim().is_empty() || depth(row) > depth(own));
    let values = rows.filter_map(|row| group("manifest-value", row));
    let is_secret = |value: &&str| !values::stands_for_a_value(value);
    values.filter(is_secret).map(|value| place(value, text)).collect()
}

/// Adds the values around a label, in its line, that cannot be anything else: in a call with a comment behind it, as a command's option.
pub(super) fn around(text: &str, line: &Line, label: &Label, found: &mut Vec<Range<usize>>) {
    let from = floor(text, line.start.max(label.start.saturating_sub(NEAR)));
    let until = floor(text, line.end.min(label.end + NEAR));
    let rest = &text.as_bytes()[label.end..line.end.min(label.end + NEAR)];
    if pattern("file-goes-on").is_match(rest) {
        return;
    }
    for chunk in text[from..until].split(|c| " \t\"'`()[]{}<>|,;".contains(c)) {
        let Range { start, end } = place(chunk, text);
        if end <= label.start || start >= label.end {
            found.extend(value(text, line, label, chunk));
        }
    }
}

/// The value in a chunk without white space, quotes and brackets.
fn value(text: &str, line: &Line, label: &Label, chunk: &str) -> Option<Range<usize>> {
    /// Shorter ones are words with a number, but for a PIN.
    const LENGTH_MIN: usize = 8;
    let is_code = label.trust == Trust::Code;
    let is_long = chunk.len() >= LENGTH_MIN || is_code && chunk.len() >= 4;
    let is_odd = values::has_digit(chunk) || chunk.bytes().filter(|b| *b == b'-').count() > 2;
    if !is_long || !is_odd || chunk.contains("://") {
        return None;
    }
    let value = values::without_name(chunk);
    let value = &value[..bare(value)];
    let Range { start, end } = place(value, text);
    let rest = &text[end..floor(text, line.end.min(end + JUDGED_MAX))];
    let before = match text.get(label.end..start) {
        Some(between) => format!("\u{2}{between}"),
        None => line.before(text, start).to_owned(),
    };
    let is_own = pattern("slot-own").is_match(before.as_bytes());
    let is_announced = is_own || pattern("slot-named").is_match(before.as_bytes());
    let is_password = matches!(label.trust, Trust::Password | Trust::Strong);
    let in_path = text[..label.start].ends_with(['/', '\\']);
    if in_path && (is_code || !is_announced) {
        return None;
    }
    let is_value = if is_code {
        is_number(text, label, start..end, rest, (is_own, is_announced))
    } else {
        let marked = || {
            let ends = || value.contains(['!', '#', '*', '$', '^']) && nothing_more(rest);
            // Sentences about passwords are written in English most often.
            let foreign = !words::within("english", &text[label.start..label.end].to_ascii_lowercase());
            text.get(label.end..start).is_some_and(is_talk) && (foreign || ends())
        };
        let apart = || values::is_apart(value) && values::is_password(value);
        is_password && !in_path && (is_own || !is_announced && marked()) && apart()
            || values::is_drawn_alone(value, is_announced)
                && values::is_secret(value, "", Setting::alone(Trust::Random))
    };
    let told = || {
        let before = before.rsplit(ends_word).filter(|word| !word.is_empty());
        let behind = rest.split(ends_word).filter(|word| !word.is_empty());
        before.take(2).chain(behind.take(3)).any(is_else)
    };
    (is_value && !told()).then_some(start..end)
}

/// Whether a word says that what it stands beside is something else than a secret.
fn is_else(word: &str) -> bool {
    words::has("elsewhere", word) || words::has("digest", word)
}

fn ends_word(c: char) -> bool {
    !c.is_alphanumeric()
}

/// Whether four to eight digits are the code that the label announces, and no year or count.
fn is_number(
    text: &str,
    label: &Label,
    value: Range<usize>,
    rest: &str,
    (is_own, is_announced): (bool, bool),
) -> bool {
    let digits = &text[value.clone()];
    let is_year = digits.len() == 4 && (digits.starts_with("19") || digits.starts_with("20"));
    let behind = value.start >= label.end;
    let is_year = is_year && !(behind && is_announced);
    if !(4..=8).contains(&digits.len()) || !values::is_number(digits) || is_year {
        return false;
    }
    let between = text
        .get(label.end..value.start)
        .or(text.get(value.end..label.start));
    let between = between.unwrap_or("");
    if !behind {
        let signs = ["//", "#", "--", "<-", "←", "("];
        let comment = signs.iter().filter_map(|sign| between.find(sign)).min();
        return comment.is_some_and(|at| is_own || between[..at].trim().is_empty());
    }
    let last = between.trim_end().rsplit(' ').next().unwrap_or("");
    let next = rest.split(ends_word).find(|word| !word.is_empty()).unwrap_or("");
    let ends = nothing_more(rest) || words::has("verb", last) || words::has("done", next);
    !between.contains(". ") && (is_announced || is_talk(between) && !between.is_empty() && ends)
}

/// Words and no signs of a sentence or of code.
fn is_talk(text: &str) -> bool {
    let belongs = |b: u8| !b.is_ascii() || b.is_ascii_alphabetic() || b" -'".contains(&b);
    text.bytes().all(belongs)
}
