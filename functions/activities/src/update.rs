//! `POST /v2/activities/update`: replies with one entry per activity.
//!
//! A member that is left out keeps its value; a member that is sent replaces the stored one as a
//! whole. Immutable activities stay as they are.
//!
//! # Errors
//! - An entry fails when its activity does not exist or is immutable.

use model::{
    ActivityId,
    activity::{Details, SentDetails},
};
use service::prelude::*;

pub enum UpdateActivities {}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Request {
    organization_id: OrganizationId,
    activities: Batch<SentDetails>,
}

impl Operation for UpdateActivities {
    const PATHS: &'static [&'static str] = &["/v2/activities/update"];
    const EFFECT: Effect = Effect::Writes;
    type Auth = ApiKey;
    type Request = Request;
    type Response = Data<Items<ActivityId, Outcome>>;

    async fn handle(cx: Cx<ApiKey>, request: Request) -> Result<Success<Self::Response>> {
        let mut changes: Items<ActivityId, Details> = Items::new();
        for sent in request.activities {
            let (id, details) = sent.into_parts();
            // An activity that is sent twice: the later entry wins, member by member.
            changes.entry(id).or_default().merge(details);
        }
        let (ids, changes): (Vec<_>, Vec<_>) = changes.into_iter().unzip();
        let organization = cx.organization(&request.organization_id);
        let activities = organization.activities();
        let results = activities
            .change_mutable(&ids, |n, activity| activity.details.merge(changes[n].clone()))
            .await?;
        let entries = entries(ids.into_iter().zip(results), "Activity updated.");
        Ok(success("Activities updated.", Data(entries)))
    }
}
