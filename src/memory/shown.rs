//! How tests show what cannot be seen.

/// `\u{a0}` in a row stands for the character, where it could not be seen or would be lost.
pub(super) fn unescaped(text: &str) -> String {
    let mut pieces = text.split("\\u{");
    let mut out = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let (digits, rest) = piece.split_once('}').expect("an escape is closed");
        let code = u32::from_str_radix(digits, 16).expect("an escape is a number in hexadecimal digits");
        out.push(char::from_u32(code).expect("an escape is that of a character"));
        out.push_str(rest);
    }
    out
}
