//! HTTP requests as events of API Gateway (payload format 2.0).

use std::net::IpAddr;

use axum::{
    body::Bytes,
    http::{HeaderMap, Method, Uri},
};
use base64::{Engine, engine::general_purpose::STANDARD};
use serde_json::{Map, Value, json};

/// The arrival of a request at the gateway.
#[derive(Clone, Copy, Debug)]
pub struct Arrival<'a> {
    /// The id that the request gets.
    pub id: &'a str,
    /// The time, in epoch milliseconds.
    pub at: u64,
    /// The address of the client.
    pub from: IpAddr,
}

/// The event of a request. `route` is its key, `$default` where no operation has the path.
pub fn of_request(
    route: &str,
    method: &Method,
    uri: &Uri,
    headers: &HeaderMap,
    body: &Bytes,
    arrival: Arrival<'_>,
) -> Value {
    let Arrival { id, at, from } = arrival;
    let mut members: Map<String, Value> = Map::new();
    let mut cookies = Vec::new();
    for (name, value) in headers {
        let value = String::from_utf8_lossy(value.as_bytes());
        if name == "cookie" {
            cookies.extend(value.split("; ").map(str::to_owned));
            continue;
        }
        // Repeated headers are joined by commas.
        match members.get_mut(name.as_str()) {
            Some(Value::String(joined)) => {
                joined.push(',');
                joined.push_str(&value);
            }
            _ => {
                members.insert(name.as_str().to_owned(), value.into());
            }
        }
    }
    let text = std::str::from_utf8(body).ok();
    let encoded = || STANDARD.encode(body);
    json!({
        "version": "2.0",
        "routeKey": route,
        "rawPath": uri.path(),
        "rawQueryString": uri.query().unwrap_or_default(),
        "cookies": cookies,
        "headers": members,
        "requestContext": {
            "accountId": embedded::ACCOUNT,
            "apiId": "local",
            "domainName": "localhost",
            "domainPrefix": "local",
            "http": {
                "method": method.as_str(),
                "path": uri.path(),
                "protocol": "HTTP/1.1",
                "sourceIp": from.to_string(),
                "userAgent": headers.get("user-agent").and_then(|v| v.to_str().ok()).unwrap_or_default(),
            },
            "requestId": id,
            "routeKey": route,
            "stage": "$default",
            "time": "",
            "timeEpoch": at,
        },
        "body": (!body.is_empty()).then(|| text.map_or_else(encoded, str::to_owned)),
        "isBase64Encoded": text.is_none(),
    })
}
