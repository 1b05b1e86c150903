//! `POST /v2/activities/add`: replies with one entry per activity.
//!
//! An existing activity is replaced, including its time, unless it is immutable. The current
//! configuration decides whether the new record is immutable. The document need not exist.
//!
//! # Errors
//! - FAILED_PRECONDITION: the activity service is not enabled.

use model::{
    ActivityId,
    activity::{Activity, FeatureType, SentActivity},
};
use service::{prelude::*, random_id};

pub enum AddActivities {}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Request {
    organization_id: OrganizationId,
    document_id: DocumentId,
    /// An activity that is sent twice is written as the later entry.
    activities: Batch<SentActivity>,
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "ActivitiesAdded")]
pub struct Added {
    /// Whether all entries succeeded.
    success: bool,
    message: String,
    /// The outcome of each activity.
    activities: Items<ActivityId, Outcome>,
}

impl Operation for AddActivities {
    const PATHS: &'static [&'static str] = &["/v2/activities/add"];
    const EFFECT: Effect = Effect::Writes;
    type Auth = ApiKey;
    type Request = Request;
    type Response = Data<Added>;

    async fn handle(cx: Cx<ApiKey>, request: Request) -> Result<Success<Self::Response>> {
        let Request { organization_id, document_id, activities } = request;
        refuse_aimless(&activities)?;
        let organization = cx.organization(&organization_id);
        organization.own_record().record_if_missing().await?;
        let immutable = organization.activities().activity_service().await?.immutable == Some(true);
        let mut added: Items<ActivityId, Activity> = Items::new();
        for mut sent in activities {
            let id = sent.id.take().map_or_else(random_id, Ok)?;
            let (key, document_id) = (id.clone(), document_id.clone());
            added.insert(key, sent.into_activity(id, document_id, cx.now(), immutable));
        }
        let (ids, added): (Vec<_>, Vec<_>) = added.into_iter().unzip();
        let results = organization.activities().overwrite_all(&added).await;
        let failed = results.iter().filter(|result| result.is_err()).count();
        let message = match failed {
            0 => "Activities added.".to_owned(),
            failed => format!("{failed} of {} activities were not added.", results.len()),
        };
        let activities = entries(ids.into_iter().zip(results), "Activity added.");
        let added = Added { success: failed == 0, message, activities };
        Ok(success("Activities processed.", Data(added)))
    }
}

/// A custom activity needs a target, because only the caller knows its subject.
fn refuse_aimless(activities: &[SentActivity]) -> Result<()> {
    let is_aimless = |sent: &SentActivity| {
        sent.feature_type == FeatureType::Custom && sent.target_entity_id.is_none()
    };
    match activities.iter().position(is_aimless) {
        None => Ok(()),
        Some(n) => {
            let path = ["activities", &n.to_string(), "targetEntityId"];
            Err(issue(&path, "is required for custom activities"))
        }
    }
}
