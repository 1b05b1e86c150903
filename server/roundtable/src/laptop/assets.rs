//! Pages of this machine. Their assets are in the binary, and they load nothing else.

use axum::{
    body::Body,
    http::{Response, header, response},
};

/// The colours that the pages share.
pub(super) const COLORS: &str = include_str!("../../assets/colors.css");

/// The logo, which all pages have as their icon.
pub(super) const ICON: &str = include_str!("../../assets/icon.svg");

/// A part of a page, which the browser holds to `policy`.
pub(super) fn asset(
    policy: &'static str,
    kind: &'static str,
    content: impl Into<Body>,
) -> Response<Body> {
    head(policy, kind).body(content.into()).unwrap_or_default()
}

/// A script that lies here compressed.
pub(super) fn zipped(policy: &'static str, script: &'static [u8]) -> Response<Body> {
    let response = head(policy, "text/javascript").header(header::CONTENT_ENCODING, "gzip");
    response.body(Body::from(script)).unwrap_or_default()
}

/// The page lies elsewhere.
pub(super) fn moved(to: &'static str) -> Response<Body> {
    let response = Response::builder().status(302).header(header::LOCATION, to);
    response.body(Body::empty()).unwrap_or_default()
}

fn head(policy: &'static str, kind: &'static str) -> response::Builder {
    Response::builder()
        .header(header::CONTENT_TYPE, kind)
        .header(header::CONTENT_SECURITY_POLICY, policy)
        .header(header::CACHE_CONTROL, "no-cache")
        .header(header::REFERRER_POLICY, "no-referrer")
        .header(header::X_CONTENT_TYPE_OPTIONS, "nosniff")
}
