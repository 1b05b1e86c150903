//! Events of functions behind a WebSocket API.

use std::{collections::BTreeMap, net::IpAddr};

use axum::{
    extract::{Query, Request},
    http::{HeaderMap, HeaderName, Uri, header},
};
use embedded::{Connection, Ended};
use serde_json::{Value, json};
use service::{SUBPROTOCOL, offered_token};

/// A client, as events tell of it.
#[derive(Clone)]
pub(super) struct Client {
    id: String,
    connected_at: u64,
    user_agent: String,
    from: IpAddr,
}

impl Client {
    pub(super) fn new(connection: &Connection, headers: &HeaderMap, from: IpAddr) -> Self {
        let user_agent = headers.get(header::USER_AGENT).and_then(|value| value.to_str().ok());
        Self {
            id: connection.id().to_owned(),
            connected_at: connection.connected_at(),
            user_agent: user_agent.unwrap_or_default().to_owned(),
            from,
        }
    }

    pub(super) fn connect(&self, request: &Request, now: u64) -> Value {
        let mut event = self.event("$connect", "CONNECT", now);
        let headers = request.headers().iter();
        let headers = headers.map(|(name, value)| {
            (as_sent(name), String::from_utf8_lossy(value.as_bytes()).into_owned())
        });
        event["headers"] = json!(headers.collect::<BTreeMap<_, _>>());
        // The last value of a repeated name counts.
        let query = Query::<Vec<(String, String)>>::try_from_uri(request.uri());
        let query = query.map(|Query(pairs)| BTreeMap::from_iter(pairs)).unwrap_or_default();
        if !query.is_empty() {
            event["queryStringParameters"] = json!(query);
        }
        event
    }

    pub(super) fn message(&self, text: String, now: u64) -> Value {
        let mut event = self.event("$default", "MESSAGE", now);
        event["requestContext"]["messageId"] = event["requestContext"]["requestId"].clone();
        event["body"] = Value::String(text);
        event
    }

    pub(super) fn disconnect(&self, ended: Ended, now: u64) -> Value {
        let mut event = self.event("$disconnect", "DISCONNECT", now);
        event["headers"] = json!({ "Host": "localhost" });
        event["requestContext"]["disconnectStatusCode"] = json!(ended.code);
        event["requestContext"]["disconnectReason"] = json!(ended.reason);
        event
    }

    fn event(&self, route: &str, kind: &str, now: u64) -> Value {
        let request_id = keyring::random_text::<12>().unwrap_or_default();
        json!({
            "requestContext": {
                "routeKey": route,
                "eventType": kind,
                "messageDirection": "IN",
                "stage": "live",
                "connectedAt": self.connected_at,
                "requestTimeEpoch": now,
                "identity": { "sourceIp": self.from.to_string(), "userAgent": self.user_agent },
                "requestId": request_id,
                "extendedRequestId": request_id,
                "domainName": "localhost",
                "connectionId": self.id,
                "apiId": "local",
            },
            "isBase64Encoded": false,
        })
    }
}

/// The token of a connection: beside its subprotocol, or in the query.
pub(super) fn token(request: &Request) -> Option<String> {
    let offered = request.headers().get(SUBPROTOCOL).and_then(|value| value.to_str().ok());
    let token = offered.and_then(offered_token).map(str::to_owned);
    token.or_else(|| parameter(request.uri(), "token"))
}

/// The value of a parameter of the query; the last one counts.
pub(super) fn parameter(uri: &Uri, wanted: &str) -> Option<String> {
    let Query(pairs) = Query::<Vec<(String, String)>>::try_from_uri(uri).ok()?;
    pairs.into_iter().rev().find_map(|(name, value)| (name == wanted).then_some(value))
}

/// Browsers send names in capitals, and API Gateway passes them on as they came.
fn as_sent(name: &HeaderName) -> String {
    let capital = |word: &str| {
        let (first, rest) = word.split_at(word.len().min(1));
        first.to_ascii_uppercase() + rest
    };
    name.as_str().split('-').map(capital).collect::<Vec<_>>().join("-")
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderName;

    use super::as_sent;

    #[test]
    fn names_of_headers_have_capitals() {
        assert_eq!(as_sent(&HeaderName::from_static("user-agent")), "User-Agent");
        assert_eq!(as_sent(&HeaderName::from_static("origin")), "Origin");
    }
}
