//! `POST /v2/workspace/domains/delete`: pages of the domains may no longer use the API key.
//!
//! `localhost` and `127.0.0.1` are one switch of the key. Removing an unknown domain succeeds.

use model::{Domain, UpTo};
use service::prelude::*;

pub enum DeleteDomains {}

#[derive(Deserialize, JsonSchema)]
pub struct Request {
    /// Hosts, URLs, or `*.` and a suffix; scheme, `www.`, port and path are ignored.
    domains: UpTo<Domain, 100>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "DomainsRemoved")]
pub struct Removed {
    domains_removed: Vec<Domain>,
    skipped_domains: Vec<Domain>,
}

impl Operation for DeleteDomains {
    const PATHS: &'static [&'static str] =
        &["/v2/workspace/domains/delete", "/v1/workspace/domains/delete"];
    const EFFECT: Effect = Effect::Deletes;
    type Auth = ApiKey;
    type Request = Request;
    type Response = Data<Removed>;

    async fn handle(cx: Cx<ApiKey>, request: Request) -> Result<Success<Self::Response>> {
        let mut outcome = (vec![], vec![]);
        cx.tenant()
            .change_key(|key| {
                outcome = key.remove_domains(&request.domains);
                Ok(())
            })
            .await?;
        let (domains_removed, skipped_domains) = outcome;
        Ok(success("Domains removed.", Data(Removed { domains_removed, skipped_domains })))
    }
}
