//! Every operation and worker in one process, over an embedded DynamoDB, SQS and SES.
//!
//! Handlers get the same Lambda events as deployed functions and use the same SDK; only the
//! endpoints differ. `cargo run` serves this, and the tests run against it. The modules are rooms, each
//! of which uses those above it in this list; no room has the state of another one.

mod net;

mod host;

mod data;

mod watch;

mod live;

mod laptop;

mod router;

pub use data::{
    Archive, AwsStack, BackupSchedule, DataDir, EnvFile, back_up, beside, create_for_owner_only,
    export_folder, export_stack, read_secret, restore,
};
#[cfg(unix)]
pub use data::{ControlRequest, listen, order};
pub use embedded::{Lifetime, Smtp};
pub use host::{
    Arrival, AwsPort, Delays, HostSetup, PREFIX, Sources, arn, config, dead_letters_name,
    of_request, queue_name, queue_record, table_name,
};
pub use laptop::DevelopmentKey;
pub use live::LiveOptions;
pub use markdown::{Page, address};
pub use net::{ConnectionLimits, GatewayOptions, Proxies, ProxyHeader, PublicUrl};
pub use router::{Setup, Stack, serve, serve_metrics};
pub use watch::ask_ready;
