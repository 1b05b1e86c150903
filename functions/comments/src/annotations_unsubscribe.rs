//! `POST /v2/commentannotations/unsubscribe`: mentions do not subscribe the user again.
//!
//! The user can subscribe again.
//!
//! # Errors
//! - NOT_FOUND: the thread does not exist.
//!
//! # Events
//! `comment_annotation.unsubscribe`

use model::{
    comment::{Thread, ThreadEvent},
    event::EventType,
};
use service::{Edit, prelude::*};

use crate::annotations_subscribe::{Done, Request, change};

pub enum Unsubscribe {}

impl Operation for Unsubscribe {
    const PATHS: &'static [&'static str] = &["/v2/commentannotations/unsubscribe"];
    const EFFECT: Effect = Effect::Writes;
    const END_USERS: EndUserAccess<Self::Request> = EndUserAccess::ALLOWED;
    type Auth = ApiKey;
    type Request = Request;
    type Response = Data<Done>;

    async fn handle(cx: Cx<ApiKey>, request: Request) -> Result<Success<Self::Response>> {
        let happening = ThreadEvent::new(EventType::AnnotationUnsubscribe);
        let unsubscribe = |thread: &mut Thread, user| thread.unsubscribe(user);
        let put = |thread: &Thread| Edit::put(thread.clone());
        change(&cx, request, happening, unsubscribe, put).await?;
        Ok(success("The user is unsubscribed.", Data(Done::DONE)))
    }
}
