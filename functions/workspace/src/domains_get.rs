//! `POST /v2/workspace/domains/get`: the domains whose pages may use the API key.

use service::{Body, prelude::*};

pub enum GetDomains {}

#[derive(Deserialize, JsonSchema)]
pub struct Request {}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "AllowedDomains")]
pub struct Domains {
    /// Empty when every page may use the key.
    allowed_domains: Vec<String>,
}

impl Operation for GetDomains {
    const PATHS: &'static [&'static str] = &["/v2/workspace/domains/get"];
    const EFFECT: Effect = Effect::Reads;
    const BODY: Body = Body::Optional;
    type Auth = ApiKey;
    type Request = Request;
    type Response = Data<Domains>;

    async fn handle(cx: Cx<ApiKey>, _: Request) -> Result<Success<Self::Response>> {
        // The record used for admission may be some seconds old.
        let allowed_domains = cx.tenant().own_key().get().await?.domains();
        Ok(success("Domains retrieved.", Data(Domains { allowed_domains })))
    }
}
