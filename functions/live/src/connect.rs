//! `$connect`: a connection opens.

use service::{Result, Socket, SocketCx, SocketEvent};

/// The socket function.
pub enum Connect {}

impl Socket for Connect {
    const ROUTE: &'static str = "$connect";

    async fn handle(_cx: SocketCx, _event: SocketEvent) -> Result<()> {
        Ok(())
    }
}
