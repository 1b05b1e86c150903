//! Runs `emails.feedback`.

service::worker!(emails::EmailsFeedback);
