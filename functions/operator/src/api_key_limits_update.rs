//! `POST /v2/workspace/apikey/limits/update`: replies with the effective limits.
//!
//! A member that is left out keeps its value, `null` returns to the default of the deployment, and 0
//! means no limit. Limits take effect within ten seconds, the time for which a function caches keys.
//!
//! # Errors
//! - NOT_FOUND: the API key does not exist.

use model::{ApiKeyId, Bounded, Patch};
use service::{Admin, prelude::*};

pub enum UpdateApiKeyLimits {}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Request {
    api_key: ApiKeyId,
    /// Read calls per second on average; ten times as many in a burst.
    #[serde(default)]
    reads_per_second: Patch<Bounded<0, 100_000>>,
    /// Calls per second that may write, on average; ten times as many in a burst.
    #[serde(default)]
    writes_per_second: Patch<Bounded<0, 100_000>>,
    /// Webhook deliveries per second on average, for events with more than ten possible endpoints;
    /// ten times as many in a burst. Further ones wait.
    #[serde(default)]
    deliveries_per_second: Patch<Bounded<0, 100_000>>,
    /// Mails that the deployment sends per day of UTC.
    #[serde(default)]
    mails_per_day: Patch<Bounded<0, 1_000_000_000>>,
    /// Editors of one document; 1,000 when never set.
    #[serde(default)]
    editors_per_document: Patch<Bounded<0, 100_000>>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "ApiKeyLimits")]
pub struct Limits {
    api_key: ApiKeyId,
    /// The default of the deployment when null, here and below.
    reads_per_second: Option<u64>,
    writes_per_second: Option<u64>,
    deliveries_per_second: Option<u64>,
    mails_per_day: Option<u64>,
    editors_per_document: Option<u64>,
}

impl Operation for UpdateApiKeyLimits {
    const PATHS: &'static [&'static str] = &["/v2/workspace/apikey/limits/update"];
    const EFFECT: Effect = Effect::Writes;
    type Auth = Admin;
    type Request = Request;
    type Response = Data<Limits>;

    async fn handle(cx: Cx<Admin>, request: Request) -> Result<Success<Self::Response>> {
        let changed = cx.scope().workspace().change_key(&request.api_key, |key| {
            let limits = &mut key.limits;
            set(&request.reads_per_second, &mut limits.reads_per_second);
            set(&request.writes_per_second, &mut limits.writes_per_second);
            set(&request.deliveries_per_second, &mut limits.deliveries_per_second);
            set(&request.mails_per_day, &mut limits.mails_per_day);
            set(&request.editors_per_document, &mut limits.editors_per_document);
        });
        let key = changed.await?;
        let limits = Limits {
            api_key: key.id,
            reads_per_second: key.limits.reads_per_second,
            writes_per_second: key.limits.writes_per_second,
            deliveries_per_second: key.limits.deliveries_per_second,
            mails_per_day: key.limits.mails_per_day,
            editors_per_document: key.limits.editors_per_document,
        };
        Ok(success("Limits updated.", Data(limits)))
    }
}

fn set<const MIN: u64, const MAX: u64>(sent: &Patch<Bounded<MIN, MAX>>, limit: &mut Option<u64>) {
    sent.clone().map(Bounded::get).apply(limit);
}
