//! Connections: their users and subscriptions.

mod ending;
mod opening;
mod reading;
mod rights;
mod row;
mod unauthenticated;
pub(crate) mod versioned;

use std::{collections::BTreeSet, sync::Arc};

use aws::{Failure, Item, Update, Value};
use error::{Error, Result, Status};
use model::{
    DocumentId, Millis, OrganizationId,
    live::{LivePart, LivePlace},
    permissions::AccessRole,
    rights::Right,
};
use store::prelude::*;
use tenancy::{
    layout::{EXPIRES, Table, item},
    prelude::*,
    scopes::{Db, Store, TenantStore, TimedCache, report},
};

use self::row::{CLAIMS, ConnectionRow, ENDED, PATIENCE, PLACES, REFUSED, claims, key};
pub use self::{
    row::NewConnection,
    unauthenticated::{OverdueConnection, OverduePage, OverdueStart},
};
use crate::{
    LIFETIME,
    connection::versioned::Versioned,
    member::{Member, protocol::Protocol},
    prelude::*,
    room::Room,
};

/// Lifetime of a cached row or right in milliseconds.
const CACHE_LIFETIME: Millis = 10_000;
/// Lifetime of a cached row without a token, in milliseconds.
const ANONYMOUS_LIFETIME: Millis = 1_000;
/// Maximum number of subscriptions per connection.
const MAX_PLACES: usize = 20;

/// Rows and rights of connections that a process has read lately. A cached record never refuses a
/// call.
#[derive(Default)]
struct Cache {
    rows: TimedCache<String, Versioned<Arc<ConnectionRow>>>,
    rights: TimedCache<(String, OrganizationId, DocumentId), Versioned<Right>>,
    members: TimedCache<(String, OrganizationId), bool>,
    /// Whether clients were told with their tokens that they only read.
    told: TimedCache<(String, LivePlace), bool>,
}

/// The version of a connection's row.
fn row_version(db: &Db, id: &str) -> Option<u64> {
    db.version(Table::Realtime, &row::place(id).0.prefix(), "")
}

/// A room that an ended connection has left.
pub struct Departure {
    /// The room.
    pub room: Room,
    /// The connection in it.
    pub member: Member,
}

/// A connection with its stored row.
#[derive(Clone)]
pub struct Connection {
    store: Store,
    id: String,
    row: Arc<ConnectionRow>,
}

/// How a connection joins a place.
#[derive(Clone, Copy, Debug, Default)]
pub struct Joining {
    /// Whether it has not asked yet for what is there.
    pub unread: bool,
    /// Whether events shall come with the threads that they are about.
    pub wants_threads: bool,
}

impl Connection {
    /// A connection, if it is known.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub(crate) async fn find(store: &Store, id: &str) -> Result<Option<Self>> {
        Ok(Self::find_row(store, id).await?.filter(|found| !found.has_ended()))
    }

    async fn find_row(store: &Store, id: &str) -> Result<Option<Self>> {
        let now = store.db().clock().real();
        let (cache, version) = (store.db().cache::<Cache>(), row_version(store.db(), id));
        let cached = |age| cache.rows.find(&id.to_owned(), now, age);
        let cached = match version {
            Some(_) => cached(Millis::MAX).filter(|row| row.is_current(version)),
            // Another process may have accepted a token meanwhile.
            None => cached(CACHE_LIFETIME)
                .filter(|row| row.value.issued.is_some())
                .or_else(|| cached(ANONYMOUS_LIFETIME)),
        };
        if let Some(Versioned { value: row, .. }) = cached {
            return Ok(Some(Self { store: store.clone(), id: id.to_owned(), row }));
        }
        let found =
            store.db().dynamo().get(Table::Realtime.name(), key(id)).await.map_err(report)?;
        found.map(|found| Self::remembered(store, id, &found, version)).transpose()
    }

    /// The connection, read again: another process may have changed it in the last seconds.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub(crate) async fn find_now(store: &Store, id: &str) -> Result<Option<Self>> {
        store.db().cache::<Cache>().rows.forget(&id.to_owned());
        Self::find(store, id).await
    }

    fn remembered(store: &Store, id: &str, item: &Item, version: Option<u64>) -> Result<Self> {
        let (row, now) = (Arc::new(ConnectionRow::read(item)?), store.db().clock().real());
        let known = Versioned { value: Arc::clone(&row), version };
        store.db().cache::<Cache>().rows.keep(id.to_owned(), known, now);
        Ok(Self { store: store.clone(), id: id.to_owned(), row })
    }

    /// Id of the connection at API Gateway.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The connection, read again.
    ///
    /// # Errors
    /// NOT_FOUND when it has ended.
    pub async fn reread(self) -> Result<Self> {
        Self::find_now(&self.store, &self.id).await?.ok_or_else(ended)
    }

    /// Protocol of the connection.
    pub fn protocol(&self) -> Protocol {
        self.row.protocol
    }

    /// The room requested at the handshake.
    pub fn room(&self) -> Option<&str> {
        self.row.room.as_deref()
    }

    fn db(&self) -> &Db {
        self.store.db()
    }

    /// Whether it opened after a time, in epoch milliseconds, as far as is known.
    pub(crate) fn opened_after(&self, at: Millis) -> bool {
        self.row.opened.is_some_and(|opened| opened > at)
    }

    /// Whether it has sent no token that was accepted.
    pub fn is_anonymous(&self) -> bool {
        self.row.issued.is_none()
    }

    /// Whether its time to send a token is over.
    pub fn is_token_overdue(&self) -> bool {
        let now = self.db().clock().real().millis();
        self.is_anonymous()
            && self.row.opened.is_some_and(|opened| opened.saturating_add(PATIENCE) <= now)
    }

    /// Accepts the token of its user: the first one, or a newer one of the same user.
    ///
    /// # Errors
    /// PERMISSION_DENIED.
    pub async fn authenticate(self, token: &str) -> Result<Self> {
        let issued = self.store.readmit().issued(token)?;
        self.store.readmit().end_user(&issued, self.row.origin.as_deref()).await?;
        let known = self.row.issued.as_ref();
        if known.is_some_and(|known| !known.is_of_same_user(&issued)) {
            return Err(Error::denied("The connection is another user's."));
        }
        if known.is_some_and(|known| known.expires() == issued.expires()) {
            return Ok(self);
        }
        let change = format!("SET #{CLAIMS} = :claims");
        self.change(change, None, [(":claims", Value::S(claims(&issued)?))])
            .await?
            .ok_or_else(ended)
    }

    /// Counts a refused token.
    ///
    /// # Errors
    /// UNAVAILABLE; NOT_FOUND when it has ended.
    pub async fn count_refused_token(self) -> Result<Self> {
        let one = [(":one", Value::N("1".to_owned()))];
        let counted = self.change(format!("ADD #{REFUSED} :one"), None, one).await?;
        counted.ok_or_else(ended)
    }

    /// The number of its refused tokens.
    pub fn refused_tokens(&self) -> u64 {
        self.row.refused
    }

    /// The tenant, limited to the rights of its user. The cached row refuses nobody, because the
    /// connection may have sent a newer token to another process.
    ///
    /// # Errors
    /// PERMISSION_DENIED when it has sent no token, or the token has expired; NOT_FOUND when it has
    /// ended.
    pub async fn tenant(&self) -> Result<TenantStore> {
        match self.tenant_of_row().await {
            Err(error) if error.status == Status::PermissionDenied => {
                self.clone().reread().await?.tenant_of_row().await
            }
            opened => opened,
        }
    }

    async fn tenant_of_row(&self) -> Result<TenantStore> {
        let issued = self.row.issued.as_ref();
        let issued = issued.ok_or_else(|| Error::denied("Send the token of an end user first."))?;
        self.store.readmit().end_user(issued, self.row.origin.as_deref()).await
    }

    /// Subscriptions of the connection.
    pub fn places(&self) -> &BTreeSet<LivePlace> {
        &self.row.places
    }

    /// Whether it is subscribed to a place.
    pub fn is_subscribed(&self, place: &LivePlace) -> bool {
        self.row.places.contains(place)
    }

    /// Subscribes it to a place. Later changes are sent; the caller reads earlier ones afterwards, or
    /// not at all if they stay `unread`. Returns the role of its user once it is subscribed.
    ///
    /// # Errors
    /// RESOURCE_EXHAUSTED when it has the maximum of subscriptions; NOT_FOUND when it has ended;
    /// those of [`Connection::role_at`].
    pub async fn join(
        self,
        tenant: &TenantStore,
        place: &LivePlace,
        Joining { unread, wants_threads }: Joining,
    ) -> Result<(Self, AccessRole)> {
        let now = self.db().clock().real().millis();
        let user = tenant.end_user().ok_or_else(|| Error::internal("a member is an end user"))?;
        let member = Member::new(place, &self.id, self.row.protocol, user.user_id.clone(), now);
        let is_editor = matches!(place.part, LivePart::Editor { .. });
        let is_reader = is_editor && self.role_at(tenant, place).await? != AccessRole::Editor;
        let member = Member { is_reader, unread, wants_threads, ..member };
        let text = serde_json::to_string(place).map_err(Error::internal)?;
        let values = [
            (":place", Value::Ss(vec![text.clone()])),
            (":text", Value::S(text)),
            (":most", Value::N(MAX_PLACES.to_string())),
        ];
        let condition = format!(
            "attribute_not_exists(#{PLACES}) OR size(#{PLACES}) < :most OR contains(#{PLACES}, :text)"
        );
        let organization = &place.organization_id;
        let is_known = self.row.places.iter().any(|known| known.organization_id == *organization);
        // Before the member, so that the end of the connection finds it.
        let changed = self.change(format!("ADD #{PLACES} :place"), Some(condition), values).await?;
        let Some(joined) = changed else {
            let message = format!("A connection may have {MAX_PLACES} subscriptions.");
            return Err(Error::exhausted(message));
        };
        if !is_known {
            tenant.connections().record(organization, &user.user_id, &joined.id).await?;
        }
        let room = Room::at(tenant, place);
        room.enter(&member).await?;
        // Again: a change of rights before this row existed did not find the connection.
        let role = match joined.role_now(tenant, place).await {
            Ok(role) => role,
            Err(refusal) => {
                joined.leave(place).await?;
                return Err(refusal);
            }
        };
        if is_editor && is_reader != (role != AccessRole::Editor) {
            room.note_scope(&member, !is_reader).await?;
        }
        let organization = tenant.organization(organization);
        match place.part.document() {
            Some(document) => {
                organization
                    .counters()
                    .note_subscribers(document, now.saturating_add(LIFETIME))
                    .await?;
            }
            None => organization.live().record_listening_user().await?,
        }
        Ok((joined, role))
    }

    /// Ends its subscription to a place; returns the deleted member.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub async fn leave(&self, place: &LivePlace) -> Result<Option<Member>> {
        let left = match self.tenant_unchecked().await? {
            Some(tenant) => Room::at(&tenant, place).remove(&self.id).await?,
            None => None,
        };
        let text = serde_json::to_string(place).map_err(Error::internal)?;
        let change = format!("DELETE #{PLACES} :place");
        let values = [(":place", Value::Ss(vec![text]))];
        self.clone().change(change, None, values).await?;
        Ok(left)
    }

    /// The tenant, even if the token has expired: to withdraw states and presence.
    async fn tenant_unchecked(&self) -> Result<Option<TenantStore>> {
        match &self.row.issued {
            Some(issued) => self.store.readmit().tenant(issued.api_key()).await,
            None => Ok(None),
        }
    }

    /// Changes the row; none when it is deleted or the condition does not hold.
    async fn change<const N: usize>(
        self,
        expression: String,
        condition: Option<String>,
        values: [(&str, Value); N],
    ) -> Result<Option<Self>> {
        let changed = [CLAIMS, PLACES, REFUSED, EXPIRES].into_iter();
        let changed = changed.filter(|name| expression.contains(&format!("#{name}")));
        let names = changed.chain([ENDED]);
        let names = names.map(|name| (format!("#{name}"), name.to_owned())).collect();
        let is_there = format!("attribute_exists({}) AND attribute_not_exists(#{ENDED})", item::PK);
        let condition =
            condition.map_or(is_there.clone(), |other| format!("{is_there} AND ({other})"));
        let update = Update {
            expression,
            condition: Some(condition),
            names,
            values: values.map(|(name, value)| (name.to_owned(), value)).into(),
        };
        // If this is the only write, what it answers is what is there.
        let version = row_version(self.db(), &self.id).map(|version| version + 1);
        match self.db().dynamo().update(Table::Realtime.name(), key(&self.id), update).await {
            Ok(item) => Self::remembered(&self.store, &self.id, &item, version).map(Some),
            Err(Failure::Condition(Some(old))) if !old.contains_key(ENDED) => Ok(None),
            Err(Failure::Condition(_)) => Err(ended()),
            Err(failure) => Err(report(failure)),
        }
    }
}

fn ended() -> Error {
    Error::not_found("The connection has ended.")
}
