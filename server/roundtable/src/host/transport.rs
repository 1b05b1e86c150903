//! The embedded AWS, for functions in this process.

use std::sync::Arc;

use axum::http::{Request, Response};
use embedded::Door;
use service::{Boxed, Connections, Transport};

struct Embedded(Door);

impl Transport for Embedded {
    fn call(&self, request: Request<Vec<u8>>) -> Boxed<'static, Response<Vec<u8>>> {
        let door = self.0.clone();
        Box::pin(async move {
            // Calls alternate as they do over a network, and no task keeps its thread for itself.
            tokio::task::yield_now().await;
            let (head, body) = request.into_parts();
            door.answer(&head.method, &head.uri, &head.headers, &body).await
        })
    }

    fn post_all(
        &self,
        caller: &str,
        posts: Vec<(String, Arc<str>)>,
    ) -> Boxed<'static, Option<Vec<u16>>> {
        let (door, caller) = (self.0.clone(), caller.to_owned());
        Box::pin(async move {
            tokio::task::yield_now().await;
            door.post_all(&caller, &posts).await
        })
    }

    fn version(&self, table: &str, partition: &str, sort: &str) -> u64 {
        self.0.version(table, partition, sort)
    }
}

/// Requests to AWS go through `door`.
pub(crate) fn through(door: Door) -> Connections {
    Connections::in_process(Arc::new(Embedded(door)))
}
