//! Tokens that tell by their own look that they are secret.
//!
//! A token is replaced from its prefix on. A failed match looks at a bounded stretch, so a long line of prefixes stays cheap.

use std::ops::Range;

use memchr::{memchr2_iter, memmem};

use super::bytes::*;
use super::lines::Line;
use super::places;

/// Longer tokens are judged by their first part, which bounds the work on one long line.
const JUDGED_MAX: usize = 128;

/// A prefix, and what must follow it.
pub(super) struct Shape {
    pub(super) prefix: &'static str,
    alphabet: fn(u8) -> bool,
    length_min: usize,
}

const fn shape(prefix: &'static str, alphabet: fn(u8) -> bool, length_min: usize) -> Shape {
    Shape {
        prefix,
        alphabet,
        length_min,
    }
}

/// The lengths are a little below the issuers' own, so that a token cut short at its end is hidden too.
pub(super) static SHAPES: &[Shape] = &[
    // GitHub
    shape("ghp_", word, 30),
    shape("gho_", word, 30),
    shape("ghu_", word, 30),
    shape("ghs_", word, 30),
    shape("ghr_", word, 30),
    shape("github_pat_", word, 22),
    // GitLab
    shape("glpat-", dashed, 20),
    shape("gldt-", dashed, 20),
    shape("glrt-", dashed, 20),
    shape("glcbt-", dashed, 20),
    shape("glptt-", dashed, 20),
    shape("glft-", dashed, 20),
    shape("glimt-", dashed, 20),
    shape("glagent-", dashed, 20),
    shape("glsoat-", dashed, 20),
    // OpenAI, Anthropic, OpenRouter and everybody who copied `sk-`
    shape("sk-", dashed, 20),
    // Stripe, ElevenLabs
    shape("sk_live_", alphanumeric, 10),
    shape("sk_test_", alphanumeric, 10),
    shape("rk_live_", alphanumeric, 10),
    shape("rk_test_", alphanumeric, 10),
    shape("whsec_", base64, 20),
    shape("sk_", alphanumeric, 32),
    // Google
    shape("AIza", dashed, 30),
    shape("ya29.", dotted, 20),
    shape("GOCSPX-", dashed, 20),
    shape("1//0", dashed, 30),
    // Package registries
    shape("npm_", alphanumeric, 30),
    shape("pypi-", dashed, 16),
    shape("dckr_pat_", dashed, 20),
    // Models and search
    shape("hf_", alphanumeric, 24),
    shape("gsk_", alphanumeric, 32),
    shape("xai-", alphanumeric, 40),
    shape("pplx-", alphanumeric, 32),
    shape("nvapi-", dashed, 40),
    shape("tvly-", dashed, 20),
    shape("fc-", hexadecimal, 32),
    shape("r8_", alphanumeric, 30),
    shape("lsv2_", word, 30),
    // Clouds
    shape("dop_v1_", hexadecimal, 32),
    shape("doo_v1_", hexadecimal, 32),
    shape("dor_v1_", hexadecimal, 32),
    shape("hvs.", dashed, 20),
    shape("hvb.", dashed, 20),
    shape("hvr.", dashed, 20),
    shape("sbp_", hexadecimal, 32),
    shape("dapi", hexadecimal, 32),
    shape("tskey-", dashed, 16),
    shape("LTAI", alphanumeric, 16),
    shape("AKID", alphanumeric, 28),
    // Work tools
    shape("ntn_", alphanumeric, 30),
    shape("secret_", alphanumeric, 40),
    shape("lin_api_", alphanumeric, 30),
    shape("sntrys_", base64, 30),
    shape("sntryu_", hexadecimal, 30),
    shape("PMAK-", dashed, 24),
    shape("figd_", dashed, 30),
    shape("ATATT3", dashed, 50),
    shape("shpat_", hexadecimal, 32),
    shape("shpca_", hexadecimal, 32),
    shape("shppa_", hexadecimal, 32),
    shape("shpss_", hexadecimal, 32),
    shape("xkeysib-", dashed, 40),
    shape("xapp-", dashed, 20),
    shape("sq0atp-", dashed, 20),
    shape("sq0csp-", dashed, 20),
    // age
    shape("AGE-SECRET-KEY-", alphanumeric, 40),
];

/// What has more to it than a prefix and a length.
#[derive(Clone, Copy)]
pub(super) enum Special {
    /// An AWS access key id; the secret key is often near, and looks like any other base64.
    Aws,
    /// `Authorization: scheme value`
    Authorization,
    /// `Bearer value`, wherever it stands
    Bearer,
    /// `curl -u user:password`
    Curl,
    Jwt,
    SendGrid,
    Slack,
    /// `scheme://user:password@host`
    Url,
    /// An address that is itself the permission to post.
    Webhook,
}

/// The token of this shape that starts at `at`.
pub(super) fn token(text: &str, at: usize, shape: &Shape) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    if at > 0 && alphanumeric(bytes[at - 1]) {
        return None;
    }
    let body = at + shape.prefix.len();
    let judged = bounded_run_end(bytes, body, JUDGED_MAX, shape.alphabet);
    if judged - body < shape.length_min || !random_enough(&bytes[body..judged]) {
        return None;
    }
    let mut end = run_end(bytes, judged, shape.alphabet);
    while matches!(bytes[end - 1], b'.' | b'-') {
        end -= 1;
    }
    Some(at..end)
}

/// Tells a token from words joined by hyphens (`sk-learn-style-estimators-everywhere`, `xapp-your-app-token-here`).
fn random_enough(body: &[u8]) -> bool {
    let head = &body[..body.len().min(4)];
    let digits = body.iter().any(u8::is_ascii_digit);
    !head.eq_ignore_ascii_case(b"your")
        && (digits || body.split(|&b| !alphanumeric(b)).any(|part| part.len() >= 16))
}

/// Adds the secrets that begin at, or are announced by, `at`.
pub(super) fn special(
    text: &str,
    line: &Line,
    at: Range<usize>,
    special: Special,
    found: &mut Vec<Range<usize>>,
) {
    let bytes = text.as_bytes();
    match special {
        Special::Aws => aws(bytes, at.start, found),
        Special::Authorization => found.extend(places::authorization(text, line, at.end)),
        Special::Bearer => found.extend(places::bearer(text, line, at.end)),
        Special::Curl => found.extend(places::curl(text, line, at.end)),
        Special::Jwt => found.extend(jwt(bytes, at.start)),
        Special::SendGrid => found.extend(send_grid(bytes, at)),
        Special::Slack => found.extend(slack(bytes, at)),
        Special::Url => found.extend(places::url(text, line, at)),
        Special::Webhook => found.extend(places::webhook(bytes, at)),
    }
}

/// Bot tokens of Telegram (`digits:35 characters`) and Discord (three parts with dots) begin with nothing of their own.
pub(super) fn without_prefix(text: &str, found: &mut Vec<Range<usize>>) {
    let bytes = text.as_bytes();
    for at in memchr2_iter(b':', b'.', bytes) {
        if bytes[at] == b':' {
            found.extend(telegram(bytes, at));
        } else if bytes.get(at + 7) == Some(&b'.') {
            found.extend(discord(bytes, at));
        }
    }
}

/// `SK` and 32 hexadecimal digits.
pub(super) fn twilio_keys(text: &str, found: &mut Vec<Range<usize>>) {
    let bytes = text.as_bytes();
    for at in memmem::find_iter(bytes, b"SK") {
        let end = bounded_run_end(bytes, at + 2, 33, hexadecimal);
        let stands_alone =
            (at == 0 || !alphanumeric(bytes[at - 1])) && !bytes.get(end).copied().is_some_and(word);
        if end - at == 34 && stands_alone {
            found.push(at..end);
        }
    }
}

fn telegram(bytes: &[u8], colon: usize) -> Option<Range<usize>> {
    let from = bytes[..colon]
        .iter()
        .rev()
        .take(13)
        .take_while(|b| b.is_ascii_digit())
        .count();
    if !(8..=12).contains(&from) {
        return None;
    }
    let end = bounded_run_end(bytes, colon + 1, 48, dashed);
    let token = &bytes[colon + 1..end];
    ((33..=46).contains(&token.len()) && token.iter().any(u8::is_ascii_alphabetic))
        .then_some(colon - from..end)
}

fn discord(bytes: &[u8], dot: usize) -> Option<Range<usize>> {
    let head = bytes[..dot]
        .iter()
        .rev()
        .take(33)
        .take_while(|&&b| dashed(b))
        .count();
    let middle = bytes[dot + 1..dot + 7].iter().all(|&b| dashed(b));
    if !middle || !(23..=32).contains(&head) || !matches!(bytes[dot - head], b'M' | b'N' | b'O') {
        return None;
    }
    let end = run_end(bytes, dot + 8, dashed);
    (end - dot - 8 >= 27).then_some(dot - head..end)
}

fn aws(bytes: &[u8], at: usize, found: &mut Vec<Range<usize>>) {
    let end = bounded_run_end(bytes, at + 4, 17, |b| {
        b.is_ascii_uppercase() || b.is_ascii_digit()
    });
    let stands_alone =
        (at == 0 || !alphanumeric(bytes[at - 1])) && !bytes.get(end).copied().is_some_and(alphanumeric);
    if end - at != 20 || !stands_alone {
        return;
    }
    let from = at.saturating_sub(200);
    let until = bytes.len().min(end + 400);
    let mut start = from;
    while start < until {
        let run = bounded_run_end(bytes, start, until - start, base64_body);
        let whole = (start == 0 || start > from) && (run < until || run == bytes.len());
        if run - start == 40 && whole && three_kinds(&bytes[start..run]) {
            found.push(start..run);
        }
        start = run + 1;
    }
    found.push(at..end);
}

fn jwt(bytes: &[u8], at: usize) -> Option<Range<usize>> {
    const HEADER_MAX: usize = 1024;
    const PAYLOAD_MAX: usize = 65_536;
    if at > 0 && alphanumeric(bytes[at - 1]) {
        return None;
    }
    let header = bounded_run_end(bytes, at, HEADER_MAX, dashed);
    if header - at < 8 || bytes.get(header) != Some(&b'.') {
        return None;
    }
    let payload = bounded_run_end(bytes, header + 1, PAYLOAD_MAX, dashed);
    if payload < header + 6 {
        return None;
    }
    let unsigned = bytes[header + 1..].starts_with(b"eyJ");
    let signed = bytes.get(payload) == Some(&b'.') && bytes.get(payload + 1).copied().is_some_and(dashed);
    let cut_off = payload - header > PAYLOAD_MAX;
    (unsigned || signed || cut_off).then(|| {
        let mut end = run_end(bytes, payload, dotted);
        while bytes[end - 1] == b'.' {
            end -= 1;
        }
        at..end
    })
}

fn send_grid(bytes: &[u8], at: Range<usize>) -> Option<Range<usize>> {
    let middle = bounded_run_end(bytes, at.end, 40, dashed);
    let end = run_end(bytes, middle + 1, dashed);
    let parts = middle - at.end >= 16 && bytes.get(middle) == Some(&b'.') && end - middle > 16;
    parts.then_some(at.start..end)
}

fn slack(bytes: &[u8], at: Range<usize>) -> Option<Range<usize>> {
    let kind = bytes.get(at.end).copied().is_some_and(|b| b.is_ascii_lowercase());
    if !kind || !matches!(bytes.get(at.end + 1), Some(b'-' | b'.')) {
        return None;
    }
    let end = run_end(bytes, at.end + 2, dashed);
    let body = &bytes[at.end + 2..end];
    (body.len() >= 10 && body.iter().any(u8::is_ascii_digit) || body.len() >= 24).then_some(at.start..end)
}
