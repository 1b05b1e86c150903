//! The rules at their edges (rules N1 to N18), one at a time.

mod conformance;
mod delay;
mod desk;
mod differing;
mod last_check;
mod mails;
mod windows;

use desk::Desk;
use notification::{Limits, RowKey, wake};

/// Lambda moves a handler's future among threads.
#[test]
fn a_driver_can_be_sent_to_another_thread() {
    fn is_send<T: Send>(_: T) {}
    let (desk, key) = (Desk::new(Default::default()), RowKey::Pending { event_id: "e".to_owned() });
    is_send(wake(&desk, &desk, &key));
    is_send(notification::intake(
        &desk,
        &desk,
        desk::event("e", 0),
        notification::Policy {
            delay: None,
            channels: notification::Channels::ALL,
            open: notification::Channels::ALL,
            limits: Limits::default(),
        },
    ));
}
