//! Members: connections that are subscribed to a place.

pub(crate) mod protocol;

use model::{
    DocumentId, Millis, OrganizationId, PresenceStatus, UserId,
    live::{EPOCH, LivePart, LivePlace},
};
use serde::{Deserialize, Serialize};
use tenancy::layout::{Entity, Key, Place, Table};

use crate::{LIFETIME, member::protocol::Protocol};

/// Prefix of the sort keys of subscribers to notifications.
pub(crate) const USER_MEMBERS: &str = "live-user";
/// Maximum number of members of a place.
pub(crate) const MAX_MEMBERS: usize = 1_000;
/// Maximum number of rows of a place: members, and connections whose leaving was not yet announced.
pub(crate) const MAX_ROWS: usize = 2 * MAX_MEMBERS;
/// Minimum time between two renewals of a lease, in milliseconds.
const RENEWAL: Millis = 20_000;
/// Lease of a connection without messages, in milliseconds.
const LEASE: Millis = 60_000;

/// The start of the epoch behind that of a time.
pub(crate) const fn next_epoch(time: Millis) -> Millis {
    (time / EPOCH).saturating_add(1).saturating_mul(EPOCH)
}

/// Key of the members of a place.
pub(crate) fn members_key(part: &LivePart) -> Key {
    match part {
        LivePart::Editor { document_id, editor_id } => {
            document_members_key(document_id).and("editor", editor_id.as_str())
        }
        LivePart::Events { document_id } => event_subscribers_key(document_id),
        LivePart::User { user_id } => Key::pair(USER_MEMBERS, user_id.as_str()),
    }
}

/// Key of the collection window of a place.
pub(crate) fn window_key(part: &LivePart) -> Key {
    members_key(part).join(&Key::named("gathers"))
}

/// Key of the subscribers to the events of a document.
pub(crate) fn event_subscribers_key(document: &DocumentId) -> Key {
    document_members_key(document).join(&Key::named("events"))
}

/// Key of all members in a document.
fn document_members_key(document: &DocumentId) -> Key {
    Key::pair(Member::KIND, document.as_str())
}

/// A state of a client, with the clock that was relayed. It is stored as a pair.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(from = "(u64, String)", into = "(u64, String)")]
pub struct ClientState {
    /// The relayed clock.
    pub clock: u64,
    /// The state in JSON.
    pub json: String,
}

impl From<(u64, String)> for ClientState {
    fn from((clock, json): (u64, String)) -> Self {
        Self { clock, json }
    }
}

impl From<ClientState> for (u64, String) {
    fn from(ClientState { clock, json }: ClientState) -> Self {
        (clock, json)
    }
}

/// A connection that is subscribed to a place.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Member {
    /// The organization.
    pub organization_id: OrganizationId,
    /// The part of it that the connection listens to.
    pub part: LivePart,
    /// Id of the connection at API Gateway.
    pub connection_id: String,
    /// Protocol of the connection.
    pub protocol: Protocol,
    /// User of the connection.
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
    /// How many epochs its clocks begin behind its joining: those of a client that returned at once,
    /// and one for each time that its lease expired.
    #[serde(default)]
    pub lapses: u64,
    /// The state of the client at the latest write of this row.
    pub state: Option<ClientState>,
    /// Whether it has set its user present.
    #[serde(default)]
    pub present: bool,
    /// How it has set its user present, and when.
    #[serde(default)]
    pub status: Option<(PresenceStatus, Millis)>,
    /// Whether it was told that its user may only read the editor.
    #[serde(default)]
    pub is_reader: bool,
    /// Whether it joined by what it says, and has not asked yet for what is there: it may go on from
    /// what it read before it left.
    #[serde(default)]
    pub unread: bool,
    /// Whether it has left a large room that is not yet notified.
    #[serde(default)]
    pub left: bool,
    /// Whether events shall come with the threads that they are about.
    #[serde(default)]
    pub wants_threads: bool,
}

// A connection ends with the rights of its user, and its row after two hours.
model::names_nobody!(Member);

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
        Place::new(members_key(part).and("connection", connection))
    }
    fn expires(&self) -> Option<Millis> {
        Some(self.joined.saturating_add(LIFETIME))
    }
}

impl Member {
    pub(crate) fn new(
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
            status: None,
            is_reader: false,
            unread: false,
            left: false,
            wants_threads: false,
        }
    }

    /// Whether its lease is due for renewal.
    pub fn is_renewal_due(&self, now: Millis) -> bool {
        now.saturating_sub(self.seen) >= RENEWAL
    }

    /// Whether a client is its own: no connection of another user gets it while this one exists.
    pub fn owns(&self, client: u64) -> bool {
        self.client == Some(client) || self.owned == Some(client)
    }

    /// Whether a client is its own although `other` speaks for it: who may only read takes no client
    /// from who may write, and nobody from the user for whom it is kept.
    pub fn overrules(&self, other: &Self, client: u64, keeper: Option<&UserId>) -> bool {
        let is_before = |member: &Self| (keeper == Some(&member.user_id), !member.is_reader);
        self.user_id != other.user_id && self.owns(client) && is_before(self) > is_before(other)
    }

    /// The start of the clocks of its states: a connection that returns after its lease has newer
    /// ones.
    pub fn epoch_start(&self) -> Millis {
        self.joined.saturating_add(self.lapses.saturating_mul(EPOCH))
    }

    /// The start of clocks that are newer than its own.
    pub fn next_start(&self) -> Millis {
        next_epoch(self.epoch_start())
    }

    /// The member with clocks that begin at a time, or later.
    #[must_use]
    pub fn beginning_at(self, start: Millis) -> Self {
        let lapses = start.saturating_sub(self.joined).div_ceil(EPOCH).max(self.lapses);
        Self { lapses, ..self }
    }

    /// Whether its lease has expired.
    pub fn is_silent(&self, now: Millis) -> bool {
        now.saturating_sub(self.seen) >= LEASE
    }
}
