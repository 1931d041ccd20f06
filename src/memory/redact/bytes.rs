//! Kinds of bytes, and runs of them.

pub(super) fn run_end(bytes: &[u8], from: usize, belongs: impl Fn(u8) -> bool) -> usize {
    bounded_run_end(bytes, from, usize::MAX, belongs)
}

/// The end of the run from `from`, at most `length_max` further; `from` itself past the end of the text.
pub(super) fn bounded_run_end(
    bytes: &[u8],
    from: usize,
    length_max: usize,
    belongs: impl Fn(u8) -> bool,
) -> usize {
    let rest = bytes.get(from..).unwrap_or_default();
    from + rest.iter().take(length_max).take_while(|&&b| belongs(b)).count()
}

pub(super) fn three_kinds(bytes: &[u8]) -> bool {
    let any = |kind: fn(&u8) -> bool| bytes.iter().any(kind);
    any(u8::is_ascii_lowercase) && any(u8::is_ascii_uppercase) && any(u8::is_ascii_digit)
}

pub(super) fn alphanumeric(byte: u8) -> bool {
    byte.is_ascii_alphanumeric()
}

pub(super) fn hexadecimal(byte: u8) -> bool {
    byte.is_ascii_hexdigit()
}

pub(super) fn word(byte: u8) -> bool {
    alphanumeric(byte) || byte == b'_'
}

pub(super) fn dashed(byte: u8) -> bool {
    word(byte) || byte == b'-'
}

pub(super) fn dotted(byte: u8) -> bool {
    dashed(byte) || byte == b'.'
}

pub(super) fn base64_body(byte: u8) -> bool {
    alphanumeric(byte) || matches!(byte, b'+' | b'/')
}

pub(super) fn base64(byte: u8) -> bool {
    base64_body(byte) || byte == b'='
}

pub(super) fn credential(byte: u8) -> bool {
    dotted(byte) || matches!(byte, b'~' | b'+' | b'/' | b'=')
}
