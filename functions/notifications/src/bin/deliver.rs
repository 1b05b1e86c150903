//! Runs `notifications.deliver`.

service::worker!(notifications::Deliver);
