//! The body of a reply, whose client is known to read it or not.

use std::{
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
};

use axum::body::{Body, Bytes};
use hyper::body::{Frame, SizeHint};

use super::clients::Client;

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
