//! Activities. They are listed by document, user, target and time, and survive the deletion of
//! their target: history is deleted with its organization only.

use std::collections::{BTreeMap, BTreeSet};

use aws::{Condition, Query, Value, Write};
use error::{Error, Result};
use model::{
    ActivityId, DocumentId, UserId,
    activity::{Activity, ActivityFilter},
    configuration::ActivityService,
};
use tenancy::{
    layout::{EVER, Entity, Index, about, by_actor, history_of, item, of_kind},
    prelude::*,
    reading::{Collection, Page, Paged, missing, new_version, page_of},
    scopes::OrganizationStore,
    writing::{Edit, Unit, unchanged},
};

use crate::prelude::*;

tenancy::features! {
    /// Entry from the scope of an organization.
    OfOrganization for OrganizationStore:
    /// Activities.
    activities: Activities(Activity),
}

/// Activities processed at a time: as many as one transaction holds.
const STEP: i32 = 100;
/// Entries in one reply: as many as fit, whatever their ids.
const MAX_TOLD: usize = 2_500;
/// Time limit of one deletion call, in milliseconds.
const PATIENCE: u64 = 10_000;

fn immutable(id: &ActivityId) -> Error {
    Error::precondition(format!("The activity {id} is immutable."))
}

/// Result of deleting activities.
pub struct Deletions {
    /// By id, as far as processed.
    pub results: BTreeMap<ActivityId, Result<()>>,
    /// Whether there may be more.
    pub more: bool,
}

impl Activities<'_> {
    /// Activities.
    pub fn all(self) -> Collection<Activity> {
        self.1
    }

    /// The activity configuration for writing.
    ///
    /// # Errors
    /// FAILED_PRECONDITION when the service is off.
    pub async fn activity_service(&self) -> Result<ActivityService> {
        let config = self.0.tenant().configuration().activity().find().await?;
        let service = config.map(|config| config.activity_service_config);
        let disabled = || Error::precondition("The activity service is not enabled.");
        service.filter(|service| service.is_enabled == Some(true)).ok_or_else(disabled)
    }
}

impl Activities<'_> {
    /// Writes activities with distinct ids, replacing existing ones; returns a result for each, in
    /// order. Immutable ones stay.
    pub async fn overwrite_all(&self, activities: &[Activity]) -> Vec<Result<()>> {
        let unit = |activity: &Activity| {
            let version = new_version()?;
            let item = self.1.rows().encode(activity, &version)?;
            let names = [("#immutable".to_owned(), "immutable".to_owned())];
            let condition = Condition {
                expression: "attribute_not_exists(#immutable) OR #immutable = :false".to_owned(),
                names: names.into(),
                values: [(":false".to_owned(), Value::Bool(false))].into(),
            };
            let put =
                Write::Put { table: Activity::TABLE.name(), item, condition: Some(condition) };
            Ok(Unit::new(vec![put]).versioned(version))
        };
        self.1.rows().commit_each(activities, unit, |activity, _| immutable(&activity.id)).await
    }

    /// Changes activities; returns a result for each, in the order of `ids`, which are distinct.
    /// `change` gets the position of the id.
    ///
    /// # Errors
    /// UNAVAILABLE when nothing could be read.
    pub async fn change_mutable(
        &self,
        ids: &[ActivityId],
        mut change: impl FnMut(usize, &mut Activity) + Send,
    ) -> Result<Vec<Result<Activity>>> {
        let change = |n, activity: &mut Activity| {
            if activity.immutable {
                return Err(immutable(&activity.id));
            }
            change(n, activity);
            Ok(None)
        };
        self.1.change_all(ids, change).await
    }

    /// One page of the matching activities, by time.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub async fn search(
        &self,
        filter: &ActivityFilter,
        newest_first: bool,
        page: &Page,
    ) -> Result<Paged<Activity>> {
        let Some(ids) = filter.ids.named() else {
            let query = self.narrowest(filter, newest_first);
            return self.1.rows().page_where(query, page, |activity| filter.admits(activity)).await;
        };
        let found = self.1.find_all(ids.iter().cloned()).await?.into_values();
        let found = found.filter(|activity| filter.admits(activity));
        page_of(found, Index::Kind, newest_first, page)
    }

    /// The query with the fewest other results.
    fn narrowest(&self, filter: &ActivityFilter, newest_first: bool) -> Query {
        let (index, group) = if let Some(target) = &filter.target_entity_id {
            (Index::Target, about(target.as_str()))
        } else if let Some(user) = &filter.user_id {
            (Index::Actor, by_actor(user))
        } else if let Some(document) = &filter.document_id {
            (Index::Container, history_of(document))
        } else {
            (Index::Kind, of_kind::<Activity>())
        };
        self.1.rows().during(index, &group, EVER, newest_first)
    }

    /// One page of the activities of a document.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub async fn of_document(
        &self,
        document: &DocumentId,
        newest_first: bool,
        page: &Page,
    ) -> Result<Paged<Activity>> {
        let history = history_of(document);
        self.1
            .rows()
            .page(self.1.rows().during(Index::Container, &history, EVER, newest_first), page)
            .await
    }

    /// One page of a user's activities.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub async fn by_actor(
        &self,
        user: &UserId,
        newest_first: bool,
        page: &Page,
    ) -> Result<Paged<Activity>> {
        self.1
            .rows()
            .page(self.1.rows().during(Index::Actor, &by_actor(user), EVER, newest_first), page)
            .await
    }

    /// Deletes the matching activities, unless they are immutable: those with the ids, or as many
    /// as the time allows.
    ///
    /// # Errors
    /// UNAVAILABLE when nothing could be read.
    pub async fn delete_meant(&self, filter: &ActivityFilter) -> Result<Deletions> {
        let Some(ids) = filter.ids.named() else { return self.delete_found(filter).await };
        let ids: Vec<ActivityId> = ids.iter().cloned().collect();
        let remove = |n: usize, found: Option<Activity>| match found {
            Some(activity) if !filter.admits(&activity) => Err(missing::<Activity>(&ids[n])),
            Some(activity) if activity.immutable => Err(immutable(&activity.id)),
            Some(activity) => Ok(Edit::remove(activity)),
            None => Err(missing::<Activity>(&ids[n])),
        };
        let removed = self.1.edit_all(&ids, remove).await?;
        let results = ids.iter().cloned().zip(removed.into_iter().map(|result| result.map(drop)));
        Ok(Deletions { results: results.collect(), more: false })
    }

    async fn delete_found(&self, filter: &ActivityFilter) -> Result<Deletions> {
        let mut query = Query { limit: STEP, ..self.narrowest(filter, false) };
        let until = self.1.rows().db().clock().now() + PATIENCE;
        let (mut results, mut kept) = (BTreeMap::new(), BTreeSet::new());
        loop {
            let found = self.1.rows().db().query(query.clone()).await?;
            let mut seen = Vec::new();
            for item in found.items {
                let version = item::version(&item)?;
                let activity = self.1.rows().decode(item)?;
                if !filter.admits(&activity) {
                    continue;
                }
                if !activity.immutable {
                    seen.push((activity.id, version));
                } else if kept.len() < MAX_TOLD {
                    kept.insert(activity.id);
                }
            }
            let unit =
                |(id, version): &(_, String)| self.1.rows().deleted(id, None, unchanged(version));
            let deleted = self.1.rows().commit_each(&seen, unit, |_, _| Error::aborted()).await;
            results.extend(seen.into_iter().map(|(id, _)| id).zip(deleted));
            query.start = found.next;
            let is_up = results.len() >= MAX_TOLD || self.1.rows().db().clock().now() >= until;
            if query.start.is_none() || is_up {
                let more = query.start.is_some();
                results.extend(kept.into_iter().map(|id| {
                    let refused = Err(immutable(&id));
                    (id, refused)
                }));
                return Ok(Deletions { results, more });
            }
        }
    }
}
