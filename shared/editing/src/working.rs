//! How work on editors shares a process with calls of others.

use std::{any::Any, cell::Cell, time::Duration};

use error::{Error, Result};
use store::editors::StoredEditor;

/// Size from which work on an editor has a thread of its own, in bytes.
const LARGE: usize = 128 * 1024;

tokio::task_local! {
    static PLACE: Cell<Option<Box<dyn Any + Send>>>;
}

/// Makes a call that takes a place from others while it works. One that waits for another call gives it
/// back, because that one may need it.
pub async fn in_place<T>(place: impl Any + Send, call: impl Future<Output = T>) -> T {
    let place: Box<dyn Any + Send> = Box::new(place);
    PLACE.scope(Cell::new(Some(place)), call).await
}

/// Waits for another call.
pub(crate) async fn wait(time: Duration) {
    // Calls of a function that has a process of its own have no place.
    let _ = PLACE.try_with(Cell::take);
    tokio::time::sleep(time).await;
}

/// Size of an editor when it is read, in bytes.
pub fn size_of(stored: &StoredEditor) -> usize {
    let snapshot = stored.snapshot().map_or(0, <[u8]>::len);
    snapshot + stored.updates().map(<[u8]>::len).sum::<usize>()
}

/// Does work on an editor. Others do not wait for a thread that is busy with a large one.
///
/// # Errors
/// The errors of the work.
pub async fn worked_on<T: Send + 'static>(
    stored: StoredEditor,
    work: impl FnOnce(StoredEditor) -> Result<T> + Send + 'static,
) -> Result<T> {
    if size_of(&stored) < LARGE {
        return work(stored);
    }
    tokio::task::spawn_blocking(move || work(stored)).await.map_err(Error::internal)?
}

#[cfg(test)]
mod tests {
    use std::{sync::Arc, time::Duration};

    use super::{in_place, wait};

    #[tokio::test]
    async fn a_call_that_waits_has_no_place_any_more() {
        let place = Arc::new(());
        let held = Arc::clone(&place);
        in_place(held, async {
            assert_eq!(Arc::strong_count(&place), 2);
            wait(Duration::ZERO).await;
            assert_eq!(Arc::strong_count(&place), 1);
        })
        .await;
        wait(Duration::ZERO).await;
    }
}
