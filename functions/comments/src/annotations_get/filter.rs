//! Filters of a request, and the list that finds its threads.

use std::{collections::BTreeSet, ops::RangeInclusive};

use super::{
    AgentFilter, AnnotationId, FolderId, Moment, Only, OrganizationStore, Request, SortOrder,
    Thread, ThreadFilter, ThreadList, ThreadSource,
};
use service::prelude::*;

impl EndUserRequest for Request {
    const NEED: Need = Need::Read;

    fn concerns(&self) -> Concerns {
        let listed = self.document_ids.iter().flat_map(|ids| ids.iter());
        Concerns::new(&self.organization_id, listed.chain(&self.document_id))
    }
}

impl Request {
    /// The requested ids, without duplicates.
    pub(super) fn ids(&self) -> Option<Vec<AnnotationId>> {
        let mut seen = BTreeSet::new();
        let ids = self.annotation_ids.as_ref()?.iter();
        Some(ids.filter(|id| seen.insert(*id)).cloned().collect())
    }

    /// The condition on a thread. It also checks the folder of the thread's document if the folder
    /// has too many documents to list them first.
    pub(super) async fn filter(
        &self,
        organization: &OrganizationStore,
    ) -> Result<(ThreadFilter, Option<&FolderId>)> {
        let time = |sent: Option<Moment>| sent.map(Moment::get);
        let locations = self.location_ids.as_ref();
        let (documents, folder) = self.documents(organization).await?;
        let filter = ThreadFilter {
            documents,
            locations: locations.map(|ids| ids.iter().map(ToString::to_string)).into(),
            authors: self.user_ids.clone().into(),
            mentioned: self.mentioned_user_ids.clone().into(),
            resolved_by: self.resolved_by.clone(),
            statuses: self.status_ids.clone().into(),
            created_after: time(self.created_after),
            created_before: time(self.created_before),
            updated_after: time(self.updated_after),
            updated_before: time(self.updated_before),
            agent: self.agent()?,
        };
        Ok((filter, folder))
    }

    /// The list that contains the fewest threads besides the requested ones.
    pub(super) fn list(&self, filter: &ThreadFilter) -> ThreadList {
        let users = filter.authors.named().or(filter.mentioned.named());
        let source = match (filter.documents.named(), users) {
            (Some(documents), _) => ThreadSource::Documents(documents.clone()),
            (None, Some(users)) => ThreadSource::Users(users.clone()),
            (None, None) => ThreadSource::All,
        };
        let first = filter.created_after.map_or(0, |time| time + 1);
        // A creation time of 0 precedes every bound.
        let created = match filter.created_before {
            None => first..=u64::MAX,
            Some(0) => RangeInclusive::new(1, 0),
            Some(time) => first..=time - 1,
        };
        ThreadList { source, created, newest_first: self.order != Some(SortOrder::Asc) }
    }

    /// The requested documents, if any.
    async fn documents(
        &self,
        organization: &OrganizationStore,
    ) -> Result<(Only<DocumentId>, Option<&FolderId>)> {
        let is_sent = self.document_id.is_some() || self.document_ids.is_some();
        let several = self.document_ids.iter().flat_map(|ids| ids.iter());
        let named: Option<BTreeSet<DocumentId>> =
            is_sent.then(|| self.document_id.iter().chain(several).cloned().collect());
        let Some(folder) = &self.folder_id else { return Ok((named.into(), None)) };
        if let Some(named) = named {
            let here = organization.comments().lying_in(folder, named).await?;
            return Ok((Some(here).into(), None));
        }
        let documents = organization.comments().documents_in(folder).await?;
        let is_left = documents.is_none();
        Ok((documents.into(), is_left.then_some(folder)))
    }

    fn agent(&self) -> Result<Vec<AgentFilter>> {
        let flag = |flag: Option<bool>, filter| (flag == Some(true)).then_some(filter);
        let asked: Vec<AgentFilter> = [
            self.agent_id.clone().map(AgentFilter::Id),
            self.execution_id.clone().map(AgentFilter::Execution),
            self.agent_type.map(AgentFilter::Type),
            self.agent_source.map(AgentFilter::Source),
            flag(self.agent_suggestions, AgentFilter::Suggestions),
            flag(self.agent_comments, AgentFilter::Comments),
        ]
        .into_iter()
        .flatten()
        .collect();
        if asked.len() > 1 {
            let message = "cannot be sent together with another filter by agent";
            let second = match asked[1] {
                AgentFilter::Id(_) => "agentId",
                AgentFilter::Execution(_) => "executionId",
                AgentFilter::Type(_) => "agentType",
                AgentFilter::Source(_) => "agentSource",
                AgentFilter::Suggestions => "agentSuggestions",
                AgentFilter::Comments | AgentFilter::Urls(_) => "agentComments",
            };
            return Err(issue(&[second], message));
        }
        Ok(asked)
    }
}

/// Takes away threads of documents that do not lie in the folder.
pub(super) async fn leave_out_others(
    organization: &OrganizationStore,
    folder: &FolderId,
    items: &mut [Option<Thread>],
) -> Result<()> {
    let documents = items.iter().flatten().map(|thread| thread.document_id.clone());
    let here = organization.comments().lying_in(folder, documents.collect()).await?;
    for item in items {
        item.take_if(|thread| !here.contains(&thread.document_id));
    }
    Ok(())
}
