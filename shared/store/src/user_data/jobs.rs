//! Jobs that erase users: a task for each of them, then one walk for all.

use std::collections::{BTreeSet, HashMap};

use aws::{Item, Query, Update, Value, Write};
use error::{Error, Result};
use model::{
    JobId, OrganizationId, UserId,
    organization::Organization,
    user_data::{ErasureJob, ErasureTask},
};
use tenancy::{
    layout::{EVENTS, EXPIRES, Entity, Key, VERSION, WRITTEN, item},
    prelude::*,
    reading::{Collection, new_version},
    scopes::report,
    writing::{Carried, Unit},
};

use crate::{prelude::*, user_data::TenantUserData};

/// The member with the user whose task began the walk.
const WALK: &str = "walkBegunBy";
/// Organizations read at a time, to find the next.
const STEP: i32 = 10;

/// An organization of a job.
#[derive(Clone, Debug)]
pub struct JobOrganization {
    /// The organization.
    pub id: OrganizationId,
    /// Whether it is deleted, and its clean-up is not confirmed: nobody has a right there.
    pub is_gone: bool,
}

impl TenantUserData<'_> {
    /// Jobs that erase users.
    pub fn erasures(self) -> Collection<ErasureJob> {
        self.0.collection()
    }

    /// Whether a task is unfinished; none when its job is done.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub async fn is_open(self, task: &ErasureTask) -> Result<Option<bool>> {
        let job = self.erasures().find(&task.job_id).await?;
        Ok(job.and_then(|job| job.open.get(&task.user_id).copied()))
    }

    /// The users of a job whose tasks are finished, unless one is left: all of them wait for its
    /// walk.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub async fn waiting(self, job_id: &JobId) -> Result<BTreeSet<UserId>> {
        let open = self.erasures().find(job_id).await?.map(|job| job.open).unwrap_or_default();
        let is_left = open.values().any(|is_open| *is_open);
        Ok(if is_left { BTreeSet::new() } else { open.into_keys().collect() })
    }

    /// The next organization of a job, of these, or of all: also one that is deleted, as long as its
    /// clean-up is not confirmed.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub async fn next_organization(
        self,
        only: &Option<BTreeSet<OrganizationId>>,
        after: &Option<OrganizationId>,
    ) -> Result<Option<JobOrganization>> {
        let after = after.as_ref();
        if let Some(ids) = only {
            let next = ids.iter().find(|id| after.is_none_or(|after| *id > after));
            return Ok(next.map(|id| JobOrganization { id: id.clone(), is_gone: false }));
        }
        let organizations = self.0.organizations().all();
        let start =
            after.map(|id| item::key(self.0.partition(), &Organization::place(id).into_key()));
        let query = organizations.rows().under(Key::named(Organization::KIND).prefix());
        let mut query = Query { start, limit: STEP, ..query };
        loop {
            let found = self.0.db().dynamo().query(query.clone()).await.map_err(report)?;
            for item in found.items {
                let is_gone = !item::is_there(&item);
                let id = match is_gone {
                    true => left_by(&item)?,
                    false => Some(organizations.rows().decode(item)?.organization_id),
                };
                if let Some(id) = id {
                    return Ok(Some(JobOrganization { id, is_gone }));
                }
            }
            match found.next {
                None => return Ok(None),
                next => query.start = next,
            }
        }
    }

    /// Marks a task as finished, idempotently. Returns whether it begins the walk of its job: the
    /// last one does, and does so again if it is repeated.
    ///
    /// # Errors
    /// UNAVAILABLE, ABORTED.
    pub async fn close(self, task: &ErasureTask) -> Result<bool> {
        let names = [("#open", "open"), ("#user", task.user_id.as_str())];
        let closed = Update {
            expression: "SET #open.#user = :closed".to_owned(),
            condition: Some("attribute_exists(#open.#user)".to_owned()),
            names: names.map(|(name, of)| (name.to_owned(), of.to_owned())).into(),
            values: [(":closed".to_owned(), Value::Bool(false))].into(),
        };
        self.update(&task.job_id, closed).await?;
        if self.waiting(&task.job_id).await?.is_empty() {
            return Ok(false);
        }
        let user = Value::S(task.user_id.as_str().to_owned());
        let begun = Update {
            expression: "SET #walk = :user".to_owned(),
            condition: Some(
                "attribute_exists(#open) AND (attribute_not_exists(#walk) OR #walk = :user)"
                    .to_owned(),
            ),
            names: [("#open", "open"), ("#walk", WALK)]
                .map(|(name, of)| (name.to_owned(), of.to_owned()))
                .into(),
            values: [(":user".to_owned(), user)].into(),
        };
        self.update(&task.job_id, begun).await
    }

    /// Marks a job as done, idempotently. It no longer names its users.
    ///
    /// # Errors
    /// UNAVAILABLE, ABORTED.
    pub async fn finish(self, job_id: &JobId) -> Result<()> {
        let now = self.0.db().clock().now().to_string();
        // The events of the job name users as well.
        let names = [
            ("#open", "open"),
            ("#last", "lastTaskCompletedTime"),
            ("#walk", WALK),
            ("#events", EVENTS),
        ];
        let update = Update {
            expression: "SET #last = :now, #open = :nobody REMOVE #events, #walk".to_owned(),
            condition: Some("attribute_exists(#open) AND #open <> :nobody".to_owned()),
            names: names.map(|(name, of)| (name.to_owned(), of.to_owned())).into(),
            values: [
                (":now".to_owned(), Value::N(now)),
                (":nobody".to_owned(), Value::M(HashMap::new())),
            ]
            .into(),
        };
        self.update(job_id, update).await.map(drop)
    }

    /// Updates a job, unless its condition does not hold; returns whether it did.
    async fn update(self, job_id: &JobId, mut update: Update) -> Result<bool> {
        let version = new_version()?;
        update.expression =
            update.expression.replacen("SET ", "SET #version = :version, #written = :written, ", 1);
        for (name, of) in [("#version", VERSION), ("#written", WRITTEN)] {
            update.names.insert(name.to_owned(), of.to_owned());
        }
        let now = self.0.db().clock().now().to_string();
        update.values.insert(":version".to_owned(), Value::S(version.clone()));
        update.values.insert(":written".to_owned(), Value::N(now));
        let key = item::key(self.0.partition(), &ErasureJob::place(job_id).into_key());
        let write = Write::Update { table: ErasureJob::TABLE.name(), key, update };
        let unit = Unit::new(vec![write]).versioned(version);
        self.0.db().commit(unit).await.was_executed()
    }
}

/// The organization that left a tombstone, unless its clean-up is confirmed: until then the tombstone
/// has its event, and does not expire.
fn left_by(tombstone: &Item) -> Result<Option<OrganizationId>> {
    let Some(Value::S(events)) = tombstone.get(EVENTS) else { return Ok(None) };
    if tombstone.contains_key(EXPIRES) {
        return Ok(None);
    }
    let carried: Carried = serde_json::from_str(events).map_err(Error::internal)?;
    Ok(carried.events.iter().find_map(|event| event.organization_id().cloned()))
}
