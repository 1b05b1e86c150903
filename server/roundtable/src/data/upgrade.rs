//! Changes of the data from one format to the next.

use std::{path::Path, thread, time::Duration};

use service::{Deadline, Keyring, prelude::*};

use crate::host::environment_of;

/// Time between two lines of progress.
const STEP: Duration = Duration::from_secs(60);

/// From format 1 to 2: deletions of earlier versions are repeated where they left something
/// (decision 101). Once the data are served, the ordinary clean-up removes it.
///
/// # Errors
/// A sentence: the data cannot be opened, read or written. A repetition begins anew.
pub(crate) fn repair_deletions(folder: &Path) -> Result<(), String> {
    // The caller may be in a runtime, which its thread must not block.
    let work = || {
        let runtime = tokio::runtime::Runtime::new().map_err(|e| e.to_string())?;
        runtime.block_on(repair(folder))
    };
    thread::scope(|scope| scope.spawn(work).join())
        .unwrap_or_else(|_| Err("the repair of deletions panicked".to_owned()))
}

async fn repair(folder: &Path) -> Result<(), String> {
    // No secret is read or written.
    let random = || keyring::random_text::<32>().map_err(|_| "the system has no randomness");
    let (secret, admin_token) = (random()?, random()?);
    let keyring = Keyring::parse(&format!("upgrade={secret}")).map_err(|e| e.to_string())?;
    let environment = environment_of(folder, keyring, admin_token.clone()).await?;
    let failed = |e: Error| format!("deletions cannot be repaired: {}", e.message);
    let operator = environment.store().open_admin(Some(&admin_token)).map_err(failed)?;
    let (mut items, mut repeated, mut listed, mut unnamed, mut next) = (0, 0, 0, 0, None);
    loop {
        let deadline = Deadline::after(environment.now(), STEP);
        let done = operator.survivors().repair(next.as_ref(), deadline).await.map_err(failed)?;
        items += done.items;
        repeated += done.repeated;
        listed += done.listed;
        unnamed += done.unnamed;
        tracing::info!(
            items,
            repeated,
            listed,
            unnamed,
            "Deletions of earlier versions were repaired."
        );
        match done.next {
            Some(after) => next = Some(after),
            None => return Ok(()),
        }
    }
}
