//! A limit of concurrent calls per account, like the concurrency limits of a Lambda account, so
//! that the flood of an account waits for itself.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};

use axum::{
    body::Body,
    extract::{Request, State},
    http::{HeaderMap, Response},
    middleware::Next,
};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Maximum number of concurrent calls of an account; more wait.
const AT_ONCE: usize = 4;
/// Maximum number of remembered accounts; beyond it, idle ones are dropped.
const MAX_KEPT: usize = 4096;
/// The headers that identify an account, verified or not.
const ACCOUNTS: [&str; 3] = ["x-service-api-key", "x-service-workspace-id", "authorization"];

/// Accounts with concurrent calls.
#[derive(Default)]
pub(crate) struct Turns {
    accounts: Mutex<HashMap<Vec<u8>, Arc<Semaphore>>>,
}

impl Turns {
    /// Dropping the permit ends a turn. Calls without an account, such as those of the operator,
    /// are not limited.
    async fn take(&self, headers: &HeaderMap) -> Option<OwnedSemaphorePermit> {
        let account = ACCOUNTS.iter().find_map(|name| headers.get(*name))?;
        self.of(account.as_bytes()).acquire_owned().await.ok()
    }

    fn of(&self, account: &[u8]) -> Arc<Semaphore> {
        let mut accounts = self.accounts.lock().unwrap_or_else(PoisonError::into_inner);
        if accounts.len() >= MAX_KEPT {
            accounts.retain(|_, turns| Arc::strong_count(turns) > 1);
        }
        let turns = || Arc::new(Semaphore::new(AT_ONCE));
        Arc::clone(accounts.entry(account.to_owned()).or_insert_with(turns))
    }
}

/// Makes a call in the turn of its account.
pub(crate) async fn wait(
    State(turns): State<Arc<Turns>>,
    request: Request,
    next: Next,
) -> Response<Body> {
    let _turn = turns.take(request.headers()).await;
    next.run(request).await
}
