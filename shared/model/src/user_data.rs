//! Erasure of user data (contract `user-data.erasure`): jobs, tasks, and anonymization of free
//! JSON.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{
    JobId, Label, MessageId, Millis, OrganizationId, UserId,
    people::{self, Find},
    user::Person,
};

/// Retention of a job.
const RETENTION: Millis = 30 * 24 * 60 * 60 * 1000;

/// An erasure job as stored. A finished one names no user.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ErasureJob {
    /// Generated id.
    pub job_id: JobId,
    /// Time of the request.
    pub created_at: Millis,
    /// The users, by id, so that each can be changed separately, and whether their tasks are
    /// unfinished. When none is, the walk follows.
    pub open: BTreeMap<UserId, bool>,
    /// The user whose task began the walk, so that it is begun once.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub walk_begun_by: Option<UserId>,
    /// Time of the last finished task.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_task_completed_time: Option<Millis>,
}

impl ErasureJob {
    /// A job with one task for each user.
    pub fn new(job_id: JobId, users: &BTreeSet<UserId>, now: Millis) -> Self {
        let open = users.iter().map(|user| (user.clone(), true)).collect();
        Self { job_id, created_at: now, open, walk_begun_by: None, last_task_completed_time: None }
    }

    /// Expiry.
    pub fn ends(&self) -> Millis {
        self.created_at + RETENTION
    }
}

/// A step of a job, on a queue.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum ErasureStep {
    /// Erases the data that rows of one user lead to.
    User(ErasureTask),
    /// Walks once for all users of the job through the data that no row of a user leads to.
    Walk(ErasureWalk),
}

/// A task to erase one user.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ErasureTask {
    /// The job it is part of.
    pub job_id: JobId,
    /// The user.
    pub user_id: UserId,
    /// The organizations; all when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub organization_ids: Option<BTreeSet<OrganizationId>>,
    /// Time of the request.
    pub at: Millis,
    /// The last organization that was processed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<OrganizationId>,
    /// The last processed row of editors in the next organization.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub row: Option<String>,
    /// Number of completed passes.
    #[serde(default)]
    pub pass: u32,
}

/// The walk of a job through what no row of a user leads to, after the tasks of its users.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ErasureWalk {
    /// The job.
    pub job_id: JobId,
    /// The organizations; all when absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub organization_ids: Option<BTreeSet<OrganizationId>>,
    /// Time of the request.
    pub at: Millis,
    /// The last organization that was processed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<OrganizationId>,
    /// The position in the next organization.
    #[serde(default)]
    pub place: WalkPlace,
    /// The last processed webhook message, after all organizations.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<MessageId>,
}

impl From<&ErasureTask> for ErasureWalk {
    fn from(task: &ErasureTask) -> Self {
        Self {
            job_id: task.job_id.clone(),
            organization_ids: task.organization_ids.clone(),
            at: task.at,
            after: None,
            place: WalkPlace::default(),
            message: None,
        }
    }
}

/// A position of a walk in an organization.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct WalkPlace {
    /// The part that the walk is in.
    pub part: WalkPart,
    /// The keys of the last item, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub behind: Option<[String; 3]>,
}

/// The parts of a walk, in order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum WalkPart {
    /// The record of the organization.
    #[default]
    Record,
    /// Documents.
    Documents,
    /// Activities.
    Activities,
    /// Threads that name many people.
    CrowdedThreads,
    /// Notifications that name many people.
    CrowdedNotifications,
    /// Threads of versions that did not write rows for everybody whom they name.
    Threads,
    /// Notifications of versions that did not write rows for everybody whom they name.
    Notifications,
}

impl WalkPart {
    /// The next one.
    pub const fn next(self) -> Option<Self> {
        Some(match self {
            Self::Record => Self::Documents,
            Self::Documents => Self::Activities,
            Self::Activities => Self::CrowdedThreads,
            Self::CrowdedThreads => Self::CrowdedNotifications,
            Self::CrowdedNotifications => Self::Threads,
            Self::Threads => Self::Notifications,
            Self::Notifications => return None,
        })
    }
}

impl Person {
    /// The replacement of an erased user.
    pub fn deleted() -> Self {
        Self {
            name: Some(Label::from_constant("Deleted user")),
            ..Self::from_id(UserId::deleted())
        }
    }
}

/// The people whom JSON written by this service names, and how.
pub fn people_in(mut value: Value) -> Find {
    let mut find = Find::default();
    people::json(&mut find, &mut value);
    find
}
