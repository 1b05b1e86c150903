//! Types of webhooks: endpoints, the ledger of their messages and deliveries, and the messages of
//! the queue.

mod endpoint;
mod ledger;
mod target;
mod task;

pub use endpoint::{Earlier, MAX_REPLACED, Signing, Subscription, WebhookEndpoint};
pub use ledger::{
    AttemptFailure, AttemptRecord, AttemptTrigger, BASIC_PROCESSED, BASIC_RAW, Context, Delivery,
    DeliveryStatus, EndpointState, ListedAttempt, Message, RETENTION, Versioned,
};
pub use target::{CurrentTarget, DeliveryWrite};
pub use task::{DeliveryTask, EditorRef, WebhookTask};
