//! Tells a newcomer who is there. In a small room everybody says it once more. In a large one that
//! would be many answers to many members, so two of them say whom they know, to the newcomer alone.

use std::cmp::Reverse;

use dialects::{Awareness, Dialect, Epoch, Frame, Message, State, control};
use serde_json::{Value, json};
use service::{Connection, Member, Protocol, Result, SocketCx};

use crate::{
    audience::{self, MAX_DIRECT},
    editor::Room,
    gone,
    refusal::Refusal,
};

/// How many say whom they know: one of them may be asleep.
const ASKED: usize = 2;
/// How many are tried, of whom some may have ended.
const TRIED: usize = 10;

/// Asks those who are there, on behalf of a newcomer.
pub(crate) async fn ask(room: &Room<'_>, mut others: Vec<Member>) -> Result<()> {
    if others.len() <= MAX_DIRECT {
        return room.tell_others(others, Message::QueryAwareness).await;
    }
    others.sort_by_key(|member| Reverse((member.client.is_some(), member.seen)));
    let query = control(&json!({ "type": "query", "document": room.name, "for": room.id() }));
    let (mut asked, mut ended) = (0, vec![]);
    for member in others.iter().take(TRIED) {
        let post = vec![(member.connection_id.as_str(), query.clone())];
        let gone = audience::post_all(room.live(), post, false).await;
        asked += usize::from(gone.is_empty());
        ended.extend(gone);
        if asked == ASKED {
            break;
        }
    }
    gone::forget(room.live(), ended).await
}

/// Passes on to a newcomer whom a member knows: members only, each in its own time.
pub(crate) async fn answer(
    cx: &SocketCx,
    connection: Connection,
    answer: &Value,
) -> Result<(), Refusal> {
    let malformed = dialects::Malformed;
    let text = |member: &str| answer[member].as_str().ok_or(malformed);
    let (dialect, name) = match connection.protocol() {
        Protocol::Y => (Dialect::Y, connection.room().unwrap_or_default().to_owned()),
        Protocol::Hocuspocus => (Dialect::Hocuspocus, text("document")?.to_owned()),
        Protocol::Events => return Err(malformed.into()),
    };
    let Frame::Binary(said) = Frame::read(text("data")?)? else { return Err(malformed.into()) };
    let Message::Awareness(known) = dialect.read(&said)?.message else {
        return Err(malformed.into());
    };
    let room = Room::open(cx, connection, dialect, &name).await?;
    let members = room.listening().members().await?;
    let is = |id: &'_ str, member: &Member| member.connection_id == id;
    let newcomer = text("for")?;
    let Some(newcomer) = members.iter().find(|it| is(newcomer, it)) else { return Ok(()) };
    if !members.iter().any(|it| is(room.id(), it)) {
        return Ok(());
    }
    let states = Awareness::read(&known)?.0.into_iter();
    let states = states.filter_map(|state| of_member(state, room.id(), &members)).collect();
    let known = Message::Awareness(Awareness(states).write());
    let ended = audience::tell(room.live(), &room.place, std::slice::from_ref(newcomer), &known);
    Ok(gone::forget(room.live(), ended.await).await?)
}

/// The state of a client, if it is a member's, and of the connection that it has now.
fn of_member(state: State, from: &str, members: &[Member]) -> Option<State> {
    let member = members.iter().find(|member| member.client == Some(state.client))?;
    let clock = Epoch::at(member.joined).clock(state.clock);
    let is_now = member.connection_id == from || clock == state.clock;
    is_now.then_some(State { clock, ..state })
}
