//! `POST /v2/users/data/delete`: starts a background job that erases users.
//!
//! The job ends memberships, rights and contacts, deletes what the users wrote and recorded, and
//! replaces their name elsewhere by a deleted user. It also deletes what is written while it runs.
//! An unknown user is no error. The reply has the members of `result` beside it, too, where callers
//! of older clients read them.

use std::collections::BTreeSet;

use model::{JobId, UpTo, event::Event, user_data::ErasureJob};
use service::{prelude::*, random_id};

pub enum DeleteUserData {}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Request {
    user_ids: Batch<UserId>,
    /// Only in these organizations; in all when absent.
    organization_ids: Option<UpTo<OrganizationId, 30>>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Response {
    data: Job,
    /// Always 202: accepted, not done.
    status_code: u16,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "ErasureJob")]
struct Job {
    /// The job, to request its progress for 30 days.
    job_id: JobId,
    /// One task for each user.
    tasks_count: usize,
}

impl Operation for DeleteUserData {
    const PATHS: &'static [&'static str] = &["/v2/users/data/delete", "/v1/users/data/delete"];
    const EFFECT: Effect = Effect::Deletes;
    type Auth = ApiKey;
    type Request = Request;
    type Response = Response;

    async fn handle(cx: Cx<ApiKey>, request: Request) -> Result<Success<Response>> {
        let user_ids: BTreeSet<UserId> = request.user_ids.into_iter().collect();
        let organization_ids = request.organization_ids.map(|ids| ids.into_iter().collect());
        let job_id: JobId = random_id()?;
        let job = ErasureJob::new(job_id.clone(), &user_ids, cx.now());
        let tasks_count = user_ids.len();
        let event = Event::UserErasure { job_id: job_id.clone(), user_ids, organization_ids };
        cx.tenant().user_data().erasures().insert(&job, Some(event)).await?;
        let data = Job { job_id, tasks_count };
        let response = Response { data, status_code: 202 };
        Ok(success("Deletion of user data started.", response).repeated_beside())
    }
}
