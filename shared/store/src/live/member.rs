//! Members: connections that are subscribed to a place.

use aws::{Condition, Failure, Update, Value};
use error::Result;
use model::{
    DocumentId, Millis, OrganizationId, UserId,
    live::{LivePart, LivePlace},
};
use serde::{Deserialize, Serialize};
use tenancy::{
    layout::{Entity, Key, Place, Table, item},
    prelude::*,
    reading::new_version,
    scopes::{OrganizationStore, TenantStore, report},
};

use super::{LIFETIME, Protocol};

/// Maximum length of a stored state in bytes.
const MAX_STATE: usize = 1024;
/// Prefix of the sort keys of subscribers to notifications.
pub(super) const OF_USERS: &str = "live-user";
/// Maximum number of members of a place.
pub(super) const MAX_MEMBERS: usize = 1_000;
/// The same, including connections whose leaving was not yet announced.
pub(super) const MAX_ROWS: usize = 2 * MAX_MEMBERS;
/// Minimum time between two renewals of a lease, in milliseconds.
const RENEWAL: Millis = 20_000;
/// Lease of a connection without messages, in milliseconds.
const LEASE: Millis = 60_000;

/// Offset of the states of a connection that returns after its lease, in milliseconds.
const REJOINED: Millis = 1_000;

/// Key of the members of a place.
pub(super) fn key_of(part: &LivePart) -> Key {
    match part {
        LivePart::Editor { document_id, editor_id } => {
            in_document(document_id).and("editor", editor_id.as_str())
        }
        LivePart::Events { document_id } => events_in(document_id),
        LivePart::User { user_id } => Key::pair(OF_USERS, user_id.as_str()),
    }
}

/// Key of the collection window of a place.
pub(super) fn gathering(part: &LivePart) -> Key {
    key_of(part).join(&Key::named("gathers"))
}

/// Key of the subscribers to the events of a document.
pub(super) fn events_in(document: &DocumentId) -> Key {
    in_document(document).join(&Key::named("events"))
}

/// Key of all members in a document.
fn in_document(document: &DocumentId) -> Key {
    Key::pair(Member::KIND, document.as_str())
}

/// A connection that is subscribed to a place.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Member {
    /// The organization.
    pub organization_id: OrganizationId,
    /// Its subscriptions.
    pub part: LivePart,
    /// Its id at API Gateway.
    pub connection_id: String,
    /// Its protocol.
    pub protocol: Protocol,
    /// Its user.
    pub user_id: UserId,
    /// Time of joining.
    pub joined: Millis,
    /// Time of its latest message, with a delay of up to 20 seconds.
    pub seen: Millis,
    /// The client of its awareness states, once it has sent one, until its lease expires.
    pub client: Option<u64>,
    /// The client that it had when its lease expired, which stays its own.
    #[serde(default)]
    pub owned: Option<u64>,
    /// How often its lease expired.
    #[serde(default)]
    pub lapses: u64,
    /// The state of the client at the latest write of this row, with the relayed clock.
    pub state: Option<(u64, String)>,
    /// Whether it has set its user present.
    #[serde(default)]
    pub present: bool,
    /// Whether it has left a large room that is not yet notified.
    #[serde(default)]
    pub left: bool,
}

impl Entity for Member {
    const KIND: &'static str = "live";
    const NOUN: &'static str = "connection";
    const TABLE: Table = Table::Realtime;
    type Id = (LivePart, String);
    fn id(&self) -> Self::Id {
        (self.part.clone(), self.connection_id.clone())
    }
    fn shown((_, connection): &Self::Id) -> &str {
        connection
    }
    fn place((part, connection): &Self::Id) -> Place {
        Place::new(key_of(part).and("connection", connection))
    }
    fn expires(&self) -> Option<Millis> {
        Some(self.joined.saturating_add(LIFETIME))
    }
}

impl Member {
    pub(super) fn new(
        place: &LivePlace,
        connection: &str,
        protocol: Protocol,
        user_id: UserId,
        now: Millis,
    ) -> Self {
        Self {
            organization_id: place.organization_id.clone(),
            part: place.part.clone(),
            connection_id: connection.to_owned(),
            protocol,
            user_id,
            joined: now,
            seen: now,
            client: None,
            owned: None,
            lapses: 0,
            state: None,
            present: false,
            left: false,
        }
    }

    /// Whether its lease is due for renewal.
    pub fn is_due(&self, now: Millis) -> bool {
        now.saturating_sub(self.seen) >= RENEWAL
    }

    /// Whether a client is its own: no connection of another user gets it while this one exists.
    pub fn owns(&self, client: u64) -> bool {
        self.client == Some(client) || self.owned == Some(client)
    }

    /// The start of its states: a connection that returns after its lease has newer ones.
    pub fn began(&self) -> Millis {
        self.joined.saturating_add(self.lapses.saturating_mul(REJOINED))
    }

    /// Whether its lease has expired.
    pub fn is_silent(&self, now: Millis) -> bool {
        now.saturating_sub(self.seen) >= LEASE
    }
}

/// A place and its members.
#[derive(Clone)]
pub struct Listening {
    pub(super) organization: OrganizationStore,
    pub(super) part: LivePart,
}

impl Listening {
    /// A place of a tenant.
    pub fn at(tenant: &TenantStore, place: &LivePlace) -> Self {
        let organization = tenant.organization(&place.organization_id);
        Self { organization, part: place.part.clone() }
    }

    /// Its members.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub async fn members(&self) -> Result<Vec<Member>> {
        Ok(self.members_and_left().await?.0)
    }

    /// The members, and those whose leaving was not yet announced.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub async fn members_and_left(&self) -> Result<(Vec<Member>, Vec<Member>)> {
        let members = self.organization.collection::<Member>();
        let under = members.rows().under(key_of(&self.part).and_prefix("connection"));
        // Expired rows may still exist; a post to such a connection fails.
        let items = members.rows().first_items(under, MAX_ROWS).await?;
        let found: Vec<Member> =
            items.into_iter().map(|item| members.rows().decode(item)).collect::<Result<_>>()?;
        let (left, members): (Vec<Member>, Vec<Member>) = found.into_iter().partition(|it| it.left);
        self.note_size(members.len());
        Ok((members, left))
    }

    /// One member.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub async fn member(&self, connection: &str) -> Result<Option<Member>> {
        let id = (self.part.clone(), connection.to_owned());
        self.organization.collection::<Member>().find(&id).await
    }

    /// Writes a member.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub async fn put(&self, member: &Member) -> Result<()> {
        let members = self.organization.collection::<Member>();
        let row = members.rows().encode(member, &new_version()?)?;
        members.rows().db().dynamo().put(Table::Realtime.name(), row, None).await.map_err(report)
    }

    /// Renews the lease of a member, with its client, state and presence, unless it has left.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub async fn note(&self, member: &Member) -> Result<()> {
        let mut set = vec![
            ("seen", Value::N(member.seen.to_string())),
            ("present", Value::Bool(member.present)),
        ];
        set.extend(member.client.map(|client| ("client", Value::N(client.to_string()))));
        if let Some((clock, json)) = member.state.as_ref().filter(|it| it.1.len() <= MAX_STATE) {
            let state = vec![Value::N(clock.to_string()), Value::S(json.clone())];
            set.push(("state", Value::L(state)));
        }
        let steps: Vec<String> = set.iter().map(|(name, _)| format!("#{name} = :{name}")).collect();
        let update = Update {
            expression: format!("SET {}", steps.join(", ")),
            condition: Some(format!("attribute_exists({})", item::PK)),
            names: set.iter().map(|(name, _)| (format!("#{name}"), (*name).to_owned())).collect(),
            values: set.into_iter().map(|(name, value)| (format!(":{name}"), value)).collect(),
        };
        self.update(member, update).await.map(drop)
    }

    /// Withdraws client, state and presence of a member whose lease expired; it keeps owning the
    /// client. False when another call
    /// did, or when it has none.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub async fn withdraw(&self, member: &Member) -> Result<bool> {
        let condition = "#seen = :seen AND (attribute_exists(#client) OR #present = :true)";
        let mut names = vec!["seen", "present", "client", "state", "lapses"];
        let mut values = vec![
            (":seen", Value::N(member.seen.to_string())),
            (":true", Value::Bool(true)),
            (":false", Value::Bool(false)),
            (":lapses", Value::N((member.lapses + 1).to_string())),
        ];
        let mut set = "SET #present = :false, #lapses = :lapses".to_owned();
        if let Some(client) = member.client {
            names.push("owned");
            values.push((":owned", Value::N(client.to_string())));
            set += ", #owned = :owned";
        }
        let update = Update {
            expression: format!("{set} REMOVE #client, #state"),
            condition: Some(condition.to_owned()),
            names: names.into_iter().map(|name| (format!("#{name}"), name.to_owned())).collect(),
            values: values.into_iter().map(|(name, value)| (name.to_owned(), value)).collect(),
        };
        self.update(member, update).await
    }

    async fn update(&self, member: &Member, update: Update) -> Result<bool> {
        let db = self.organization.tenant().db();
        let key = item::key(self.organization.partition(), &Member::place(&member.id()).into_key());
        match db.dynamo().update(Table::Realtime.name(), key, update).await {
            Ok(_) => Ok(true),
            Err(Failure::Condition(_)) => Ok(false),
            Err(failure) => Err(report(failure)),
        }
    }

    /// Removes a connection; returns it, unless another call removes it at the same time.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub async fn remove(&self, connection: &str) -> Result<Option<Member>> {
        let members = self.organization.collection::<Member>();
        let id = (self.part.clone(), connection.to_owned());
        let found = members.find(&id).await?;
        let key = item::key(self.organization.partition(), &Member::place(&id).into_key());
        let exists = Condition {
            expression: format!("attribute_exists({})", item::PK),
            ..Condition::default()
        };
        match members.rows().db().dynamo().delete(Table::Realtime.name(), key, Some(exists)).await {
            Ok(()) => Ok(found),
            Err(Failure::Condition(_)) => Ok(None),
            Err(failure) => Err(report(failure)),
        }
    }
}
