//! DynamoDB, DynamoDB Streams, SQS, SES and `@connections` of API Gateway within a process, and on a
//! port for others.
//!
//! DynamoDB is dynoxide; SQS is this crate's own, on one SQLite file; mails go to a folder or an
//! SMTP server; messages to connected clients go to the server of their connections. In addition to
//! the real services, there is an injected clock, a log of every call with its consumed capacity,
//! and injected faults between a client and the store. Callers have roles, as in IAM, and are
//! refused missing rights. Each module uses those above it in this list.

mod base;

mod disk;

mod dynamodb;

mod sqs;

mod mail;

mod connections;

mod testing;

mod roles;

mod services;

pub use base::{ACCOUNT, Clock, Error, REGION};
pub use connections::{Connection, Connections, Ended, Inbox, Lifetime, Posted};
pub use disk::{Database, Observer, Snapshot};
pub use dynamodb::{ItemFilter, StreamPage, StreamRecord};
pub use mail::{SentMail, Smtp};
pub use roles::{Asked, OWNER, Roles, Statement, connections_arn, mail_arn, table_arn};
pub use services::{Door, EmbeddedServices, Files, Options};
pub use sqs::{QueueDepth, StoredMessage, WaitingMessage};
pub use testing::{Call, Effect, Fault, Hold, MAX_CALLS, Port, Service};
