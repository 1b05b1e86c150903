//! `live.unauthenticated`: closes connections that sent no token within ten seconds.
//!
//! No function waits for a connection. A late one is refused with its next message; the timer closes
//! those that are silent.

use service::{Timer, join_all, prelude::*};

use crate::{departures, posting::PARALLEL};

pub enum Unauthenticated {}

impl Worker for Unauthenticated {
    const TRIGGER: Trigger = Trigger::EveryMinute;
    const NEEDS_KEYRING: bool = false;
    type Job = Timer;
    type Message = ();

    async fn handle(timer: Timer, (): ()) -> Result<()> {
        let (mut start, live) = (None, timer.live());
        loop {
            let page = live.overdue_connections(start).await?;
            start = page.next.clone();
            let silent = page.connections.iter().filter(|connection| !connection.has_token);
            let silent: Vec<String> = silent.map(|connection| connection.id.clone()).collect();
            for ids in silent.chunks(PARALLEL) {
                // Connections that have ended are as closed as the others.
                join_all(ids.iter().map(|id| live.close(id))).await;
                let forgotten = ids.iter().map(|id| departures::forget(live, vec![id.clone()]));
                join_all(forgotten).await.into_iter().collect::<Result<()>>()?;
            }
            live.unlist_overdue(page).await?;
            if start.is_none() || timer.is_over() {
                return Ok(());
            }
        }
    }
}
