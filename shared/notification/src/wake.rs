//! Processing of due rows.

use error::{Result, Status};

use crate::{PageRef, RowKey, Rows, World, closing::close, release::release};

/// Processes a due row; does nothing when it is not due, absent or done. It may be called at any
/// time, repeatedly and concurrently.
///
/// A [`RowKey::Mail`] is ignored: the worker of mails sends it.
///
/// # Errors
/// Those of the ports; the row stays armed, and a later call continues.
pub async fn wake(rows: &impl Rows, world: &impl World, key: &RowKey) -> Result<()> {
    let outcome = match key {
        RowKey::Pending { event_id } => {
            release(rows, world, &PageRef::first(event_id), false).await
        }
        RowKey::Recipients { event_id, page } => {
            let page = PageRef { event_id: event_id.clone(), page: *page };
            release(rows, world, &page, false).await
        }
        RowKey::Windows { .. } => close(rows, world, key).await,
        RowKey::Mail { .. }
        | RowKey::Quota { .. }
        | RowKey::Topic { .. }
        | RowKey::Feedback { .. }
        | RowKey::Slots { .. }
        | RowKey::Unsubscribed { .. }
        | RowKey::Suppressed { .. } => Ok(()),
    };
    match outcome {
        Err(error) if error.status == Status::Aborted => {
            // Concurrent calls for the same row retry at different times.
            let spread: u64 = rows.new_id().bytes().map(u64::from).sum::<u64>() % 32;
            rows.wake(vec![(key.clone(), rows.now() + 1000 + spread * 125)]).await
        }
        outcome => outcome,
    }
}
