//! A call that waits between a client and the store until a test lets it go on.

use std::sync::Arc;

use tokio::sync::watch;

/// Where the call is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    /// Not yet sent.
    Ahead,
    Waiting,
    Released,
}

/// A gate for one call. Clones are the same gate.
#[derive(Clone, Debug)]
pub struct Hold(Arc<watch::Sender<Stage>>);

impl Default for Hold {
    fn default() -> Self {
        Self(Arc::new(watch::Sender::new(Stage::Ahead)))
    }
}

impl PartialEq for Hold {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for Hold {}

impl Hold {
    /// Completes when a call waits at the gate, or has passed it.
    pub async fn reached(&self) {
        self.until(|stage| stage != Stage::Ahead).await;
    }

    /// Whether a call waits at the gate.
    #[must_use]
    pub fn is_waiting(&self) -> bool {
        *self.0.borrow() == Stage::Waiting
    }

    /// Lets the call go on, now or when it comes.
    pub fn release(&self) {
        self.0.send_replace(Stage::Released);
    }

    /// Waits at the gate.
    pub(crate) async fn pass(&self) {
        self.0.send_if_modified(|stage| {
            let comes = *stage == Stage::Ahead;
            if comes {
                *stage = Stage::Waiting;
            }
            comes
        });
        self.until(|stage| stage == Stage::Released).await;
    }

    async fn until(&self, is_so: impl Fn(Stage) -> bool) {
        // The sender lives as long as this gate.
        let _ = self.0.subscribe().wait_for(|stage| is_so(*stage)).await;
    }
}
