//! One call from end to end, shared by all operations.

pub(crate) mod compression;
pub(crate) mod credentials;
pub(crate) mod once;
pub(crate) mod refusals;
pub(crate) mod unknown;
pub(crate) mod usable;

use std::{
    borrow::Cow,
    panic::AssertUnwindSafe,
    sync::{Arc, OnceLock},
    time::Duration,
};

use auth::{Level, Workspace};
use aws::{
    Boxed, HeaderMap, HeaderName, HeaderValue, Incoming, Response, StatusCode, Usage, header,
};
use envelope::Unknown;
use error::{Error, ErrorCode, Result, Status};
use futures_util::FutureExt;
use model::permissions::AccessRole;
use parking_lot::Mutex;
use serde_json::Value;
use store::{Account, Answer, EndUser, Store, TenantStore, prelude::*};

use crate::{
    call::{credentials::credentials, once::Occurrence},
    config::{Environment, names::PREFIX},
    end_users::{Concerns, EndUsers},
    limit,
    operation::{Cx, Effect, Operation, required_at},
};

/// Time limit of a call; the function has more, and the gateway even more.
const DEADLINE: Duration = Duration::from_secs(20);
/// The header with the consumed DynamoDB capacity of a call.
const CONSUMED: &str = "x-consumed-units";
/// The header with unknown members of the body.
const IGNORED: &str = "x-ignored-members";
/// The header of a replayed reply.
const REPLAYED: &str = "idempotent-replayed";

/// A call in progress.
pub struct Call<'a> {
    environment: &'a Environment,
    store: Store,
    incoming: &'a Incoming,
    tenant: OnceLock<String>,
    /// The accounts that pay for the call, once it was admitted, its effect, and the tokens that they
    /// paid for its body.
    payers: OnceLock<(Vec<Account>, Effect, u32)>,
    /// The code of errors of the operation.
    error_code: OnceLock<ErrorCode>,
    /// The prefix of the headers of the request, unless it is ours.
    prefix: OnceLock<String>,
    /// Headers of the reply.
    headers: Mutex<HeaderMap>,
}

impl Call<'_> {
    /// Adds a header to the reply.
    fn set_header(&self, name: &'static str, value: &str) {
        let value = HeaderValue::from_str(value).ok();
        self.with_headers(|headers| value.and_then(|value| headers.insert(name, value)));
    }

    /// An error of the operation, with its code, and with the names of headers of the request.
    fn coded(&self, mut error: Error) -> Error {
        if let (Some(prefix), Status::PermissionDenied) = (self.prefix.get(), error.status)
            && error.message.starts_with("Invalid credentials: ")
        {
            error.message = error.message.replace(PREFIX, prefix).into();
        }
        error.with_code(self.error_code.get().copied())
    }

    /// The headers of the request with ours for those of a compatible vendor.
    fn headers<'h, L: Level>(&self, sent: Cow<'h, HeaderMap>) -> Result<Cow<'h, HeaderMap>> {
        let Some(names) = &self.environment.names else { return Ok(sent) };
        if let Some(prefix) = names.prefix_of(&sent) {
            let _ = self.prefix.set(prefix.to_owned());
        }
        let of_workspace = L::HEADERS.contains(&Workspace::HEADERS[1]);
        names.headers(&sent, of_workspace).map(Cow::Owned)
    }

    fn with_headers<T>(&self, note: impl FnOnce(&mut HeaderMap) -> T) {
        note(&mut self.headers.lock());
    }
}

/// An operation with its types erased: from a call to its reply.
pub type Handler = for<'a> fn(&'a Call<'a>) -> Boxed<'a, Result<Answer>>;

/// The rest of an operation once its request is decoded.
type Run<L> = Box<dyn FnOnce(Cx<L>) -> Boxed<'static, Result<Answer>> + Send>;

/// Changes the parameters of a call before they are decoded, or refuses them.
type Confine<'a> = &'a mut dyn FnMut(&mut Value) -> Result<()>;

/// A decoded request.
struct Decoded<L: Level> {
    run: Run<L>,
    /// Unknown members of the body.
    unknown: Unknown,
    /// The documents that the request of an end user concerns.
    concerns: Option<Concerns>,
}

/// Decodes a body, of an end user or of a server.
type Decode<L> = fn(&[u8], Confine<'_>, Option<&EndUser>) -> Result<Decoded<L>>;

/// An operation with the types of its request and reply erased, so that only what depends on them
/// is compiled again for each.
struct Erased<L: Level> {
    name: &'static str,
    effect: Effect,
    body_credentials: &'static [&'static str],
    required: &'static [(&'static str, &'static str)],
    end_users: EndUsers,
    decode: Decode<L>,
}

impl<L: Level> Erased<L> {
    const fn of<O: Operation<Auth = L>>() -> Self {
        Self {
            name: O::NAME,
            effect: O::EFFECT,
            body_credentials: O::BODY_CREDENTIALS,
            required: O::REQUIRED,
            end_users: O::END_USERS.rules,
            decode: decode::<O>,
        }
    }
}

fn decode<O: Operation>(
    body: &[u8],
    confine: Confine<'_>,
    end_user: Option<&EndUser>,
) -> Result<Decoded<O::Auth>> {
    let (request, unknown) = envelope::decode_as::<O::Request>(body, O::BODY, confine)?;
    let concerns = O::END_USERS.concerns.filter(|_| end_user.is_some());
    let concerns = concerns.map(|concerns| concerns(&request));
    let run = |cx| -> Boxed<'static, Result<Answer>> {
        Box::pin(async move {
            let success = O::handle(cx, request).await?;
            let body = serde_json::to_string(&success).map_err(Error::internal)?;
            Ok(Answer { status: 200, body })
        })
    };
    Ok(Decoded { run: Box::new(run), unknown, concerns })
}

/// Admit, decode, handle, encode.
pub(crate) fn handler<O: Operation>() -> Handler {
    |call| {
        if let Some(code) = O::ERROR_CODE {
            let _ = call.error_code.set(code);
        }
        Box::pin(handle(call, const { &Erased::<O::Auth>::of::<O>() }))
    }
}

async fn handle<L: Level>(call: &Call<'_>, operation: &Erased<L>) -> Result<Answer> {
    let headers = credentials(call.incoming, operation.body_credentials, L::HEADERS);
    let headers = call.headers::<L>(headers)?;
    let scope = match auth::bearer(&headers) {
        Some(token) if operation.end_users.may_call() => {
            L::admit_end_user(token, &headers, &call.store).await?
        }
        // Nothing is told of the token: no end user may call it.
        Some(_) if L::HEADERS.iter().all(|name| !headers.contains_key(*name)) => {
            let needed = L::HEADERS.join(" and ");
            let message = format!("End users may not call this operation, which takes {needed}.");
            return Err(Error::denied(message));
        }
        _ => L::admit(&headers, &call.store).await?,
    };
    let _ = call.tenant.set(L::tenant(&scope).to_owned());
    let tenant = L::in_tenant(&scope);
    let payers = L::payers(&scope);
    if let Some(state) = call.environment.limiter.take(&payers, operation.effect).await? {
        call.with_headers(|headers| state.write(headers));
        limit::check(&state)?;
    }
    // Before any work: several large bodies at once would all be admitted for one token each.
    let prepaid = limit::tokens_for_body(call.incoming.body.len());
    if prepaid > 0 {
        call.environment.limiter.owe(&payers, operation.effect, prepaid.into()).await;
    }
    let _ = call.payers.set((payers, operation.effect, prepaid));
    let end_user = tenant.and_then(TenantStore::end_user);
    let names = call.environment.names.as_deref();
    let mut confine = |data: &mut Value| {
        if let Some(names) = names {
            names.accept(operation.name, data);
        }
        if let Some(user) = end_user {
            operation.end_users.confine(data, user)?;
        }
        let mut required = required_at(operation.required, &call.incoming.path);
        required.try_for_each(|member| envelope::require(data, member))
    };
    compression::refuse(&call.incoming.headers)?;
    let Decoded { run, unknown, concerns } =
        (operation.decode)(&call.incoming.body, &mut confine, end_user)?;
    let mut role = AccessRole::Editor;
    if let (Some(tenant), Some(_)) = (tenant, end_user) {
        let concerns = concerns.ok_or_else(|| Error::internal("end users may not call this"))?;
        role = tenant.end_users().check_reach(&concerns.reach(&operation.end_users)?).await?;
    }
    if operation.effect == Effect::Deletes {
        unknown.refuse()?;
    }
    if let Some(names) = unknown.named() {
        call.set_header(IGNORED, &names);
    }
    let occurrence = match operation.effect {
        Effect::Reads => Occurrence::First(None),
        _ => once::occurrence(&scope, operation.name, call.incoming).await?,
    };
    let named = |answer: Answer| match names {
        Some(names) => Answer { body: names.answer(operation.name, answer.body), ..answer },
        None => answer,
    };
    let once = match occurrence {
        Occurrence::First(once) => once,
        Occurrence::Repeated(answer) => {
            call.set_header(REPLAYED, "true");
            return Ok(named(answer));
        }
    };
    let result = run(Cx {
        now: L::now(&scope, &call.store),
        scope,
        role,
        operation: operation.name,
        is_v1: call.incoming.path.starts_with("/v1/"),
        regions: Arc::clone(&call.environment.regions),
        default_document_access_type: call.environment.default_document_access_type,
        queues: call.environment.queues.clone(),
        egress: call.environment.egress,
    });
    let result = result.await.map_err(|error| call.coded(error));
    if let Some(once) = once {
        once::keep(once, &result).await;
    }
    result.map(named)
}

/// Replies in our envelope, whatever happens, and writes the log line.
pub async fn answer(
    environment: &Environment,
    operation: &'static str,
    handler: Handler,
    incoming: Incoming,
) -> Response<aws::Body> {
    let clock = environment.store.clock();
    let (started, store) = (clock.now(), environment.store.metered());
    let call = Call {
        environment,
        store,
        incoming: &incoming,
        tenant: OnceLock::new(),
        payers: OnceLock::new(),
        error_code: OnceLock::new(),
        prefix: OnceLock::new(),
        headers: Mutex::default(),
    };

    let work = AssertUnwindSafe(handler(&call)).catch_unwind();
    let result = match tokio::time::timeout(DEADLINE, work).await {
        Ok(Ok(result)) => result,
        Ok(Err(_panic)) => Err(Error::internal("the handler panicked")),
        Err(_elapsed) => Err(Error::unavailable("the deadline of the call passed")),
    };
    let result = result.and_then(|answer| {
        let body = compression::body(&incoming.headers, answer.body)?;
        Ok((answer.status, body))
    });
    let result = result.map_err(|error| call.coded(error));

    let used = call.store.usage();
    let units = used.read_units + used.write_units;
    if let Some((payers, effect, prepaid)) = call.payers.get()
        && let Some(state) = environment.limiter.charge(payers, *effect, units, *prepaid).await
    {
        call.with_headers(|headers| state.write(headers));
    }
    let Usage { reads, writes, read_units, write_units } = call.store.usage();
    let status = result.as_ref().map_or_else(
        |error| error.status.as_str(),
        |(status, _)| if *status == 200 { "OK" } else { "REPLAYED" },
    );
    let (request_id, tenant) =
        (incoming.request_id.as_str(), call.tenant.get().map(String::as_str));
    let duration_ms = clock.now().saturating_sub(started);
    match &result {
        Err(error) if error.is_ours() => tracing::error!(
            operation, status, request_id, tenant, duration_ms, reads, writes, read_units,
            write_units, error = ?error, "A call failed."
        ),
        Err(_) if tenant.is_none() => {
            if let Some(unlogged) = refusals::note() {
                tracing::info!(
                    operation,
                    status,
                    request_id,
                    duration_ms,
                    reads,
                    writes,
                    read_units,
                    write_units,
                    unlogged,
                    "A call was refused."
                );
            }
        }
        _ => tracing::info!(
            operation,
            status,
            request_id,
            tenant,
            duration_ms,
            reads,
            writes,
            read_units,
            write_units,
            "A call was answered."
        ),
    }
    let mut response = reply(request_id, result);
    let headers = call.headers.into_inner();
    response.headers_mut().extend(headers);
    // The cost of a list grows with threads that an end user may not see (decision 86).
    if auth::bearer(&incoming.headers).is_none() {
        response.headers_mut().extend(consumed(read_units, write_units));
    }
    response
}

/// The capacity units of a call, as a dictionary of RFC 9651.
fn consumed(read: f64, written: f64) -> Option<(HeaderName, HeaderValue)> {
    let value = HeaderValue::try_from(format!("read={read:.1}, write={written:.1}")).ok()?;
    Some((HeaderName::from_static(CONSUMED), value))
}

/// The reply with this status and body, or with this error. A binary body is compressed.
pub(crate) fn reply(request_id: &str, result: Result<(u16, aws::Body)>) -> Response<aws::Body> {
    let (code, body) = match result {
        Ok(answer) => answer,
        Err(error) => (error.status.http(), envelope::failure(&error).into()),
    };
    let is_compressed = matches!(body, aws::Body::Binary(_));
    let mut response = Response::new(body);
    *response.status_mut() = StatusCode::from_u16(code).unwrap_or_default();
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    if is_compressed {
        headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
    }
    if let Ok(id) = HeaderValue::from_str(request_id) {
        headers.insert("x-request-id", id);
    }
    response
}

#[cfg(test)]
mod tests;
