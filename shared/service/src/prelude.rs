//! The names that endpoints and workers take, and the traits by which features are entered from
//! their scopes. `cargo xtask check` refuses to import one of these names by itself in `functions/`.

pub use auth::ApiKey;
pub use envelope::{
    Data, Entries, Entry, Items, Outcome, Success, entries, issue, outcome, success,
};
pub use error::{Error, Result};
pub use model::{
    Batch, DocumentId, OrganizationId, UserId,
    permissions::{EndUserMembers, Need},
};
pub use schemars::JsonSchema;
pub use serde::{Deserialize, Serialize};
pub use store::prelude::*;
pub use webhook::TenantWebhooks;

pub use crate::{
    end_users::{Concerns, EndUserAccess, EndUserRequest},
    job::Job,
    operation::{Cx, Effect, Operation},
    worker::{Worker, trigger::Trigger},
};
