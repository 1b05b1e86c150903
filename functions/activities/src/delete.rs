//! `POST /v2/activities/delete`: replies with one entry per activity.
//!
//! Filters combine: an activity is deleted when all of them match. Immutable activities stay.
//! Without ids, one call deletes up to about 2,500 activities in 10 seconds; repeat the call while
//! `hasMore` is true.
//!
//! # Errors
//! - An entry fails when its activity does not exist or is immutable.

use model::{ActivityId, EntityId, activity::ActivityFilter};
use service::prelude::*;

pub enum DeleteActivities {}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Request {
    organization_id: OrganizationId,
    /// Only activities of this document. Recent ones may be missed.
    document_id: Option<DocumentId>,
    /// Only activities about this target. Recent ones may be missed.
    target_entity_id: Option<EntityId>,
    /// Only these activities.
    activity_ids: Option<Batch<ActivityId>>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Response {
    data: Items<ActivityId, Outcome>,
    /// Whether there may be more to delete.
    has_more: bool,
}

impl Operation for DeleteActivities {
    const PATHS: &'static [&'static str] = &["/v2/activities/delete"];
    const EFFECT: Effect = Effect::Deletes;
    type Auth = ApiKey;
    type Request = Request;
    type Response = Response;

    async fn handle(cx: Cx<ApiKey>, request: Request) -> Result<Success<Response>> {
        let filter = ActivityFilter {
            ids: request.activity_ids.into(),
            document_id: request.document_id,
            target_entity_id: request.target_entity_id,
            ..ActivityFilter::default()
        };
        if filter.ids.named().is_none()
            && filter.document_id.is_none()
            && filter.target_entity_id.is_none()
        {
            let message = "is required unless documentId or targetEntityId is sent";
            return Err(issue(&["activityIds"], message));
        }
        let organization = cx.organization(&request.organization_id);
        let activities = organization.activities();
        let deletions = activities.delete_meant(&filter).await?;
        let data = entries(deletions.results, "Activity deleted.");
        let message = match deletions.more {
            false => "Activities deleted.",
            true => "Some activities deleted; there may be more.",
        };
        Ok(success(message, Response { data, has_more: deletions.more }))
    }
}
