//! `POST /v2/activities/get`: activities by time, the newest first unless `order` says otherwise.
//!
//! Filters combine. The list comes from an index: an activity added a moment ago may be missing
//! unless its id is named. A page may hold fewer activities than `pageSize` when filters combine.

use model::{
    ActivityId, ApiKeyId, AtMost, EntityId, Millis, PageSize, PageToken, Text,
    activity::{Activity, ActivityFilter, Details, FeatureType},
    document::ScopeIds,
    user::Person,
};
use service::prelude::*;

pub enum GetActivities {}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Request {
    organization_id: OrganizationId,
    /// Only activities of this document.
    document_id: Option<DocumentId>,
    /// Only activities about this target.
    target_entity_id: Option<EntityId>,
    /// Only activities of this user.
    user_id: Option<UserId>,
    /// Only activities of these features; no filter when absent or empty.
    feature_types: Option<AtMost<FeatureType, 30>>,
    /// Only activities with these actions; no filter when absent or empty.
    action_types: Option<AtMost<Text, 30>>,
    /// Only these activities; no filter when absent or empty.
    activity_ids: Option<AtMost<ActivityId, 30>>,
    /// By time; `desc` when absent.
    order: Option<SortOrder>,
    page_size: Option<PageSize>,
    page_token: Option<PageToken>,
}

#[derive(Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum SortOrder {
    Asc,
    #[default]
    Desc,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Response {
    data: Vec<ActivityView>,
    /// Null on the last page.
    page_token: Option<PageToken>,
}

/// An activity in replies.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Activity")]
struct ActivityView {
    id: ActivityId,
    feature_type: FeatureType,
    action_type: Text,
    action_user: Person,
    /// Epoch milliseconds.
    timestamp: Millis,
    metadata: ScopeIds,
    #[serde(skip_serializing_if = "Option::is_none")]
    target_entity_id: Option<EntityId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    target_sub_entity_id: Option<EntityId>,
    #[serde(flatten)]
    details: Details,
    /// Whether the record cannot be changed or deleted.
    immutable: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    is_activity_resolver_used: Option<bool>,
}

impl Operation for GetActivities {
    const PATHS: &'static [&'static str] = &["/v2/activities/get"];
    const EFFECT: Effect = Effect::Reads;
    type Auth = ApiKey;
    type Request = Request;
    type Response = Response;

    async fn handle(cx: Cx<ApiKey>, request: Request) -> Result<Success<Response>> {
        let Request { organization_id, order, page_size, page_token, .. } = request;
        let filter = ActivityFilter {
            ids: request.activity_ids.into(),
            document_id: request.document_id,
            target_entity_id: request.target_entity_id,
            user_id: request.user_id,
            feature_types: request.feature_types.into(),
            action_types: request.action_types.into(),
        };
        let order = order.unwrap_or_default();
        let page = cx.page(page_size, page_token.as_ref(), &(&organization_id, &filter, order))?;
        let organization = cx.organization(&organization_id);
        let activities = organization.activities();
        let found = activities.search(&filter, order == SortOrder::Desc, &page).await?;
        let view =
            |activity| ActivityView::new(activity, &cx.tenant().api_key().id, &organization_id);
        let data = found.items.into_iter().map(view).collect();
        Ok(success("Activities retrieved.", Response { data, page_token: found.next }))
    }
}

impl ActivityView {
    fn new(activity: Activity, api_key: &ApiKeyId, organization_id: &OrganizationId) -> Self {
        let metadata = ScopeIds {
            api_key: Some(api_key.clone()),
            document_id: activity.document_id,
            organization_id: organization_id.clone(),
        };
        Self {
            id: activity.id,
            feature_type: activity.feature_type,
            action_type: activity.action_type,
            action_user: activity.action_user,
            timestamp: activity.timestamp,
            metadata,
            target_entity_id: activity.target_entity_id,
            target_sub_entity_id: activity.target_sub_entity_id,
            details: activity.details,
            immutable: activity.immutable,
            is_activity_resolver_used: activity.is_activity_resolver_used,
        }
    }
}
