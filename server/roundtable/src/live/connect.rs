//! Connections, from the handshake to the end.

use std::{sync::Arc, time::Duration};

use axum::{
    Router,
    body::Body,
    extract::{Request, State},
    http::{HeaderMap, HeaderValue, Response, StatusCode, header},
    routing::get,
};
use base64::{Engine, engine::general_purpose::URL_SAFE};
use dialects::Dialect;
use embedded::Inbox;
use hyper::upgrade::OnUpgrade;
use hyper_util::rt::TokioIo;
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::handshake::derive_accept_key;

use super::{
    account::Account,
    event::{self, Client},
    farewell,
    native::{self, Conversation, address},
    session::Session,
    state::Live,
};
use crate::net::{Origin, Payer, listener};

/// How long an upgrade may take that was answered.
const UPGRADE: Duration = Duration::from_secs(10);

/// Exactly the stage, because API Gateway knows no paths below it, and the paths of stock providers.
pub(crate) fn routes(live: Arc<Live>) -> Router {
    let paths = ["/live", "/live/", "/live/y/{*room}", address::HOCUSPOCUS, "/live/hocuspocus/"];
    let routes = paths.into_iter().fold(Router::new(), |all, path| all.route(path, get(connect)));
    routes.with_state(live)
}

async fn connect(State(live): State<Arc<Live>>, request: Request) -> Response<Body> {
    // A task of its own: a client that leaves meanwhile leaves no half connection behind.
    let opened = tokio::spawn(open(live, request)).await;
    opened.unwrap_or_else(|_| refused(StatusCode::BAD_GATEWAY))
}

async fn open(live: Arc<Live>, mut request: Request) -> Response<Body> {
    let Some(accept) = accept(request.headers()) else {
        return refused(StatusCode::UPGRADE_REQUIRED);
    };
    let now = live.calls.now();
    let origin = Origin::of(request.extensions());
    let token = event::token(&request);
    let user = token.as_deref().and_then(|token| live.payers.of_token(token));
    let payer = user.unwrap_or(Payer::Unproven(origin));
    let listened = request.extensions().get::<Arc<listener::Client>>().cloned();
    let account = match live.limits.admits(&payer) {
        true => Account::open(&live.payers, &live.bounds, payer, listened),
        false => None,
    };
    let Some(account) = account else { return refused(StatusCode::TOO_MANY_REQUESTS) };
    let Ok(id) = keyring::random_bytes::<11>() else {
        return refused(StatusCode::INTERNAL_SERVER_ERROR);
    };
    let conversation = match address::dialect_at(request.uri().path()) {
        Some(dialect) => {
            match Conversation::open(
                dialect,
                &mut request,
                account.payer(),
                live.limits.kept.clone(),
            ) {
                Some(conversation) => Some(conversation),
                None => return refused(StatusCode::BAD_REQUEST),
            }
        }
        None => None,
    };
    let lifetime = live.options.lifetime;
    let (connection, inbox) = live.connections.add(URL_SAFE.encode(id), lifetime);
    let client = Client::new(&connection, request.headers(), origin);
    let event = client.connect(&request, now);
    let told = live.calls.tell("$connect", &account.payer(), || event).await;
    if !told.status.is_success() {
        let mut response = refused(told.status);
        let json = HeaderValue::from_static("application/json");
        response.headers_mut().insert(header::CONTENT_TYPE, json);
        *response.body_mut() = told.body.into();
        return response;
    }
    if told.has_accepted_user {
        account.is_accepted();
    }
    connection.open(&account.payer().tenant());
    let upgrade = hyper::upgrade::on(&mut request);
    let origin = request.headers().get(header::ORIGIN).cloned();
    let session = Session {
        live,
        client,
        account,
        has_token: token.is_some(),
        dialect: match event::parameter(request.uri(), "protocol").as_deref() {
            Some("hocuspocus") => Some(Dialect::Hocuspocus),
            Some("events") => None,
            _ => Some(Dialect::Y),
        },
        connection,
        origin,
    };
    tokio::spawn(serve(session, upgrade, inbox, conversation));
    let mut response = refused(StatusCode::SWITCHING_PROTOCOLS);
    let headers = response.headers_mut();
    headers.insert(header::SEC_WEBSOCKET_ACCEPT, accept);
    if let Some(subprotocol) = told.subprotocol {
        headers.insert(header::SEC_WEBSOCKET_PROTOCOL, subprotocol);
    }
    response
}

/// Serves a connection, and tells the function of `$disconnect` when it has ended.
async fn serve(
    session: Session,
    upgrade: OnUpgrade,
    inbox: Inbox,
    conversation: Option<Conversation>,
) {
    let served = async {
        match (timeout(UPGRADE, upgrade).await, conversation) {
            (Ok(Ok(io)), None) => session.serve(TokioIo::new(io), inbox).await,
            (Ok(Ok(io)), Some(conversation)) => {
                native::serve(&session, conversation, TokioIo::new(io), inbox).await
            }
            _ => farewell::LOST,
        }
    };
    tokio::pin!(served);
    let ended = tokio::select! {
        ended = &mut served => ended,
        // The timer of the cloud would leave it open until the next minute.
        () = session.account.overdue() => {
            session.connection.end(match session.has_token {
                true => farewell::REFUSED,
                false => farewell::SILENT,
            });
            served.await
        }
    };
    session.connection.close();
    let event = session.client.disconnect(ended, session.live.calls.now());
    session.live.calls.tell("$disconnect", &session.account.payer(), || event).await;
}

/// The `Sec-WebSocket-Accept` that answers the handshake, if the request is one.
fn accept(headers: &HeaderMap) -> Option<HeaderValue> {
    let has = |name, wanted: &str| {
        let values = headers.get_all(name).iter().filter_map(|value| value.to_str().ok());
        values
            .flat_map(|value| value.split(','))
            .any(|value| value.trim().eq_ignore_ascii_case(wanted))
    };
    let is_handshake = has(header::CONNECTION, "upgrade")
        && has(header::UPGRADE, "websocket")
        && has(header::SEC_WEBSOCKET_VERSION, "13");
    let key = headers.get(header::SEC_WEBSOCKET_KEY).filter(|_| is_handshake)?;
    HeaderValue::try_from(derive_accept_key(key.as_bytes())).ok()
}

fn refused(status: StatusCode) -> Response<Body> {
    let mut response = Response::default();
    *response.status_mut() = status;
    if matches!(status, StatusCode::UPGRADE_REQUIRED | StatusCode::SWITCHING_PROTOCOLS) {
        let headers = response.headers_mut();
        headers.insert(header::CONNECTION, HeaderValue::from_static("upgrade"));
        headers.insert(header::UPGRADE, HeaderValue::from_static("websocket"));
    }
    response
}
