//! Ports between clients and services, which change requests and replies.

use std::sync::Arc;

use parking_lot::Mutex;
use serde_json::Value;

/// A part of a service that is broken: it changes requests before they are executed, and replies
/// before they arrive. For tests that have to notice.
pub trait Port: Send + Sync {
    /// Changes a request of a caller, whose name is that of its role.
    fn ask(&self, caller: &str, operation: &str, request: &mut Value);

    /// Changes the reply.
    fn answer(&self, caller: &str, operation: &str, reply: &mut Value) {
        let _ = (caller, operation, reply);
    }
}

/// The port that is in place, if any.
#[derive(Default)]
pub(crate) struct Ports(Mutex<Option<Arc<dyn Port>>>);

impl Ports {
    pub(crate) fn set(&self, port: Option<Arc<dyn Port>>) {
        *self.0.lock() = port;
    }

    pub(crate) fn get(&self) -> Option<Arc<dyn Port>> {
        self.0.lock().clone()
    }
}
