//! Lines that end in a colon and only announce what others say.

use super::{all, log, root};

#[test]
fn what_only_announces_a_list_is_not_said_without_it() {
    let days = [log(
        "2026-03-12",
        "## Quay Tulvik rules\n\n- What holds for everybody on the quay of Tulvik from now on, always:\n  - never paint the crane of pier nine before the tide has left the harbour basin\n\n## Quay Tulvik\n\n- Tulvik sent us what now follows:\n  - whoever comes by night finds a berth, a lamp and somebody who knows which rope is theirs\n- Tulvik printed what it needs: north, south\n",
    )];
    let lines = root(&days, "2026-03-12", 900);
    let said = all(&lines).iter().map(|line| line.as_str()).collect::<Vec<_>>().join("\n");
    assert!(
        said.contains("never paint the crane") && said.contains("finds a berth"),
        "{said}"
    );
    assert!(
        !said.contains("What holds for everybody") && !said.contains("what now follows"),
        "{said}"
    );
    assert!(said.contains("needs: north, south"), "{said}");
}
