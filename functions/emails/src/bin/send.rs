//! Runs `emails.send`.

service::worker!(emails::EmailsSend);
