//! Where a value stands apart from its label: on a line below, in a table's column, in a manifest, in a list.

use std::ops::Range;

use super::super::text::head;
use super::extent::{self, JUDGED_MAX};
use super::labels::{self, Label};
use super::line::{Line, floor, is_all, lines_below, place};
use super::near;
use super::rules::{group, pattern};
use super::values::{self, Trust};
use super::words;

/// More lines than anybody puts between a label and the end of what it announces.
const LINES_MAX: usize = 256;

/// What stands below a label. Below one that is alone on its line (`Password:`, `### Password`, `<password>`), perhaps in a list or a
/// fence, one strong word; or several, each behind its name: `passwords:`, `[tokens]`, `password {`. Below any other, what tells by itself
/// that it is secret, but for a short name before it: `= x`, `Out[4]: x`.
pub(super) fn below(text: &str, line: &Line, label: &Label, found: &mut Vec<Range<usize>>) {
    /// An empty line, a fence, a ruler.
    const BLANK_ROWS_MAX: usize = 2;
    const ROWS_MAX: usize = 16;
    /// As far from the end of its line as a comment is from what it tells of, in bytes.
    const NEAR: usize = 160;
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
    let announces = is_all(rest, |b| b.is_ascii_punctuation())
        || rest.ends_with(':')
        || pattern("prompt").is_match(own.as_bytes());
    let is_digest = text[line.first..line.end]
        .split(near::ends_word)
        .any(|word| words::has("digest", word));
    let decoration = |c: char| c.is_whitespace() || "`\"'*>|,;".contains(c);
    let (mut blank, mut rows) = (0, 0);
    for row in lines_below(text, line.end).take(ROWS_MAX) {
        let content = &text[row.start..floor(text, row.end.min(row.start + JUDGED_MAX))];
        if is_all(content, |b| b" \t+-=|>*`".contains(&b)) || content.trim_start().starts_with("```") {
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
                && !is_digest
                && !near::is_else(name)
                && !value.contains([';', ',', '|'])
                && (tells(Trust::Random) || announces && tells(trust))
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
    let is_alone = |cell: &str| is_all(cell, |b| b.is_ascii_alphabetic() || b"_ ".contains(&b));
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
