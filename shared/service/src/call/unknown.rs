//! Routes of no operation: the health check, and everything that is not there.

use aws::{Incoming, Response};
use error::{Error, Result};

use crate::call::{refusals, reply};

/// The health check path.
const HEALTH: &str = "/health";

/// The reply for every unknown path and method; `paths` are those of operations.
pub fn unknown(incoming: &Incoming, paths: &[&str]) -> Response<aws::Body> {
    if incoming.path == HEALTH && matches!(incoming.method.as_str(), "GET" | "HEAD") {
        return reply(&incoming.request_id, healthy());
    }
    if let Some(unlogged) = refusals::note() {
        let request_id = &incoming.request_id;
        tracing::info!(request_id, unlogged, "A call of an unknown route was refused.");
    }
    let message = match envelope::nearest(&incoming.path, paths) {
        Some(path) if path == incoming.path => format!("Operations are called by POST {path}."),
        Some(path) => format!("There is no such route. Did you mean POST {path}?"),
        None => "There is no such route.".to_owned(),
    };
    reply(&incoming.request_id, Err(Error::not_found(message)))
}

fn healthy() -> Result<(u16, aws::Body)> {
    let body = envelope::success("The service answers.", envelope::NoData {});
    let body = serde_json::to_string(&body).map_err(Error::internal)?;
    Ok((200, body.into()))
}
