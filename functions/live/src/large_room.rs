//! Awareness in large rooms: states are written to the rows of members, and a worker relays those of
//! a second together (`large_room_relay.rs`).

use std::{collections::BTreeSet, time::Duration};

use model::{Millis, live::LiveTask};
use rooms::{Live, Member, Room};
use service::prelude::*;

/// Delay of the relay: longer than a collection window.
pub(crate) const RELAY_DELAY: Duration = Duration::from_secs(1);
/// Maximum difference between the clocks of functions, in milliseconds.
const SKEW: Millis = 1_000;
/// Maximum number of writes of one state.
const MAX_WRITES: usize = 3;

/// Writes the state of a member of a large room for the next relay, which takes the states of the
/// last second. A slow write may be too late for it, and is repeated.
pub(crate) async fn contribute(live: &Live, room: &Room, own: &Member, begins: bool) -> Result<()> {
    for _ in 0..MAX_WRITES {
        let seen = live.now();
        let own = Member { seen, ..own.clone() };
        match begins {
            true => room.begin(&own).await?,
            false => room.renew(&own).await?,
        }
        schedule_relay(live, room).await?;
        if live.now().saturating_sub(seen) < SKEW / 2 {
            break;
        }
    }
    Ok(())
}

/// Schedules the relay of a large room.
pub(crate) async fn schedule_relay(live: &Live, room: &Room) -> Result<()> {
    let since = live.now().saturating_sub(SKEW);
    if !room.open_window().await? {
        return Ok(());
    }
    let task = LiveTask::Crowd { place: room.place().clone(), since, behind: BTreeSet::new() };
    live.send(room.organization().tenant(), &task, RELAY_DELAY).await
}
