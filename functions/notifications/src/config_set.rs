//! `POST /v2/notifications/config/set`: replies with one entry per user.
//!
//! The preference applies to the named documents, or, without documents, to all documents without a
//! preference of their own. A channel that is left out keeps its value. Users and documents need
//! not exist.
//!
//! # Errors
//! - PERMISSION_DENIED: an end user sets the preference of an organization without any right there.
//! - FAILED_PRECONDITION: preferences of users are switched off for the API key.

use std::collections::BTreeSet;

use model::preference::Channels;
use service::prelude::*;

pub enum SetPreferences {}

const SWITCHED_OFF: &str = "Preferences of users are switched off for this API key.";
/// Most pairs of user and document in one call.
const MAX_PREFERENCES: usize = 2_500;

#[derive(Deserialize, JsonSchema, EndUserMembers)]
#[serde(rename_all = "camelCase")]
pub struct Request {
    #[end_user]
    organization_id: OrganizationId,
    #[end_user]
    document_ids: Option<Batch<DocumentId>>,
    #[end_user(own = Ids)]
    user_ids: Batch<UserId>,
    #[end_user]
    config: Channels,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct NotificationPreferenceResult {
    user_id: UserId,
    /// The first document of the request.
    #[serde(skip_serializing_if = "Option::is_none")]
    document_id: Option<DocumentId>,
    #[serde(flatten)]
    outcome: Outcome,
}

impl EndUserRequest for Request {
    const NEED: Need = Need::Read;

    fn concerns(&self) -> Concerns {
        Concerns::new(&self.organization_id, self.document_ids.iter().flat_map(|ids| ids.iter()))
            .or_own_data()
    }
}

impl Operation for SetPreferences {
    const PATHS: &'static [&'static str] =
        &["/v2/notifications/config/set", "/v1/notifications/config/set"];
    const EFFECT: Effect = Effect::Writes;
    const REQUIRED: &'static [(&'static str, &'static str)] = &[("v1", "documentIds")];
    const END_USERS: EndUserAccess<Self::Request> = EndUserAccess::ALLOWED;
    type Auth = ApiKey;
    type Request = Request;
    type Response = Data<Items<UserId, NotificationPreferenceResult>>;

    async fn handle(cx: Cx<ApiKey>, request: Request) -> Result<Success<Self::Response>> {
        let first = request.document_ids.as_ref().and_then(|ids| ids.first().cloned());
        let users: BTreeSet<UserId> = request.user_ids.into_iter().collect();
        let documents: BTreeSet<Option<DocumentId>> = match request.document_ids {
            Some(ids) => ids.into_iter().map(Some).collect(),
            None => [None].into(),
        };
        if users.len() * documents.len() > MAX_PREFERENCES {
            let message = format!("times documentIds must be at most {MAX_PREFERENCES}");
            return Err(issue(&["userIds"], &message));
        }
        if !cx.tenant().api_key().settings.features.user_notification_config {
            return Err(Error::precondition(SWITCHED_OFF));
        }
        if documents.contains(&None) {
            cx.tenant().end_users().check_member(&request.organization_id).await?;
        }
        let (users, documents) = (Vec::from_iter(users), Vec::from_iter(documents));
        let organization = cx.organization(&request.organization_id);
        let notifications = organization.notifications();
        let set = notifications.set_preferences(&users, &documents, request.config).await;
        let results = set.or_else(|refused| refused.for_each(&users))?;
        let entries = users.into_iter().zip(&results).map(|(user_id, result)| {
            let outcome = outcome(result, "User config set successfully.");
            let (id, document_id) = (user_id.clone(), first.clone());
            (id, NotificationPreferenceResult { user_id, document_id, outcome })
        });
        Ok(success("User config set successfully.", Data(entries.collect())))
    }
}
