//! `POST /v2/workspace/domains/add`: allows pages of the domains to use the API key.
//!
//! `localhost` and `127.0.0.1` are one switch of the key. Adding a known domain succeeds.
//!
//! # Errors
//! - RESOURCE_EXHAUSTED: the key would have more than 200 domains, or 16,384 characters of them.

use model::{Domain, UpTo};
use service::prelude::*;

pub enum AddDomains {}

#[derive(Deserialize, JsonSchema)]
pub struct Request {
    /// Hosts, URLs, or `*.` and a suffix; scheme, `www.`, port and path are ignored.
    domains: UpTo<Domain, 100>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "DomainsAdded")]
pub struct Added {
    domains_added: Vec<Domain>,
    skipped_domains: Vec<Domain>,
}

impl Operation for AddDomains {
    const PATHS: &'static [&'static str] =
        &["/v2/workspace/domains/add", "/v1/workspace/domains/add"];
    const EFFECT: Effect = Effect::Writes;
    type Auth = ApiKey;
    type Request = Request;
    type Response = Data<Added>;

    async fn handle(cx: Cx<ApiKey>, request: Request) -> Result<Success<Self::Response>> {
        let mut outcome = (vec![], vec![]);
        cx.tenant()
            .change_key(|key| {
                outcome = key.add_domains(&request.domains).map_err(Error::exhausted)?;
                Ok(())
            })
            .await?;
        let (domains_added, skipped_domains) = outcome;
        Ok(success("Domains added.", Data(Added { domains_added, skipped_domains })))
    }
}
