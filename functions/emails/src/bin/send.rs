//! Runs `emails.send`.

service::main!(emails::EmailsSend);
