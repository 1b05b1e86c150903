//! `POST /v2/users/data/delete/status`: the progress of the job and of each of its tasks.
//!
//! # Errors
//! - NOT_FOUND: the job does not exist.

use model::{JobId, Millis};
use service::{ErrorCode, prelude::*};

pub enum GetDeletion {}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Request {
    job_id: JobId,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "ErasureStatus")]
pub struct Status {
    /// Whether all users are erased. Remaining traces expire: events with recipients after 90 days,
    /// backups after 35; live state and the content of editors stay as callers wrote them.
    is_delete_completed: bool,
    /// Users who are not erased yet: all, until the last step of the job, which is for all of them.
    tasks_left: usize,
    /// Time of the last erasure, in epoch milliseconds; null before the first one.
    last_task_completed_time: Option<Millis>,
}

impl Operation for GetDeletion {
    const PATHS: &'static [&'static str] =
        &["/v2/users/data/delete/status", "/v1/users/data/delete/status"];
    const EFFECT: Effect = Effect::Reads;
    const ERROR_CODE: Option<ErrorCode> = Some(ErrorCode::Number);
    type Auth = ApiKey;
    type Request = Request;
    type Response = Data<Status>;

    async fn handle(cx: Cx<ApiKey>, request: Request) -> Result<Success<Self::Response>> {
        let id = request.job_id;
        let job =
            cx.tenant().user_data().erasures().find(&id).await?.filter(|job| job.ends() > cx.now());
        let job = job.ok_or_else(|| Error::not_found(format!("There is no job {id}.")))?;
        let status = Status {
            is_delete_completed: job.open.is_empty(),
            tasks_left: job.open.len(),
            last_task_completed_time: job.last_task_completed_time,
        };
        Ok(success("Deletion status retrieved.", Data(status)))
    }
}
