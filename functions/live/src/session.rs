//! The session of a connection in the room of an editor, during one frame.

mod joining;
mod outgoing;

use dialects::{Address, Dialect, Message, Scope};
use model::permissions::AccessRole;
use rooms::{Connection, Live, Member, Room};
use service::{SocketCx, TenantStore, prelude::*};

use crate::{departures, incoming, place, refusal::Refusal};

/// A connection in the room of an editor, during one frame.
pub(crate) struct EditorSession<'a> {
    cx: &'a SocketCx,
    connection: Connection,
    role: AccessRole,
    pub(crate) tenant: TenantStore,
    pub(crate) address: Address,
    pub(crate) room: Room,
    pub(crate) name: String,
    pub(crate) dialect: Dialect,
    /// All members, once read.
    members: Option<Vec<Member>>,
    /// Queued messages for the other members.
    for_others: Vec<Message>,
    /// Queued frames for the sender.
    for_sender: Vec<Vec<u8>>,
}

impl<'a> EditorSession<'a> {
    /// The session in the room of this name, if the user of the connection may see it.
    pub(crate) async fn open(
        cx: &'a SocketCx,
        connection: Connection,
        dialect: Dialect,
        name: &str,
    ) -> Result<Self, Refusal> {
        let mut session = Self::unchecked(cx, connection, dialect, name).await?;
        let place = session.room.place();
        session.role = session.connection.role_at(&session.tenant, place).await?;
        Ok(session)
    }

    /// Like [`EditorSession::open`], with the right as of now: what a client is told lasts.
    pub(crate) async fn open_now(
        cx: &'a SocketCx,
        connection: Connection,
        dialect: Dialect,
        name: &str,
    ) -> Result<Self, Refusal> {
        let mut session = Self::unchecked(cx, connection, dialect, name).await?;
        let place = session.room.place();
        session.role = session.connection.role_now(&session.tenant, place).await?;
        Ok(session)
    }

    async fn unchecked(
        cx: &'a SocketCx,
        connection: Connection,
        dialect: Dialect,
        name: &str,
    ) -> Result<Self, Refusal> {
        let tenant = connection.tenant().await.map_err(Refusal::from_token)?;
        let address = Address::parse(name)?;
        let place = place::editor_place(&address);
        Ok(Self {
            cx,
            connection,
            role: AccessRole::Viewer,
            room: Room::at(&tenant, &place),
            tenant,
            address,
            name: name.to_owned(),
            dialect,
            members: None,
            for_others: vec![],
            for_sender: vec![],
        })
    }

    pub(crate) fn live(&self) -> &'a Live {
        self.cx.live()
    }

    pub(crate) fn id(&self) -> &str {
        self.connection.id()
    }

    /// The user of the connection.
    pub(crate) fn user_id(&self) -> Result<UserId> {
        let user = self.tenant.end_user().map(|user| user.user_id.clone());
        user.ok_or_else(|| Error::internal("a member is an end user"))
    }

    pub(crate) fn connection(&self) -> &Connection {
        &self.connection
    }

    /// The connection in its current state.
    pub(crate) fn into_connection(self) -> Connection {
        self.connection
    }

    /// The scope of the user in this room.
    pub(crate) fn scope(&self) -> Scope {
        match self.role {
            AccessRole::Viewer | AccessRole::Commenter => Scope::ReadOnly,
            AccessRole::Editor => Scope::ReadWrite,
        }
    }

    /// Tells the client its scope.
    pub(crate) fn tell_scope(&mut self) {
        let scope = self.scope();
        self.connection.note_told(self.room.place(), scope == Scope::ReadOnly);
        self.queue_for_sender(&Message::Authenticated(scope), None);
    }

    /// Whether the update of a reader may be compared with the editor, which reads it whole.
    pub(crate) fn may_compare(&self) -> bool {
        self.live().may_compare(self.id(), &self.name)
    }

    pub(crate) async fn leave(&mut self) -> Result<()> {
        departures::leave(self.live(), &self.room, &self.connection).await
    }

    /// Has the user pay for one more write.
    pub(crate) async fn charge(&self) -> Result<(), Refusal> {
        incoming::charge_as(self.cx, &self.connection, Effect::Writes, false).await.map(drop)
    }

    /// All members, read once per frame. Updates are stored before: a member that joins later reads
    /// them.
    pub(crate) async fn members(&mut self) -> Result<&[Member]> {
        let members = match self.members.take() {
            Some(members) => members,
            None => self.room.members().await?,
        };
        Ok(self.members.insert(members))
    }

    /// All members but the sender.
    pub(crate) async fn others(&mut self) -> Result<Vec<Member>> {
        let id = self.id().to_owned();
        let members = self.members().await?.iter();
        Ok(members.filter(|member| member.connection_id != id).cloned().collect())
    }
}
