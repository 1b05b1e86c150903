//! Protocols of connections.

use serde::{Deserialize, Serialize};

/// Protocol of a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Protocol {
    /// y-websocket.
    Y,
    /// Hocuspocus.
    Hocuspocus,
    /// Events, in JSON.
    Events,
}

impl Protocol {
    const ALL: [Self; 3] = [Self::Y, Self::Hocuspocus, Self::Events];

    /// The name on the wire.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Y => "y",
            Self::Hocuspocus => "hocuspocus",
            Self::Events => "events",
        }
    }

    /// The protocol of that name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|protocol| protocol.name() == name)
    }
}
