//! The rules at their edges (rules N1 to N18), one at a time.

mod conformance;
mod delay;
mod desk;
mod differing;
mod last_check;
mod mails;
mod windows;

use delivery::{Limits, RowKey, wake};
use desk::Desk;

/// Lambda moves a handler's future among threads.
#[test]
fn a_driver_can_be_sent_to_another_thread() {
    fn is_send<T: Send>(_: T) {}
    let (desk, key) = (Desk::new(Default::default()), RowKey::Pending { event_id: "e".to_owned() });
    is_send(wake(&desk, &desk, &key));
    is_send(delivery::intake(
        &desk,
        &desk,
        desk::event("e", 0),
        delivery::Policy {
            delay: None,
            channels: delivery::Channels::ALL,
            open: delivery::Channels::ALL,
            limits: Limits::default(),
        },
    ));
}
