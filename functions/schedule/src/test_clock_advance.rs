//! `POST /v2/workspace/testclock/advance`: moves the clock of a `testing` key forward.
//!
//! Delays, batch windows, retries and expiry follow that clock. Work that becomes due starts in the
//! background. Timestamps of signatures keep the real time.
//!
//! # Errors
//! - FAILED_PRECONDITION: the API key is a production key.
//! - RESOURCE_EXHAUSTED: all advances together exceed 100 years.

use model::{Bounded, Millis};
use service::prelude::*;

pub enum AdvanceTestClock {}

#[derive(Deserialize, JsonSchema)]
pub struct Request {
    /// Seconds to advance, at most a year.
    seconds: Bounded<1, 31_536_000>,
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "TestClock")]
pub struct Response {
    /// The new time of the key, in epoch milliseconds.
    now: Millis,
}

impl Operation for AdvanceTestClock {
    const PATHS: &'static [&'static str] = &["/v2/workspace/testclock/advance"];
    const EFFECT: Effect = Effect::Writes;
    type Auth = ApiKey;
    type Request = Request;
    type Response = Data<Response>;

    async fn handle(cx: Cx<ApiKey>, request: Request) -> Result<Success<Self::Response>> {
        let now = cx.tenant().advance_clock(request.seconds.get() * 1000).await?;
        Ok(success("Clock advanced.", Data(Response { now })))
    }
}
