//! `$default`: a connection says something.

use service::{Result, Socket, SocketCx, SocketEvent};

/// The socket function.
pub enum Message {}

impl Socket for Message {
    const ROUTE: &'static str = "$default";

    async fn handle(_cx: SocketCx, _event: SocketEvent) -> Result<()> {
        Ok(())
    }
}
