//! The only crate that names an AWS SDK or the Lambda runtime.
//!
//! Nothing here is generic and every future is boxed. Async and generic code is compiled where it
//! is used, so code that leaked out of this crate would be compiled again in each function.

#![warn(missing_docs)]

mod api;
mod connections;
mod dynamo;
mod failure;
mod lambda;
mod sdk;
mod secrets;
mod ses;
mod signed;
mod sqs;
mod transport;

use std::{future::Future, pin::Pin};

pub use api::{Api, ApiFailure, ApiService};
pub use connections::{LiveConnections, PostFailure};
pub use dynamo::Dynamo;
pub use dynamo::meter::{Meter, Usage};
pub use dynamo::read::{BatchRead, Query, QueryPage};
pub use dynamo::statement::Statement;
pub use dynamo::write::{BatchWrite, Condition, Update, Write};
pub use failure::{Cancellation, Failure};
pub use lambda::{
    BoxMakeWriter, Event, EventHandler, Exit, HttpHandler, Incoming, http, init_logging,
    invoke_http, log_to, run_events,
};
pub use lambda_http::Body;
pub use lambda_http::http::{HeaderMap, HeaderName, HeaderValue, Response, StatusCode, header};
pub use sdk::{Connections, Settings};
pub use secrets::secret;
pub use ses::{Mail, MailFailure, Ses};
pub use sqs::{Outgoing, Refused, Sqs};
pub use transport::Transport;

/// A boxed future.
pub type Boxed<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// A DynamoDB item.
pub type Item = std::collections::HashMap<String, Value>;
pub use aws_sdk_dynamodb::{primitives::Blob, types::AttributeValue as Value};
