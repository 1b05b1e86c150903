//! Processing of due rows.

use error::{Result, Status};

use crate::{Hint, PageRef, RowKey, Rows, TenantData, release::release, windows::closing::close};

/// Processes a due row; does nothing when it is not due, absent or done. It may be called at any
/// time, repeatedly and concurrently.
///
/// A [`RowKey::Mail`] is ignored: the worker of mails sends it.
///
/// # Errors
/// The errors of the ports; the row stays armed, and a later call continues.
pub async fn wake(rows: &impl Rows, tenant: &impl TenantData, key: &RowKey) -> Result<()> {
    let outcome = match key {
        RowKey::Pending { event_id } => {
            release(rows, tenant, &PageRef::first(event_id), false).await
        }
        RowKey::Recipients { event_id, page } => {
            let page = PageRef { event_id: event_id.clone(), page: *page };
            release(rows, tenant, &page, false).await
        }
        RowKey::Windows { .. } => close(rows, tenant, key).await,
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
            let at = rows.now() + 1000 + spread * 125;
            rows.wake(vec![Hint { key: key.clone(), at }]).await
        }
        outcome => outcome,
    }
}
