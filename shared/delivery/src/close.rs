//! The end of a window whose time is over (rule N9).

use error::{Error, Result};
use model::Millis;

use crate::{
    ATTEMPTS, Change, CloseReason, Digest, RowKey, Rows, Window, World,
    deliver::deliver,
    release::is_early,
    typed::{Read, load_one, put},
};

/// Wakes a window.
pub(crate) async fn close(rows: &impl Rows, world: &impl World, key: &RowKey) -> Result<()> {
    for _ in 0..ATTEMPTS {
        let Some(Read { body: window, version }) = load_one::<Window>(rows, key).await? else {
            return Ok(());
        };
        if is_early(rows, key, window.closes_at).await? {
            return Ok(());
        }
        let (digest_key, digest) = closed(key, window, CloseReason::Window, rows.now())?;
        // The version matters: an activity that joins at this moment must not get lost.
        let changes = vec![
            Change::Delete { key: key.clone(), seen: version },
            put(digest_key.clone(), &digest, None)?,
        ];
        if rows.commit(changes).await? {
            return deliver(rows, world, &digest_key).await;
        }
    }
    Err(Error::aborted())
}

/// What becomes of a window of that key.
pub(crate) fn closed(
    key: &RowKey,
    window: Window,
    reason: CloseReason,
    now: Millis,
) -> Result<(RowKey, Digest)> {
    let RowKey::Window { organization_id, user_id, document_id } = key else {
        return Err(Error::internal("not the key of a window"));
    };
    let digest = Digest::of_window(window, document_id.clone(), reason, now);
    let key = RowKey::Digest {
        organization_id: organization_id.clone(),
        user_id: user_id.clone(),
        generation: digest.generation.clone(),
    };
    Ok((key, digest))
}
