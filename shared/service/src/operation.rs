use std::{future::Future, ops::Deref, sync::Arc, time::Duration};

use auth::{ApiKey, Level};
use envelope::{Body, Success, issue};
use error::{Error, Result};
use model::{Millis, PageSize, PageToken, WalkSize};
use queue::{Message, Queue, Queues};
use schemars::JsonSchema;
use serde::{Serialize, de::DeserializeOwned};
use store::{Page, Paging, Walk};
use webhook::Egress;

use crate::{end_users::EndUsers, worker::envelope};

/// An operation or worker with a name, `folders.update`: that of its crate and module.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not listed in `service::operations!` or `service::workers!` of its crate"
)]
pub trait Listed {
    /// Its one name: `operationId`, field of every log line; with hyphens, binary and sample.
    const NAME: &'static str;
    /// One sentence that says what it does.
    const SUMMARY: &'static str;
}

/// What a call of an operation does to what is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Nothing.
    Reads,
    /// Adds or changes something.
    Writes,
    /// Removes something. A body with a member that is not known is refused: it may be a misspelt
    /// filter, without which more would be removed than was meant.
    Deletes,
}

/// One endpoint of the interface. Always `POST`, one body, one level.
pub trait Operation: Listed + Send + Sync + 'static {
    /// Its paths: the newest first; older ones behave the same.
    const PATHS: &'static [&'static str];
    /// Effect on stored data.
    const EFFECT: Effect;
    /// Whether a body may be left out.
    const BODY: Body = Body::Required;
    /// Those of its paths whose callers may send the credentials in the body instead, as `apiKey`
    /// and `authToken` in `data`.
    const BODY_CREDENTIALS: &'static [&'static str] = &[];
    /// What end users may do with it; nothing, unless it says so.
    const END_USERS: EndUsers = EndUsers::NONE;
    /// Required credentials.
    type Auth: Level;
    /// The members of `data`. A type of a member is its validation.
    type Request: DeserializeOwned + JsonSchema + Send;
    /// What `result` holds beside `status` and `message`.
    type Response: Serialize + JsonSchema + Send;

    /// Does it.
    fn handle(
        cx: Cx<Self::Auth>,
        request: Self::Request,
    ) -> impl Future<Output = Result<Success<Self::Response>>> + Send;
}

/// An admitted call: what it may reach, and when it happens. Only the runtime makes one, after the
/// credentials were checked.
pub struct Cx<L: Level> {
    pub(crate) scope: L::Scope,
    pub(crate) now: Millis,
    pub(crate) operation: &'static str,
    pub(crate) is_v1: bool,
    pub(crate) regions: Arc<[String]>,
    pub(crate) queues: Queues,
    pub(crate) egress: Egress,
}

impl<L: Level> Cx<L> {
    /// Epoch milliseconds; one instant for the whole call.
    pub fn now(&self) -> Millis {
        self.now
    }

    /// Whether it came by a `/v1/` path. Roles are set by v2 paths only (spec 2.10).
    pub fn is_v1(&self) -> bool {
        self.is_v1
    }

    /// Refuses a URL that no webhook can ever be sent to; what its host's name stands for is found
    /// out, and judged, each time one is sent. `path` is counted from `data`.
    ///
    /// # Errors
    /// INVALID_ARGUMENT.
    pub fn check_webhook_url(&self, path: &[&str], url: &str) -> Result<()> {
        let message = "must lead to a public address, and to port 80, 443 or one above 1023";
        self.egress.check_url(url).map_err(|_| issue(path, message))
    }

    /// Regions a key may ask for.
    pub fn regions(&self) -> &[String] {
        &self.regions
    }
}

impl<L: Level<Scope: Paging>> Cx<L> {
    /// The page of a list that the caller asks for. `filters` is everything the list depends on
    /// beside the tenant; a token of other filters is refused.
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
    /// Sends a message to a worker in the name of the caller.
    ///
    /// # Errors
    /// UNAVAILABLE.
    pub async fn send<M: Serialize>(&self, queue: Queue, message: &M) -> Result<()> {
        let body = envelope(&self.scope, message)?;
        let (delay, group) = (Duration::ZERO, self.scope.api_key().id.as_str().to_owned());
        self.queues.send(queue, vec![Message { body, delay, group }]).await
    }

    /// The page of a list that is walked both ways. `filters` is everything the list depends on
    /// beside the tenant; an iterator of other filters is refused.
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

impl<L: Level> Deref for Cx<L> {
    type Target = L::Scope;
    fn deref(&self) -> &L::Scope {
        &self.scope
    }
}
