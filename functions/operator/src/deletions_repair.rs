//! `POST /v2/workspace/deletions/repair`: repeats deletions of earlier versions that left something
//! behind, once after the update from such a version. The ordinary clean-up does the rest.
//!
//! Each call processes what its time allows and replies with where the next call continues.

use std::time::Duration;

use model::PageToken;
use service::{Admin, Body, Deadline, prelude::*, store::deletion::Repaired};

pub enum RepairDeletions {}

/// Time limit of a call: half of its deadline.
const WORK: Duration = Duration::from_secs(10);

#[derive(Deserialize, JsonSchema)]
pub struct Request {
    /// Where to continue; at the beginning when absent.
    start: Option<PageToken>,
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "RepairProgress")]
pub struct Walked {
    /// Items that were looked at.
    items: u64,
    /// Deletions that are repeated.
    repeated: u64,
    /// Members of user groups that were added to their memberships, from which rights follow.
    listed: u64,
    /// Deletions whose resource no item names; what they left stays.
    unnamed: u64,
    /// Null at the end.
    next: Option<PageToken>,
}

impl Operation for RepairDeletions {
    const PATHS: &'static [&'static str] = &["/v2/workspace/deletions/repair"];
    const EFFECT: Effect = Effect::Writes;
    const BODY: Body = Body::Optional;
    type Auth = Admin;
    type Request = Request;
    type Response = Data<Walked>;

    async fn handle(cx: Cx<Admin>, request: Request) -> Result<Success<Self::Response>> {
        let deadline = Deadline::after(cx.now(), WORK);
        let done = cx.scope().survivors().repair(request.start.as_ref(), deadline).await?;
        let Repaired { items, repeated, listed, unnamed, next } = done;
        let walked = Walked { items, repeated, listed, unnamed, next };
        Ok(success("Deletions repaired.", Data(walked)))
    }
}
