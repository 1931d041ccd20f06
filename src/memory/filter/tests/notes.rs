//! Which entries are passing notes.

use crate::memory::filter::is_passing_note;

#[test]
fn a_marker_in_the_heading_marks() {
    for heading in [
        "Temporary workaround",
        "temporary",
        "Cache (TEMPORARY)",
        "Test run of the importer",
        "test-run 3",
        "Test\u{3000}run",
        "Delete later: dump",
        "임시 메모",
        "[임시] 배포",
        "배포 테스트 중",
        "테스트중",
        "배포 테스트 중입니다",
        "나중에 삭제할 것",
        "Working State Snapshot [project]",
    ] {
        assert!(is_passing_note(heading, ""), "{heading}");
    }
    for heading in [
        "Contemporary art",
        "temporarily closed",
        "Latest run",
        "test runner",
        "test runs",
        "delete laterally",
        "테스트 중요성",
        "캐시",
        "",
    ] {
        assert!(!is_passing_note(heading, ""), "{heading}");
    }
}

#[test]
fn a_marker_of_its_own_in_the_body_marks() {
    for line in [
        "(temporary)",
        "- temporary",
        "- [ ] delete later",
        "status: temporary",
        "- **status**: Temporary",
        "**Status:** temporary.",
        "[임시]",
        "임시",
        "- 임시",
        "상태: 임시",
        "상태: 테스트 중",
        "temporary: until Friday",
        "임시: 금요일까지",
        "TEMPORARY - remove on Friday",
        "[temporary] debug output",
        "debug output (temporary)",
        "debug output (delete later).",
        "delete later",
        "TODO: delete later",
        "#temporary #debug",
        "> test run",
        "tags: infra, temporary",
        "### Temporary",
        "### 임시",
        "- 테스트 중: 금요일까지",
        "- test-run",
        "delete_later",
        "test  run",
        "**debug output (temporary)**",
        "```\nx\n```\ntemporary",
        "~~~\n```\n~~~\ntemporary",
        &format!("test{}run", " ".repeat(57)),
    ] {
        assert!(
            is_passing_note("Cache", &format!("- decisions: use it\n{line}\n- outcome: done\n")),
            "{line}"
        );
    }
    for line in [
        "a temporary outage was fixed",
        "- outcome: the temporary table is gone",
        "we did a test run and it passed",
        "- request: delete later entries",
        "I will delete it later",
        "임시 파일을 정리했다",
        "the (temporary) fix was merged today",
        "### Test Run\nThe crane lifted 12 of 12 crates.",
        "- Test run: `crane --lift` => PASS",
        "- **Test run** — all 12 crates lifted",
        "contemporary",
        "```\ntemporary\n```",
        "```\n~~~\ntemporary\n```",
        "status: temporary outage over",
        "a temporary outage\n#debug #infra",
    ] {
        assert!(!is_passing_note("Cache", line), "{line}");
    }
}
