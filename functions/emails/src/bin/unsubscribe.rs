//! Serves `emails.unsubscribe`.

service::main!(emails::EmailsUnsubscribe);
