//! `POST /v2/workspace/secrets/reseal`: seals the secrets of all tenants with the current key, so
//! that older keys can be dropped.
//!
//! Each call processes what its time allows and replies with where the next call continues.

use std::time::Duration;

use model::PageToken;
use service::{Admin, Body, Deadline, prelude::*};

pub enum ResealSecrets {}

/// Time limit of a call: half of its deadline.
const WORK: Duration = Duration::from_secs(10);

#[derive(Deserialize, JsonSchema)]
pub struct Request {
    /// Where to continue; at the beginning when absent.
    start: Option<PageToken>,
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "ResealProgress")]
pub struct Walked {
    /// Resealed secrets.
    resealed: u64,
    /// Secrets that no key of the deployment opens; they read as unset.
    unopened: u64,
    /// Null at the end.
    next: Option<PageToken>,
}

impl Operation for ResealSecrets {
    const PATHS: &'static [&'static str] = &["/v2/workspace/secrets/reseal"];
    const EFFECT: Effect = Effect::Writes;
    const BODY: Body = Body::Optional;
    type Auth = Admin;
    type Request = Request;
    type Response = Data<Walked>;

    async fn handle(cx: Cx<Admin>, request: Request) -> Result<Success<Self::Response>> {
        let deadline = Deadline::after(cx.now(), WORK);
        let done = cx.scope().secrets().reseal(request.start.as_ref(), deadline).await?;
        let walked = Walked { resealed: done.resealed, unopened: done.unopened, next: done.next };
        Ok(success("Secrets resealed.", Data(walked)))
    }
}
