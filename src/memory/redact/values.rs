//! Whether what stands behind a label such as `password:` is a secret.

use super::innocent::*;

/// How a value is announced, as far as it bears on belief.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Trust {
    /// A password: short and simple values count.
    Password,
    /// `pass`, or several passwords: as a password, but only letters with digits or signs count.
    Strong,
    /// A secret or a named key: a value counts when it does not read as words.
    Secret,
    /// A token, or any word used too often for other things: only what looks random counts.
    Random,
}

/// What is known about a value besides its text.
#[derive(Clone, Copy)]
pub(super) struct Setting {
    pub(super) trust: Trust,
    /// In quotes of its own.
    pub(super) quoted: bool,
    /// Behind a loose separator (`is`, `to`, a dash, a table's bar) that prose uses as well.
    pub(super) loose: bool,
    /// Right behind a `=`, as in a shell or an environment file, or behind a `--flag`.
    pub(super) assigned: bool,
    /// Nothing but a comment or the next assignment follows.
    pub(super) alone: bool,
    /// Behind *private key* and its like, where a bare `0x…` is the secret itself.
    pub(super) private: bool,
}

pub(super) fn is_secret(value: &str, setting: Setting) -> bool {
    if !value.contains(char::is_alphanumeric) || stands_for_a_value(value) || is_public(value) {
        return false;
    }
    if setting.private && is_hexadecimal(value.trim_start_matches("0x"), 64) {
        return true;
    }
    match setting.trust {
        Trust::Password | Trust::Strong if setting.quoted => quoted_password(value, setting),
        Trust::Strong => {
            is_strong(value)
                && bare_password(
                    value,
                    Setting {
                        loose: true,
                        ..setting
                    },
                )
        }
        Trust::Password => bare_password(value, setting),
        Trust::Secret => secret(value, setting),
        Trust::Random => random(value) && !is_address(value) && !is_code(value),
    }
}

fn quoted_password(value: &str, setting: Setting) -> bool {
    if is_word_about_values(value) || is_path(value) || is_code(value) {
        return false;
    }
    !setting.loose || is_strong(value) && value.len() >= 6 && !value.contains(' ') && !is_technical(value)
}

fn bare_password(value: &str, setting: Setting) -> bool {
    let plain_language =
        !value.is_ascii() && !has_digit(value) && value.chars().any(|c| !c.is_ascii() && c.is_alphabetic());
    let about = is_word_about_values(value) || is_name_of_variable(value);
    if plain_language || about || is_path(value) || is_code(value) || is_markup(value) {
        return false;
    }
    let length = value.chars().count();
    if is_strong(value) {
        let believed = if setting.loose {
            length >= 6
        } else {
            setting.alone || setting.assigned || length >= 6
        };
        return believed && !is_technical(value);
    }
    if setting.loose {
        return is_number(value) && length >= 4 && setting.alone;
    }
    if is_number(value) {
        return setting.alone && length >= 3 || setting.assigned;
    }
    let readable = value
        .bytes()
        .all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.' | b'\''));
    let reads_as_news = !setting.assigned && value.ends_with("ed");
    (setting.assigned || setting.alone) && !reads_as_news && (!readable || has_letter(value))
}

fn secret(value: &str, setting: Setting) -> bool {
    if is_path(value)
        || is_code(value)
        || is_word_about_values(value)
        || is_address(value)
        || is_name_of_variable(value)
    {
        return false;
    }
    let length = value.len();
    let mixed = has_letter(value) && has_digit(value);
    if setting.loose || value.contains(' ') || !value.is_ascii() {
        return random(value);
    }
    if setting.quoted || setting.assigned {
        return mixed && length >= 6 && !is_technical(value) || length >= 12;
    }
    let unbroken = value.bytes().all(|b| b.is_ascii_alphanumeric());
    mixed && length >= 8 && (setting.alone || length >= 12) && !is_wordy(value) && !is_technical(value)
        || setting.alone && unbroken && length >= 16
}

/// At least 12 characters, letters and digits mixed without a system, as no words and no date are.
pub(super) fn random(value: &str) -> bool {
    let length = value.len();
    if !has_digit(value) && case_changes(value) < 3 {
        return false;
    }
    let charset = |b: u8| b.is_ascii_alphanumeric() || b"-_.:+/=~!@#$%^&*".contains(&b);
    if length < 12 || !value.bytes().all(charset) || is_prefixed_hexadecimal(value) || is_public(value) {
        return false;
    }
    let mixed_run = |run: &str| run.len() >= 10 && has_letter(run) && has_digit(run) && !is_technical(run);
    let cased_run = |run: &str| run.len() >= 20 && case_changes(run) * 4 >= run.len();
    let runs = || value.split(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '+' | '/' | '=')));
    let broken_up =
        || length >= 20 && !is_wordy(value) && has_letter(value) && kind_changes(value) * 4 >= length;
    let looks_so = runs().any(|run| mixed_run(run) || cased_run(run))
        || is_strong(value) && kind_changes(value) >= 5
        || broken_up();
    looks_so && !is_path(value) && entropy_bits(value) >= 2.6
}

/// Letters with digits, or with a sign inside that words do not have.
pub(super) fn is_strong(value: &str) -> bool {
    let sign = |c: char| "!@#$%^&*+=~?".contains(c);
    let last = value.char_indices().next_back().map_or(0, |(at, _)| at);
    has_letter(value) && (has_digit(value) || value[..last].contains(sign))
        || has_digit(value) && value[..last].contains(|c: char| sign(c) && c != '+')
}

/// Shannon's entropy of one character, in bits.
fn entropy_bits(value: &str) -> f64 {
    let mut counts = [0_u32; 256];
    for byte in value.bytes() {
        counts[usize::from(byte)] += 1;
    }
    let length = value.len() as f64;
    let share = |count: u32| f64::from(count) / length;
    counts
        .iter()
        .filter(|&&count| count > 0)
        .map(|&count| -share(count) * share(count).log2())
        .sum()
}
