//! Runs `journal.retry`.

service::main!(journal::RetryEvent);
