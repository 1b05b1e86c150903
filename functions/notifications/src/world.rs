//! What delivery asks the data of a tenant.

use std::time::Duration;

use delivery::{Activity, Candidates, Eligibility, Event, Limits, Notice, SeenCheck, World};
use model::{
    OrganizationId, UserId,
    live::{LivePart, LivePlace, LiveTask},
};
use service::{Job, Listening, Queue, Result};

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
        let published = self.0.organization(&notice.organization_id).publish(notice).await?;
        for (user, id) in notice.users().zip(&published) {
            if !id.is_empty() {
                // Who is connected and not told finds it with the next look.
                let _ = tell(self.0, &notice.organization_id, user, id).await;
            }
        }
        Ok(published)
    }
}

/// Lets a user who is connected be told of a notification.
async fn tell(job: &Job, organization: &OrganizationId, user: &UserId, id: &str) -> Result<()> {
    let (organization_id, user_id) = (organization.clone(), user.clone());
    let part = LivePart::User { user_id: user_id.clone() };
    let place = LivePlace { organization_id: organization_id.clone(), part };
    if Listening::at(job, &place).members().await?.is_empty() {
        return Ok(());
    }
    let notification_id = id.to_owned();
    let task = LiveTask::Notice { organization_id, user_id, notification_id };
    job.send(Queue::Live, &task, Duration::ZERO).await
}
