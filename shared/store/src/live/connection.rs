//! Connections: their users and subscriptions.

use std::{collections::BTreeSet, sync::Arc};

use aws::{Failure, Item, Update, Value};
use error::{Error, Result, Status};
use model::{DocumentId, Millis, OrganizationId, access::AccessRole, live::LivePlace};
use tenancy::{
    layout::{Key, Table, item},
    prelude::*,
    scopes::{Db, Store, TenantStore, report},
};

use super::{
    LIFETIME, Listening, Member, Memory,
    row::{CLAIMS, PLACES, Protocol, REFUSED, Row, claims},
    unauthenticated::PATIENCE,
};
use crate::{features::AllConnections, prelude::*};

/// Lifetime of a cached row or right in milliseconds.
const CACHE_LIFETIME: Millis = 10_000;
/// The same of a row without a token.
const ANONYMOUS_LIFETIME: Millis = 1_000;
/// Maximum number of subscriptions per connection.
const MAX_PLACES: usize = 20;

/// A connection with its stored row.
#[derive(Clone)]
pub struct Connection {
    store: Store,
    id: String,
    row: Arc<Row>,
}

/// The place of a connection's row.
pub(super) fn place(id: &str) -> (Key, Key) {
    (Key::pair("connection", id), Key::named("connection"))
}

pub(super) fn key(id: &str) -> Item {
    let (partition, sort) = place(id);
    item::key(&partition, &sort)
}

impl AllConnections<'_> {
    /// A connection, if it is known.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub async fn find(self, id: &str) -> Result<Option<Connection>> {
        let now = self.0.db().clock().real();
        let memory = self.0.db().cache::<Memory>();
        let cached = memory.rows.find(&id.to_owned(), now, CACHE_LIFETIME);
        // Another process may have accepted a token meanwhile.
        let is_settled = |row: &Arc<Row>| row.issued.is_some();
        let recent = || memory.rows.find(&id.to_owned(), now, ANONYMOUS_LIFETIME);
        if let Some(row) = cached.filter(is_settled).or_else(recent) {
            return Ok(Some(Connection { store: self.0.clone(), id: id.to_owned(), row }));
        }
        let found =
            self.0.db().dynamo().get(Table::Realtime.name(), key(id)).await.map_err(report)?;
        let Some(found) = found else { return Ok(None) };
        Ok(Some(self.remembered(id, &found)?))
    }

    /// The same, read again: another process may have changed it in the last seconds.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub async fn find_now(self, id: &str) -> Result<Option<Connection>> {
        self.0.db().cache::<Memory>().rows.forget(&id.to_owned());
        self.find(id).await
    }

    fn remembered(self, id: &str, item: &Item) -> Result<Connection> {
        let row = Arc::new(Row::read(item)?);
        self.0.db().cache::<Memory>().rows.keep(
            id.to_owned(),
            Arc::clone(&row),
            self.0.db().clock().real(),
        );
        Ok(Connection { store: self.0.clone(), id: id.to_owned(), row })
    }
}

impl Connection {
    /// Its id at API Gateway.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The same, read again.
    ///
    /// # Errors
    /// NOT_FOUND when it has ended.
    pub async fn anew(self) -> Result<Self> {
        self.store.connections().find_now(&self.id).await?.ok_or_else(gone)
    }

    /// Its protocol.
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

    /// Whether it has sent no token that was accepted.
    pub fn is_anonymous(&self) -> bool {
        self.row.issued.is_none()
    }

    /// Whether its time to send a token is over.
    pub fn is_late(&self) -> bool {
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
        self.change(change, None, [(":claims", Value::S(claims(&issued)?))]).await?.ok_or_else(gone)
    }

    /// Counts a refused token; returns the number so far.
    ///
    /// # Errors
    /// UNAVAILABLE; NOT_FOUND when it has ended.
    pub async fn refuse(self) -> Result<(Self, u64)> {
        let one = [(":one", Value::N("1".to_owned()))];
        let refused = self.change(format!("ADD #{REFUSED} :one"), None, one).await?;
        let refused = refused.ok_or_else(gone)?;
        let count = refused.row.refused;
        Ok((refused, count))
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
                self.clone().anew().await?.tenant_of_row().await
            }
            opened => opened,
        }
    }

    async fn tenant_of_row(&self) -> Result<TenantStore> {
        let issued = self.row.issued.as_ref();
        let issued = issued.ok_or_else(|| Error::denied("Send the token of an end user first."))?;
        self.store.readmit().end_user(issued, self.row.origin.as_deref()).await
    }

    /// The role of its user in the document of a place, as of at most ten seconds ago; viewer if the
    /// place has no document.
    ///
    /// # Errors
    /// NOT_FOUND for a document that does not exist or that the user may not see;
    /// PERMISSION_DENIED when the organization is disabled, or, for a place without a document, the
    /// user is no member of it.
    pub async fn role_at(&self, tenant: &TenantStore, place: &LivePlace) -> Result<AccessRole> {
        let now = self.db().clock().real();
        let memory = self.db().cache::<Memory>();
        let cached = self.at(place).and_then(|at| memory.roles.find(&at, now, CACHE_LIFETIME));
        match cached {
            Some(role) => Ok(role),
            None => self.role_now(tenant, place).await,
        }
    }

    /// Like [`Connection::role_at`], as of now.
    ///
    /// # Errors
    /// Those of [`Connection::role_at`].
    pub async fn role_now(&self, tenant: &TenantStore, place: &LivePlace) -> Result<AccessRole> {
        let Some(document) = place.part.document() else {
            tenant.end_users().check_member(&place.organization_id).await?;
            return Ok(AccessRole::Viewer);
        };
        let (memory, now) = (self.db().cache::<Memory>(), self.db().clock().real());
        let roles = &memory.roles;
        let role = tenant.end_users().role_in(&place.organization_id, document).await;
        match (self.at(place), &role) {
            (Some(at), Ok(role)) => roles.keep(at, *role, now),
            (Some(at), Err(_)) => roles.forget(&at),
            (None, _) => {}
        }
        role
    }

    /// The key of its cached role.
    fn at(&self, place: &LivePlace) -> Option<(String, OrganizationId, DocumentId)> {
        let document = place.part.document()?.clone();
        Some((self.id.clone(), place.organization_id.clone(), document))
    }

    /// Its subscriptions.
    pub fn places(&self) -> &BTreeSet<LivePlace> {
        &self.row.places
    }

    /// Whether it is subscribed to a place.
    pub fn is_at(&self, place: &LivePlace) -> bool {
        self.row.places.contains(place)
    }

    /// Subscribes it to a place. Later changes are sent; the caller reads earlier ones afterwards.
    ///
    /// # Errors
    /// RESOURCE_EXHAUSTED when it has the maximum of subscriptions; NOT_FOUND when it has ended;
    /// those of [`Connection::role_at`].
    pub async fn join(self, tenant: &TenantStore, place: &LivePlace) -> Result<Self> {
        let now = self.db().clock().real().millis();
        let user = tenant.end_user().ok_or_else(|| Error::internal("a member is an end user"))?;
        let member = Member::new(place, &self.id, self.row.protocol, user.user_id.clone(), now);
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
        let is_known = self.row.places.iter().any(|it| it.organization_id == *organization);
        // Before the member, so that the end of the connection finds it.
        let changed = self.change(format!("ADD #{PLACES} :place"), Some(condition), values).await?;
        let Some(joined) = changed else {
            let message = format!("A connection may have {MAX_PLACES} subscriptions.");
            return Err(Error::exhausted(message));
        };
        if !is_known {
            tenant.connections().note(organization, &user.user_id, &joined.id).await?;
        }
        let listening = Listening::at(tenant, place);
        listening.put(&member).await?;
        // Again: a change of rights before this row existed did not find the connection.
        if let Err(refusal) = joined.role_now(tenant, place).await {
            joined.leave(place).await?;
            return Err(refusal);
        }
        let organization = tenant.organization(organization);
        match place.part.document() {
            Some(document) => {
                organization
                    .counters()
                    .note_subscribers(document, now.saturating_add(LIFETIME))
                    .await?;
            }
            None => organization.live().note_user_listens().await?,
        }
        Ok(joined)
    }

    /// Ends its subscription to a place; returns the deleted member.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub async fn leave(&self, place: &LivePlace) -> Result<Option<Member>> {
        let left = match self.unchecked().await? {
            Some(tenant) => Listening::at(&tenant, place).remove(&self.id).await?,
            None => None,
        };
        let text = serde_json::to_string(place).map_err(Error::internal)?;
        let change = format!("DELETE #{PLACES} :place");
        let values = [(":place", Value::Ss(vec![text]))];
        self.clone().change(change, None, values).await?;
        Ok(left)
    }

    /// Deletes the connection and its subscriptions; returns them with their tenant.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL: then the remaining rows expire.
    pub async fn forget(
        id: &str,
        store: &Store,
    ) -> Result<Option<(TenantStore, Vec<(LivePlace, Member)>)>> {
        let Some(connection) = store.connections().find_now(id).await? else { return Ok(None) };
        let mut left = vec![];
        let tenant = connection.unchecked().await?;
        if let Some(tenant) = &tenant {
            for place in &connection.row.places {
                let member = Listening::at(tenant, place).remove(id).await?;
                left.extend(member.map(|member| (place.clone(), member)));
            }
            let organizations = connection.row.places.iter().map(|it| &it.organization_id);
            for organization in organizations.collect::<BTreeSet<_>>() {
                connection.forget_in(tenant, organization).await?;
            }
        }
        // Last, so that a retry finds the remaining rows.
        let table = Table::Realtime.name();
        store.db().dynamo().delete(table, key(id), None).await.map_err(report)?;
        store.db().cache::<Memory>().rows.forget(&id.to_owned());
        Ok(tenant.map(|tenant| (tenant, left)))
    }

    async fn forget_in(&self, tenant: &TenantStore, organization: &OrganizationId) -> Result<()> {
        match &self.row.issued {
            Some(issued) => {
                tenant.connections().forget(organization, issued.user(), &self.id).await
            }
            None => Ok(()),
        }
    }

    /// The tenant, even if the token has expired: to withdraw states and presence.
    async fn unchecked(&self) -> Result<Option<TenantStore>> {
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
        let named = [CLAIMS, PLACES, REFUSED].into_iter().filter(|name| expression.contains(*name));
        let names = named.map(|name| (format!("#{name}"), name.to_owned())).collect();
        let is_there = format!("attribute_exists({})", item::PK);
        let condition = condition.map_or(is_there.clone(), |it| format!("{is_there} AND ({it})"));
        let update = Update {
            expression,
            condition: Some(condition),
            names,
            values: values.map(|(name, value)| (name.to_owned(), value)).into(),
        };
        match self.db().dynamo().update(Table::Realtime.name(), key(&self.id), update).await {
            Ok(item) => self.store.connections().remembered(&self.id, &item).map(Some),
            Err(Failure::Condition(Some(_))) => Ok(None),
            Err(Failure::Condition(None)) => Err(gone()),
            Err(failure) => Err(report(failure)),
        }
    }
}

fn gone() -> Error {
    Error::not_found("The connection has ended.")
}
