//! The body of a large reply, in pieces, so that the memory of a client that reads slowly is known.

use std::{
    pin::Pin,
    task::{Context, Poll},
};

use axum::body::{Body, Bytes};
use hyper::body::{Frame, SizeHint};

use super::shares::SharePermit;

/// Size of a piece. The server asks for the next one when the client has taken most of it.
const PIECE: usize = 64 * 1024;

/// A large reply, with its part of the memory for replies until the last piece is taken.
pub(crate) struct Large {
    left: Bytes,
    _memory: Option<SharePermit>,
}

impl Large {
    /// Whether a reply of this size needs a part of the memory.
    pub(crate) fn is(length: usize) -> bool {
        length > PIECE
    }

    pub(crate) fn body(bytes: Bytes, memory: Option<SharePermit>) -> Body {
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
