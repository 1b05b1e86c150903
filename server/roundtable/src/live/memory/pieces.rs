//! Large frames of clients as several ones (RFC 6455, section 5.4). The library makes room for a frame
//! once its head has come, and a connection keeps that room for good: of a message in pieces, it keeps
//! nothing.

use std::{
    io,
    pin::Pin,
    task::{Context, Poll, ready},
};

use tokio::io::{AsyncRead, ReadBuf};

use crate::live::bounds::MAX_MESSAGE;

/// Payload of a piece, in bytes: a multiple of the length of masks, which so fit each piece.
const PIECE: u64 = 64 * 1024;
/// Bytes that are read at once where a frame begins.
const CHUNK: usize = 16 * 1024;
/// Bits of the first two bytes of a head.
const FINAL: u8 = 0x80;
const CONTROL: u8 = 0x08;
const MASKED: u8 = 0x80;
const LENGTH: u8 = 0x7f;

/// The frames of a connection, of which large ones are in pieces.
#[derive(Default)]
pub(super) struct Pieces {
    /// Bytes that were read and are still to be taken apart.
    ahead: Vec<u8>,
    /// A head, or its beginning.
    head: Vec<u8>,
    /// Bytes for the reader before the payload.
    made: Vec<u8>,
    /// Payload that the piece and the frame still have.
    piece: u64,
    left: u64,
    mask: [u8; 4],
    is_final: bool,
}

impl Pieces {
    /// Reads as [`AsyncRead::poll_read`] does.
    pub(super) fn poll_read(
        &mut self,
        io: &mut (impl AsyncRead + Unpin),
        cx: &mut Context<'_>,
        buf: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buf.filled().len();
        while buf.remaining() > 0 {
            if !self.made.is_empty() {
                give(&mut self.made, u64::MAX, buf);
            } else if self.piece > 0 && !self.ahead.is_empty() {
                let given = give(&mut self.ahead, self.piece, buf);
                self.passed(given);
            } else if self.piece == 0 && !self.ahead.is_empty() {
                self.begin();
            } else if buf.filled().len() > before {
                break;
            } else if self.piece > 0 {
                let most = buf.remaining().min(usize::try_from(self.piece).unwrap_or(usize::MAX));
                let mut part = ReadBuf::new(buf.initialize_unfilled_to(most));
                ready!(Pin::new(&mut *io).poll_read(cx, &mut part))?;
                let read = part.filled().len();
                buf.advance(read);
                self.passed(read as u64);
                break;
            } else {
                let mut chunk = [0; CHUNK];
                let mut chunk = ReadBuf::new(&mut chunk);
                ready!(Pin::new(&mut *io).poll_read(cx, &mut chunk))?;
                if chunk.filled().is_empty() {
                    give(&mut self.head, u64::MAX, buf);
                    break;
                }
                self.ahead = chunk.filled().to_vec();
            }
        }
        Poll::Ready(Ok(()))
    }

    /// Takes note of payload that was passed on; begins the next piece behind the last byte of one.
    fn passed(&mut self, bytes: u64) {
        self.piece -= bytes;
        self.left -= bytes;
        if self.piece == 0 && self.left > 0 {
            self.continue_with(0);
        }
    }

    /// Takes a head from what was read.
    fn begin(&mut self) {
        let missing = length_of(&self.head).saturating_sub(self.head.len());
        let taken = self.ahead.drain(..missing.min(self.ahead.len()));
        self.head.extend(taken);
        if self.head.len() < length_of(&self.head) {
            return;
        }
        let head = std::mem::take(&mut self.head);
        let length = payload_of(&head);
        let is_whole = length <= PIECE
            || length > MAX_MESSAGE as u64
            || head[0] & CONTROL != 0
            || head[1] & MASKED == 0;
        self.left = length;
        if is_whole {
            (self.made, self.piece) = (head, length);
            return;
        }
        self.is_final = head[0] & FINAL != 0;
        self.mask.copy_from_slice(&head[head.len() - 4..]);
        self.continue_with(head[0] & !FINAL);
    }

    /// Makes the head of the next piece, of which the first byte has these bits.
    fn continue_with(&mut self, first: u8) {
        self.piece = self.left.min(PIECE);
        let is_last = self.piece == self.left && self.is_final;
        self.made.push(first | if is_last { FINAL } else { 0 });
        self.made.push(MASKED | 127);
        self.made.extend(self.piece.to_be_bytes());
        self.made.extend(self.mask);
    }
}

/// Moves bytes from the begin of a buffer to a reader; returns how many.
fn give(from: &mut Vec<u8>, most: u64, to: &mut ReadBuf<'_>) -> u64 {
    let most = usize::try_from(most).unwrap_or(usize::MAX);
    let count = from.len().min(to.remaining()).min(most);
    to.put_slice(&from[..count]);
    match count == from.len() {
        true => *from = Vec::new(),
        false => drop(from.drain(..count)),
    }
    count as u64
}

/// The length of a head, as far as its beginning says it.
fn length_of(head: &[u8]) -> usize {
    let Some(second) = head.get(1) else { return 2 };
    let extended = match second & LENGTH {
        126 => 2,
        127 => 8,
        _ => 0,
    };
    2 + extended + if second & MASKED == 0 { 0 } else { 4 }
}

/// The length of the payload behind a whole head.
fn payload_of(head: &[u8]) -> u64 {
    let extended = match head[1] & LENGTH {
        126 => &head[2..4],
        127 => &head[2..10],
        length => return length.into(),
    };
    extended.iter().fold(0, |length, byte| length << 8 | u64::from(*byte))
}

#[cfg(test)]
mod tests {
    use std::{
        pin::Pin,
        task::{Context, Poll},
    };

    use futures_util::{SinkExt, StreamExt};
    use tokio::io::{AsyncRead, AsyncWrite, AsyncWriteExt, DuplexStream, ReadBuf, duplex};
    use tokio_tungstenite::{
        WebSocketStream,
        tungstenite::{
            Error, Message,
            protocol::{Role, WebSocketConfig},
        },
    };

    use super::{MAX_MESSAGE, PIECE, Pieces};

    struct Pieced(DuplexStream, Pieces, usize);

    impl AsyncRead for Pieced {
        fn poll_read(
            self: Pin<&mut Self>,
            cx: &mut Context<'_>,
            buf: &mut ReadBuf<'_>,
        ) -> Poll<std::io::Result<()>> {
            let Self(io, pieces, most) = self.get_mut();
            let mut part = buf.take((*most).min(buf.remaining()));
            let read = pieces.poll_read(io, cx, &mut part);
            let bytes = part.filled().to_vec();
            buf.put_slice(&bytes);
            read
        }
    }

    impl AsyncWrite for Pieced {
        fn poll_write(
            mut self: Pin<&mut Self>,
            cx: &mut Context<'_>,
            buf: &[u8],
        ) -> Poll<std::io::Result<usize>> {
            Pin::new(&mut self.0).poll_write(cx, buf)
        }

        fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<std::io::Result<()>> {
            Pin::new(&mut self.0).poll_flush(cx)
        }

        fn poll_shutdown(
            mut self: Pin<&mut Self>,
            cx: &mut Context<'_>,
        ) -> Poll<std::io::Result<()>> {
            Pin::new(&mut self.0).poll_shutdown(cx)
        }
    }

    /// A server that reads so many bytes at once, of which no frame may be larger than a piece, and a
    /// client.
    async fn connected(most: usize) -> (WebSocketStream<Pieced>, WebSocketStream<DuplexStream>) {
        let (server, client) = duplex(100_000);
        let config = WebSocketConfig::default()
            .max_frame_size(Some(PIECE as usize))
            .max_message_size(Some(MAX_MESSAGE));
        let server = Pieced(server, Pieces::default(), most);
        (
            WebSocketStream::from_raw_socket(server, Role::Server, Some(config)).await,
            WebSocketStream::from_raw_socket(client, Role::Client, None).await,
        )
    }

    #[tokio::test]
    async fn messages_of_each_size_come_whole_in_frames_that_are_small() {
        let piece = PIECE as usize;
        let sizes = [0, 1, 125, 126, 65_535, piece, piece + 1, 2 * piece, 300_001, 3, 1_000_000];
        for most in [1, 7, 4096, usize::MAX] {
            let (mut server, mut client) = connected(most).await;
            let message = |size: usize| (0..size).map(|at| at as u8).collect::<Vec<u8>>();
            let sizes = if most < 4096 { &sizes[..8] } else { &sizes };
            let sending = async {
                for size in sizes {
                    client.feed(Message::binary(message(*size))).await.expect("taken");
                    client.feed(Message::Ping(vec![1; 9].into())).await.expect("taken");
                }
                client.flush().await.expect("sent");
                client.close(None).await.expect("closed");
            };
            let reading = async {
                let mut read = vec![];
                while let Some(Ok(heard)) = server.next().await {
                    if let Message::Binary(bytes) = heard {
                        read.push(bytes);
                    }
                }
                read
            };
            let (_, read) = tokio::join!(sending, reading);
            assert_eq!(read.len(), sizes.len());
            assert!(read.iter().zip(sizes).all(|(read, size)| **read == *message(*size)));
        }
    }

    #[tokio::test]
    async fn frames_against_the_protocol_are_refused_as_without_pieces() {
        let too_long = [&[0x82, 0xff][..], &u64::MAX.to_be_bytes(), &[0; 64]].concat();
        let unmasked = [&[0x82, 0x7f][..], &60_000u64.to_be_bytes(), &[0; 60_000]].concat();
        let cut = [&[0x82, 0xff][..], &100_000u64.to_be_bytes(), &[0; 70_000]].concat();
        for (bytes, kind) in [(too_long, "too long"), (unmasked, "protocol"), (cut, "protocol")] {
            let (mut server, client) = connected(usize::MAX).await;
            let mut raw = client.into_inner();
            let sending = async {
                // A server that refuses reads no further.
                let _ = raw.write_all(&bytes).await;
                drop(raw);
            };
            let reading = async {
                let heard = server.next().await;
                drop(server);
                heard
            };
            let (_, heard) = tokio::join!(sending, reading);
            let is = match heard {
                Some(Err(Error::Capacity(_))) => "too long",
                Some(Err(Error::Protocol(_))) => "protocol",
                other => panic!("{kind}: {other:?}"),
            };
            assert_eq!(is, kind);
        }
    }
}
