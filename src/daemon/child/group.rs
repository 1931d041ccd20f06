//! The process group of a child, so that what the child starts ends with it.

use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process_group, test_kill_process_group};
use tokio::process::Child;
use tokio::time::{sleep, timeout};

const LOOK: Duration = Duration::from_millis(10);

/// The process group of a child: killed when dropped, whatever has happened until then.
pub(super) struct Group {
    leader: Option<Pid>,
}

impl Group {
    pub(super) fn of(child: &Child) -> Self {
        let id = child.id().and_then(|id| i32::try_from(id).ok());
        Self {
            leader: id.and_then(Pid::from_raw),
        }
    }

    fn alive(&self) -> bool {
        self.leader
            .is_some_and(|leader| test_kill_process_group(leader).is_ok())
    }

    /// SIGTERM, then up to `grace` until the program has ended and all of its group with it.
    pub(super) async fn end_politely(&self, grace: Duration, child: &mut Child) {
        if let Some(leader) = self.leader {
            let _ = kill_process_group(leader, Signal::TERM);
        }
        let gone = async {
            let _ = child.wait().await;
            while self.alive() {
                sleep(LOOK).await;
            }
        };
        let _ = timeout(grace, gone).await;
    }

    /// SIGKILL, once: afterwards the number may belong to somebody else.
    pub(super) fn kill(&mut self) {
        if let Some(leader) = self.leader.take() {
            let _ = kill_process_group(leader, Signal::KILL);
        }
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        self.kill();
    }
}
