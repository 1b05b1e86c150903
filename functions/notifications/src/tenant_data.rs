//! The data of a tenant, as the scheduler of notifications reads it.

use std::{collections::BTreeMap, time::Duration};

use model::live::LiveTask;
use notification::{
    Activity, BatchLimits, Candidates, Eligibility, Notice, NotifiableEvent, SeenCheck, TenantData,
};
use rooms::prelude::*;
use service::{Queue, prelude::*};

/// The data of the tenant of a job.
pub(crate) struct JobTenant<'a>(pub(crate) &'a Job);

impl TenantData for JobTenant<'_> {
    async fn recipients(
        &self,
        event: &NotifiableEvent,
        after: Option<&UserId>,
        limit: usize,
    ) -> Result<Candidates> {
        self.0
            .organization(&event.organization_id)
            .notifications()
            .recipients(event, after, limit)
            .await
    }

    async fn eligibility(
        &self,
        organization: &OrganizationId,
        activities: &[Activity],
        seen: SeenCheck,
    ) -> Result<Vec<Eligibility>> {
        self.0.organization(organization).notifications().eligibility(activities, seen).await
    }

    async fn batching(&self) -> Result<BatchLimits> {
        self.0.tenant().notifications().batching().await
    }

    async fn publish(&self, notice: &Notice) -> Result<Vec<String>> {
        let published =
            self.0.organization(&notice.organization_id).notifications().publish(notice).await?;
        let ids = notice.users().cloned().zip(published.iter().cloned());
        let ids = ids.filter(|(_, id)| !id.is_empty()).collect();
        // A connected user who misses the notice finds the notification with the next read.
        let _ = send_notices(self.0, &notice.organization_id, ids).await;
        Ok(published)
    }
}

/// Sends the notices to connected users.
async fn send_notices(
    job: &Job,
    organization: &OrganizationId,
    users: BTreeMap<UserId, String>,
) -> Result<()> {
    if users.is_empty() || !job.organization(organization).live().has_listening_users().await? {
        return Ok(());
    }
    let task = LiveTask::Notices { organization_id: organization.clone(), users };
    job.send(Queue::Live, &task, Duration::ZERO).await
}
