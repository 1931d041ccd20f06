//! What a service manager hears.

use super::*;

fn received(socket: &UnixDatagram) -> String {
    let mut buffer = [0; 512];
    let length = socket.recv(&mut buffer).unwrap();
    String::from_utf8(buffer[..length].to_vec()).unwrap()
}

fn says_everything_to(manager: &UnixDatagram, name: &OsStr) {
    manager.set_read_timeout(Some(Duration::from_secs(10))).unwrap();
    let notifier = Notifier::new(Some(name)).unwrap();
    for message in ["READY=1\nSTATUS=watching 2 workspaces", "WATCHDOG=1"] {
        notifier.tell(message).unwrap();
        assert_eq!(received(manager), message);
    }
}

#[test]
fn a_socket_with_a_path_hears_everything() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("notify");
    let manager = UnixDatagram::bind(&path).unwrap();
    says_everything_to(&manager, path.as_os_str());
}

#[test]
fn without_a_socket_nothing_happens() {
    for name in [None, Some(OsStr::new(""))] {
        let notifier = Notifier::new(name).unwrap();
        notifier.tell("READY=1").unwrap();
    }
}

#[test]
fn a_name_of_another_form_is_refused() {
    assert!(Notifier::new(Some(OsStr::new("vsock:2:1"))).is_err());
}

#[test]
fn a_manager_that_does_not_read_never_holds_the_loop_up() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("notify");
    let _manager = UnixDatagram::bind(&path).unwrap();
    let notifier = Notifier::new(Some(path.as_os_str())).unwrap();
    let full = (0..100_000)
        .find_map(|_| notifier.tell("WATCHDOG=1").err())
        .expect("the queue has an end");
    assert_eq!(full.kind(), io::ErrorKind::WouldBlock);
}

#[test]
fn the_watchdog_is_fed_twice_as_often_as_it_asks() {
    let interval = |usec: Option<&str>, pid: Option<&str>| {
        watchdog_interval(usec.map(OsStr::new), pid.map(OsStr::new), 42)
    };
    assert_eq!(interval(Some("60000000"), None), Some(Duration::from_secs(30)));
    assert_eq!(interval(Some("60000000"), Some("42")), Some(Duration::from_secs(30)));
    assert_eq!(interval(Some("60000000"), Some("43")), None);
    assert_eq!(interval(Some("60000000"), Some("x")), None);
    assert_eq!(interval(Some("0"), None), None);
    assert_eq!(interval(Some("soon"), None), None);
    assert_eq!(interval(None, Some("42")), None);
}
