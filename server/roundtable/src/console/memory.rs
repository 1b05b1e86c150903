//! Memory of the console.

use tokio::sync::OnceCell;

use super::{inbox::Inbox, recent::Recent};

/// Memory of the console in this process.
#[derive(Default)]
pub(crate) struct Console {
    /// Calls and their answers.
    pub(crate) calls: Recent,
    /// Webhooks that arrived.
    pub(crate) inbox: Inbox,
    /// The API key of the demo, once it is there.
    pub(crate) demo: OnceCell<String>,
}
