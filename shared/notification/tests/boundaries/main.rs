//! The rules at their edges (rules N1 to N18), one at a time.

mod conformance;
mod delay;
mod differing;
mod last_check;
mod mails;
mod memory_tenant;
mod windows;

use memory_tenant::MemoryTenant;
use notification::{BatchLimits, RowKey, wake};

/// Lambda moves a handler's future among threads.
#[test]
fn a_driver_can_be_sent_to_another_thread() {
    fn is_send<T: Send>(_: T) {}
    let (tenant, key) =
        (MemoryTenant::new(Default::default()), RowKey::Pending { event_id: "e".to_owned() });
    is_send(wake(&tenant, &tenant, &key));
    is_send(notification::intake(
        &tenant,
        &tenant,
        memory_tenant::event("e", 0),
        notification::Policy {
            delay: None,
            channels: notification::Channels::ALL,
            open: notification::Channels::ALL,
            limits: BatchLimits::default(),
        },
    ));
}
