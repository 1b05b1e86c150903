//! Socket functions: API Gateway calls them when a connection of the live channel opens, sends a
//! message or ends.

mod subprotocol;

use std::{
    collections::BTreeMap,
    future::Future,
    panic::AssertUnwindSafe,
    sync::{
        Arc, OnceLock,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use aws::{Boxed, Event, Usage};
use error::{Error, Result};
use futures_util::FutureExt;
use rooms::{Live, NewConnection};
use serde::Deserialize;
use serde_json::{Value, json};
use store::{Account, TenantStore};

use self::subprotocol::NAME;
pub use self::subprotocol::{SUBPROTOCOL, offered_token};
use crate::{
    config::Environment,
    limit::{self, Limiter, UNITS},
    operation::{Effect, Listed, binary},
};

/// Header of the answer to an event in which the service accepted the token of an end user. API
/// Gateway ignores it.
const ACCEPTED: &str = "x-accepted-user";
/// Longest an event may take. API Gateway waits 29 seconds.
const DEADLINE: Duration = Duration::from_secs(20);

/// A function of the WebSocket API. Listed like an operation, see [`crate::sockets!`].
pub trait Socket: Listed + Send + Sync + 'static {
    /// Route that calls it: `$connect`, `$default` or `$disconnect`.
    const ROUTE: &'static str;

    /// Does what the event asks for.
    ///
    /// # Errors
    /// Any. At `$connect` the connection is refused with the HTTP status of the error; at the
    /// other routes the client hears nothing of it.
    fn handle(cx: SocketCx, event: SocketEvent) -> impl Future<Output = Result<()>> + Send;
}

/// Context of a socket function.
pub struct SocketCx {
    live: Live,
    limiter: Arc<Limiter>,
    payers: Arc<OnceLock<Payers>>,
    has_accepted: Arc<AtomicBool>,
}

/// The accounts that pay for an event.
struct Payers {
    accounts: Vec<Account>,
    effect: Effect,
}

impl SocketCx {
    /// The live channel.
    pub fn live(&self) -> &Live {
        &self.live
    }

    /// Records a connection, which its user pays for.
    ///
    /// # Errors
    /// PERMISSION_DENIED when its token is none; RESOURCE_EXHAUSTED; UNAVAILABLE.
    pub async fn connect(&self, connected: &NewConnection<'_>) -> Result<()> {
        self.live.connect(connected, |tenant| self.charge(tenant, Effect::Reads)).await?;
        if connected.token.is_some() {
            self.has_accepted_user();
        }
        Ok(())
    }

    /// Takes note that the token of an end user was accepted, for whoever serves the connection.
    pub fn has_accepted_user(&self) {
        self.has_accepted.store(true, Ordering::Relaxed);
    }

    /// Has the user of a tenant pay for the event, by the accounts of the user's calls.
    ///
    /// # Errors
    /// RESOURCE_EXHAUSTED when they have no token.
    pub fn charge(&self, tenant: &TenantStore, effect: Effect) -> Result<()> {
        let accounts = tenant.payers();
        if let Some(state) = self.limiter.exhausted(&accounts, effect) {
            limit::check(&state)?;
        }
        // The first charge of an event decides.
        let _ = self.payers.set(Payers { accounts, effect });
        Ok(())
    }
}

/// An event of a connection, as API Gateway sends it.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SocketEvent {
    request_context: RequestContext,
    #[serde(default)]
    headers: Option<BTreeMap<String, String>>,
    #[serde(default)]
    query_string_parameters: Option<BTreeMap<String, String>>,
    #[serde(default)]
    body: Option<String>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct RequestContext {
    connection_id: String,
    event_type: String,
    #[serde(default)]
    request_id: String,
}

impl SocketEvent {
    /// The connection, as API Gateway names it.
    pub fn connection_id(&self) -> &str {
        &self.request_context.connection_id
    }

    /// A parameter of the query at `$connect`; unescaped.
    pub fn query(&self, name: &str) -> Option<&str> {
        self.query_string_parameters.as_ref()?.get(name).map(String::as_str)
    }

    /// The token that a page offers beside the subprotocol at `$connect`.
    pub fn offered_token(&self) -> Option<&str> {
        offered_token(self.header(SUBPROTOCOL)?)
    }

    /// A header at `$connect`, whatever the case of its name.
    pub fn header(&self, name: &str) -> Option<&str> {
        let mut headers = self.headers.iter().flatten();
        headers.find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, value)| value.as_str())
    }

    /// The text of a message.
    pub fn body(&self) -> &str {
        self.body.as_deref().unwrap_or_default()
    }
}

/// The name of API Gateway for the events of a route.
fn event_type(route: &str) -> &'static str {
    match route {
        "$connect" => "CONNECT",
        "$disconnect" => "DISCONNECT",
        _ => "MESSAGE",
    }
}

/// A socket function with its types erased.
type Handler = fn(SocketCx, SocketEvent) -> Boxed<'static, Result<()>>;

/// A socket function as a value.
#[derive(Clone)]
pub struct SocketSpec {
    /// `live.message`.
    pub name: &'static str,
    /// One sentence.
    pub summary: &'static str,
    /// Route that calls it: `$connect`, `$default` or `$disconnect`.
    pub route: &'static str,
    handler: Handler,
}

impl SocketSpec {
    /// The socket function as a value.
    pub fn of<S: Socket>() -> Self {
        Self {
            name: S::NAME,
            summary: S::SUMMARY.trim_ascii(),
            route: S::ROUTE,
            handler: |cx, event| Box::pin(S::handle(cx, event)),
        }
    }

    /// Whether the service accepted the token of an end user in the event of this answer.
    #[must_use]
    pub fn has_accepted_user(answer: &Value) -> bool {
        answer["headers"][ACCEPTED].is_string()
    }

    /// `live-message`.
    pub fn binary(&self) -> String {
        binary(self.name)
    }

    /// Answers an event as Lambda expects it, whatever happens inside, and writes its log line.
    pub async fn answer(&self, environment: &Environment, event: Event) -> Value {
        let started = environment.now();
        let event = match SocketEvent::deserialize(event) {
            Ok(event) => event,
            Err(error) => {
                tracing::error!(socket = self.name, %error, "An event could not be read.");
                return json!({ "statusCode": 400 });
            }
        };
        // A message may name a route, and API Gateway may be set up to follow it.
        if event.request_context.event_type != event_type(self.route) {
            return json!({ "statusCode": 400 });
        }
        let request_id = event.request_context.request_id.clone();
        let connection_id = event.connection_id().to_owned();
        // A browser closes a connection whose answer chooses none of what it offered.
        let subprotocol = event.offered_token().map(|_| NAME);
        let store = environment.store.metered();
        let (live, payers) = (environment.live(store.clone()), Arc::new(OnceLock::new()));
        let limiter = Arc::clone(&environment.limiter);
        let has_accepted = Arc::new(AtomicBool::new(false));
        let cx = SocketCx {
            live: live.clone(),
            limiter,
            payers: Arc::clone(&payers),
            has_accepted: Arc::clone(&has_accepted),
        };
        let work = AssertUnwindSafe((self.handler)(cx, event)).catch_unwind();
        let result = match tokio::time::timeout(DEADLINE, work).await {
            Ok(Ok(result)) => result,
            Ok(Err(_panic)) => Err(Error::internal("the socket function panicked")),
            Err(_elapsed) => Err(Error::unavailable("the deadline of the event passed")),
        };
        let mut tokens = 0.0;
        if let Some(Payers { accounts, effect }) = payers.get() {
            tokens = live.units() / UNITS;
            environment.limiter.owe(accounts, *effect, tokens).await;
        }
        let (socket, Usage { reads, writes, read_units, write_units }) = (self.name, store.usage());
        let status = result.as_ref().map_or_else(|error| error.status.as_str(), |()| "OK");
        let duration_ms = environment.now().saturating_sub(started);
        match &result {
            Err(error) if error.is_ours() => tracing::error!(
                socket, status, request_id, connection_id, duration_ms, reads, writes,
                read_units, write_units, tokens, error = ?error, "An event of a connection failed."
            ),
            _ => tracing::info!(
                socket,
                status,
                request_id,
                connection_id,
                duration_ms,
                reads,
                writes,
                read_units,
                write_units,
                tokens,
                "An event of a connection was handled."
            ),
        }
        match result {
            Ok(()) => {
                let accepted = has_accepted.load(Ordering::Relaxed).then_some("true");
                let headers = [(ACCEPTED, accepted), (SUBPROTOCOL, subprotocol)];
                let headers = headers.into_iter().filter_map(|(name, value)| Some((name, value?)));
                json!({ "statusCode": 200, "headers": headers.collect::<BTreeMap<_, _>>() })
            }
            // Body of a refused `$connect`, in the form of REST.
            Err(error) => json!({
                "statusCode": error.status.http(),
                "headers": { "content-type": "application/json" },
                "body": envelope::failure(&error),
            }),
        }
    }
}
