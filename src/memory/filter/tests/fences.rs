//! What becomes of code blocks.

use super::check;

#[test]
fn a_fence_becomes_the_file_it_names() {
    for (info, reference) in [
        ("rust:src/a.rs", "src/a.rs"),
        ("src/a.rs#L10-L20", "src/a.rs:10-20"),
        ("src/a.rs:10-20", "src/a.rs:10-20"),
        ("rust:src/a.rs:7", "src/a.rs:7"),
        ("ts title=\"src/a.ts\"", "src/a.ts"),
        ("python a.py", "a.py"),
        ("src/a.rs#L10", "src/a.rs:10"),
        ("src/a.rs:10-end", "src/a.rs:10"),
        ("src/a.rs:top-20", "src/a.rs"),
        ("Makefile", "Makefile"),
    ] {
        check(
            &format!("- did it\n```{info}\nlet x = 1;\n```\nafter\n"),
            &format!("- did it\n→ {reference}\nafter\n"),
        );
    }
    for (before, reference) in [
        ("In `src/a.rs`:", "src/a.rs"),
        ("src/a.rs:10-20", "src/a.rs:10-20"),
        ("**main.py**", "main.py"),
        ("See src/a.rs:12:5 for it:", "src/a.rs:12"),
        ("- references: `a.rs`", "a.rs"),
        ("See docker/Dockerfile for it:", "docker/Dockerfile"),
    ] {
        check(
            &format!("{before}\n~~~\nx\n~~~\nafter"),
            &format!("{before}\n→ {reference}\nafter"),
        );
    }
    for comment in [
        "// src/a.rs",
        "# src/a.rs",
        "/* src/a.rs */",
        "<!-- src/a.rs -->",
        "-- src/a.rs",
        "// File: src/a.rs",
        "\n// src/a.rs",
        "// src/a.rs (excerpt)",
        "# src/a.rs lines 10 to 20",
        "// src/a.rs — the loop",
        "// src/a.rs - the loop",
    ] {
        check(&format!("text\n```\n{comment}\nx\n```\n"), "text\n→ src/a.rs\n");
    }
}

#[test]
fn a_fence_that_names_no_file_goes() {
    check("a\n```rust\nfn x() {}\n```\nb\n", "a\nb\n");
    check("a\n\n```\nx\n```\n\nb\n", "a\n\nb\n");
    check("Using Node.js:\n```js\nx\n```\n", "Using Node.js:\n");
    check("a\n````\n```\n````\nb", "a\nb");
    check(
        "see https://example.org/a.html\n```\nx\n```",
        "see https://example.org/a.html\n",
    );
    check("a\n```\nnever closed\n## not a heading\n", "a\n");
    check("a ``` b\n", "a ``` b\n");
    check("```a``` b\n", "```a``` b\n");
    check("~~~ a`b\nx\n~~~\nc\n", "c\n");
    check("~ about\n``a``\n```\nx\n```\n", "~ about\n``a``\n");
    check("a\n```\n// src/a.rs is where it was\n```\n", "a\n");
    for info in ["src//a.rs", "what?/a.rs", "docs/v1.2", "a/b.abcdefghijkl"] {
        check(&format!("a\n```{info}\nx\n```\n"), "a\n");
    }
    check("Using Makefile here:\n```\nx\n```\n", "Using Makefile here:\n");
    check("> ```\n> x\n> ```\n", "> ```\n> x\n> ```\n");
    check("    ```\n    x\n", "    ```\n    x\n");
}

#[test]
fn one_blank_line_is_left_where_a_fence_was() {
    check("a\n```\nx\n```\n\nb\n", "a\n\nb\n");
    check("```\nx\n```\n\nb\n", "b\n");
    check("a\n\n```src/a.rs\nx\n```\n\nb\n", "a\n\n→ src/a.rs\n\nb\n");
}
