//! Two pieces of work, at once where that is worth a thread.

use std::panic::resume_unwind;
use std::sync::Mutex;
use std::thread;

/// Does both, `other` on a thread of its own when `at_once` is set and a thread is to be had, and answers what each came to. A panic
/// of either goes on here.
pub(super) fn both<A: Send, B>(
    at_once: bool,
    other: impl FnOnce() -> A + Send,
    own: impl FnOnce() -> B,
) -> (A, B) {
    if !at_once {
        return (other(), own());
    }
    // Where no thread is to be had the work is taken back.
    let other = Mutex::new(Some(other));
    let work = || {
        let other = other.lock().ok()?.take()?;
        Some(other())
    };
    let (done, own) = thread::scope(|scope| {
        let started = thread::Builder::new().spawn_scoped(scope, work);
        let own = own();
        let done = started
            .ok()
            .map(|thread| thread.join().unwrap_or_else(|panic| resume_unwind(panic)));
        (done.flatten(), own)
    });
    let done = done.or_else(work).expect("it is done there or here");
    (done, own)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_are_done_either_way_and_a_panic_is_no_less_one() {
        for at_once in [false, true] {
            let here = thread::current().id();
            let (other, own) = both(at_once, || thread::current().id() == here, || 7);
            assert_eq!((other, own), (!at_once, 7));
            let fell = std::panic::catch_unwind(|| both(at_once, || panic!("fell over"), || 7));
            assert!(fell.is_err(), "{at_once}");
        }
    }
}
