//! Serves `notifications.trace_get`.

service::main!(notifications::GetTrace);
