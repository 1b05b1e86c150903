//! Events, in JSON: who is in a document, its live state, what happens in it, and the notifications
//! of the user.

use dialects::{MAX_SENT_BYTES, control};
use model::{
    DocumentId, OrganizationId, PresenceStatus,
    live::{LivePart, LivePlace},
    live_state::LiveState,
    presence::{Presence, SentPresence},
};
use serde::Deserialize;
use serde_json::{Value, json};
use service::{Connection, Error, Listening, Live, Member, Result, SocketCx, Status, TenantStore};

use crate::{audience, gone, refusal::Refusal};

/// What a client says.
#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase")]
enum Said {
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

/// Takes a message.
pub(crate) async fn receive(
    cx: &SocketCx,
    connection: Connection,
    message: Value,
) -> Result<(), Refusal> {
    let tenant = connection.tenant().await.map_err(Refusal::of_token)?;
    let client = Client { live: cx.live(), tenant, connection };
    let said = Said::deserialize(message).map_err(|error| Error::invalid(error.to_string()));
    let done = match said {
        Ok(said) => client.takes(said).await,
        Err(error) => Err(error),
    };
    match done {
        // What is said of one document ends no connection that listens to others.
        Err(error) if !error.is_ours() && error.status != Status::Aborted => {
            let said = json!({
                "type": "error", "code": error.status.as_str(), "message": error.message,
            });
            Ok(client.hears(&said).await?)
        }
        done => Ok(done?),
    }
}

struct Client<'a> {
    live: &'a Live,
    tenant: TenantStore,
    connection: Connection,
}

impl Client<'_> {
    async fn takes(&self, said: Said) -> Result<()> {
        match said {
            Said::Subscribe { organization_id, document_id: Some(id), since, .. } => {
                self.subscribes(organization_id, id, since).await
            }
            Said::Subscribe { organization_id, me: true, .. } => {
                let place = self.own(organization_id)?;
                self.connection.role_at(&self.tenant, &place).await?;
                self.connection.clone().join(&self.tenant, &place).await?;
                let organization_id = place.organization_id;
                let said =
                    json!({ "type": "subscribed", "organizationId": organization_id, "me": true });
                self.hears(&said).await
            }
            Said::Subscribe { .. } => {
                Err(Error::invalid("Name a documentId, or say \"me\": true."))
            }
            Said::Unsubscribe { organization_id, document_id } => {
                let place = match document_id {
                    Some(document_id) => events_of(organization_id, document_id),
                    None => self.own(organization_id)?,
                };
                let (_, left) = self.connection.clone().leave(&place).await?;
                let Some(member) = left else { return Ok(()) };
                let ended = gone::take_back(self.live, &self.tenant, &place, &member).await?;
                gone::forget(self.live, ended).await
            }
            Said::Presence { organization_id, document_id, status } => {
                self.is_present(
                    events_of(organization_id, document_id.clone()),
                    document_id,
                    status,
                )
                .await
            }
            Said::Ping => {
                self.hears(&json!({ "type": "pong" })).await?;
                for place in self.connection.places() {
                    self.keeps(place).await?;
                }
                Ok(())
            }
        }
    }

    async fn hears(&self, said: &Value) -> Result<()> {
        let frames = vec![(self.connection.id(), control(said))];
        let ended = audience::post_all(self.live, frames, true).await;
        gone::forget(self.live, ended).await
    }

    fn user(&self) -> Result<&service::EndUser> {
        self.tenant.end_user().ok_or_else(|| Error::internal("a client is an end user"))
    }

    /// The notifications of the user.
    fn own(&self, organization_id: OrganizationId) -> Result<LivePlace> {
        let part = LivePart::User { user_id: self.user()?.user_id.clone() };
        Ok(LivePlace { organization_id, part })
    }

    /// Lets the client listen, and then tells what there is.
    async fn subscribes(
        &self,
        organization_id: OrganizationId,
        document_id: DocumentId,
        since: Option<u64>,
    ) -> Result<()> {
        let place = events_of(organization_id.clone(), document_id.clone());
        self.connection.role_at(&self.tenant, &place).await?;
        self.connection.clone().join(&self.tenant, &place).await?;
        let organization = self.tenant.organization(&organization_id);
        let position = organization.position_in(&document_id).await?;
        let present = organization.present_in(&document_id).await?;
        let states = organization.live_state_of(&document_id).await?;
        let mut said = json!({
            "type": "subscribed", "organizationId": organization_id, "documentId": document_id,
            "position": position, "presence": [], "liveState": [],
            "isComplete": since.is_none_or(|since| since == position),
        });
        let mut room = MAX_SENT_BYTES - 1024;
        let lists = [
            ("presence", present.iter().map(presence_view).collect::<Vec<_>>()),
            ("liveState", states.iter().map(state_view).collect()),
        ];
        for (name, views) in lists {
            for view in views {
                let size = view.to_string().len() + 1;
                if size > room {
                    said["isComplete"] = json!(false);
                    break;
                }
                room -= size;
                if let Some(list) = said[name].as_array_mut() {
                    list.push(view);
                }
            }
        }
        self.hears(&said).await
    }

    /// Says that the user is in a document, until the last connection that says so has ended.
    async fn is_present(
        &self,
        place: LivePlace,
        document: DocumentId,
        status: Option<PresenceStatus>,
    ) -> Result<()> {
        self.connection.role_at(&self.tenant, &place).await?;
        let listening = Listening::at(&self.tenant, &place);
        let now = self.live.now();
        let user = self.user()?;
        let members = listening.members().await?;
        let own = members.iter().find(|it| it.connection_id == self.connection.id());
        let own = own.ok_or_else(|| Error::invalid("Subscribe to the document first."))?;
        if !own.present || own.is_due(now) {
            // First: whoever takes it back finds it.
            listening.note(&Member { present: true, seen: now, ..own.clone() }).await?;
        }
        let name = user.name.as_ref().and_then(|name| name.to_string().try_into().ok());
        let sent =
            SentPresence { user_id: user.user_id.clone(), name, email: user.email.clone(), status };
        let organization = self.tenant.organization(&place.organization_id);
        organization.imply().await?;
        organization.update_presence(&document, &[sent], self.tenant.now()).await
    }

    async fn keeps(&self, place: &LivePlace) -> Result<()> {
        let listening = Listening::at(&self.tenant, place);
        let (members, now) = (listening.members().await?, self.live.now());
        let is_own = |it: &&Member| it.connection_id == self.connection.id() && it.is_due(now);
        if let Some(own) = members.iter().find(is_own) {
            listening.note(&Member { seen: now, ..own.clone() }).await?;
        }
        let others = members.into_iter().filter(|it| it.connection_id != self.connection.id());
        let others: Vec<Member> = others.collect();
        let ended = gone::sweep(self.live, &self.tenant, place, &others).await?;
        gone::forget(self.live, ended).await
    }
}

/// What happens in a document.
pub(crate) fn events_of(organization_id: OrganizationId, document_id: DocumentId) -> LivePlace {
    LivePlace { organization_id, part: LivePart::Events { document_id } }
}

/// A presence record, as the channel shows it.
pub(crate) fn presence_view(presence: &Presence) -> Value {
    let mut view = json!({
        "userId": presence.user_id, "status": presence.status, "lastUpdated": presence.last_updated,
    });
    if let Some(name) = &presence.name {
        view["name"] = json!(name);
    }
    if let Some(email) = &presence.email {
        view["email"] = json!(email);
    }
    view
}

/// A piece of live state, as the channel shows it.
pub(crate) fn state_view(state: &LiveState) -> Value {
    json!({
        "liveStateDataId": state.live_state_data_id, "data": state.data, "revision": state.revision,
    })
}

/// Tells those who listen to the events of a document, each with the rights they have now.
pub(crate) async fn tell(
    live: &Live,
    tenant: &TenantStore,
    place: &LivePlace,
    members: Vec<Member>,
    said: &Value,
) -> Result<()> {
    let (members, refused) = audience::admitted(live, tenant, place, members).await?;
    audience::throw_out(live, refused).await?;
    let frame = control(said);
    let frames = members.iter().map(|it| (it.connection_id.as_str(), frame.clone())).collect();
    gone::forget(live, audience::post_all(live, frames, true).await).await
}
