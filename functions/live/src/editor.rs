//! What a connection says about an editor, in either dialect.

use dialects::{Close, Dialect, Message, Scope, control, text};
use editing::Lacking;
use model::{
    Base64, DocumentId, EditorId,
    access::AccessRole,
    live::{LivePart, LivePlace, LiveRelay, LiveTask},
};
use serde_json::json;
use service::{
    Connection, EditorStore, Listening, Live, Member, OrganizationStore, Queue, Result, SocketCx,
    TenantStore,
};

use crate::{audience, awareness, gone, refusal::Refusal};

/// Most others that are asked who they are when somebody joins: each answer goes to all of them.
const MAX_ASKED: usize = 10;

/// An editor, as a connection reaches it.
pub(crate) struct Room<'a> {
    pub(crate) cx: &'a SocketCx,
    pub(crate) tenant: TenantStore,
    pub(crate) place: LivePlace,
    pub(crate) name: String,
    pub(crate) dialect: Dialect,
    role: AccessRole,
    connection: Connection,
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
        let address = dialects::Address::parse(name)?;
        let dialects::Address { organization_id, document_id, editor_id } = address;
        let part = LivePart::Editor { document_id, editor_id };
        let place = LivePlace { organization_id, part };
        let role = connection.role_at(&tenant, &place).await?;
        Ok(Self { cx, tenant, place, name: name.to_owned(), dialect, role, connection })
    }

    pub(crate) fn live(&self) -> &'a Live {
        self.cx.live()
    }

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

    fn editor(&self) -> Option<(OrganizationStore, &DocumentId, &EditorId)> {
        let organization = self.tenant.organization(&self.place.organization_id);
        match &self.place.part {
            LivePart::Editor { document_id, editor_id } => {
                Some((organization, document_id, editor_id))
            }
            LivePart::Events { .. } | LivePart::User { .. } => None,
        }
    }

    /// Takes a message.
    pub(crate) async fn receive(&mut self, message: Message) -> Result<(), Refusal> {
        match message {
            Message::Step1(vector) => self.step_1(&vector).await,
            Message::Step2(update) => self.update(update, true).await,
            Message::Update(update) => self.update(update, false).await,
            Message::Awareness(states) => {
                self.join().await?;
                Ok(awareness::relay(self, &states).await?)
            }
            Message::QueryAwareness | Message::Stateless(_) => {
                self.join().await?;
                Ok(self.tell_others(self.others().await?, message).await?)
            }
            Message::Close(_) => Ok(self.leave().await?),
            Message::Ping => Ok(self.answer(&Message::Pong).await?),
            _ => Ok(()),
        }
    }

    /// Lets the connection listen, from now on, unless it does.
    async fn join(&mut self) -> Result<(), Refusal> {
        if self.connection.is_at(&self.place) {
            return Ok(());
        }
        self.connection = self.connection.clone().anew().await?;
        if self.connection.is_at(&self.place) {
            return Ok(());
        }
        let (connection, _) = self.connection.clone().join(&self.tenant, &self.place).await?;
        self.connection = connection;
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

    async fn leave(&mut self) -> Result<()> {
        let (_, left) = self.connection.clone().leave(&self.place).await?;
        let Some(member) = left else { return Ok(()) };
        let ended = gone::take_back(self.live(), &self.tenant, &self.place, &member).await?;
        gone::forget(self.live(), ended).await
    }

    /// Answers with what the peer lacks, and asks it for what is lacking here.
    async fn step_1(&mut self, vector: &[u8]) -> Result<(), Refusal> {
        // The row first, then the state: what others write in between comes by the row.
        self.join().await?;
        let Some((organization, document, id)) = self.editor() else { return Ok(()) };
        let editors = organization.editors(document);
        let lacking = match editors.find(id).await? {
            Some(stored) => Lacking::of(&editing::load(&stored)?, Some(vector))?,
            None => Lacking::nothing(),
        };
        self.answer_or_fetch(&Message::Step2(lacking.update), vector).await?;
        // A reader of y-websocket would only be told that it may not say what it has.
        if self.role == AccessRole::Editor || self.dialect == Dialect::Hocuspocus {
            self.answer(&Message::Step1(lacking.state_vector)).await?;
        }
        Ok(())
    }

    /// Stores what the peer sent, tells others of it, and then says so.
    async fn update(&mut self, update: Vec<u8>, is_step_2: bool) -> Result<(), Refusal> {
        let edits = editing::checked([update.clone()]).map_err(|(_, error)| error)?;
        let Some((organization, document, id)) = self.editor() else { return Ok(()) };
        let is_known = edits.updates.is_empty()
            || (is_step_2 && knows(&organization.editors(document), id, &update).await?);
        if is_known {
            return Ok(self.answer(&Message::Saved(true)).await?);
        }
        if self.role == AccessRole::Viewer {
            let reason = format!("The user may only read the document {document}.");
            if self.dialect == Dialect::Hocuspocus {
                return Ok(self.answer(&Message::Saved(false)).await?);
            }
            return Ok(self.answer(&Message::Denied(reason)).await?);
        }
        let edits = service::Edits { told: true, ..edits };
        let by = self.tenant.end_user().map(|user| user.user_id.clone());
        editing::append_or_add(&organization, document, id, &edits, by.as_ref()).await?;
        let message = Message::Update(update);
        match self.others().await {
            Ok(others) => self.tell_others(others, message).await?,
            // It is stored, so it has to be told.
            Err(_) => self.relay(&message).await?,
        }
        Ok(self.answer(&Message::Saved(true)).await?)
    }

    /// Everybody else who listens.
    async fn others(&self) -> Result<Vec<Member>> {
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

    async fn relay(&self, message: &Message) -> Result<()> {
        let Some(message) = Dialect::Y.write(&self.name, message) else { return Ok(()) };
        let (place, from) = (self.place.clone(), self.id().to_owned());
        let task = LiveTask::Relay(LiveRelay { place, from, message: message.into() });
        self.cx.send(&self.tenant, Queue::Live, &task).await
    }

    /// Says something to the connection, if its dialect can.
    pub(crate) async fn answer(&self, message: &Message) -> Result<()> {
        match audience::frame(self.dialect, &self.name, message) {
            Some(frame) => self.post(frame).await,
            None => Ok(()),
        }
    }

    /// The same; the connection fetches what is too large.
    async fn answer_or_fetch(&self, message: &Message, vector: &[u8]) -> Result<()> {
        let Some(said) = self.dialect.write(&self.name, message) else { return Ok(()) };
        let frame = text(&said);
        if frame.len() <= dialects::MAX_SENT_BYTES {
            return self.post(frame).await;
        }
        let vector = Base64::from(vector.to_vec());
        let fetch = json!({ "type": "fetch", "document": self.name, "stateVector": vector });
        self.post(control(&fetch)).await
    }

    pub(crate) async fn post(&self, frame: Vec<u8>) -> Result<()> {
        let ended = audience::post_all(self.live(), vec![(self.id(), frame)], true).await;
        gone::forget(self.live(), ended).await
    }
}

/// Whether an update that only deletes says nothing new: peers always say all they know deleted.
async fn knows(editors: &EditorStore, id: &EditorId, update: &[u8]) -> Result<bool> {
    if update.first() != Some(&0) {
        return Ok(false);
    }
    let Some(stored) = editors.find(id).await? else { return Ok(false) };
    let mut state = editing::load(&stored)?;
    let deleted = |state: &_| Lacking::of(state, None).map(|all| all.update);
    let before = deleted(&state)?;
    state.apply(update)?;
    Ok(before == deleted(&state)?)
}
