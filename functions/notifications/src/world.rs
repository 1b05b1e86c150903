//! What delivery asks the data of a tenant.

use delivery::{Activity, Candidates, Eligibility, Event, Limits, Notice, SeenCheck, World};
use model::{OrganizationId, UserId};
use service::{Job, Result};

/// The data of the tenant a job is for.
pub(crate) struct Tenant<'a>(pub(crate) &'a Job);

impl World for Tenant<'_> {
    async fn recipients(
        &self,
        event: &Event,
        after: Option<&UserId>,
        limit: usize,
    ) -> Result<Candidates> {
        self.0.organization(&event.organization_id).recipients(event, after, limit).await
    }

    async fn eligibility(
        &self,
        organization: &OrganizationId,
        activities: &[Activity],
        seen: SeenCheck,
    ) -> Result<Vec<Eligibility>> {
        self.0.organization(organization).eligibility(activities, seen).await
    }

    async fn batching(&self) -> Result<Limits> {
        self.0.batching().await
    }

    async fn publish(&self, notice: &Notice) -> Result<Vec<String>> {
        self.0.organization(&notice.organization_id).publish(notice).await
    }
}
