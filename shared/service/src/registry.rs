//! Descriptions of operations and workers for tools: routing, OpenAPI, the template, the tests.

use auth::{Admin, Level};
use aws::Event;
use envelope::Body;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde_json::Value;

use crate::{
    access::Access,
    call::{Handler, handler},
    config::{Environment, secrets::Secrets},
    end_users::EndUsers,
    operation::{Effect, Listed, Operation, binary, required_at},
    page::PageSpec,
    socket::SocketSpec,
    worker::{Work, Worker, run, trigger::Trigger, work},
};

/// The description of an operation, derived from its types.
#[derive(Clone, Debug)]
pub struct Spec {
    /// `folders.update`.
    pub name: &'static str,
    /// One sentence.
    pub summary: &'static str,
    /// Paths of the operation, the newest first.
    pub paths: &'static [&'static str],
    /// The name of its level.
    pub level: &'static str,
    /// The headers its level requires.
    pub headers: &'static [&'static str],
    /// Effect on stored data.
    pub effect: Effect,
    /// The alternative headers of its level, if any.
    pub or_headers: &'static [&'static str],
    /// Rights of end users.
    pub end_users: EndUsers,
    /// Whether the body is optional.
    pub body: Body,
    /// Paths that accept credentials in the body.
    pub body_credentials: &'static [&'static str],
    /// Members that only paths of one version require.
    pub required: &'static [(&'static str, &'static str)],
    /// The schema of `data`.
    pub request: fn(&mut SchemaGenerator) -> Schema,
    /// The schema of `result` besides `status` and `message`.
    pub response: fn(&mut SchemaGenerator) -> Schema,
}

impl Spec {
    /// The members of `data` that one of its paths requires beside those that all require.
    pub fn required_at(&self, path: &str) -> impl Iterator<Item = &'static str> {
        required_at(self.required, path)
    }

    /// Whether its function needs the admin token.
    pub fn takes_admin_token(&self) -> bool {
        let own = <Admin as Level>::HEADERS;
        self.headers.iter().chain(self.or_headers).any(|header| own.contains(header))
    }

    /// `folders-update`.
    pub fn binary(&self) -> String {
        binary(self.name)
    }
}

/// An operation as a value.
#[derive(Clone)]
pub struct Route {
    /// Specification of the route.
    pub spec: Spec,
    /// The handler.
    pub handler: Handler,
}

impl Route {
    /// The operation as a value.
    pub fn of<O: Operation>() -> Self {
        let spec = Spec {
            name: O::NAME,
            summary: O::SUMMARY.trim_ascii(),
            paths: O::PATHS,
            level: <O::Auth as Level>::NAME,
            headers: <O::Auth as Level>::HEADERS,
            effect: O::EFFECT,
            or_headers: <O::Auth as Level>::OR_HEADERS,
            end_users: O::END_USERS.rules,
            body: O::BODY,
            body_credentials: O::BODY_CREDENTIALS,
            required: O::REQUIRED,
            request: <O::Request as JsonSchema>::json_schema,
            response: <O::Response as JsonSchema>::json_schema,
        };
        Self { spec, handler: handler::<O>() }
    }
}

/// A worker as a value.
#[derive(Clone)]
pub struct WorkerSpec {
    /// `cleanup.sweep`.
    pub name: &'static str,
    /// One sentence.
    pub summary: &'static str,
    /// Event source of the worker.
    pub trigger: Trigger,
    /// Whether it needs the keyring.
    pub needs_keyring: bool,
    work: Work,
}

impl WorkerSpec {
    /// The worker as a value.
    pub fn of<W: Worker>() -> Self {
        let summary = <W as Listed>::SUMMARY.trim_ascii();
        Self {
            name: W::NAME,
            summary,
            trigger: W::TRIGGER,
            needs_keyring: W::NEEDS_KEYRING,
            work: work::<W>(),
        }
    }

    /// `cleanup-sweep`.
    pub fn binary(&self) -> String {
        binary(self.name)
    }

    /// Runs it for an event of its source.
    pub async fn run(&self, environment: &Environment, event: Event) -> Value {
        // Also in a process with the keyring, so that a missing one shows locally.
        let without = (!self.needs_keyring).then(|| environment.with_secrets(Secrets::absent()));
        let environment = without.as_ref().unwrap_or(environment);
        run(environment, self.name, self.trigger, self.work, event).await
    }
}

/// The functions of one crate, which share a role and a log group.
#[derive(Clone)]
pub struct Family {
    /// The name of the crate.
    pub name: &'static str,
    /// Operations of the family.
    pub operations: Vec<Route>,
    /// Workers of the family.
    pub workers: Vec<WorkerSpec>,
    /// Pages of the family.
    pub pages: Vec<PageSpec>,
    /// Functions of the WebSocket API of the family.
    pub sockets: Vec<SocketSpec>,
    /// Access list.
    pub access: &'static [Access],
}

impl Family {
    /// A family without functions.
    pub fn new(name: &'static str, access: &'static [Access]) -> Self {
        let (operations, workers, pages, sockets) = (vec![], vec![], vec![], vec![]);
        Self { name, operations, workers, pages, sockets, access }
    }

    /// The family with operations.
    pub fn with_operations(self, operations: Vec<Route>) -> Self {
        Self { operations, ..self }
    }

    /// The family with workers.
    pub fn with_workers(self, workers: Vec<WorkerSpec>) -> Self {
        Self { workers, ..self }
    }

    /// The family with pages.
    pub fn with_pages(self, pages: Vec<PageSpec>) -> Self {
        Self { pages, ..self }
    }

    /// The family with functions of the WebSocket API.
    pub fn with_sockets(self, sockets: Vec<SocketSpec>) -> Self {
        Self { sockets, ..self }
    }

    /// The names of its binaries, such as `folders-update`.
    pub fn functions(&self) -> impl Iterator<Item = String> {
        let operations = self.operations.iter().map(|route| route.spec.binary());
        let workers = self.workers.iter().map(WorkerSpec::binary);
        let pages = self.pages.iter().map(PageSpec::binary);
        let sockets = self.sockets.iter().map(SocketSpec::binary);
        operations.chain(workers).chain(pages).chain(sockets)
    }
}
