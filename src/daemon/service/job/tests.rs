//! A panic in the work.

use super::*;

#[test]
fn a_panic_in_the_work_comes_back_as_its_message() {
    let path = PathBuf::from("/nowhere");
    let (job_state, done) = work(JobState::new(path.clone()), |_| panic!("{} fell over", "it"));
    assert_eq!(job_state.path, path);
    assert!(matches!(done, Done::Failed(Source::Crash, issue) if issue.what.ends_with(": it fell over")));
}
