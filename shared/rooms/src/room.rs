//! The members of a place, as the rows of their connections in it.

mod admission;
mod keeping;
mod known;
mod readers;
mod window;

use std::{sync::Arc, time::Duration};

use aws::{Condition, Failure, Query, Update, Value};
use error::{Error, Result};
use model::{
    Millis,
    live::{LivePlace, LiveRelay},
};
use tenancy::{
    Together,
    layout::{Entity, Table, item},
    prelude::*,
    reading::new_version,
    scopes::{ATTEMPTS, OrganizationStore, TenantStore, TimedCache, report},
};

use self::known::KnownRows;
pub use self::{admission::Admission, keeping::Keeper};
use crate::member::{MAX_ROWS, Member, members_key};

/// Maximum number of members to which a function posts directly; a worker relays to more.
pub const MAX_DIRECT: usize = 50;
/// Maximum length of a stored state in bytes.
const MAX_STATE: usize = 1024;
/// Lifetime of a cached room size or sweep in milliseconds.
const CACHE_LIFETIME: Millis = 10_000;
/// How often, and how long, a call waits for a member that another one writes.
const WAITS: usize = 5;
const WAIT: Duration = Duration::from_millis(100);

/// Knowledge of a process about places, by their names.
#[derive(Default)]
struct Cache {
    /// All rows.
    rows: TimedCache<String, Arc<KnownRows>>,
    /// Reads of all rows.
    reads: Together<String, (), Arc<AllMembers>>,
    /// Relays to all members.
    relays: Together<String, LiveRelay, ()>,
    /// Numbers of members.
    sizes: TimedCache<String, usize>,
    /// Places that were searched for expired leases.
    sweeps: TimedCache<String, ()>,
    /// Open collection windows.
    windows: TimedCache<String, ()>,
}

/// All rows of a room.
#[derive(Clone)]
pub struct AllMembers {
    /// The members.
    pub members: Vec<Member>,
    /// Connections whose leaving was not yet announced.
    pub departed: Vec<Member>,
}

/// A place with its members.
#[derive(Clone)]
pub struct Room {
    organization: OrganizationStore,
    place: LivePlace,
}

impl Room {
    /// The room of a place of a tenant.
    pub fn at(tenant: &TenantStore, place: &LivePlace) -> Self {
        Self { organization: tenant.organization(&place.organization_id), place: place.clone() }
    }

    /// Organization of the room.
    pub fn organization(&self) -> &OrganizationStore {
        &self.organization
    }

    /// Place of the room.
    pub fn place(&self) -> &LivePlace {
        &self.place
    }

    /// Whether it is so large that a worker relays messages, as far as this process knows.
    pub fn is_large(&self) -> bool {
        self.size().is_some_and(|size| size > MAX_DIRECT + 1)
    }

    /// The number of members a few seconds ago, if this process has read it.
    pub fn size(&self) -> Option<usize> {
        let db = self.organization.tenant().db();
        db.cache::<Cache>().sizes.find(&self.cache_key(), db.clock().real(), CACHE_LIFETIME)
    }

    fn remember_size(&self, size: usize) {
        let db = self.organization.tenant().db();
        db.cache::<Cache>().sizes.keep(self.cache_key(), size, db.clock().real());
    }

    /// Whether this process looked for expired leases in the last ten seconds.
    pub fn was_swept(&self) -> bool {
        let db = self.organization.tenant().db();
        db.cache::<Cache>()
            .sweeps
            .find(&self.cache_key(), db.clock().real(), CACHE_LIFETIME)
            .is_some()
    }

    /// Records that this process looks for expired leases.
    pub fn record_sweep(&self) {
        let db = self.organization.tenant().db();
        db.cache::<Cache>().sweeps.keep(self.cache_key(), (), db.clock().real());
    }

    /// A name of the place that is unique in the deployment.
    fn cache_key(&self) -> String {
        format!(
            "{} {}",
            self.organization.partition().as_str(),
            members_key(&self.place.part).as_str()
        )
    }

    /// Members of the room.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub async fn members(&self) -> Result<Vec<Member>> {
        Ok(self.all_members().await?.members)
    }

    /// The members, and connections that have left. Callers that ask at one time share a read that
    /// begins after they have asked, and nothing is read again that has not changed.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub async fn all_members(&self) -> Result<AllMembers> {
        let db = self.organization.tenant().db();
        let (cache, key) = (db.cache::<Cache>(), self.cache_key());
        let current = || self.version().and_then(|version| self.known()?.at(version));
        let found = match current() {
            Some(known) => known,
            None => cache.reads.read(key, || self.read_all()).await?,
        };
        Ok(AllMembers::clone(&found))
    }

    async fn read_all(&self) -> Result<Arc<AllMembers>> {
        let (rows, version) = (self.organization.collection::<Member>(), self.version());
        // Expired rows may still exist; a post to such a connection fails.
        let items = rows.rows().first_items(self.query(), MAX_ROWS).await?;
        let found: Vec<Member> =
            items.into_iter().map(|item| rows.rows().decode(item)).collect::<Result<_>>()?;
        let (departed, members): (Vec<Member>, Vec<Member>) =
            found.into_iter().partition(|member| member.left);
        self.remember_size(members.len());
        let found = Arc::new(AllMembers { members, departed });
        if let Some(version) = version {
            let db = self.organization.tenant().db();
            let known = Arc::new(KnownRows::new(Arc::clone(&found), version));
            db.cache::<Cache>().rows.keep(self.cache_key(), known, db.clock().real());
        }
        Ok(found)
    }

    /// The rows of the room as this process knows them, if they have versions.
    fn known(&self) -> Option<Arc<KnownRows>> {
        let db = self.organization.tenant().db();
        db.cache::<Cache>().rows.find(&self.cache_key(), db.clock().real(), Millis::MAX)
    }

    /// The query of its rows.
    fn query(&self) -> Query {
        let rows = self.organization.collection::<Member>();
        rows.rows().under(members_key(&self.place.part).and_prefix("connection"))
    }

    /// The version of its rows.
    fn version(&self) -> Option<u64> {
        let Query { partition: (_, partition), prefix, .. } = self.query();
        let (partition, (_, begin)) = (format!("{partition}#"), prefix?);
        self.organization.tenant().db().version(Table::Realtime, &partition, &begin)
    }

    /// Relays messages of a member: those that come while others are relayed go together afterwards.
    ///
    /// # Errors
    /// The errors of the relay; UNAVAILABLE.
    pub async fn relay_together<W>(
        &self,
        relay: LiveRelay,
        work: impl FnOnce(Vec<LiveRelay>) -> W,
    ) -> Result<()>
    where
        W: Future<Output = Result<()>>,
    {
        let cache = self.organization.tenant().db().cache::<Cache>();
        cache.relays.run(self.cache_key(), relay, work).await
    }

    /// One member.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub async fn member(&self, connection: &str) -> Result<Option<Member>> {
        let id = (self.place.part.clone(), connection.to_owned());
        self.organization.collection::<Member>().find(&id).await
    }

    /// One member, which another call may be about to write.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub async fn member_soon(&self, connection: &str) -> Result<Option<Member>> {
        for _ in 1..WAITS {
            let found = self.member(connection).await?;
            if found.is_some() {
                return Ok(found);
            }
            tokio::time::sleep(WAIT).await;
        }
        self.member(connection).await
    }

    /// Writes a member that joins. If another message of its connection has written it just now, what
    /// that says stays: its client, its state and its presence.
    ///
    /// # Errors
    /// ABORTED when the connection leaves and joins all the time; UNAVAILABLE, INTERNAL.
    pub(crate) async fn enter(&self, member: &Member) -> Result<()> {
        let members = self.organization.collection::<Member>();
        for _ in 0..ATTEMPTS {
            let row = members.rows().encode(member, &new_version()?)?;
            let condition = Condition {
                expression: "attribute_not_exists(#key) OR #left = :true".to_owned(),
                names: [("#key", item::PK), ("#left", "left")]
                    .map(|(name, of)| (name.to_owned(), of.to_owned()))
                    .into(),
                values: [(":true".to_owned(), Value::Bool(true))].into(),
            };
            let dynamo = members.rows().db().dynamo();
            match dynamo.put(Table::Realtime.name(), row, Some(condition)).await {
                Ok(()) => return Ok(()),
                Err(Failure::Condition(_)) => {}
                Err(failure) => return Err(report(failure)),
            }
            if self.note_scope(member, member.is_reader).await? {
                return if member.unread { Ok(()) } else { self.note_read(member).await };
            }
        }
        Err(Error::aborted())
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
    pub async fn renew(&self, member: &Member) -> Result<()> {
        self.write_lease(member, vec![]).await
    }

    /// Renews the lease of a member that has a client now, and notes where the clocks of that begin.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub async fn begin(&self, member: &Member) -> Result<()> {
        self.write_lease(member, vec![("lapses", Value::N(member.lapses.to_string()))]).await
    }

    async fn write_lease(
        &self,
        member: &Member,
        mut set: Vec<(&'static str, Value)>,
    ) -> Result<()> {
        set.extend([
            ("seen", Value::N(member.seen.to_string())),
            ("present", Value::Bool(member.present)),
        ]);
        set.extend(member.client.map(|client| ("client", Value::N(client.to_string()))));
        if let Some((status, at)) = &member.status {
            let status = vec![Value::S(status.as_str().to_owned()), Value::N(at.to_string())];
            set.push(("status", Value::L(status)));
        }
        if let Some(state) = member.state.as_ref().filter(|state| state.json.len() <= MAX_STATE) {
            let state = vec![Value::N(state.clock.to_string()), Value::S(state.json.clone())];
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

    /// Notes what a member was told of its right to write. False when it has left.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub async fn note_scope(&self, member: &Member, is_reader: bool) -> Result<bool> {
        let update = Update {
            expression: "SET #isReader = :isReader".to_owned(),
            condition: Some(format!("attribute_exists({})", item::PK)),
            names: [("#isReader".to_owned(), "isReader".to_owned())].into(),
            values: [(":isReader".to_owned(), Value::Bool(is_reader))].into(),
        };
        self.update(member, update).await
    }

    /// Withdraws client, state and presence of a member whose lease expired; it keeps owning the
    /// client. False when another call did, or when it has none.
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
        let (known, id) = (self.known(), &member.connection_id);
        known.iter().for_each(|known| known.begin(id));
        let updated = db.dynamo().update(Table::Realtime.name(), key, update).await;
        if let Some(known) = known {
            let row = updated.as_ref().ok().cloned();
            let rows = self.organization.collection::<Member>();
            known.end(id, row.and_then(|row| rows.rows().decode(row).ok()));
        }
        match updated {
            Ok(_) => Ok(true),
            Err(Failure::Condition(_)) => Ok(false),
            Err(failure) => Err(report(failure)),
        }
    }

    /// Removes a connection; returns it, unless another call removes it at the same time. Its client is
    /// kept for its user.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub async fn remove(&self, connection: &str) -> Result<Option<Member>> {
        let members = self.organization.collection::<Member>();
        let id = (self.place.part.clone(), connection.to_owned());
        let found = members.find(&id).await?;
        if let Some(member) = &found {
            self.keep_client(member).await?;
        }
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
