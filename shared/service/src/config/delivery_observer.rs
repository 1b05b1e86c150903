//! Observers of deliveries.

use webhook::steps::AttemptOutcome;

/// Takes note of attempts to deliver webhooks, for figures of a process with many functions.
pub trait DeliveryObserver: Send + Sync {
    /// An attempt has ended. The worker waits.
    fn attempted(&self, outcome: AttemptOutcome);
}
