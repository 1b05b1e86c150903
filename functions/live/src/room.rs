//! An editor, as a connection reaches it, and those who listen to it, too.

use dialects::{Address, Close, Dialect, Message, Scope};
use model::{
    access::AccessRole,
    live::{LivePart, LivePlace, LiveRelay, LiveTask},
};
use service::{Connection, Listening, Live, Member, Queue, Result, SocketCx, TenantStore};

use crate::{audience, awareness, gone, refusal::Refusal};

/// Most others that are asked who they are when somebody joins: each answer goes to all of them.
const MAX_ASKED: usize = 10;

/// The room of an editor.
pub(crate) struct Room<'a> {
    cx: &'a SocketCx,
    connection: Connection,
    role: AccessRole,
    pub(crate) tenant: TenantStore,
    pub(crate) address: Address,
    pub(crate) place: LivePlace,
    pub(crate) name: String,
    pub(crate) dialect: Dialect,
}

impl<'a> Room<'a> {
    /// The room of that name, where the user of the connection may see it.
    pub(crate) async fn open(
        cx: &'a SocketCx,
        connection: Connection,
        dialect: Dialect,
        name: &str,
    ) -> Result<Self, Refusal> {
        let tenant = connection.tenant().await.map_err(Refusal::of_token)?;
        let address = Address::parse(name)?;
        let place = place_of(&address);
        let role = connection.role_at(&tenant, &place).await?;
        Ok(Self { cx, connection, role, tenant, address, place, name: name.to_owned(), dialect })
    }

    pub(crate) fn live(&self) -> &'a Live {
        self.cx.live()
    }

    /// The connection.
    pub(crate) fn id(&self) -> &str {
        self.connection.id()
    }

    pub(crate) fn listening(&self) -> Listening {
        Listening::at(&self.tenant, &self.place)
    }

    /// What the user may do here.
    pub(crate) fn scope(&self) -> Scope {
        match self.role {
            AccessRole::Viewer => Scope::ReadOnly,
            AccessRole::Editor => Scope::ReadWrite,
        }
    }

    /// Lets the connection listen, from now on, unless it does.
    pub(crate) async fn join(&mut self) -> Result<(), Refusal> {
        if self.connection.is_at(&self.place) {
            return Ok(());
        }
        self.connection = self.connection.clone().anew().await?;
        if self.connection.is_at(&self.place) {
            return Ok(());
        }
        self.connection = self.connection.clone().join(&self.tenant, &self.place).await?;
        let others = self.others().await?;
        if Member::is_full(others.len()) {
            self.leave().await?;
            return Err(Refusal::new(Close::TooMany, "Too many listen to this editor."));
        }
        awareness::introduce(self, &others).await?;
        // In a small room everybody says once more who they are: what is kept may be 20 seconds old.
        match others.len() {
            0..=MAX_ASKED => Ok(self.tell_others(others, Message::QueryAwareness).await?),
            _ => Ok(()),
        }
    }

    pub(crate) async fn leave(&mut self) -> Result<()> {
        let Some(member) = self.connection.leave(&self.place).await? else { return Ok(()) };
        let ended = gone::take_back(self.live(), &self.tenant, &self.place, &member).await?;
        gone::forget(self.live(), ended).await
    }

    /// Everybody else who listens.
    pub(crate) async fn others(&self) -> Result<Vec<Member>> {
        let members = self.listening().members().await?;
        Ok(members.into_iter().filter(|it| it.connection_id != self.id()).collect())
    }

    /// Tells others a message, or lets a worker do it where they are many.
    pub(crate) async fn tell_others(&self, others: Vec<Member>, message: Message) -> Result<()> {
        if others.len() > audience::MAX_DIRECT {
            return self.relay(&message).await;
        }
        audience::tell_admitted(self.live(), &self.tenant, &self.place, others, &message).await
    }

    /// Lets a worker tell others a message that both dialects have.
    pub(crate) async fn relay(&self, message: &Message) -> Result<()> {
        let Some(message) = Dialect::Y.write(&self.name, message) else { return Ok(()) };
        let (place, from) = (self.place.clone(), self.id().to_owned());
        let task = LiveTask::Relay(LiveRelay { place, from, message: message.into() });
        self.cx.send(&self.tenant, Queue::Live, &task).await
    }

    /// Says something to the connection, if its dialect can; it fetches what is too large.
    pub(crate) async fn answer(&self, message: &Message, seen: Option<&[u8]>) -> Result<()> {
        let Some(frame) = audience::frame(self.dialect, &self.name, message, seen) else {
            return Ok(());
        };
        let ended = audience::post_all(self.live(), vec![(self.id(), frame)], true).await;
        gone::forget(self.live(), ended).await
    }
}

/// What those listen to who are in the room of an editor.
fn place_of(address: &Address) -> LivePlace {
    let (document_id, editor_id) = (address.document_id.clone(), address.editor_id.clone());
    let part = LivePart::Editor { document_id, editor_id };
    LivePlace { organization_id: address.organization_id.clone(), part }
}

/// The name of an editor's room.
pub(crate) fn name_of(place: &LivePlace) -> String {
    match place.part.clone() {
        LivePart::Editor { document_id, editor_id } => {
            let organization_id = place.organization_id.clone();
            Address { organization_id, document_id, editor_id }.name()
        }
        LivePart::Events { .. } | LivePart::User { .. } => String::new(),
    }
}
