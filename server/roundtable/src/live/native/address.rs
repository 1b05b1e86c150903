//! The addresses of stock providers, and the same at API Gateway.

use axum::http::Uri;
use dialects::Dialect;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};

/// The path of y-websocket, followed by the room; and that of Hocuspocus.
pub(in crate::live) const Y: &str = "/live/y/";
pub(in crate::live) const HOCUSPOCUS: &str = "/live/hocuspocus";

/// The dialect of a path.
pub(in crate::live) fn dialect_at(path: &str) -> Option<Dialect> {
    match path.strip_prefix(HOCUSPOCUS) {
        Some("" | "/") => Some(Dialect::Hocuspocus),
        _ => path.starts_with(Y).then_some(Dialect::Y),
    }
}

/// The address of the same connection at API Gateway, where everything is in the query. The last
/// value of a repeated name counts.
pub(in crate::live) fn at_gateway(uri: &Uri, dialect: Dialect) -> Option<Uri> {
    let query = uri.query().map(|query| format!("{query}&")).unwrap_or_default();
    let own = match dialect {
        Dialect::Y => {
            format!("protocol=y&room={}", utf8_percent_encode(room(uri), NON_ALPHANUMERIC))
        }
        Dialect::Hocuspocus => "protocol=hocuspocus".to_owned(),
    };
    format!("/live?{query}{own}").parse().ok()
}

/// The room as it is in the path: its ids are escaped, and remain so.
pub(in crate::live) fn room(uri: &Uri) -> &str {
    uri.path().strip_prefix(Y).unwrap_or_default()
}
