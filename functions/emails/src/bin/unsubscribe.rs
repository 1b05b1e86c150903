//! Serves `emails.unsubscribe`.

service::page!(emails::EmailsUnsubscribe);
