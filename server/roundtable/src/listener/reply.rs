//! The body of a reply, in pieces, so that memory and time of a client that reads slowly are known.

use std::{
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
};

use axum::body::{Body, Bytes};
use hyper::body::{Frame, SizeHint};

use super::clients::Client;
use crate::shares::Share;

/// Size of a piece. The server asks for the next one when the client has taken most of it.
const PIECE: usize = 64 * 1024;

/// A large reply, with its part of the memory for replies until the last piece is taken.
pub(crate) struct Large {
    left: Bytes,
    _memory: Option<Share>,
}

impl Large {
    /// Whether a reply of this size needs a part of the memory.
    pub(crate) fn is(length: usize) -> bool {
        length > PIECE
    }

    pub(crate) fn body(bytes: Bytes, memory: Option<Share>) -> Body {
        Body::new(Self { left: bytes, _memory: memory })
    }
}

impl hyper::body::Body for Large {
    type Data = Bytes;
    type Error = std::convert::Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Self::Error>>> {
        if self.left.is_empty() {
            return Poll::Ready(None);
        }
        let size = PIECE.min(self.left.len());
        // A copy, so that the rest of the reply does not wait for the piece that is sent last.
        let piece = Bytes::copy_from_slice(&self.left.split_to(size));
        Poll::Ready(Some(Ok(Frame::data(piece))))
    }

    fn is_end_stream(&self) -> bool {
        self.left.is_empty()
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(self.left.len() as u64)
    }
}

/// The body of any reply, which tells how far the client is with it.
pub(super) struct Told {
    body: Body,
    client: Arc<Client>,
}

impl Told {
    pub(super) fn new(body: Body, client: Arc<Client>) -> Self {
        client.replies();
        Self { body, client }
    }
}

impl hyper::body::Body for Told {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let frame = Pin::new(&mut self.body).poll_frame(cx);
        if let Poll::Ready(Some(Ok(frame))) = &frame
            && let Some(data) = frame.data_ref()
        {
            self.client.takes(data.len());
        }
        frame
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

impl Drop for Told {
    fn drop(&mut self) {
        self.client.waits();
    }
}
