//! `$disconnect`: a connection has ended. API Gateway does not promise to tell; otherwise the next
//! message to it finds out.

use service::{Result, Socket, SocketCx, SocketEvent};

use crate::gone;

/// The socket function.
pub enum Disconnect {}

impl Socket for Disconnect {
    const ROUTE: &'static str = "$disconnect";

    async fn handle(cx: SocketCx, event: SocketEvent) -> Result<()> {
        gone::forget(cx.live(), vec![event.connection_id().to_owned()]).await
    }
}
