//! Connections that end, or leave a room.

use rooms::{Connection, Departure, Live, Room};
use service::prelude::*;

use crate::withdrawal::withdraw;

/// Maximum number of connections deleted at once; the next frame finds the others.
const MAX_ENDED: usize = 1_000;

/// Deletes ended connections, and those found to have ended while the others are notified.
pub(crate) async fn forget(live: &Live, ids: Vec<String>) -> Result<()> {
    let mut ended = ids;
    for _ in 0..MAX_ENDED {
        let Some(id) = ended.pop() else { return Ok(()) };
        for Departure { room, member } in live.forget(&id).await? {
            ended.extend(withdraw(live, &room, &member).await?);
        }
    }
    Ok(())
}

/// Ends the subscription of a connection to a place.
pub(crate) async fn leave(live: &Live, room: &Room, connection: &Connection) -> Result<()> {
    let Some(member) = connection.leave(room.place()).await? else { return Ok(()) };
    forget(live, withdraw(live, room, &member).await?).await
}
