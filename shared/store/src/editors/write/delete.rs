//! Deletion of editors.

use std::collections::BTreeMap;

use error::Result;
use model::{EditorId, Millis, event::Event, life::Life};
use tenancy::{
    layout::Table,
    prelude::*,
    writing::{Unit, no_failure, settle},
};

use crate::editors::{EditorStore, head::Head, missing};

/// Maximum number of editors deleted by one call: a reply has room for them.
const MAX_DELETED: usize = 2_000;

impl EditorStore {
    /// Deletes editors: those of `ids`, or all of the document, or as many of those as a reply has
    /// room for. Their rows are deleted in the background. Returns a result for each, and whether
    /// others remain.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub async fn delete(
        &self,
        ids: Option<Vec<EditorId>>,
    ) -> Result<(BTreeMap<EditorId, Result<()>>, bool)> {
        let (mut results, mut more) = (BTreeMap::new(), false);
        let organization = self.organization_life().await?;
        let heads = match ids {
            None => {
                let (heads, has_more) = self.heads(None, MAX_DELETED, organization).await?;
                more = has_more;
                heads
            }
            Some(ids) => {
                let keys = ids.iter().map(|id| self.head_key(id));
                let partition = self.organization.partition();
                let found = self.db().get_all(Table::Crdt, partition, keys).await?;
                results.extend(ids.into_iter().map(|id| {
                    let error = missing(&id);
                    (id, Err(error))
                }));
                let mut heads: Vec<Head> = found.values().map(Head::read).collect::<Result<_>>()?;
                heads.retain(|head| self.later_life(head, organization).is_none());
                heads
            }
        };
        let now = self.db().clock().real().millis();
        let units = heads.iter().map(|head| self.deleted(head, now)).collect::<Result<_>>()?;
        let outcomes = self.db().commit_all(units).await;
        for (head, outcome) in heads.into_iter().zip(outcomes) {
            let result = settle(outcome, |_| missing(&head.id));
            results.insert(head.id, result);
        }
        self.give_places(results.values().filter(|result| result.is_ok()).count()).await;
        Ok((results, more))
    }

    /// Deletes the editors that were created up to the end of a life of the document, or as many as
    /// are read at once; returns whether others may remain. Their number goes with the document.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub(in crate::editors) async fn delete_until(&self, end: Life) -> Result<bool> {
        let (mut heads, more) = self.heads(None, MAX_DELETED, None).await?;
        heads.retain(|head| !end.covers(head.created_at));
        self.end(&heads, end).await?;
        Ok(more && !heads.is_empty())
    }

    /// Deletes editors that ended when a life began, or end now, unless somebody else does. A peer
    /// that has joined since then has seen nothing of them.
    pub(in crate::editors) async fn end(&self, heads: &[Head], life: Life) -> Result<()> {
        let at = life.since().min(self.db().clock().real().millis());
        let units: Vec<Unit> =
            heads.iter().map(|head| self.deleted(head, at)).collect::<Result<_>>()?;
        no_failure(self.db().commit_all(units).await)
    }

    fn deleted(&self, head: &Head, ended_at: Millis) -> Result<Unit> {
        let (write, version) = self.removed(head, ended_at)?;
        let event = Event::EditorDeleted {
            organization_id: self.organization.id().clone(),
            document_id: self.document.clone(),
            editor_id: head.id.clone(),
            epoch: head.epoch.clone(),
            ended_at,
        };
        Ok(Unit::new(vec![write]).versioned(version).emitting(self.emitted(event)))
    }
}
