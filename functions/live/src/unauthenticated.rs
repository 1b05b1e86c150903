//! `live.unauthenticated`: closes connections that sent no token within ten seconds.
//!
//! No function waits for a connection. A late one is refused with its next message; the timer closes
//! those that are silent.

use service::{Result, Timer, Trigger, Worker, join_all};

use crate::{audience::PARALLEL, gone};

pub enum Unauthenticated {}

impl Worker for Unauthenticated {
    const TRIGGER: Trigger = Trigger::EveryMinute;
    const NEEDS_KEYRING: bool = false;
    type Job = Timer;
    type Message = ();

    async fn handle(timer: Timer, (): ()) -> Result<()> {
        let (mut start, live) = (None, timer.live());
        loop {
            let (listed, next) = timer.unauthenticated(start).await?;
            let silent = listed.iter().filter(|it| !it.has_token).map(|it| it.id.clone());
            let silent: Vec<String> = silent.collect();
            for ids in silent.chunks(PARALLEL) {
                // Those that have ended are as closed as the others.
                join_all(ids.iter().map(|id| live.close(id))).await;
                let forgotten = ids.iter().map(|id| gone::forget(live, vec![id.clone()]));
                join_all(forgotten).await.into_iter().collect::<Result<()>>()?;
            }
            timer.unlist(listed).await?;
            start = next;
            if start.is_none() || timer.is_over() {
                return Ok(());
            }
        }
    }
}
