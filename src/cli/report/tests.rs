//! Bytes as letters.

use super::*;

#[test]
fn bytes_are_written_as_everybody_reads_them() {
    let written = ["", "f", "fo", "foo", "foob", "fooba", "foobar"].map(|text| base64(text.as_bytes()));
    assert_eq!(
        written,
        ["", "Zg==", "Zm8=", "Zm9v", "Zm9vYg==", "Zm9vYmE=", "Zm9vYmFy"]
    );
    assert_eq!(base64(&[0xff, 0xfe, 0xfd]), "//79");
}
