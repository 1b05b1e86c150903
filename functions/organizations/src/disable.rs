//! `POST /v2/organizations/access/disablestate/update`: replies with one entry per
//! organization.
//!
//! # Errors
//! - An entry fails when its organization does not exist.

use service::prelude::*;

pub enum DisableOrganizations {}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Request {
    organization_ids: Batch<OrganizationId>,
    /// Whether the end users of the organizations are locked out.
    disabled: bool,
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "OrganizationDisabledResult")]
pub struct DisabledResult {
    #[serde(flatten)]
    outcome: Entry<OrganizationId>,
    /// As sent.
    disabled: bool,
}

impl Operation for DisableOrganizations {
    const PATHS: &'static [&'static str] = &[
        "/v2/organizations/access/disablestate/update",
        "/v1/organizations/access/disablestate/update",
    ];
    const EFFECT: Effect = Effect::Writes;
    type Auth = ApiKey;
    type Request = Request;
    type Response = Data<Items<OrganizationId, DisabledResult>>;

    async fn handle(cx: Cx<ApiKey>, request: Request) -> Result<Success<Self::Response>> {
        let mut ids: Vec<OrganizationId> = request.organization_ids.into();
        ids.sort();
        ids.dedup();
        let disabled = request.disabled;
        let organizations = cx.tenant().organizations().all();
        let results = organizations.change_all(&ids, |_, organization| {
            organization.disabled = disabled;
            organization.last_updated = cx.now();
            Ok(None)
        });
        let entries = ids.iter().zip(results.await?).map(|(id, result)| {
            let outcome = Entry::new(id.clone(), &result, "Organization access updated.");
            (id.clone(), DisabledResult { outcome, disabled })
        });
        Ok(success("Organization access updated.", Data(entries.collect())))
    }
}
