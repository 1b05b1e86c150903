//! Credentials of a call, in its headers or in the body of older paths.

use std::borrow::Cow;

use aws::{HeaderMap, HeaderValue, Incoming};
use envelope::Body;
use serde::Deserialize;

/// Credentials in the body, for older paths.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct BodyCredentials {
    api_key: Option<String>,
    auth_token: Option<String>,
}

/// The headers of a call, with the credentials of its body on paths that allow them there.
pub(crate) fn credentials<'a>(
    incoming: &'a Incoming,
    paths: &[&str],
    names: &[&'static str],
) -> Cow<'a, HeaderMap> {
    let mut headers = Cow::Borrowed(&incoming.headers);
    if !paths.contains(&incoming.path.as_str()) {
        return headers;
    }
    // A malformed body has no credentials; its error comes later.
    if let Ok((sent, _)) = envelope::decode::<BodyCredentials>(&incoming.body, Body::Required) {
        for (name, value) in names.iter().zip([sent.api_key, sent.auth_token]) {
            let value = value.and_then(|value| HeaderValue::try_from(value).ok());
            if let Some(value) = value.filter(|_| !headers.contains_key(*name)) {
                headers.to_mut().insert(*name, value);
            }
        }
    }
    headers
}
