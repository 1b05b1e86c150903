//! The mails of the outbox, for a browser of this machine.
//!
//! The content of a mail is untrusted: it is escaped, and its HTML is shown in a frame without
//! scripts and loading.

use std::fmt::Write as _;

use axum::{
    Router,
    body::Body,
    extract::{Path, Query, State},
    http::{HeaderMap, Response, StatusCode, header},
    routing::get,
};
use embedded::EmbeddedServices;
use mail_parser::{Address, Message, MessageParser};
use serde::Deserialize;
use serde_json::{Value, json};

/// Maximum number of mails in the list, the newest ones.
const MAX_SEARCHED: usize = 2_000;
const MAX_LISTED: usize = 200;

const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; \
    base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

const STYLE: &str = "body{font:15px/1.5 system-ui;margin:2em auto;max-width:60em;padding:0 1em}\
    table{border-collapse:collapse;width:100%}td,th{text-align:left;padding:.3em .8em .3em 0;\
    border-bottom:1px solid #ddd;vertical-align:top}pre{white-space:pre-wrap;background:#f6f6f6;\
    padding:1em;overflow-wrap:anywhere}iframe{width:100%;height:40em;border:1px solid #ddd}";

pub(super) fn routes(embedded: EmbeddedServices) -> Router {
    let routes = Router::new().route("/outbox/", get(list)).route("/outbox/{name}", get(show));
    routes.with_state(embedded)
}

#[derive(Deserialize)]
struct Search {
    #[serde(default)]
    to: String,
}

async fn list(
    State(embedded): State<EmbeddedServices>,
    headers: HeaderMap,
    Query(search): Query<Search>,
) -> Response<Body> {
    if !is_here(&headers) {
        return not_found();
    }
    answer(tokio::task::spawn_blocking(move || listing(&embedded, search.to.trim())).await)
}

async fn show(
    State(embedded): State<EmbeddedServices>,
    headers: HeaderMap,
    Path(name): Path<String>,
) -> Response<Body> {
    if !is_here(&headers) {
        return not_found();
    }
    answer(tokio::task::spawn_blocking(move || mail(&embedded, &name)).await)
}

/// Whether a request names this machine, which prevents DNS rebinding.
pub(super) fn is_here(headers: &HeaderMap) -> bool {
    let host = headers.get(header::HOST).and_then(|host| host.to_str().ok()).unwrap_or_default();
    let name = host.rsplit_once(':').map_or(host, |(name, _)| name);
    matches!(name, "localhost" | "127.0.0.1" | "[::1]")
}

/// The newest mails, for the console.
pub(super) fn summaries(embedded: &EmbeddedServices) -> Result<Value, embedded::Error> {
    let mut mails = Vec::new();
    for name in embedded.outbox()?.into_iter().take(MAX_LISTED) {
        let Some(raw) = embedded.outbox_mail(&name)? else { continue };
        let Some(mail) = MessageParser::new().parse_headers(&raw) else { continue };
        mails.push(json!({
            "name": name,
            "at": mail.date().map(|date| date.to_timestamp() * 1000),
            "to": addresses(mail.to()),
            "subject": mail.subject(),
        }));
    }
    Ok(json!({ "items": mails }))
}

type Shown = Result<Option<Response<Body>>, embedded::Error>;

fn answer(shown: Result<Shown, tokio::task::JoinError>) -> Response<Body> {
    match shown {
        Ok(Ok(Some(response))) => response,
        Ok(Ok(None)) => not_found(),
        Ok(Err(error)) => {
            tracing::error!(%error, "The outbox could not be read.");
            failed(StatusCode::INTERNAL_SERVER_ERROR)
        }
        Err(_) => failed(StatusCode::INTERNAL_SERVER_ERROR),
    }
}

fn failed(status: StatusCode) -> Response<Body> {
    Response::builder().status(status).body(Body::empty()).unwrap_or_default()
}

fn not_found() -> Response<Body> {
    failed(StatusCode::NOT_FOUND)
}

fn listing(embedded: &EmbeddedServices, to: &str) -> Shown {
    let wanted = to.to_lowercase();
    let (mut rows, mut listed) = (String::new(), 0);
    for name in embedded.outbox()?.into_iter().take(MAX_SEARCHED) {
        let Some(raw) = embedded.outbox_mail(&name)? else { continue };
        let Some(mail) = MessageParser::new().parse_headers(&raw) else { continue };
        let recipients = addresses(mail.to());
        if listed == MAX_LISTED || !recipients.to_lowercase().contains(&wanted) {
            continue;
        }
        listed += 1;
        let subject = mail.subject().filter(|subject| !subject.is_empty());
        let _ = write!(
            rows,
            "<tr><td>{}<td>{}<td><a href=\"{}\">{}</a>",
            escape(&date(&mail)),
            escape(&recipients),
            escape(&name),
            escape(subject.unwrap_or("(no subject)")),
        );
    }
    let body = format!(
        "<h1>Outbox</h1><form><label>To <input name=\"to\" value=\"{}\"></label> \
         <button>Search</button></form><table><tr><th>Time<th>To<th>Subject{rows}</table>\
         <p>{listed} mails, newest first.",
        escape(to)
    );
    Ok(Some(page("Outbox", &body)))
}

fn mail(embedded: &EmbeddedServices, name: &str) -> Shown {
    let (name, download) = match name.strip_suffix(".eml") {
        Some(name) => (name, true),
        None => (name, false),
    };
    let Some(raw) = embedded.outbox_mail(name)? else { return Ok(None) };
    if download {
        let response = Response::builder()
            .header(header::CONTENT_TYPE, "message/rfc822")
            .header(header::CONTENT_DISPOSITION, "attachment")
            .header(header::X_CONTENT_TYPE_OPTIONS, "nosniff");
        return Ok(Some(response.body(Body::from(raw)).unwrap_or_default()));
    }
    let Some(mail) = MessageParser::new().parse(&raw) else { return Ok(None) };
    let subject = mail.subject().unwrap_or("(no subject)");
    let mut body = format!(
        "<p><a href=\"./\">Outbox</a> · <a href=\"{0}.eml\">Download</a><h1>{1}</h1>\
         <p>From {2}<br>To {3}<br>{4}",
        escape(name),
        escape(subject),
        escape(&addresses(mail.from())),
        escape(&addresses(mail.to())),
        escape(&date(&mail)),
    );
    // With another request, the parser would convert one part into the other.
    for part in mail.html_bodies().filter(|part| part.is_text_html()) {
        let html = escape(part.text_contents().unwrap_or_default());
        let _ = write!(body, "<h2>HTML</h2><iframe sandbox srcdoc=\"{html}\"></iframe>");
    }
    for part in mail.text_bodies().filter(|part| !part.is_text_html()) {
        let text = escape(part.text_contents().unwrap_or_default());
        let _ = write!(body, "<h2>Text</h2><pre>{text}</pre>");
    }
    body.push_str("<h2>Header</h2><pre>");
    for (name, value) in mail.headers_raw() {
        let _ = writeln!(body, "{}: {}", escape(name), escape(value.trim()));
    }
    body.push_str("</pre>");
    Ok(Some(page(subject, &body)))
}

fn addresses(list: Option<&Address<'_>>) -> String {
    let list = list.into_iter().flat_map(Address::iter);
    let address = |each: &mail_parser::Addr<'_>| {
        let address = each.address().unwrap_or_default();
        each.name().map_or_else(|| address.to_owned(), |name| format!("{name} <{address}>"))
    };
    list.map(address).collect::<Vec<_>>().join(", ")
}

fn date(mail: &Message<'_>) -> String {
    mail.date().map(|date| date.to_rfc3339()).unwrap_or_default()
}

fn page(title: &str, body: &str) -> Response<Body> {
    let page = format!(
        "<!doctype html><meta charset=\"utf-8\"><title>{}</title><style>{STYLE}</style>{body}",
        escape(title)
    );
    let response = Response::builder()
        .header(header::CONTENT_TYPE, "text/html; charset=utf-8")
        .header(header::CONTENT_SECURITY_POLICY, POLICY)
        .header(header::REFERRER_POLICY, "no-referrer");
    response.body(Body::from(page)).unwrap_or_default()
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
        .replace('\'', "&#39;")
}
