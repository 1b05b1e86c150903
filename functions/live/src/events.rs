//! The events protocol in JSON: presence, live state and events of documents, and the notifications
//! of the user.

use dialects::control;
use model::{
    DocumentId, OrganizationId, PresenceStatus,
    live::{LivePart, LivePlace},
};
use serde::Deserialize;
use serde_json::{Value, json};
use service::{
    Connection, Effect, EndUser, Error, Listening, Live, Result, SocketCx, Status, TenantStore,
};

use crate::{audience, gone, incoming, lockout, notice::events_of, refusal::Refusal, subscription};

/// A message of a client.
#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
enum ClientMessage {
    Subscribe {
        organization_id: OrganizationId,
        document_id: Option<DocumentId>,
        #[serde(default)]
        me: bool,
        since: Option<u64>,
    },
    Unsubscribe {
        organization_id: OrganizationId,
        document_id: Option<DocumentId>,
    },
    Presence {
        organization_id: OrganizationId,
        document_id: DocumentId,
        status: Option<PresenceStatus>,
    },
    Ping,
}

/// A connection of the events protocol.
pub(crate) struct Client<'a> {
    pub(crate) live: &'a Live,
    pub(crate) tenant: TenantStore,
    pub(crate) connection: Connection,
}

/// Handles a message.
pub(crate) async fn receive(
    cx: &SocketCx,
    connection: Connection,
    message: Value,
) -> Result<(), Refusal> {
    let effect = if message["type"] == "presence" { Effect::Writes } else { Effect::Reads };
    if !incoming::admits_as(cx, &connection, effect, message["type"] == "ping").await? {
        return Ok(());
    }
    let tenant = connection.tenant().await.map_err(Refusal::of_token)?;
    let client = Client { live: cx.live(), tenant, connection };
    let done = match ClientMessage::deserialize(message) {
        Ok(said) => client.handle(said).await,
        Err(error) => Err(Error::invalid(error.to_string())),
    };
    match done {
        // An error about one document does not end the subscriptions to others.
        Err(error) if !error.is_ours() && error.status != Status::Aborted => {
            let (code, message) = (error.status.as_str(), error.message);
            Ok(client.send(&json!({ "type": "error", "code": code, "message": message })).await?)
        }
        done => Ok(done?),
    }
}

impl Client<'_> {
    async fn handle(&self, said: ClientMessage) -> Result<()> {
        match said {
            ClientMessage::Subscribe { organization_id, document_id: Some(id), since, .. } => {
                subscription::begin(self, organization_id, id, since).await
            }
            ClientMessage::Subscribe { organization_id, me: true, .. } => {
                let place = self.own(organization_id)?;
                self.join(&place).await?;
                let organization = place.organization_id;
                self.send(
                    &json!({ "type": "subscribed", "organizationId": organization, "me": true }),
                )
                .await
            }
            ClientMessage::Subscribe { .. } => {
                Err(Error::invalid("Name a documentId, or say \"me\": true."))
            }
            ClientMessage::Unsubscribe { organization_id, document_id } => {
                let place = match document_id {
                    Some(id) => events_of(organization_id, id),
                    None => self.own(organization_id)?,
                };
                gone::leave(self.live, &self.tenant, &self.connection, &place).await
            }
            ClientMessage::Presence { organization_id, document_id, status } => {
                subscription::be_present(self, organization_id, document_id, status).await
            }
            ClientMessage::Ping => {
                self.send(&json!({ "type": "pong" })).await?;
                lockout::renew(self.live, &self.tenant, &self.connection).await
            }
        }
    }

    pub(crate) fn user(&self) -> Result<&EndUser> {
        self.tenant.end_user().ok_or_else(|| Error::internal("a client is an end user"))
    }

    pub(crate) async fn send(&self, said: &Value) -> Result<()> {
        self.send_all(std::slice::from_ref(said)).await
    }

    /// Sends messages in order.
    pub(crate) async fn send_all(&self, said: &[Value]) -> Result<()> {
        let frames = vec![(self.connection.id(), said.iter().map(control).collect())];
        gone::forget(self.live, audience::post_all(self.live, frames, true).await).await
    }

    /// Subscribes the client, if its user has the right.
    pub(crate) async fn join(&self, place: &LivePlace) -> Result<()> {
        self.connection.role_at(&self.tenant, place).await?;
        let (listening, user) = (Listening::at(&self.tenant, place), &self.user()?.user_id);
        if !self.live.may_join(&self.tenant, user, place) {
            return Err(Error::exhausted("The user subscribes too often."));
        }
        let joined = self.connection.clone().join(&self.tenant, place).await?;
        let admitted = listening.admit(joined.id(), user, audience::is_crowd(&listening)).await;
        if admitted.is_err() {
            joined.leave(place).await?;
        }
        admitted.map(drop)
    }

    /// The notifications of the user.
    fn own(&self, organization_id: OrganizationId) -> Result<LivePlace> {
        let part = LivePart::User { user_id: self.user()?.user_id.clone() };
        Ok(LivePlace { organization_id, part })
    }
}
