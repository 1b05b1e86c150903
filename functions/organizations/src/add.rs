//! `POST /v2/organizations/add`: replies with one entry per organization.
//!
//! Custom members are stored as they are sent, except `null`.
//!
//! # Errors
//! - An entry fails when its organization exists.

use model::{Custom, Millis, Text, organization::Organization};
use service::prelude::*;

pub enum AddOrganizations {}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Request {
    organizations: Batch<NewOrganization>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct NewOrganization {
    organization_id: OrganizationId,
    organization_name: Option<Text>,
    #[serde(flatten)]
    custom: Custom<Organization>,
}

impl Operation for AddOrganizations {
    const PATHS: &'static [&'static str] = &["/v2/organizations/add", "/v1/organizations/add"];
    const EFFECT: Effect = Effect::Writes;
    type Auth = ApiKey;
    type Request = Request;
    type Response = Data<Entries<OrganizationId>>;

    async fn handle(cx: Cx<ApiKey>, request: Request) -> Result<Success<Self::Response>> {
        let mut added = Items::new();
        for sent in request.organizations {
            // An organization that is sent twice: the first entry is added.
            let id = sent.organization_id.clone();
            added.entry(id).or_insert_with(|| sent.organization(cx.now()));
        }
        let added: Vec<Organization> = added.into_values().collect();
        let results = cx.tenant().organizations().add(&added).await;
        let ids = added.into_iter().map(|organization| organization.organization_id);
        Ok(success("Organizations added.", Data(entries(ids.zip(results), "Organization added."))))
    }
}

impl NewOrganization {
    fn organization(self, now: Millis) -> Organization {
        Organization {
            organization_name: self.organization_name,
            metadata: self.custom.initial(),
            ..Organization::implied(self.organization_id, now)
        }
    }
}
