//! `$disconnect`: a connection has ended. API Gateway does not guarantee this call; without it, the
//! next post to the connection fails.

use service::{Socket, SocketCx, SocketEvent, prelude::*};

use crate::departures;

pub enum Disconnect {}

impl Socket for Disconnect {
    const ROUTE: &'static str = "$disconnect";

    async fn handle(cx: SocketCx, event: SocketEvent) -> Result<()> {
        departures::forget(cx.live(), vec![event.connection_id().to_owned()]).await
    }
}
