//! The words that announce a secret, with the letters around them: `DB_PASSWORD`, `api-key`, `passwords`, `TOKEN_2`.

use std::ops::Range;

use super::lines::{Line, floor, starts_with_ignoring_case};
use super::values::Trust;

/// The kinds of words that announce a secret.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Word {
    /// `pass`: a password when it stands alone, or the beginning of password, passwd, passphrase, passcode.
    Pass,
    Password,
    /// `pw:` and `pw=`, its separator included: the word alone is too short to look for.
    ShortPassword,
    Secret,
    /// `key`: counts when the word before it says what for.
    Key,
    Token,
    /// `sig=` of a signed URL, its separator included.
    Signature,
    /// A wallet's words.
    Phrase,
}

/// What a word turned out to announce.
#[derive(Clone, Copy)]
pub(super) struct Label {
    pub(super) trust: Trust,
    pub(super) private: bool,
    /// Where the label ends, endings such as `_PROD` or `s` included.
    pub(super) end: usize,
    /// A single word of an identifier, as in `DB_PASSWORD`.
    pub(super) identifier: bool,
}

/// What the word is, with the letters around it taken into account.
pub(super) fn label(text: &str, line: &Line, at: &Range<usize>, word: Word) -> Option<Label> {
    let before = &text[line.start..at.start];
    let before = before
        .get(floor(before, before.len().saturating_sub(48))..)
        .unwrap_or("");
    let after = &text[at.end..line.end];
    let identifier = before.ends_with(['_', '-']) || before.ends_with(|c: char| c.is_ascii_alphanumeric());
    let plain = |trust, end| Label {
        trust,
        private: false,
        end,
        identifier,
    };
    let mut found = match word {
        Word::Pass => pass(before, after, at, identifier)?,
        Word::ShortPassword if before.ends_with(|c: char| c.is_alphanumeric()) => return None,
        Word::ShortPassword => plain(Trust::Password, at.end - 1),
        Word::Password => plain(Trust::Password, at.end + letters_beyond_ascii(after)),
        Word::Secret => plain(Trust::Secret, at.end + letters_beyond_ascii(after)),
        Word::Key => key(before, at)?,
        Word::Token if identifier && text[at.clone()].bytes().all(|b| b.is_ascii_uppercase()) => {
            plain(Trust::Secret, at.end)
        }
        Word::Token => plain(Trust::Random, at.end),
        Word::Signature | Word::Phrase => return None,
    };
    found.end += ending(&text[found.end..line.end], &mut found.trust, word);
    Some(found)
}

fn pass(before: &str, after: &str, at: &Range<usize>, identifier: bool) -> Option<Label> {
    const ENDINGS: &[&str] = &[
        "words", "word", "wd", "phrases", "phrase", "codes", "code", "wörter", "wort", "key",
    ];
    let label = |trust, end| Label {
        trust,
        private: false,
        end,
        identifier,
    };
    if let Some(ending) = ENDINGS
        .iter()
        .find(|ending| starts_with_ignoring_case(after, ending))
    {
        return Some(label(Trust::Password, at.end + ending.len()));
    }
    if before.ends_with("mot de ") && after.starts_with('e') {
        return Some(label(Trust::Password, at.end + 1));
    }
    // `pass` alone is a verb more often than a label: it counts at the start of a statement and inside an identifier.
    let opens = before.trim_end_matches([' ', '\t']).is_empty()
        || before.trim_end().ends_with([
            '-', '*', ',', ';', '/', '(', '{', '|', '"', '\'', '`', '&', '?', '+', '>',
        ]);
    let inside = before.ends_with(['_', '-'])
        || before.ends_with(|c: char| c.is_ascii_alphabetic()) && is_camel(before, after);
    let has_end = !after.starts_with(|c: char| c.is_ascii_alphanumeric());
    (has_end && (opens || inside) && !after.starts_with(": true")).then(|| {
        let trust = if before.ends_with('_') {
            Trust::Password
        } else {
            Trust::Strong
        };
        label(trust, at.end)
    })
}

/// `dbPass`, not `compass`: the hint itself is not at hand, but its case shows in what follows a small letter.
fn is_camel(before: &str, after: &str) -> bool {
    let known = ["db", "smtp", "user", "mail", "ftp", "admin", "root", "my", "sql"];
    let lower = before.to_ascii_lowercase();
    !after.is_empty() && known.iter().any(|start| lower.ends_with(start))
}

fn key(before: &str, at: &Range<usize>) -> Option<Label> {
    const PURPOSES: &str = "\
        api access private secret account shared signing encryption master auth service client consumer \
        app admin bot license storage subscription role anon session webhook server wallet function host \
        deploy ssh gpg priv prv signer integration rest security";
    let bare = before.strip_suffix([' ', '-', '_', '.', '\t']).unwrap_or(before);
    let lower = bare.to_ascii_lowercase();
    let purpose = PURPOSES
        .split_ascii_whitespace()
        .find(|purpose| lower.ends_with(*purpose));
    let environment =
        before.ends_with('_') && bare.ends_with(|c: char| c.is_ascii_uppercase() || c.is_ascii_digit());
    let trust = if purpose.is_some() {
        Trust::Secret
    } else {
        Trust::Random
    };
    let private = matches!(
        purpose,
        Some("private" | "secret" | "wallet" | "signing" | "priv" | "prv" | "signer")
    );
    (purpose.is_some() || environment).then_some(Label {
        trust,
        private,
        end: at.end,
        identifier: !before.ends_with(' '),
    })
}

/// Endings that leave a label a label: a plural, a number, a stage.
fn ending(after: &str, trust: &mut Trust, word: Word) -> usize {
    const STAGES: &str = "\
        production prod development dev staging stage test live local old new main backup primary \
        secondary value base64 b64 base hash";
    let mut length = 0;
    if after.starts_with(['s', 'S'])
        && word != Word::Token
        && !after[1..].starts_with(|c: char| c.is_ascii_alphanumeric())
    {
        length = 1;
        if *trust == Trust::Password {
            *trust = Trust::Strong;
        }
    } else if after.starts_with("(s)") {
        length = 3;
    }
    let rest = &after[length..];
    let number = rest.strip_prefix(['_', '-', ' ']).unwrap_or(rest);
    let digits = number.bytes().take_while(u8::is_ascii_digit).count();
    if (1..=3).contains(&digits) && !(rest.starts_with(' ') && digits > 1) {
        return length + (rest.len() - number.len()) + digits;
    }
    let stage = rest.strip_prefix(['_', '-']).unwrap_or(rest);
    let Some(name) = STAGES
        .split_ascii_whitespace()
        .find(|name| starts_with_ignoring_case(stage, name))
    else {
        return length;
    };
    if stage[name.len()..].starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_') {
        return length;
    }
    if name == "hash" {
        *trust = Trust::Random;
    }
    length + (rest.len() - stage.len()) + name.len()
}

/// `contraseña`, `пароля`: the rest of a word whose stem was found.
fn letters_beyond_ascii(after: &str) -> usize {
    let accented = after.starts_with(['ñ', 'n', 'ь', 'я', 'е', 'и', 'ю', 'ё', 'Ь', 'Я', 'Е', 'И']);
    let belongs = |c: &char| matches!(c, 'а'..='я' | 'А'..='Я' | 'ñ' | 'n' | 'a');
    if accented {
        after
            .chars()
            .take_while(belongs)
            .take(4)
            .map(char::len_utf8)
            .sum()
    } else {
        0
    }
}
