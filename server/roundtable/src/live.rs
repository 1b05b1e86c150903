//! The live channel as API Gateway serves it: a function call for each connection, message and end,
//! under the limits of WebSocket APIs, so that what works here works there.

mod account;
mod event;
mod farewell;
mod merge;
mod native;
mod session;
mod state;

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
use editing::in_place;
use embedded::Inbox;
use hyper::upgrade::OnUpgrade;
use hyper_util::rt::TokioIo;
use serde_json::Value;
use service::SocketSpec;
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::handshake::derive_accept_key;

use self::{
    account::Account,
    event::Client,
    native::{Conversation, address},
    session::Session,
};
use crate::{Stack, listener, origin::Origin, payers::Payer};

pub(crate) use state::Live;
pub use state::LiveOptions;

/// How long an upgrade may take that was answered.
const UPGRADE: Duration = Duration::from_secs(10);
/// Exactly the stage, because API Gateway knows no paths below it, and the paths of stock providers.
pub(crate) fn routes() -> Router<Stack> {
    let paths = ["/live", "/live/", "/live/y/{*room}", address::HOCUSPOCUS, "/live/hocuspocus/"];
    paths.into_iter().fold(Router::new(), |router, path| router.route(path, get(connect)))
}

async fn connect(State(stack): State<Stack>, request: Request) -> Response<Body> {
    // A task of its own: a client that leaves meanwhile leaves no half connection behind.
    let opened = tokio::spawn(open(stack, request)).await;
    opened.unwrap_or_else(|_| refused(StatusCode::BAD_GATEWAY))
}

async fn open(stack: Stack, mut request: Request) -> Response<Body> {
    let Some(accept) = accept(request.headers()) else {
        return refused(StatusCode::UPGRADE_REQUIRED);
    };
    let (live, now) = (&stack.inner.live, stack.inner.clock.now());
    let origin = Origin::of(request.extensions());
    let token = event::token(request.uri());
    let user = token.as_deref().and_then(|token| stack.inner.payers.of_token(token));
    let payer = user.unwrap_or(Payer::Stranger(origin));
    let listened = request.extensions().get::<Arc<listener::Client>>().cloned();
    let account = match live.admits(&payer) {
        true => Account::open(&stack.inner.payers, &stack.inner.bounds, payer, listened),
        false => None,
    };
    let Some(account) = account else { return refused(StatusCode::TOO_MANY_REQUESTS) };
    let Ok(id) = keyring::random_bytes::<11>() else {
        return refused(StatusCode::INTERNAL_SERVER_ERROR);
    };
    let conversation = match address::dialect_at(request.uri().path()) {
        Some(dialect) => {
            match Conversation::open(dialect, &mut request, account.payer(), live.kept.clone()) {
                Some(conversation) => Some(conversation),
                None => return refused(StatusCode::BAD_REQUEST),
            }
        }
        None => None,
    };
    let connections = stack.emulator().connections();
    let (connection, inbox) = connections.add(URL_SAFE.encode(id), live.options.lifetime);
    let client = Client::new(&connection, request.headers(), origin);
    let event = client.connect(&request, now);
    let told = stack.tell("$connect", &account.payer(), || event).await;
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
    let reorders = live.options.reorders;
    let origin = request.headers().get(header::ORIGIN).cloned();
    let session = Session {
        reorders,
        stack: stack.clone(),
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
    let event = session.client.disconnect(ended, session.stack.inner.clock.now());
    session.stack.tell("$disconnect", &session.account.payer(), || event).await;
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

/// The answer of a function.
struct Told {
    status: StatusCode,
    body: String,
    /// Whether it accepted the token of an end user.
    has_accepted_user: bool,
}

impl Stack {
    /// Calls the function of a route in the turn of a payer. Without an answer its status is 502. The
    /// event is made then: what waits for the turn is kept once.
    async fn tell(&self, route: &str, payer: &Payer, event: impl FnOnce() -> Value) -> Told {
        let refused = |status| Told { status, body: String::new(), has_accepted_user: false };
        let live = &self.inner.live;
        let socket = live.sockets.iter().find(|socket| socket.route == route);
        let Some(socket) = socket else { return refused(StatusCode::FORBIDDEN) };
        // The turn first: whoever waits for it takes no place.
        let _turn = self.inner.account_limits.acquire(payer).await;
        let Some(place) = live.places.take(payer, 1).await else {
            return refused(StatusCode::SERVICE_UNAVAILABLE);
        };
        let environment = self.inner.environments.of_function(socket.binary());
        let answer = in_place(place, socket.answer(&environment, event())).await;
        let status = answer["statusCode"].as_u64().and_then(|status| u16::try_from(status).ok());
        let status = status.and_then(|status| StatusCode::from_u16(status).ok());
        Told {
            status: status.unwrap_or(StatusCode::BAD_GATEWAY),
            body: answer["body"].as_str().unwrap_or_default().to_owned(),
            has_accepted_user: SocketSpec::has_accepted_user(&answer),
        }
    }
}
