//! The end of a connection.

use std::time::Duration;

use embedded::Ended;
use futures_util::{SinkExt, StreamExt};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite};
use tokio_tungstenite::{
    WebSocketStream,
    tungstenite::{Error, Message, protocol::CloseFrame},
};

/// How long a client may take for what is left to be sent, and for its own end.
pub(super) const FAREWELL: Duration = Duration::from_secs(1);

pub(super) const LOST: Ended = Ended { code: 1006, reason: "Connection lost" };
/// The end of a connection that sent no token in time, which its client may open again; and of one
/// whose token is refused.
pub(super) const SILENT: Ended = Ended { code: 4503, reason: "No token came within ten seconds." };
pub(super) const REFUSED: Ended =
    Ended { code: 4401, reason: "The token is none, or has expired." };

/// Closes a connection, and waits for the client to do the same.
pub(super) async fn farewell<IO: AsyncRead + AsyncWrite + Unpin>(
    mut socket: WebSocketStream<IO>,
    code: u16,
    reason: &str,
) -> Result<(), Error> {
    let frame = CloseFrame { code: code.into(), reason: reason.into() };
    socket.send(Message::Close(Some(frame))).await?;
    while let Some(message) = socket.next().await {
        if matches!(message, Ok(Message::Close(_))) {
            return Ok(());
        }
    }
    // With bytes unread the connection would be reset, and the client not learn why.
    let (mut io, mut unread) = (socket.into_inner(), [0; 4096]);
    while io.read(&mut unread).await.is_ok_and(|bytes| bytes > 0) {}
    Ok(())
}
