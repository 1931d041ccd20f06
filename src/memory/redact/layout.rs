//! Where a value stands apart from its label: elsewhere in its line, on a line below, in a table's column, in a manifest, in a list.
//! There the look of a value decides, and a word beside it that says that it is something else.

use std::ops::Range;

use super::super::text::head;
use super::extent::{self, JUDGED_MAX, Line, bare, near, place};
use super::labels::{Label, is_secret_cell};
use super::rules::{group, is, pattern};
use super::values::{self, Setting, Trust};
use super::words;

/// As far from a label, or from the end of its line, as a comment is from what it tells of, in bytes.
const NEAR: usize = 160;

/// What stands below a label: below one that is alone on its line (`Password:`, `### Password`) one strong word, or several, each behind
/// its name (`passwords:`, `password {`); below any other, what tells by itself that it is secret (`= x`, `Out[4]: x`).
pub(super) fn below(label: &Label) -> Vec<Range<usize>> {
    /// An empty line, a fence, a ruler.
    const BLANK_ROWS_MAX: usize = 2;
    const ROWS_MAX: usize = 16;
    /// `value:`
    const OWN_NAME_MAX: usize = 8;
    let (line, rest, mut found) = (&label.line, label.rest(), Vec::new());
    if rest.len() > NEAR {
        return found;
    }
    let heads = is_head(label);
    let many = heads && (label.name().ends_with(['s', 'S']) || !label.name().is_ascii());
    let trust = match label.trust {
        Trust::Secret if heads => Trust::Random,
        trust => trust,
    };
    let rest = rest.trim_end();
    let is_open = rest.ends_with(['{', '[', '(']);
    // A prompt's command, or nothing but a colon, lets any password follow that tells by itself.
    let announces =
        rest.bytes().all(|b| b.is_ascii_punctuation()) || rest.ends_with(':') || is("prompt", label.lead());
    let mut words = line.text[line.first..line.end].split(ends_word);
    let is_digest = words.any(|word| words::has("digest", word));
    let decoration = |c: char| c.is_whitespace() || "`\"'*>|,;".contains(c);
    let (mut blank, mut rows) = (0, 0);
    for row in line.below().take(ROWS_MAX) {
        let content = head(row, JUDGED_MAX);
        if content.bytes().all(|b| b" \t+-=|>*`".contains(&b)) || content.trim_start().starts_with("```") {
            blank += 1;
            if rows > 0 || blank > BLANK_ROWS_MAX {
                break;
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
        let sign = signs.iter().filter_map(|sign| inner.find(sign)).min();
        let sign = sign.or_else(|| inner.find(' ')).filter(|_| named || !single);
        let (name, value) = inner.split_at(sign.unwrap_or(0));
        let value = value.trim_matches(|c| !name.is_empty() && (decoration(c) || ":=-–—".contains(c)));
        let talks = !single && (name.is_empty() || value.contains(char::is_whitespace));
        if talks && rows >= usize::from(many) {
            break;
        }
        let tells = |trust| values::tells_itself(value, trust);
        let believed = if heads {
            let told = words::has("said", name) || is("refers", name);
            let given = name.is_empty() || many && !told || words::has("given", name);
            (given || values::is_unmistakable(value, trust, true)) && is_secret_cell(value, trust)
        } else {
            (name.len() <= OWN_NAME_MAX || is_open && !name.contains(' '))
                && !is_else(name)
                && !value.contains([';', ',', '|'])
                && (tells(Trust::Random) || announces && tells(trust))
                && !is_digest
        };
        rows += 1;
        if believed && (rows == 1 || many || !name.is_empty()) {
            let value = place(value, line.text);
            found.push(Line::at(line.text, value.start).whole(value));
        }
        if !heads || name.is_empty() && item.is_none() {
            break;
        }
    }
    found
}

/// Whether a label is alone on its line, but for marks, whose it is, or words such as *is the following*.
fn is_head(label: &Label) -> bool {
    let (line, rest, text) = (&label.line, label.rest(), label.line.text);
    let bullets = |c: char| c.is_ascii_digit() || "*_<>- #[.)|".contains(c);
    let is_first = label.lead().trim_start_matches(bullets).is_empty();
    let below = line.below().next().unwrap_or_default();
    let heads = line.is_heading || is("ruler", below);
    let opens = heads && !is_failed(label.lead())
        || rest.contains([':', '=', '|', '>', '*', '_', '{', '?'])
        || is_first;
    let said = rest.trim_matches(|c: char| c.is_whitespace() || "*_>|`\"':=-~+?.]{".contains(c));
    // `## Password for the NAS`, `### Password (prod)`
    let about = heads && words::has("about", said.split(' ').next().unwrap_or(said))
        || said.starts_with('(') && said.ends_with(')');
    // `The password is:`
    let is_verb = |word| words::has("verb", word) || words::has("follows", word);
    // `Use the following password to log in:`
    let announced = text[line.first..line.end].contains("ollowing") && rest.trim_end().ends_with(':');
    opens && (said.is_empty() || about) || !said.is_empty() && (said.split(' ').all(is_verb) || announced)
}

/// `Forgot password`: the words before a label say that there is none.
fn is_failed(before: &str) -> bool {
    let word = before.split_whitespace().next_back().unwrap_or("");
    words::has("failed", word)
}

/// The secret cells below the heading that the label is, in a table, CSV or TSV, or behind SQL's `VALUES`; nothing when
/// the label's line is no table's head. `table` is the last table that was looked through: none of its rows is a head.
pub(super) fn column(label: &Label, table: &mut Range<usize>) -> Vec<Range<usize>> {
    // Far beyond what people write; it keeps a monstrous line cheap.
    const HEAD_MAX: usize = 2048;
    let (line, text) = (&label.line, label.line.text);
    let is_row = table.start < line.start && line.start < table.end;
    if is_row || line.end - line.first > HEAD_MAX {
        return Vec::new();
    }
    let cell = |row, sign, column| {
        let cell = cells(row, sign).nth(column)?;
        // `admin / x`
        let cell = cell.rsplit(" / ").next()?;
        let value = cell.trim_matches(|c: char| c.is_whitespace() || "`*\"');".contains(c));
        is_secret_cell(value, label.trust).then(|| place(value, text))
    };
    let decoration = |c: char| c == ' ' || "*`_\"'".contains(c);
    let before = label.lead().trim_end_matches(decoration);
    // `| Door code (secret) |`
    let after = label.rest();
    let skipped = pattern("decoration").find(after.as_bytes());
    let after = &after[skipped.map_or(0, |it| it.end())..];
    let head = &text[line.first..line.end];
    let next_to = after.chars().next().into_iter().chain(before.chars().next_back());
    let mut signs = next_to.filter(|c| ['|', ',', ';', '\t'].contains(c));
    // ` `: columns of a terminal, with more than one space somewhere.
    let Some(sign) = signs.next().or(head.contains("  ").then_some(' ')) else {
        return Vec::new();
    };
    let inserted = group("insert", after).filter(|_| sign == ',' || after.starts_with(')'));
    if let Some(inserted) = inserted {
        let column = before.rsplit('(').next().unwrap_or(before).matches(',').count();
        return cell(inserted, ',', column).into_iter().collect();
    }
    // `| default password |`
    let own = before.rsplit(sign).next().unwrap_or(before).trim();
    let named = sign == '|' && own.bytes().all(|b| b.is_ascii_alphabetic() || b == b' ') && !is_failed(own);
    let bounded = (own.is_empty() || named) && (after.is_empty() || after.starts_with(sign));
    let first = line.below().next().filter(|_| sign == ' ' || bounded);
    let Some(first) = first else {
        return Vec::new();
    };
    // A line with commas is a head when all of it is names, as many as the line below has cells. Sentences have commas, too.
    let is_name =
        |cell: &str| (1..=32).contains(&cell.trim().len()) && (sign != ',' || !cell.trim().contains(' '));
    let is_alone = |cell: &str| cell.bytes().all(|b| b.is_ascii_alphabetic() || b"_ ".contains(&b));
    let is_ruled = |row: &str| row.contains('-') && row.trim_end().bytes().all(|b| b"|-+: \t".contains(&b));
    // A row of HTML is read as one with a bar before each of its cells, and none at its end.
    let unbarred = |row| str::strip_prefix(row, '|').filter(|inner| !inner.ends_with('|')).unwrap_or(row);
    let heads: Vec<&str> = cells(unbarred(head), sign).collect();
    let named = heads.len() > 1
        && heads.len() == cells(unbarred(first), sign).count()
        && heads
            .iter()
            .all(|cell| is_name(cell) && (!matches!(sign, ' ' | '|') || is_alone(cell)));
    // `||user||password||` heads a table in Jira.
    let jira = sign == '|' && head.starts_with("||");
    if !(named || jira || sign == '|' && is_ruled(first)) {
        return Vec::new();
    }
    let column = match sign {
        ' ' => cells(before, sign).count(),
        _ => before.matches(sign).count() / (1 + usize::from(jira)),
    };
    let is_row = |row: &&str| row.contains(sign) || is_ruled(row);
    let rows: Vec<&str> = line.below().take_while(is_row).collect();
    *table = line.start..rows.last().map_or(line.end, |row| place(row, text).end);
    rows.iter().filter_map(|row| cell(row, sign, column)).collect()
}

/// The cells of a row; between those of a terminal's columns are two spaces or more.
fn cells(row: &str, sign: char) -> impl Iterator<Item = &str> {
    let mut spaces = 0;
    let between = move |c: char| {
        spaces = if c == ' ' { spaces + 1 } else { 0 };
        c == sign && (c != ' ' || spaces > 1)
    };
    row.split(between).filter(move |cell| sign != ' ' || !cell.trim().is_empty())
}

/// The secrets behind a word that announces several: the words of a wallet, each line of them; codes; cookies; the values below
/// `data:` or `stringData:` of a secret of Kubernetes.
pub(super) fn listed(line: &Line, at: &Range<usize>, list: &str) -> Vec<Range<usize>> {
    /// A page of cookies, more codes than anybody gets, a long manifest. In alphabetical order its data stand before its kind.
    const LIST_MAX: usize = 4096;
    let text = line.text;
    let behind = near(text, at.end, at.end + LIST_MAX);
    let items: Vec<&str> = if list == "manifest" {
        let depth = |row: &str| row.len() - row.trim_start().len();
        let own = &text[line.start..at.start];
        let around = near(text, at.start.saturating_sub(LIST_MAX), at.end + LIST_MAX);
        let is_manifest = own.trim().trim_matches('"').is_empty() && is("manifest", around);
        let rows = line
            .below()
            .take_while(|row| is_manifest && (row.trim().is_empty() || depth(row) > depth(own)));
        rows.filter_map(|row| group("manifest-value", row)).collect()
    } else {
        let (all, item) = match list {
            "seed" => ("seed-list", "seed"),
            "codes" => ("code-list", "listed-code"),
            _ => ("cookie-list", "cookie"),
        };
        let all = group(all, behind).unwrap_or_default();
        let items = pattern(item).captures_iter(all.as_bytes());
        items.filter_map(|item| all.get(item.get(1)?.range())).collect()
    };
    let is_secret = |item: &&&str| match list {
        "seed" => true,
        "manifest" => !values::stands_for_a_value(item),
        _ => values::has_digit(item) && !values::stands_for_a_value(item),
    };
    items.iter().filter(is_secret).map(|item| place(item, text)).collect()
}

/// The values around a label, in its line, that cannot be anything else: in a call with a comment behind it, as a command's option.
pub(super) fn around(label: &Label) -> Vec<Range<usize>> {
    let line = &label.line;
    let rest = line.within(label.end, label.end + NEAR);
    if is("file-goes-on", rest) {
        return Vec::new();
    }
    let around = line.within(label.start.saturating_sub(NEAR), label.end + NEAR);
    let chunks = around.split(|c| " \t\"'`()[]{}<>|,;".contains(c));
    chunks.filter_map(|chunk| value(label, chunk)).collect()
}

/// The value in a chunk without white space, quotes and brackets.
fn value(label: &Label, chunk: &str) -> Option<Range<usize>> {
    /// Shorter ones are words with a number, but for a PIN.
    const LENGTH_MIN: usize = 8;
    let (line, text) = (&label.line, label.line.text);
    let is_code = label.trust == Trust::Code;
    let is_long = chunk.len() >= LENGTH_MIN || is_code && chunk.len() >= 4;
    let is_odd = values::has_digit(chunk) || chunk.matches('-').count() > 2;
    let Range { start, end } = place(chunk, text);
    let is_apart = end <= label.start || start >= label.end;
    if !is_apart || !is_long || !is_odd || chunk.contains("://") {
        return None;
    }
    let value = bare(values::without_name(chunk));
    let Range { start, end } = place(value, text);
    let (between, rest) = (text.get(label.end..start), line.behind(end));
    let before = match between {
        Some(between) => format!("\u{2}{between}"),
        None => line.before(start).to_owned(),
    };
    let is_own = is("slot-own", &before);
    let is_announced = is_own || is("slot-named", &before);
    let in_path = text[..label.start].ends_with(['/', '\\']);
    if in_path && (is_code || !is_announced) {
        return None;
    }
    let is_value = if is_code {
        is_number(label, start..end, is_own, is_announced)
    } else {
        let marked = || {
            let ends = || value.contains(['!', '#', '*', '$', '^']) && is("nothing-more", rest);
            // Sentences about passwords are written in English most often.
            let foreign = !is("in-english", label.name());
            between.is_some_and(is_talk) && (foreign || ends())
        };
        let is_password = matches!(label.trust, Trust::Password | Trust::Strong)
            && !in_path
            && (is_own || !is_announced && marked())
            && values::is_apart(value)
            && values::is_password(value);
        is_password
            || values::is_drawn_alone(value, is_announced)
                && values::is_secret(value, "", Setting::alone(Trust::Random))
    };
    let words = |text| str::split(text, ends_word).filter(|word| !word.is_empty());
    let told = || words(&before).rev().take(2).chain(words(rest).take(3)).any(is_else);
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
fn is_number(label: &Label, value: Range<usize>, is_own: bool, is_announced: bool) -> bool {
    let (line, text) = (&label.line, label.line.text);
    let digits = &text[value.clone()];
    let is_year = digits.len() == 4 && (digits.starts_with("19") || digits.starts_with("20"));
    if !(4..=8).contains(&digits.len()) || !values::is_number(digits) {
        return false;
    }
    let Some(between) = text.get(label.end..value.start) else {
        let between = text.get(value.end..label.start).unwrap_or_default();
        let signs = ["//", "#", "--", "<-", "←", "("];
        let comment = signs.iter().filter_map(|sign| between.find(sign)).min();
        return !is_year && comment.is_some_and(|at| is_own || between[..at].trim().is_empty());
    };
    let rest = line.behind(value.end);
    let last = between.trim_end().rsplit(' ').next().unwrap_or("");
    let next = rest.split(ends_word).find(|word| !word.is_empty()).unwrap_or("");
    let ends = is("nothing-more", rest) || words::has("verb", last) || words::has("done", next);
    let is_said = !is_year && is_talk(between) && !between.is_empty() && ends;
    !between.contains(". ") && (is_announced || is_said)
}

/// Words and no signs of a sentence or of code.
fn is_talk(text: &str) -> bool {
    let belongs = |b: u8| !b.is_ascii() || b.is_ascii_alphabetic() || b" -'".contains(&b);
    text.bytes().all(belongs)
}
