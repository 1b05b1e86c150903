use std::{future::Future, sync::Arc, time::Duration};

use auth::{ApiKey, Level};
use aws::Exit;
use envelope::{Body, Success, issue};
use error::{Error, ErrorCode, Result};
use model::{
    Millis, OrganizationId, PageSize, PageToken, WalkSize,
    permissions::{AccessRole, AccessType},
};
use queue::{Queue, Queues};
use schemars::JsonSchema;
use serde::{Serialize, de::DeserializeOwned};
use store::{OrganizationStore, Page, Paging, TenantStore, Walk, prelude::*};
use webhook::Egress;

use crate::{end_users::EndUserAccess, message::outgoing};

/// A named operation or worker, such as `folders.update`: its crate and module.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not listed in `service::operations!` or `service::workers!` of its crate"
)]
pub trait Listed {
    /// Name of the operation or worker, used in log lines; with hyphens, binary and sample.
    const NAME: &'static str;
    /// Summary, one sentence.
    const SUMMARY: &'static str;
}

/// A function of a family, as its binary serves it.
pub trait Function: Listed {
    /// Serves it until the runtime ends.
    const SERVE: fn() -> Exit;
}

/// Effect of an operation on stored data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Reads.
    Reads,
    /// Adds or changes data.
    Writes,
    /// Deletes data. A body with an unknown member is refused, because a misspelt filter would
    /// delete more than intended.
    Deletes,
}

/// One operation. Always `POST`, with one body and one level.
pub trait Operation: Listed + Send + Sync + 'static {
    /// Paths of the operation: the newest first; older ones behave alike.
    const PATHS: &'static [&'static str];
    /// Effect on stored data.
    const EFFECT: Effect;
    /// Whether the body is optional.
    const BODY: Body = Body::Required;
    /// Paths that accept credentials in the body, as `apiKey` and `authToken` in `data`.
    const BODY_CREDENTIALS: &'static [&'static str] = &[];
    /// Members of `data` that only paths of one version require: the version, and the member, with
    /// dots between names. They are optional in `Request`.
    const REQUIRED: &'static [(&'static str, &'static str)] = &[];
    /// The code of its errors, where callers look for one.
    const ERROR_CODE: Option<ErrorCode> = None;
    /// Rules for end users; not for them by default.
    const END_USERS: EndUserAccess<Self::Request> = EndUserAccess::NONE;
    /// Required credentials.
    type Auth: Level;
    /// The members of `data`. The type of a member is its validation.
    type Request: DeserializeOwned + JsonSchema + Send;
    /// The members of `result` besides `status` and `message`.
    type Response: Serialize + JsonSchema + Send;

    /// Executes it.
    fn handle(
        cx: Cx<Self::Auth>,
        request: Self::Request,
    ) -> impl Future<Output = Result<Success<Self::Response>>> + Send;
}

/// The members that are listed with the version of a path.
pub(crate) fn required_at(
    required: &'static [(&'static str, &'static str)],
    path: &str,
) -> impl Iterator<Item = &'static str> {
    let version = path.split('/').nth(1).unwrap_or_default();
    let here = required.iter().filter(move |(of, _)| *of == version);
    here.map(|(_, member)| *member).collect::<Vec<_>>().into_iter()
}

/// The name of the binary, of `target/lambda/…/` and of the sample in `events/`.
pub(crate) fn binary(name: &str) -> String {
    name.replace(['.', '_'], "-")
}

/// An admitted call: its scope and time. Only the runtime constructs it, after checking the
/// credentials.
pub struct Cx<L: Level> {
    pub(crate) scope: L::Scope,
    pub(crate) role: AccessRole,
    pub(crate) now: Millis,
    pub(crate) operation: &'static str,
    pub(crate) is_v1: bool,
    pub(crate) regions: Arc<[String]>,
    pub(crate) default_document_access_type: AccessType,
    pub(crate) queues: Queues,
    pub(crate) egress: Egress,
}

impl<L: Level> Cx<L> {
    /// The scope that the credentials give access to.
    pub fn scope(&self) -> &L::Scope {
        &self.scope
    }

    /// The least role of an end user in the documents of the call; the tenant's server is an editor.
    pub fn role(&self) -> AccessRole {
        self.role
    }

    /// Epoch milliseconds; one instant for the whole call.
    pub fn now(&self) -> Millis {
        self.now
    }

    /// Whether it came on a `/v1/` path. Only v2 paths set roles (contract `conventions.versions`).
    pub fn is_v1(&self) -> bool {
        self.is_v1
    }

    /// Refuses a URL that no webhook can ever be sent to; the addresses of its host are checked
    /// with each request. `path` starts at `data`.
    ///
    /// # Errors
    /// INVALID_ARGUMENT.
    pub fn check_webhook_url(&self, path: &[&str], url: &str) -> Result<()> {
        let message = "must lead to a public address, and to port 80, 443 or one above 1023";
        self.egress.check_url(url).map_err(|_| issue(path, message))
    }

    /// Accepted regions of keys.
    pub fn regions(&self) -> &[String] {
        &self.regions
    }

    /// The default access type for documents of new keys.
    pub fn default_document_access_type(&self) -> AccessType {
        self.default_document_access_type
    }
}

impl<L: Level<Scope: Paging>> Cx<L> {
    /// The requested page of a list. `filters` are all parameters of the list besides the tenant; a
    /// token of other filters is refused.
    ///
    /// # Errors
    /// INVALID_ARGUMENT when the token is not of this list.
    pub fn page(
        &self,
        size: Option<PageSize>,
        token: Option<&PageToken>,
        filters: &impl Serialize,
    ) -> Result<Page> {
        let filters = serde_json::to_string(filters).map_err(Error::internal)?;
        self.scope.page(self.operation, &filters, size, token)
    }
}

impl Cx<ApiKey> {
    /// The tenant of the API key.
    pub fn tenant(&self) -> &TenantStore {
        &self.scope
    }

    /// The scope of an organization of the tenant.
    pub fn organization(&self, id: &OrganizationId) -> OrganizationStore {
        self.scope.organization(id)
    }

    /// Sends a message to a worker in the name of the caller.
    ///
    /// # Errors
    /// UNAVAILABLE.
    pub async fn send<M: Serialize>(&self, queue: Queue, message: &M) -> Result<()> {
        let message = outgoing(&self.scope, message, Duration::ZERO)?;
        self.queues.send(queue, vec![message]).await
    }

    /// Sends a message to a worker in the name of the caller, at a time by the tenant's clock.
    ///
    /// # Errors
    /// UNAVAILABLE.
    pub async fn send_at<M: Serialize>(&self, queue: Queue, message: &M, at: Millis) -> Result<()> {
        let body = self.scope.envelope(message)?;
        self.scope.schedule().send_later(queue.name(), body, at).await
    }

    /// The requested page of a list with two directions. `filters` are all parameters of the list
    /// besides the tenant; an iterator of other filters is refused.
    ///
    /// # Errors
    /// INVALID_ARGUMENT when the iterator is not of this list.
    pub fn walk(
        &self,
        size: Option<WalkSize>,
        iterator: Option<&PageToken>,
        filters: &impl Serialize,
    ) -> Result<Walk> {
        let filters = serde_json::to_string(filters).map_err(Error::internal)?;
        self.scope.walk(self.operation, &filters, size, iterator)
    }
}
