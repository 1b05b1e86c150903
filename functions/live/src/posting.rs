//! Frames to connections. Whoever posts learns which connections did not get them, and decides what
//! follows.

use dialects::Message;
use model::live::LivePlace;
use rooms::{Live, MAX_DIRECT, Member, PostFailure};
use service::join_all;

use crate::frames::{Addressed, Frames};

/// Maximum number of concurrent posts.
pub(crate) const PARALLEL: usize = MAX_DIRECT;

/// Connections that did not get their frames.
#[derive(Default)]
pub(crate) struct Missed {
    /// Those that have ended.
    pub(crate) ended: Vec<String>,
    /// Those that may get them later.
    pub(crate) failed: Vec<String>,
}

/// Posts messages of editors to members; returns the connections found to have ended.
pub(crate) async fn post_messages(
    live: &Live,
    place: &LivePlace,
    members: &[Member],
    messages: &[Message],
) -> Vec<String> {
    let frames = Frames::of(place, messages);
    let is_needed =
        messages.iter().any(|it| !matches!(it, Message::Awareness(_) | Message::QueryAwareness));
    let addressed = members.iter().filter_map(|member| frames.to(member)).collect();
    post_or_close(live, addressed, is_needed).await
}

/// Posts frames; returns the connections found to have ended. If a needed frame cannot be posted,
/// the connection is closed: the client reconnects and syncs.
pub(crate) async fn post_or_close(
    live: &Live,
    addressed: Vec<Addressed<'_>>,
    is_needed: bool,
) -> Vec<String> {
    let Missed { mut ended, failed } = post(live, addressed).await;
    for id in failed.into_iter().filter(|_| is_needed) {
        let _ = live.close(&id).await;
        ended.push(id);
    }
    ended
}

/// Posts frames; the frames of a connection in order, until one fails.
pub(crate) async fn post(live: &Live, addressed: Vec<Addressed<'_>>) -> Missed {
    let mut missed = Missed::default();
    for chunk in addressed.chunks(PARALLEL) {
        let posts = chunk.iter().map(|(id, frames)| post_each(live, id, frames));
        for ((id, _), posted) in chunk.iter().zip(join_all(posts).await) {
            match posted {
                Ok(()) => {}
                Err(PostFailure::Gone) => missed.ended.push((*id).to_owned()),
                Err(_) => missed.failed.push((*id).to_owned()),
            }
        }
    }
    missed
}

async fn post_each(live: &Live, id: &str, frames: &[Vec<u8>]) -> Result<(), PostFailure> {
    for frame in frames {
        live.post(id, frame.clone()).await?;
    }
    Ok(())
}
