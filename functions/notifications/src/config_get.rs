//! `POST /v2/notifications/config/get`: the effective preferences.
//!
//! A document has its own preference, or else that of the organization, or else the default,
//! channel by channel.

use std::collections::BTreeSet;

use model::{ApiKeyId, AtMost, preference::Channels};
use service::prelude::*;

pub enum GetPreferences {}

#[derive(Deserialize, JsonSchema, EndUserMembers)]
#[serde(rename_all = "camelCase")]
pub struct Request {
    #[end_user]
    organization_id: OrganizationId,
    #[end_user(own = Id)]
    user_id: UserId,
    /// Required unless `getOrganizationConfig` is true.
    #[end_user]
    document_ids: Option<AtMost<DocumentId, 30>>,
    /// Whether to append the preference for documents without their own.
    #[end_user]
    get_organization_config: Option<bool>,
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "NotificationPreference")]
pub struct Preference {
    config: Channels,
    metadata: About,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "NotificationPreferenceScope")]
struct About {
    organization_id: OrganizationId,
    /// Absent for end users.
    #[serde(skip_serializing_if = "Option::is_none")]
    api_key: Option<ApiKeyId>,
    /// Absent: the documents that have no preference of their own.
    #[serde(skip_serializing_if = "Option::is_none")]
    document_id: Option<DocumentId>,
    user_id: UserId,
}

impl EndUserRequest for Request {
    const NEED: Need = Need::Read;

    fn concerns(&self) -> Concerns {
        Concerns::new(&self.organization_id, self.document_ids.iter().flat_map(|ids| ids.iter()))
            .or_own_data()
    }
}

impl Operation for GetPreferences {
    const PATHS: &'static [&'static str] =
        &["/v2/notifications/config/get", "/v1/notifications/config/get"];
    const EFFECT: Effect = Effect::Reads;
    const REQUIRED: &'static [(&'static str, &'static str)] = &[("v1", "documentIds")];
    const END_USERS: EndUserAccess<Self::Request> = EndUserAccess::ALLOWED;
    type Auth = ApiKey;
    type Request = Request;
    type Response = Data<Vec<Preference>>;

    async fn handle(cx: Cx<ApiKey>, request: Request) -> Result<Success<Self::Response>> {
        let Request { organization_id, user_id, document_ids, get_organization_config } = request;
        let with_organization = get_organization_config == Some(true) && !cx.is_v1();
        if document_ids.is_none() && !with_organization {
            let message = "is required unless getOrganizationConfig is true";
            return Err(issue(&["documentIds"], message));
        }
        let mut documents: Vec<DocumentId> = document_ids.into_iter().flatten().collect();
        let mut distinct = BTreeSet::new();
        documents.retain(|id| distinct.insert(id.clone()));
        let organization = cx.organization(&organization_id);
        let found = organization.notifications().preferences_of(&user_id, &distinct).await?;
        let about = documents.into_iter().map(Some).chain(with_organization.then_some(None));
        let tenant = cx.tenant();
        let api_key = tenant.end_user().is_none().then(|| tenant.api_key().id.clone());
        let data = found.into_iter().flat_map(|found| {
            let of = |document_id: Option<DocumentId>| Preference {
                config: found.effective(document_id.as_ref()),
                metadata: About {
                    organization_id: organization_id.clone(),
                    api_key: api_key.clone(),
                    document_id,
                    user_id: user_id.clone(),
                },
            };
            about.clone().map(of).collect::<Vec<_>>()
        });
        Ok(success("User config retrieved.", Data(data.collect())))
    }
}
