//! `POST /v2/organizations/update`: replies with one entry per organization.
//!
//! A member that is left out keeps its value. A custom member replaces the stored one as a whole;
//! `null` removes it. The name cannot be removed: `null` keeps it.
//!
//! # Errors
//! - An entry fails when its organization does not exist.

use model::{Custom, Text, organization::Organization};
use service::prelude::*;

pub enum UpdateOrganizations {}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Request {
    organizations: Batch<Change>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "OrganizationPatch")]
struct Change {
    organization_id: OrganizationId,
    organization_name: Option<Text>,
    #[serde(flatten)]
    custom: Custom<Organization>,
}

impl Operation for UpdateOrganizations {
    const PATHS: &'static [&'static str] =
        &["/v2/organizations/update", "/v1/organizations/update"];
    const EFFECT: Effect = Effect::Writes;
    type Auth = ApiKey;
    type Request = Request;
    type Response = Data<Entries<OrganizationId>>;

    async fn handle(cx: Cx<ApiKey>, request: Request) -> Result<Success<Self::Response>> {
        let mut changes: Items<OrganizationId, Vec<Change>> = Items::new();
        for sent in request.organizations {
            changes.entry(sent.organization_id.clone()).or_default().push(sent);
        }
        let (ids, changes): (Vec<_>, Vec<_>) = changes.into_iter().unzip();
        let organizations = cx.tenant().organizations().all();
        let results = organizations.change_all(&ids, |n, organization| {
            for change in &changes[n] {
                model::set_some(
                    &mut organization.organization_name,
                    change.organization_name.clone(),
                );
                change.custom.merge_into(&mut organization.metadata);
            }
            organization.is_implied = false;
            organization.last_updated = cx.now();
            Ok(None)
        });
        let entries = entries(ids.iter().cloned().zip(results.await?), "Organization updated.");
        Ok(success("Organizations updated.", Data(entries)))
    }
}
