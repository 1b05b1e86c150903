//! What is due later than a queue can wait.

service::workers! {
    /// Sends messages whose time has come to their queues.
    release::Release,
}
