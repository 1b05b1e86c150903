//! `$disconnect`: a connection has ended.

use service::{Result, Socket, SocketCx, SocketEvent};

/// The socket function.
pub enum Disconnect {}

impl Socket for Disconnect {
    const ROUTE: &'static str = "$disconnect";

    async fn handle(_cx: SocketCx, _event: SocketEvent) -> Result<()> {
        Ok(())
    }
}
