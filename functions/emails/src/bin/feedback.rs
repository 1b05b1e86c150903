//! Runs `emails.feedback`.

service::main!(emails::EmailsFeedback);
