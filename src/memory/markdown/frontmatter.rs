//! The YAML block that some logs start with.

/// How many bytes at the start of a text are YAML frontmatter, its closing line included; 0 when there is
/// none.
///
/// People also start a log with a thematic break, and headings must not vanish behind it, so the block must
/// look like YAML: its first line is `key:`, the others keys, list items, indented, comments or blank, and it
/// closes within 200 lines.
pub fn frontmatter_length(text: &str) -> usize {
    const LINES_MAX: usize = 200;
    let mut lines = text.split_inclusive('\n');
    if lines.next().is_none_or(|line| line.trim_end() != "---") {
        return 0;
    }
    let mut length = text.find('\n').map_or(text.len(), |newline| newline + 1);
    for (index, line) in lines.take(LINES_MAX).enumerate() {
        length += line.len();
        let line = line.trim_end();
        if index > 0 && matches!(line, "---" | "...") {
            return length;
        }
        let yaml = is_yaml_key(line)
            || index > 0
                && (line.is_empty()
                    || line.starts_with([' ', '\t'])
                    || line.starts_with("- ")
                    || line.starts_with("# "));
        if !yaml {
            return 0;
        }
    }
    0
}

/// Whether a line is `key:` or `key: value`, as in frontmatter.
fn is_yaml_key(line: &str) -> bool {
    let Some((key, value)) = line.split_once(':') else {
        return false;
    };
    let key = key.trim_matches(['"', '\'']);
    let word = |char: char| char.is_alphanumeric() || matches!(char, '-' | '_' | '.');
    (1..=60).contains(&key.len())
        && key.chars().all(word)
        && (value.is_empty() || value.starts_with([' ', '\t']))
}
