//! What goes with the program into a package.

use crate::place::{Place, ran};

#[test]
fn completions_and_man_pages_name_every_command() {
    let place = Place::new();
    for shell in ["bash", "zsh", "fish"] {
        let told = ran(place.program().args(["generate", "completions", shell]));
        assert!(told.stdout.contains("recall") && told.stdout.contains("checkpoint"), "{shell}");
    }
    place.write("man/keep", "");
    let told = ran(place.program().args(["generate", "man"]).arg(place.path("man")));
    assert_eq!(told.code, Some(0), "{told:?}");
    for page in [
        "hipocampusd.1",
        "hipocampusd-recall.1",
        "hipocampusd-session-start.1",
    ] {
        assert!(place.read(&format!("man/{page}")).contains(".SH NAME"), "{page}");
    }
}
