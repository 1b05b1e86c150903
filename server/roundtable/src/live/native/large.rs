//! Changes and states that are too large for a function of the live channel: calls of the
//! operations of editors, with the token of the connection.

use std::{
    io::Read,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use axum::{
    body::{Bytes, to_bytes},
    http::{HeaderMap, HeaderValue, StatusCode, header},
};
use base64::{Engine, engine::general_purpose::STANDARD};
use dialects::{Address, Close, Dialect, Message};
use flate2::read::GzDecoder;
use serde::Deserialize;
use serde_json::{Value, json};
use service::Status;

use super::{
    conversation::Update,
    over::{FAILED, Over},
};
use crate::{
    host::Operations,
    live::{
        bounds::MAX_MESSAGE,
        farewell::LOST,
        memory::{Budget, Reserve},
        session::Session,
    },
    net::{AccountLimits, Payer, SharePermit, is_lifted},
};

/// Maximum time for a call, with repetitions.
const PATIENCE: Duration = Duration::from_secs(120);
/// Maximum size of a part of a change that can be divided, in bytes.
const MAX_PART: usize = 300 * 1024;
/// The operation that stores changes, and a change of nothing in base64.
const ADD: &str = "/v2/crdt/updates/add";
const NOTHING: &str = "AAA=";
/// Time before the first repetition.
const PAUSE: Duration = Duration::from_millis(250);
/// Maximum size of a value, which is never divided: below that of an update.
const MAX_VALUE: usize = crdt::MAX_UPDATE_BYTES - 1024;

/// The state of an editor.
pub(super) struct State {
    /// Beginning of the state, in order, if one reply of the operation does not carry all.
    pub(super) before: Vec<Vec<u8>>,
    /// The whole state, or the rest.
    pub(super) update: Vec<u8>,
    pub(super) state_vector: Vec<u8>,
}

/// The caller of operations for an editor.
#[derive(Clone)]
pub(super) struct Caller {
    operations: Operations,
    turns: Arc<AccountLimits>,
    /// The user of the token of the calls, which the function may refuse for other reasons.
    payer: Payer,
    dialect: Dialect,
    address: Address,
    headers: HeaderMap,
    /// Whether the connection has ended. The rest of a change comes again with the next one.
    is_over: Arc<AtomicBool>,
}

/// A change that the user may make, as far as is known, in parts that the operation takes.
pub(super) struct Judged {
    caller: Caller,
    pub(super) name: String,
    parts: Vec<Vec<u8>>,
    /// State vector of the client, with the change.
    pub(super) seen: Option<Vec<u8>>,
    /// The reason why the user may not make it.
    denied: Option<(Close, String)>,
}

/// Why a call failed.
enum Failure {
    /// A right is missing, or an update has structs under clients of others; the rest of it is stored.
    Denied(String),
    /// The change can never be stored.
    Refused(Close, String),
    Other(Over),
}

impl Caller {
    pub(super) fn new(
        session: &Session,
        dialect: Dialect,
        room: &str,
        token: Option<&str>,
        is_over: Arc<AtomicBool>,
    ) -> Result<Self, Over> {
        let address = Address::parse(room).map_err(|_| {
            Over::refused(
                Close::BadRequest,
                "The document is not three escaped ids with / between.",
            )
        })?;
        let proven = token.and_then(|token| Some((session.account.of_token(token)?, token)));
        let bearer = proven.and_then(|(payer, token)| {
            Some((payer, HeaderValue::try_from(format!("Bearer {token}")).ok()?))
        });
        let (payer, bearer) = bearer.ok_or_else(|| {
            Over::refused(Close::BadToken, "Send the token of an end user first.")
        })?;
        let mut headers = HeaderMap::from_iter([
            (header::AUTHORIZATION, bearer),
            // To compress a reply that stays in the process would take longer than anything else.
            (header::ACCEPT_ENCODING, HeaderValue::from_static("identity, gzip;q=0.5")),
            (header::CONTENT_TYPE, HeaderValue::from_static("application/json")),
        ]);
        headers.extend(session.origin.clone().map(|origin| (header::ORIGIN, origin)));
        let (operations, turns) = (session.live.operations.clone(), session.live.turns.clone());
        Ok(Self { operations, turns, payer, dialect, address, headers, is_over })
    }

    /// Takes a change apart, if the user may make it and it takes not much more memory than its bytes.
    pub(super) async fn judge(self, update: Update) -> Result<Judged, Over> {
        let Update { name, bytes, seen, is_of_writer } = update;
        let refused = |denied| Judged {
            caller: self.clone(),
            name: name.clone(),
            parts: vec![],
            seen: None,
            denied,
        };
        if !is_of_writer && !is_lifted("large changes") {
            // Nothing is as good as any change to learn whether changes are taken.
            match self.call(ADD, json!({ "updates": [NOTHING] }), None).await {
                Ok(_) => {}
                Err(Failure::Denied(reason)) => {
                    return Ok(refused(Some((Close::Forbidden, reason))));
                }
                Err(failure) => return Err(failure.into()),
            }
        }
        let judged = refused(None);
        let _turn = self.turns.acquire(&self.payer).await;
        let taken_apart = tokio::task::spawn_blocking(move || {
            if !is_lifted("large changes") {
                crdt::check_parts(&bytes)?;
            }
            let seen = crdt::extended(&seen, &bytes).ok();
            crdt::split(&bytes, MAX_PART, MAX_VALUE).map(|parts| (parts, seen))
        });
        let parts = taken_apart.await.map_err(|_| Over::refused(Close::Unavailable, FAILED))?;
        match parts {
            Ok((parts, seen)) => Ok(Judged { parts, seen, ..judged }),
            Err(error) => {
                let close = match error.status {
                    Status::ResourceExhausted => Close::TooLarge,
                    _ => Close::BadRequest,
                };
                match self.dialect {
                    Dialect::Hocuspocus => Ok(refused(Some((close, error.message.into_owned())))),
                    Dialect::Y => Err(Over::refused(close, error.message)),
                }
            }
        }
    }

    /// Reads what the client lacks.
    pub(super) async fn read(
        &self,
        budget: Budget,
        vector: Option<Vec<u8>>,
    ) -> Result<(State, SharePermit), Over> {
        let unavailable = || Over::refused(Close::Unavailable, FAILED);
        let mut vector = vector.map(|vector| STANDARD.encode(vector));
        let mut before: Vec<Vec<u8>> = vec![];
        let mut memory = Reserve::new(budget);
        loop {
            let data = vector.map_or(json!({}), |vector| json!({ "stateVector": vector }));
            let read = self.call("/v2/crdt/state/get", data, Some(&mut memory)).await;
            let body = read.map_err(Over::from)?;
            let (state, is_complete) = state_of(&body).ok_or_else(unavailable)?;
            memory.keep(state.update.len());
            if is_complete {
                let share = memory.into_share().ok_or_else(unavailable)?;
                return Ok((State { before, ..state }, share));
            }
            vector = Some(STANDARD.encode(&state.state_vector));
            before.push(state.update);
        }
    }

    /// Makes a call, and repeats it while that may help. There is memory for its reply at each
    /// attempt, and not while the call waits for the rate of its user.
    async fn call(
        &self,
        path: &str,
        mut data: Value,
        mut memory: Option<&mut Reserve>,
    ) -> Result<Bytes, Failure> {
        data["organizationId"] = json!(self.address.organization_id.as_str());
        data["documentId"] = json!(self.address.document_id.as_str());
        data["editorId"] = json!(self.address.editor_id.as_str());
        let (began, mut pause) = (Instant::now(), PAUSE);
        loop {
            if self.is_over.load(Ordering::Relaxed) {
                return Err(Failure::Other(Over::Left(LOST)));
            }
            if let Some(memory) = &mut memory
                && !memory.grow(&self.payer).await
            {
                return Err(Failure::Other(Over::refused(Close::Unavailable, FAILED)));
            }
            let response = {
                let _turn = self.turns.acquire(&self.payer).await;
                self.operations.call(path, self.headers.clone(), &data).await
            };
            let (status, headers) = (response.status(), response.headers().clone());
            let body = to_bytes(response.into_body(), usize::MAX).await.unwrap_or_default();
            let Some(body) = plain(&headers, body) else {
                return Err(Failure::Other(Over::refused(Close::Unavailable, FAILED)));
            };
            if status.is_success() {
                return Ok(body);
            }
            if let Some(memory) = &mut memory {
                memory.shrink();
            }
            let error: Value = serde_json::from_slice(&body).unwrap_or_default();
            let reason = error["error"]["message"].as_str().unwrap_or(FAILED).to_owned();
            let wait = headers.get(header::RETRY_AFTER).and_then(|wait| wait.to_str().ok());
            let wait = wait.and_then(|wait| wait.parse().ok()).map(Duration::from_secs);
            let is_passing = status.is_server_error()
                || error["error"]["status"] == "ABORTED"
                || (status == StatusCode::TOO_MANY_REQUESTS && wait.is_some());
            let wait = wait.unwrap_or(pause);
            if !is_passing || began.elapsed() + wait > PATIENCE {
                return Err(failure(status, is_passing, reason));
            }
            tokio::time::sleep(wait).await;
            pause *= 2;
        }
    }
}

impl Judged {
    /// Stores the change; returns what the function would reply.
    pub(super) async fn store(self) -> Result<Vec<Vec<u8>>, Over> {
        let Self { caller, name, parts, denied, .. } = self;
        let dialect = caller.dialect;
        let reply = |message: &Message| dialect.write(&name, message).into_iter().collect();
        let mut denied = denied;
        for part in parts {
            let data = json!({ "updates": [STANDARD.encode(part)] });
            match caller.call(ADD, data, None).await {
                Ok(_) => {}
                // The parts that follow may lack this one.
                Err(Failure::Denied(reason)) => {
                    denied = Some((Close::Forbidden, reason));
                    break;
                }
                Err(Failure::Refused(close, reason)) if dialect == Dialect::Hocuspocus => {
                    denied = Some((close, reason));
                    break;
                }
                Err(failure) => return Err(failure.into()),
            }
        }
        Ok(match (denied, dialect) {
            (None, _) => reply(&Message::Saved(true)),
            (Some((_, reason)), Dialect::Y) => reply(&Message::Denied(reason)),
            (Some((close, reason)), Dialect::Hocuspocus) => reply(&Message::Unsaved(close, reason)),
        })
    }
}

impl From<Failure> for Over {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Denied(reason) => Self::refused(Close::Forbidden, reason),
            Failure::Refused(close, reason) => Self::refused(close, reason),
            Failure::Other(over) => over,
        }
    }
}

/// The failure of the connection that a status means.
fn failure(status: StatusCode, is_passing: bool, reason: String) -> Failure {
    let close = match status {
        StatusCode::FORBIDDEN => return Failure::Denied(reason),
        StatusCode::UNAUTHORIZED => Close::BadToken,
        StatusCode::NOT_FOUND => Close::NotFound,
        StatusCode::TOO_MANY_REQUESTS if is_passing => Close::TooMany,
        StatusCode::TOO_MANY_REQUESTS | StatusCode::PAYLOAD_TOO_LARGE => {
            return Failure::Refused(Close::TooLarge, reason);
        }
        _ if is_passing => Close::Unavailable,
        _ => return Failure::Refused(Close::BadRequest, reason),
    };
    Failure::Other(Over::refused(close, reason))
}

/// A body without its compression.
fn plain(headers: &HeaderMap, body: Bytes) -> Option<Bytes> {
    if headers.get(header::CONTENT_ENCODING).is_none() {
        return Some(body);
    }
    let mut plain = vec![];
    // Base64 takes a third more.
    let limit = u64::try_from(2 * MAX_MESSAGE).ok()?;
    GzDecoder::new(body.as_ref()).take(limit).read_to_end(&mut plain).ok()?;
    Some(plain.into())
}

/// The state in a reply, and whether it is complete.
fn state_of(body: &[u8]) -> Option<(State, bool)> {
    #[derive(Deserialize)]
    struct Reply<'a> {
        #[serde(borrow)]
        result: Data<'a>,
    }
    #[derive(Deserialize)]
    struct Data<'a> {
        #[serde(borrow)]
        data: Encoded<'a>,
    }
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Encoded<'a> {
        update: &'a str,
        state_vector: &'a str,
        is_complete: bool,
    }
    let reply: Reply<'_> = serde_json::from_slice(body).ok()?;
    let Encoded { update, state_vector, is_complete } = reply.result.data;
    let [update, state_vector] = [update, state_vector].map(|text| STANDARD.decode(text).ok());
    let (update, state_vector) = (update?, state_vector?);
    Some((State { before: vec![], update, state_vector }, is_complete))
}
