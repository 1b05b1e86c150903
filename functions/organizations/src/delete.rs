//! `POST /v2/organizations/delete`: replies with one entry per organization.
//!
//! The organizations are gone at once; a background job deletes what they contain.
//!
//! # Errors
//! - An entry fails when its organization does not exist.

use model::event::Event;
use service::prelude::*;

pub enum DeleteOrganizations {}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Request {
    organization_ids: Batch<OrganizationId>,
}

impl Operation for DeleteOrganizations {
    const PATHS: &'static [&'static str] =
        &["/v2/organizations/delete", "/v1/organizations/delete"];
    const EFFECT: Effect = Effect::Deletes;
    type Auth = ApiKey;
    type Request = Request;
    type Response = Data<Entries<OrganizationId>>;

    async fn handle(cx: Cx<ApiKey>, request: Request) -> Result<Success<Self::Response>> {
        let mut ids: Vec<OrganizationId> = request.organization_ids.into();
        ids.sort();
        ids.dedup();
        let event =
            |id: &OrganizationId| Some(Event::OrganizationDeleted { organization_id: id.clone() });
        let results = cx.tenant().organizations().all().end_all(&ids, event).await;
        cx.tenant().organizations().forget(&ids);
        let entries = entries(ids.into_iter().zip(results), "Organization deleted.");
        Ok(success("Organization deletion initiated.", Data(entries)))
    }
}
