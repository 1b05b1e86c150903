//! Dead-letter queues.

use rusqlite::{Connection, params};
use serde_json::Value;

use super::queue::Queue;
use super::wire::{SqsError, required, text};

/// Moves visible messages that reached the maximum number of receives; returns whether there were
/// any.
pub(super) fn move_exhausted(db: &Connection, queue: &Queue, now: i64) -> Result<bool, SqsError> {
    let Some(redrive) = queue.redrive() else { return Ok(false) };
    let Some(target) = Queue::with_arn(db, &redrive.target_arn)? else { return Ok(false) };
    let moved = db
        .prepare_cached(
            "update messages set queue_id = ?1, source = ?2, receipt = null, visible_at = ?3
             where queue_id = ?4 and received >= ?5 and visible_at <= ?3",
        )?
        .execute(params![target.id, queue.arn(), now, queue.id, redrive.max_receive_count])?;
    Ok(moved > 0)
}

/// The source queues of this dead-letter queue.
fn sources(db: &Connection, target: &Queue) -> Result<Vec<Queue>, SqsError> {
    let mut queues = Queue::all(db)?;
    let arn = target.arn();
    queues.retain(|queue| queue.redrive().is_some_and(|redrive| redrive.target_arn == arn));
    Ok(queues)
}

/// Moves the visible messages of a dead-letter queue back to their sources, or all to the given
/// destination. A message without a source stays.
pub(super) fn move_back(db: &Connection, request: &Value, now: i64) -> Result<(), SqsError> {
    let missing = || {
        let message = "The resource that you specified for the SourceArn or the DestinationArn \
                       parameter doesn't exist.";
        SqsError::sender("ResourceNotFoundException", message)
    };
    let queue = Queue::with_arn(db, required(request, "SourceArn")?)?.ok_or_else(missing)?;
    let origins = sources(db, &queue)?;
    if origins.is_empty() {
        let reason = "Source queue must be configured as a dead-letter queue.";
        return Err(SqsError::invalid("SourceArn", queue.arn(), reason));
    }
    let change = "update messages
         set queue_id = ?1, visible_at = ?2, received = 0, receipt = null, source = null
         where queue_id = ?3 and visible_at <= ?2";
    if let Some(destination) = text(request, "DestinationArn") {
        let destination = Queue::with_arn(db, destination)?.ok_or_else(missing)?;
        db.execute(change, params![destination.id, now, queue.id])?;
    } else {
        for origin in origins {
            let key = params![origin.id, now, queue.id, origin.arn()];
            db.execute(&format!("{change} and source = ?4"), key)?;
        }
    }
    Ok(())
}
