//! Work that keeps a thread busy.

use tokio::{
    runtime::{Handle, RuntimeFlavor},
    task,
};

/// Size from which work on bytes takes milliseconds, in bytes.
const LONG: usize = 128 * 1024;

/// Does work on so many bytes. Calls of others that have begun on this thread go on on another one
/// meanwhile, where the process has several: one server, not a function.
pub fn aside<T>(bytes: usize, work: impl FnOnce() -> T) -> T {
    let has_several = |handle: Handle| handle.runtime_flavor() == RuntimeFlavor::MultiThread;
    match bytes >= LONG && Handle::try_current().is_ok_and(has_several) {
        true => task::block_in_place(work),
        false => work(),
    }
}

#[cfg(test)]
mod tests {
    use std::{sync::mpsc, time::Duration};

    use super::{LONG, aside};

    /// With one thread, the task that answers would wait for the work.
    #[test]
    fn others_go_on_while_a_thread_works() {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).build();
        let answered = runtime.unwrap().block_on(async {
            let work = tokio::spawn(async {
                let (answer, answered) = mpsc::channel();
                tokio::spawn(async move { answer.send(()) });
                aside(LONG, || answered.recv_timeout(Duration::from_secs(10)))
            });
            work.await
        });
        assert_eq!(answered.unwrap(), Ok(()));
    }

    #[tokio::test]
    async fn a_process_with_one_thread_works_on_it() {
        assert_eq!(aside(LONG, || 1), 1);
    }
}
