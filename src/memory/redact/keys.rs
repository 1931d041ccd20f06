//! Private keys in armour (PEM of every kind, OpenSSH, PGP, PuTTY): from BEGIN to END, in lines or in one line with `\n`, in
//! quotes, diffs and source code.
//!
//! A key whose END is missing reaches to its last line of key material; one whose BEGIN is missing starts at its first.
//! Certificates and public keys stay, and so does a sentence that only mentions the armour.

use std::ops::Range;
use std::sync::LazyLock;

use regex::bytes::Regex;

use super::line::floor;
use super::rules::regex;

/// No key is longer; further away, an END belongs to something else.
const BLOCK_MAX: usize = 32 * 1024;

/// What stands between two rows of a key: indentation, marks of quotes, lists, diffs and tables, a line's number, a tag, string
/// quotes and a written-out line end.
const BETWEEN: &str = r#"(?:[\s>|*#"'`+,;.-]|\\[nr]?|\xe2\x80\xa6|//|\d{1,4}[:|]|<[a-z]+>)*"#;

/// The end of a row.
const ROW_END: &str = r#"[ \t"'`+,;|*\\]*(?:\n|\\[nr])"#;

const MATERIAL: &str = "[A-Za-z0-9+/=]";

struct Patterns {
    /// From BEGIN to END.
    whole: Regex,
    /// From BEGIN to the last row of the key.
    begun: Regex,
    /// Its last row, a short one, behind the others.
    last: Regex,
    /// The rows before an END.
    ended: Regex,
}

static PATTERNS: LazyLock<Patterns> = LazyLock::new(|| {
    let armour = |edge: &str| format!("-{{4,6}} ?{edge} [A-Z0-9 ]{{0,48}}PRIVATE KEY(?: BLOCK)? ?-{{4,5}}");
    let (begin, end) = (armour("BEGIN"), armour("END"));
    let headers = "Proc-Type|DEK-Info|Version|Comment|Charset|Hash|MessageID|Encryption|Key-Derivation";
    let headers = format!(r"(?:{headers}|(?:Public|Private)-\w+|Argon2-\w+|X-[A-Za-z-]+): [^\n\\]*");
    // A shorter run may be a word; between BEGIN and END it is a row, and behind rows what no word is.
    let row = format!("(?:{MATERIAL}{{20,}}|{headers})");
    let odd = format!("{MATERIAL}[a-z]*[A-Z0-9+/=]{MATERIAL}*");
    let talk = format!(r#"[^\n\\"]{{0,80}}\n{BETWEEN}{MATERIAL}{{40,}}"#);
    let putty = r"(?:PuTTY-User-Key-File|Private-Lines: )[^\n]*";
    let rows = format!("(?:{putty}|{begin}(?:{talk}|{BETWEEN}{row}))(?:{BETWEEN}{row})*");
    let last = format!(r"[ \t]*\n[>| \t]*(?:{odd}|\n[>| \t]*={MATERIAL}{{4}})");
    Patterns {
        whole: regex(&format!(
            "^-?{begin}{BETWEEN}(?:(?:{row}|{MATERIAL}+{ROW_END}){BETWEEN})*{end}"
        )),
        begun: regex(&format!("^-?{rows}")),
        last: regex(&format!(r"^({last})(?:\s*$|{ROW_END})")),
        ended: regex(&format!(
            "({MATERIAL}{{40,}}(?:{ROW_END}{BETWEEN}{MATERIAL}{{20,}})*(?:{ROW_END}{BETWEEN}{MATERIAL}{{4,}})?){BETWEEN}$"
        )),
    }
});

/// The block that the armour at `at` belongs to.
pub(super) fn block(text: &str, at: &Range<usize>) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    if text[at.clone()].contains("END") {
        let from = floor(text, at.start.saturating_sub(BLOCK_MAX));
        let from = text[from..at.start]
            .rfind("-----")
            .map_or(from, |last| from + last);
        let start = from + PATTERNS.ended.captures(&bytes[from..at.start])?.get(1)?.start();
        let end = text[at.end..].find("PRIVATE KEY").filter(|name| *name <= 48)? + at.end;
        return Some(start..end + text[end..].find("----").map_or(0, |dashes| dashes + 5));
    }
    // A list's hyphen before the armour looks like one more of its own.
    let from = at.start - usize::from(text[..at.start].ends_with('-'));
    // Up to the next BEGIN only, so that many of them are read once.
    let rest = &text[at.end..floor(text, at.end + BLOCK_MAX)];
    let window = &bytes[from..at.end + rest.find("BEGIN ").unwrap_or(rest.len())];
    if let Some(whole) = PATTERNS.whole.find(window) {
        return Some(from..from + whole.end());
    }
    let begun = PATTERNS.begun.find(window)?.end();
    let last = PATTERNS.last.captures(&window[begun..]);
    let last = last.and_then(|last| last.get(1)).map_or(0, |last| last.end());
    Some(from..from + begun + last)
}
