//! Bytes of many minds in one file, and all that is read of them. Each was chosen because it tells this reader from one that is wrong
//! in a single place.

use crate::memory::text::{INVALID_UTF_8, NUL, UTF_16, decode, head, line_count, one_line};

#[test]
fn bytes_of_many_minds_are_read_as_is_written_here() {
    let check = |bytes: &[u8], most: usize, text: &str, oddities: &[&str], line: &str, start: &str| {
        let decoded = decode(bytes.to_vec());
        assert_eq!(
            (decoded.text.as_str(), decoded.oddities.as_slice()),
            (text, oddities),
            "{bytes:?}"
        );
        assert_eq!(line_count(text), text.lines().count());
        assert_eq!(one_line(text, most), line);
        assert_eq!(head(text, most), start);
    };
    check(b"\x8e", 1, "�", &[INVALID_UTF_8], "�", "");
    check(b"\xfe\xff\xfe\xff", 3, "", &[UTF_16], "", "");
    check(b"\xce\xa9\r (\x00\x00\x00\x00\x00\x00 .\x00\x1b\x00[\x001\x002\x00;\x003\x00H\x00\x07\xe2\x80\xae\xe6\xbc\xa2\xe5\xad\x97\xe3\x81\x8b\xe3\x81\xaa", 12, "Ω\n ( .\u{1b}[12;3H\u{7}\u{202e}漢字かな", &[NUL], "Ω ( .漢字かな", "Ω\n ( .\u{1b}[12;");
}
