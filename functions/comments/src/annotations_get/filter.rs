//! Filters of a request, and the list that finds its threads.

use std::{collections::BTreeSet, ops::RangeInclusive};

use super::{
    AgentFilter, AnnotationFilter, AnnotationId, AnnotationList, AnnotationSource, DocumentId,
    EndUsers, FolderId, Moment, Order, OrganizationStore, Request, Result, issue,
};
use service::{Concerns, EndUserRequest, prelude::*};

impl EndUserRequest for Request {
    const RULES: EndUsers = EndUsers::reading(
        "organizationId documentId documentIds annotationIds locationIds userIds \
         mentionedUserIds resolvedBy statusIds updatedAfter updatedBefore createdAfter \
         createdBefore order groupByDocumentId pageSize pageToken",
    )
    .with_one_of(&["documentId", "documentIds"]);

    fn concerns(&self) -> Concerns {
        let listed = self.document_ids.iter().flat_map(|ids| ids.iter());
        Concerns::new(&self.organization_id, listed.chain(&self.document_id))
    }
}

impl Request {
    /// The requested ids, without duplicates.
    pub(super) fn ids(&self) -> Vec<AnnotationId> {
        let mut seen = BTreeSet::new();
        let ids = self.annotation_ids.iter().flat_map(|ids| ids.iter());
        ids.filter(|id| seen.insert(*id)).cloned().collect()
    }

    /// The condition on a thread. It also checks the folder of the thread's document if the folder
    /// has too many documents to list them first.
    pub(super) async fn filter(
        &self,
        organization: &OrganizationStore,
    ) -> Result<(AnnotationFilter, Option<&FolderId>)> {
        let time = |sent: Option<Moment>| sent.map(Moment::get);
        let texts = self.location_ids.iter().flat_map(|ids| ids.iter());
        let (documents, folder) = self.documents(organization).await?;
        let filter = AnnotationFilter {
            documents,
            locations: texts.map(ToString::to_string).collect(),
            authors: self.user_ids.iter().flat_map(|ids| ids.iter()).cloned().collect(),
            mentioned: self.mentioned_user_ids.iter().flat_map(|ids| ids.iter()).cloned().collect(),
            resolved_by: self.resolved_by.clone(),
            statuses: self.status_ids.iter().flat_map(|ids| ids.iter()).cloned().collect(),
            created_after: time(self.created_after),
            created_before: time(self.created_before),
            updated_after: time(self.updated_after),
            updated_before: time(self.updated_before),
            agent: self.agent()?,
        };
        Ok((filter, folder))
    }

    /// The list that contains the fewest threads besides the requested ones.
    pub(super) fn list(&self, filter: &AnnotationFilter) -> AnnotationList {
        let source = match &filter.documents {
            Some(documents) => AnnotationSource::Documents(documents.clone()),
            None if !filter.authors.is_empty() => AnnotationSource::Users(filter.authors.clone()),
            None if !filter.mentioned.is_empty() => {
                AnnotationSource::Users(filter.mentioned.clone())
            }
            None => AnnotationSource::All,
        };
        let first = filter.created_after.map_or(0, |time| time + 1);
        // A creation time of 0 precedes every bound.
        let created = match filter.created_before {
            None => first..=u64::MAX,
            Some(0) => RangeInclusive::new(1, 0),
            Some(time) => first..=time - 1,
        };
        AnnotationList { source, created, newest_first: self.order != Some(Order::Asc) }
    }

    /// The requested documents, if any.
    async fn documents(
        &self,
        organization: &OrganizationStore,
    ) -> Result<(Option<BTreeSet<DocumentId>>, Option<&FolderId>)> {
        let several = self.document_ids.iter().flat_map(|ids| ids.iter());
        let named: BTreeSet<DocumentId> = self.document_id.iter().chain(several).cloned().collect();
        let Some(folder) = &self.folder_id else {
            return Ok(((!named.is_empty()).then_some(named), None));
        };
        if !named.is_empty() {
            return Ok((Some(organization.comments().lying_in(folder, named).await?), None));
        }
        let documents = organization.comments().documents_in(folder).await?;
        let is_left = documents.is_none();
        Ok((documents, is_left.then_some(folder)))
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
