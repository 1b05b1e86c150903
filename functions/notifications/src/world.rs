//! What delivery asks the data of a tenant.

use delivery::{Activity, Candidates, Event, Limits, Notice, SeenCheck, Verdict, World};
use model::{OrganizationId, UserId};
use service::{Job, Result};

/// The data of the tenant a job is for.
pub(crate) struct Tenant<'a>(pub(crate) &'a Job);

impl World for Tenant<'_> {
    async fn audience(
        &self,
        event: &Event,
        after: Option<&UserId>,
        limit: usize,
    ) -> Result<Candidates> {
        self.0.organization(&event.organization_id).audience(event, after, limit).await
    }

    async fn verdicts(
        &self,
        organization: &OrganizationId,
        user: &UserId,
        activities: &[Activity],
        seen: SeenCheck,
    ) -> Result<Vec<Verdict>> {
        self.0.organization(organization).verdicts(user, activities, seen).await
    }

    async fn batching(&self) -> Result<Limits> {
        self.0.batching().await
    }

    async fn publish(&self, notice: &Notice) -> Result<()> {
        self.0.organization(&notice.organization_id).publish(notice).await
    }
}
