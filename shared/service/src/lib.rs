//! Operations and workers, and their runtime: as a Lambda function each, or all in one process.
//!
//! A call context comes from the runtime and cannot be constructed:
//!
//! ```
//! fn now(cx: service::Cx<service::ApiKey>) -> u64 {
//!     cx.now()
//! }
//! ```
//!
//! ```compile_fail,E0451
//! fn forge(scope: service::TenantStore) -> service::Cx<service::ApiKey> {
//!     service::Cx {
//!         scope,
//!         now: 0,
//!         operation: "",
//!         is_v1: false,
//!         regions: [].into(),
//!         default_document_access_type: todo!(),
//!         queues: todo!(),
//!         egress: service::Egress::Public,
//!     }
//! }
//! ```
//!
//! Other crates cannot declare a level:
//!
//! ```compile_fail,E0277
//! enum Anybody {}
//! impl service::Level for Anybody {
//!     const NAME: &'static str = "anybody";
//!     const HEADERS: &'static [&'static str] = &[];
//!     type Scope = service::TenantStore;
//!     async fn admit(
//!         _: &service::HeaderMap,
//!         _: &service::Store,
//!     ) -> service::Result<service::TenantStore> {
//!         todo!()
//!     }
//!     fn tenant(_: &service::TenantStore) -> &str {
//!         ""
//!     }
//! }
//! ```
//!
//! An operation that is not listed does not compile:
//!
//! ```
//! # use service::{ApiKey, Cx, Data, Effect, Operation, Result, Success, success};
//! enum Ping {}
//! impl service::Listed for Ping {
//!     const NAME: &'static str = "ping";
//!     const SUMMARY: &'static str = "";
//! }
//! impl Operation for Ping {
//!     const PATHS: &'static [&'static str] = &["/v2/ping"];
//!     const EFFECT: Effect = Effect::Reads;
//!     type Auth = ApiKey;
//!     type Request = ();
//!     type Response = Data<()>;
//!     async fn handle(_: Cx<ApiKey>, _: ()) -> Result<Success<Data<()>>> {
//!         Ok(success("Pong.", Data(())))
//!     }
//! }
//! ```
//!
//! ```compile_fail,E0277
//! # use service::{ApiKey, Cx, Data, Effect, Operation, Result, Success, success};
//! enum Ping {}
//! impl Operation for Ping {
//!     const PATHS: &'static [&'static str] = &["/v2/ping"];
//!     const EFFECT: Effect = Effect::Reads;
//!     type Auth = ApiKey;
//!     type Request = ();
//!     type Response = Data<()>;
//!     async fn handle(_: Cx<ApiKey>, _: ()) -> Result<Success<Data<()>>> {
//!         Ok(success("Pong.", Data(())))
//!     }
//! }
//! ```

#![warn(missing_docs)]

mod access;
mod call;
mod config;
pub mod cors;
mod end_users;
mod job;
mod lambda;
mod limit;
mod message;
mod operation;
mod page;
pub mod prelude;
mod registry;
mod semaphores;
mod socket;
mod worker;

pub use access::{Access, Verb};
pub use auth::{Admin, ApiKey, Level, Workspace, WorkspaceOrAdmin};
pub use aws::{
    Api, ApiFailure, ApiService, BoxMakeWriter, Boxed, Connections, Event, Exit, HeaderMap,
    HeaderValue, Incoming, Mail, MailFailure, Response, Settings as AwsSettings, Transport, header,
    init_logging, invoke_http, log_to,
};
pub use call::once::IDEMPOTENCY_KEY;
pub use call::unknown::unknown;
pub use call::usable::usable;
pub use call::{Handler, answer};
pub use config::mailing::{MailSettings, Mailing};
pub use config::names::Names;
pub use config::secrets::Secrets;
pub use config::{Config, DeliveryObserver, Environment};
pub use end_users::{Concerns, EndUserAccess, EndUserRequest, EndUsers};
pub use envelope::{
    Body, Code, Data, Entries, Entry, ErrorReply, Items, NoData, Outcome, Reported, Success,
    Written, each, entries, issue, outcome, success,
};
pub use error::{Error, ErrorCode, Result, Status};
pub use futures_util::future::{join_all, try_join};
pub use job::timer::Timer;
pub use job::{Job, Jobs};
pub use keyring::{Keyring, random_base64, random_bytes, random_id, random_text, sha256_hex};
pub use lambda::{
    Served, http_handler, page_handler, serve, serve_family, serve_page, serve_socket,
    serve_unknown, work,
};
pub use model::{Email, limits::Limits, permissions::AccessType, webhook_body};
pub use operation::{Cx, Effect, Function, Listed, Operation};
pub use page::{Page, PageSpec, Sheet, Visit};
pub use queue::{MAX_RECEIVES, Message, Queue};
pub use registry::{Family, Route, Spec, WorkerSpec};
pub use semaphores::{Permit, Semaphores};
pub use socket::{SUBPROTOCOL, Socket, SocketCx, SocketEvent, SocketSpec, offered_token};
pub use store;
pub use store::{
    Clock, Collection, Deadline, Edit, EndUser, Index, OrganizationStore, Paged, Permissions,
    Store, Table, TenantStore, Walk, Walked, WorkspaceStore,
};
pub use webhook::{Egress, Encryption, steps::AttemptOutcome};
pub use worker::trigger::{ChangeFilter, Changes, Trigger};
pub use worker::{Work, Worker};

/// Lists the operations of a crate with their descriptions. An operation that is not listed does
/// not compile.
#[macro_export]
macro_rules! operations {
    ($($listed:tt)*) => { $crate::functions! { OPERATIONS operations Route serve; $($listed)* } };
}

/// Lists the workers of a crate with their descriptions.
#[macro_export]
macro_rules! workers {
    ($($listed:tt)*) => { $crate::functions! { WORKERS workers WorkerSpec work; $($listed)* } };
}

/// Lists the pages of a crate with their descriptions.
#[macro_export]
macro_rules! pages {
    ($($listed:tt)*) => { $crate::functions! { PAGES pages PageSpec serve_page; $($listed)* } };
}

/// Lists the functions of the WebSocket API of a crate with their descriptions.
#[macro_export]
macro_rules! sockets {
    ($($listed:tt)*) => { $crate::functions! { SOCKETS sockets SocketSpec serve_socket; $($listed)* } };
}

/// Lists functions of one kind: the names of their servers and of all of them, their description as
/// a value, and what serves one.
#[doc(hidden)]
#[macro_export]
macro_rules! functions {
    (
        $servers:ident $all:ident $spec:ident $serve:ident;
        $($(#[doc = $summary:literal])+ $module:ident::$function:ident),+ $(,)?
    ) => {
        $(
            mod $module;
            pub use $module::$function;
            impl $crate::Listed for $function {
                const NAME: &'static str =
                    concat!(env!("CARGO_PKG_NAME"), ".", stringify!($module));
                const SUMMARY: &'static str = concat!($($summary),+);
            }
            impl $crate::Function for $function {
                const SERVE: fn() -> $crate::Exit = $crate::$serve::<$function>;
            }
        )+

        /// The servers of the functions of this kind.
        pub const $servers: &[$crate::Served] =
            &[$((<$function as $crate::Listed>::NAME, <$function as $crate::Function>::SERVE)),+];

        /// All functions of this kind.
        pub fn $all() -> Vec<$crate::$spec> {
            vec![$($crate::$spec::of::<$function>()),+]
        }
    };
}

/// The binary of a family: one archive for all its functions, with their names as handlers.
#[macro_export]
macro_rules! family {
    ($($served:path),+) => {
        fn main() -> $crate::Exit {
            $crate::serve_family(&[$($served),+])
        }
    };
}

/// The binary of a function.
#[macro_export]
macro_rules! main {
    ($function:ty) => {
        fn main() -> $crate::Exit {
            <$function as $crate::Function>::SERVE()
        }
    };
}
