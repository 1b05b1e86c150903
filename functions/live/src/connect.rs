//! `$connect`: a connection opens. A permanent refusal follows the first message, as a frame with a
//! code, because browsers hide the reply to a failed handshake.

use dialects::Address;
use rooms::{NewConnection, Protocol};
use service::{Socket, SocketCx, SocketEvent, Status, prelude::*};

pub enum Connect {}

impl Socket for Connect {
    const ROUTE: &'static str = "$connect";

    async fn handle(cx: SocketCx, event: SocketEvent) -> Result<()> {
        let name = event.query("protocol").unwrap_or("y");
        let protocol = Protocol::named(name);
        let protocol = protocol.ok_or_else(|| Error::invalid("There is no such protocol."))?;
        let token = match (event.offered_token(), event.query("token")) {
            (Some(_), Some(_)) => return Err(Error::invalid("Send one token.")),
            (offered, named) => offered.or(named),
        };
        let room = event.query("room");
        if protocol == Protocol::Y && room.is_none_or(|room| Address::parse(room).is_err()) {
            return Err(Error::invalid("The room is three escaped ids with / between."));
        }
        if protocol != Protocol::Hocuspocus && token.is_none() {
            return Err(Error::denied("A token of an end user is required."));
        }
        let (id, origin) = (event.connection_id(), event.header("origin"));
        match cx.connect(&NewConnection { id, protocol, room, origin, token }).await {
            // The connection is not stored: its first message comes from an unknown connection.
            Err(error) if error.status == Status::PermissionDenied => Ok(()),
            connected => connected,
        }
    }
}
