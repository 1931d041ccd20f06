//! Lines that end in a colon and only announce what others say.

use super::{all, log, root};

#[test]
fn what_only_announces_a_list_is_not_said_without_it() {
    let days = [log(
        "2026-03-12",
        "## Quay Tulvik rules\n\n- Lasting rules of the quay:\n  - never paint the crane of pier nine before the tide has left the harbour basin\n\n## Quay Tulvik\n\n- Canonical harbour promise:\n  - \"whoever comes by night finds a berth, a lamp and somebody who knows which rope is theirs\"\n- Lists printed: north, south\n",
    )];
    let lines = root(&days, "2026-03-12", 900);
    let said = all(&lines).iter().map(|line| line.as_str()).collect::<Vec<_>>().join("\n");
    assert!(
        said.contains("never paint the crane") && said.contains("finds a berth"),
        "{said}"
    );
    assert!(
        !said.contains("Lasting rules of the quay") && !said.contains("promise;"),
        "{said}"
    );
    assert!(said.contains("Lists printed: north, south"), "{said}");
}
