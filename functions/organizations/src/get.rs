//! `POST /v2/organizations/get`: organizations with their custom members, in the order of their
//! ids.
//!
//! `organizationIds` lists those that exist; without it the list has all.

use model::{AtMost, Metadata, Millis, Only, PageSize, PageToken, organization::Organization};
use service::{Body, Paged, prelude::*};

pub enum GetOrganizations {}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Request {
    /// Only these organizations; all when absent or empty.
    organization_ids: Option<AtMost<OrganizationId, 30>>,
    page_size: Option<PageSize>,
    page_token: Option<PageToken>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Response {
    data: Vec<OrganizationView>,
    /// Null on the last page.
    next_page_token: Option<PageToken>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Organization")]
struct OrganizationView {
    id: OrganizationId,
    organization_id: OrganizationId,
    /// Empty when unset.
    organization_name: String,
    disabled: bool,
    /// Epoch milliseconds.
    created_at: Millis,
    /// Epoch milliseconds.
    last_updated: Millis,
    #[serde(flatten)]
    metadata: Metadata,
}

impl Operation for GetOrganizations {
    const PATHS: &'static [&'static str] = &["/v2/organizations/get", "/v1/organizations/get"];
    const EFFECT: Effect = Effect::Reads;
    const BODY: Body = Body::Optional;
    type Auth = ApiKey;
    type Request = Request;
    type Response = Response;

    async fn handle(cx: Cx<ApiKey>, request: Request) -> Result<Success<Response>> {
        let ids: Only<OrganizationId> = request.organization_ids.into();
        let page = cx.page(request.page_size, request.page_token.as_ref(), &ids)?;
        let organizations = cx.tenant().organizations().all();
        let Paged { items, next } = match ids.named() {
            None => organizations.list(&page).await?,
            Some(ids) => organizations.list_of(ids.clone(), &page).await?,
        };
        let data = items.into_iter().map(OrganizationView::from).collect();
        Ok(success("Organizations retrieved.", Response { data, next_page_token: next }))
    }
}

impl From<Organization> for OrganizationView {
    fn from(organization: Organization) -> Self {
        Self {
            id: organization.organization_id.clone(),
            organization_id: organization.organization_id,
            organization_name: organization.organization_name.map(String::from).unwrap_or_default(),
            disabled: organization.disabled,
            created_at: organization.created_at,
            last_updated: organization.last_updated,
            metadata: organization.metadata,
        }
    }
}
