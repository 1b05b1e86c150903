//! Runs `journal.retry`.

service::worker!(journal::RetryEvent);
