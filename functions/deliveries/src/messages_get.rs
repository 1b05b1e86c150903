//! `POST /v2/workspace/advancedwebhook/messages/get`: messages with the bodies of their webhooks,
//! the newest first.
//!
//! # Errors
//! - FAILED_PRECONDITION: neither advanced nor basic webhooks are enabled.

use model::{
    ApiKeyId, EndpointId, MessageId, PageToken, Timestamp, WalkSize, event::Event, time::Instant,
    webhook_endpoint::Channel,
};
use serde_json::Value;
use service::{Body, prelude::*};
use webhook::{channels_of, types::Message};

pub enum GetWebhookMessages {}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Request {
    /// Page size; 50 when absent.
    limit: Option<WalkSize>,
    /// The `iterator` or the `prevIterator` of another page; the newest messages when absent.
    iterator: Option<PageToken>,
    /// Only messages that were sent to this endpoint or are pending for it.
    endpoint_id: Option<EndpointId>,
    /// Only messages of events since this time.
    since: Option<Instant>,
}

/// A message.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "WebhookMessage")]
pub(crate) struct MessageView {
    id: MessageId,
    /// The type of the event.
    #[serde(rename = "type")]
    kind: String,
    /// Time of the event.
    timestamp: Timestamp,
    /// The body of the webhook. If it named an erased user, `expunged` is true and only ids, type
    /// and time are left.
    payload: Value,
    /// The channels of the event, as endpoints name them in `channels`.
    channels: Vec<Channel>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "WebhookMessages")]
pub struct Messages {
    messages: Vec<MessageView>,
    /// The next page, of older messages; null when done.
    iterator: Option<PageToken>,
    /// The previous page, of newer messages, sent as `iterator`; null on the first page.
    prev_iterator: Option<PageToken>,
    /// Whether there are no older messages.
    done: bool,
}

impl MessageView {
    fn of(api_key: &ApiKeyId, message: Message) -> Result<Self> {
        let body = webhook::body(api_key, &message)?;
        let channels = match &message.event {
            Event::Domain(event) => channels_of(event)?,
            _ => vec![],
        };
        Ok(Self {
            kind: message.event_type().to_owned(),
            id: message.id,
            timestamp: Timestamp(message.at),
            payload: serde_json::from_str(&body).map_err(Error::internal)?,
            channels,
        })
    }
}

impl Operation for GetWebhookMessages {
    const PATHS: &'static [&'static str] = &["/v2/workspace/advancedwebhook/messages/get"];
    const EFFECT: Effect = Effect::Reads;
    const BODY: Body = Body::Optional;
    type Auth = ApiKey;
    type Request = Request;
    type Response = Data<Messages>;

    async fn handle(cx: Cx<ApiKey>, request: Request) -> Result<Success<Self::Response>> {
        let since = request.since.as_ref().map(Instant::get);
        let filters = (&request.endpoint_id, since);
        let walk = cx.walk(request.limit, request.iterator.as_ref(), &filters)?;
        let page = cx
            .tenant()
            .webhooks()
            .list_messages(&walk, request.endpoint_id.as_ref(), since)
            .await?;
        let view = |message| MessageView::of(&cx.tenant().api_key().id, message);
        let items = page.items.into_iter().map(view);
        let messages = Messages {
            messages: items.collect::<Result<_>>()?,
            done: page.iterator.is_none(),
            iterator: page.iterator,
            prev_iterator: page.prev_iterator,
        };
        Ok(success("Webhook messages retrieved.", Data(messages)))
    }
}
