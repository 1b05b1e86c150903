//! Frames are posted to connections. The sender learns which connections did not get them, and decides
//! what follows.

use std::sync::Arc;

use dialects::Message;
use model::live::LivePlace;
use rooms::{Live, MAX_DIRECT, Member, PostFailure};
use service::join_all;

use crate::frames::{AddressedFrames, RoomFrames};

/// Maximum number of concurrent reads for members.
pub(crate) const PARALLEL: usize = MAX_DIRECT;

/// Maximum number of bytes that are posted before others get their turn: clients read meanwhile, and
/// what waits for those of a tenant is bounded.
const MAX_AT_ONCE: usize = 8 * 1024 * 1024;

/// Connections that did not get their frames.
#[derive(Default)]
pub(crate) struct Unreached {
    /// Connections that have ended.
    pub(crate) ended: Vec<String>,
    /// Connections that may get their frames later.
    pub(crate) failed: Vec<String>,
}

/// Posts messages of editors to members; returns the connections found to have ended.
pub(crate) async fn post_messages(
    live: &Live,
    place: &LivePlace,
    members: &[Member],
    messages: &[Message],
) -> Vec<String> {
    let frames = RoomFrames::new(place, messages);
    let addressed = members.iter().filter_map(|member| frames.for_member(member)).collect();
    post_as(live, messages, addressed).await
}

/// Posts frames of messages, which clients may miss if they may miss all of these.
pub(crate) async fn post_as(
    live: &Live,
    messages: &[Message],
    addressed: Vec<AddressedFrames<'_>>,
) -> Vec<String> {
    let is_droppable =
        |message: &Message| matches!(message, Message::Awareness(_) | Message::QueryAwareness);
    match messages.iter().all(is_droppable) {
        true => post_droppable(live, addressed).await,
        false => post_or_close(live, addressed).await,
    }
}

/// Posts frames that clients may miss; returns the connections found to have ended.
pub(crate) async fn post_droppable(
    live: &Live,
    addressed: Vec<AddressedFrames<'_>>,
) -> Vec<String> {
    post(live, addressed).await.ended
}

/// Posts frames; returns the connections found to have ended. If a frame cannot be posted, the
/// connection is closed: the client reconnects and syncs.
pub(crate) async fn post_or_close(live: &Live, addressed: Vec<AddressedFrames<'_>>) -> Vec<String> {
    let Unreached { mut ended, failed } = post(live, addressed).await;
    for id in failed {
        let _ = live.close(&id).await;
        ended.push(id);
    }
    ended
}

/// Posts frames; the frames of a connection in order, until one fails.
pub(crate) async fn post(live: &Live, addressed: Vec<AddressedFrames<'_>>) -> Unreached {
    let (mut unreached, mut left) = (Unreached::default(), addressed);
    for at in 0.. {
        left.retain(|addressed| addressed.frames.len() > at);
        // The next frame of each.
        let posts: Vec<_> = left
            .iter()
            .filter_map(|it| Some((it.connection_id, Arc::clone(it.frames.get(at)?))))
            .collect();
        let Some(longest) = posts.iter().map(|(_, text)| text.len()).max() else { break };
        let at_once = live.posts_at_once().min(MAX_AT_ONCE / longest.max(1)).max(1);
        let mut posted = vec![];
        for posts in posts.chunks(at_once) {
            posted.extend(post_each(live, posts).await);
        }
        let mut posted = posted.into_iter();
        left.retain(|addressed| {
            let id = || addressed.connection_id.to_owned();
            match posted.next() {
                Some(Ok(())) => return true,
                Some(Err(PostFailure::Gone)) => unreached.ended.push(id()),
                Some(Err(_)) | None => unreached.failed.push(id()),
            }
            false
        });
    }
    unreached
}

/// Posts a frame to each connection.
async fn post_each(live: &Live, posts: &[(&str, Arc<str>)]) -> Vec<Result<(), PostFailure>> {
    match live.post_within(posts).await {
        Some(posted) => posted,
        None => {
            let posts = posts.iter().map(|(id, text)| live.post(id, text.as_bytes().to_vec()));
            join_all(posts).await
        }
    }
}
