//! Pages for people: the targets of links in mails. The token in the path is the only credential;
//! there are no cookies, scripts or redirects.

use std::{fmt::Write, future::Future, panic::AssertUnwindSafe, time::Duration};

use aws::{Boxed, HeaderValue, Incoming, Response, StatusCode, header};
use error::{Error, Result};
use futures_util::FutureExt;
use keyring::Keyring;
use model::{
    ApiKeyId,
    clock::ClockOffset,
    template::{Dialect, Sink, Values, render, shorten},
};
use store::TenantStore;

use crate::{
    config::Environment,
    operation::{Listed, binary},
};

/// Time limit of a visit.
const DEADLINE: Duration = Duration::from_secs(20);
/// Maximum length of a shown name, in characters.
const MAX_NAME: usize = 120;

/// A page with a token in its path. Listed like an operation, see [`crate::pages!`].
pub trait Page: Listed + Send + Sync + 'static {
    /// Path of the page, with `{token}` as the last part.
    const PATH: &'static str;

    /// Shows the page. Changes nothing, because mail scanners open every link.
    ///
    /// # Errors
    /// NOT_FOUND for an invalid token.
    fn show(visit: Visit<'_>) -> impl Future<Output = Result<Sheet>> + Send;

    /// Executes its button, and shows the result. Idempotent.
    ///
    /// # Errors
    /// NOT_FOUND for an invalid token.
    fn act(visit: Visit<'_>) -> impl Future<Output = Result<Sheet>> + Send;
}

/// A visit of a page.
pub struct Visit<'a> {
    environment: &'a Environment,
    incoming: &'a Incoming,
}

impl Visit<'_> {
    /// The token in the path, unverified.
    pub fn token(&self) -> &str {
        self.incoming.path.rsplit('/').next().unwrap_or_default()
    }

    /// The body of the form.
    pub fn form(&self) -> &[u8] {
        &self.incoming.body
    }

    /// Keyring that verifies tokens.
    pub fn keyring(&self) -> &Keyring {
        self.environment.mailing.keyring()
    }

    /// The tenant that a verified token names.
    ///
    /// # Errors
    /// NOT_FOUND when its key does not exist.
    pub async fn tenant(&self, api_key: ApiKeyId) -> Result<TenantStore> {
        self.environment.store.metered().resume(&api_key.into(), ClockOffset::default()).await
    }
}

/// The content of a page; every text is escaped.
#[derive(Clone, Debug)]
pub struct Sheet {
    /// Title and headline.
    pub title: &'static str,
    /// The text, with `{name}` for [`Sheet::name`].
    pub text: &'static str,
    /// A name; on one line, truncated.
    pub name: String,
    /// Label of its button, and the field it sends: name and value.
    pub button: Option<(&'static str, (&'static str, &'static str))>,
}

impl Sheet {
    fn only(title: &'static str, text: &'static str) -> Self {
        Self { title, text, name: String::new(), button: None }
    }

    fn html(&self) -> String {
        let name = shorten(&self.name, MAX_NAME);
        let values = [("name".to_owned(), name.into())].into_iter().collect();
        let values = Values::new().then(&values);
        let text = render(self.text, Dialect::Braces, &values, Sink::Html);
        let mut html = format!(
            "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
             <meta name=\"viewport\" content=\"width=device-width\">\
             <meta name=\"robots\" content=\"noindex\"><title>{0}</title></head>\
             <body><main><h1>{0}</h1><p>{text}</p>",
            self.title
        );
        if let Some((label, (name, value))) = self.button {
            let _ = write!(
                html,
                "<form method=\"post\"><input type=\"hidden\" name=\"{name}\" value=\"{value}\">\
                 <button>{label}</button></form>"
            );
        }
        html + "</main></body></html>\n"
    }
}

/// A page with its types erased: a visit, and whether the button was pressed.
type Handler = for<'a> fn(Visit<'a>, bool) -> Boxed<'a, Result<Sheet>>;

/// A page as a value.
#[derive(Clone)]
pub struct PageSpec {
    /// `emails.unsubscribe`.
    pub name: &'static str,
    /// One sentence.
    pub summary: &'static str,
    /// Path of the page, with `{token}` as the last part.
    pub path: &'static str,
    handler: Handler,
}

impl PageSpec {
    /// The methods of every page.
    pub const METHODS: [&'static str; 2] = ["GET", "POST"];

    /// The page as a value.
    pub fn of<P: Page>() -> Self {
        let handler: Handler = |visit, acts| match acts {
            true => Box::pin(P::act(visit)),
            false => Box::pin(P::show(visit)),
        };
        Self { name: P::NAME, summary: P::SUMMARY.trim_ascii(), path: P::PATH, handler }
    }

    /// `emails-unsubscribe`.
    pub fn binary(&self) -> String {
        binary(self.name)
    }

    /// Whether a path belongs to this page.
    pub fn has(&self, path: &str) -> bool {
        let start = self.path.trim_end_matches("{token}");
        path.strip_prefix(start).is_some_and(|token| !token.is_empty() && !token.contains('/'))
    }

    /// Replies to a visit, whatever happens, and writes its log line. The path is secret.
    pub async fn answer(
        &self,
        environment: &Environment,
        incoming: Incoming,
    ) -> Response<aws::Body> {
        let started = environment.now();
        let visit = Visit { environment, incoming: &incoming };
        let work = AssertUnwindSafe((self.handler)(visit, incoming.method == "POST"));
        let result = match tokio::time::timeout(DEADLINE, work.catch_unwind()).await {
            Ok(Ok(result)) => result,
            Ok(Err(_panic)) => Err(Error::internal("the page panicked")),
            Err(_elapsed) => Err(Error::unavailable("the deadline of the page passed")),
        };
        let (page, request_id) = (self.name, incoming.request_id.as_str());
        let duration_ms = environment.now().saturating_sub(started);
        let status = result.as_ref().map_or_else(|error| error.status.as_str(), |_| "OK");
        match &result {
            Err(error) if error.is_ours() => tracing::error!(
                page, status, request_id, duration_ms, error = ?error, "A page failed."
            ),
            _ => tracing::info!(page, status, request_id, duration_ms, "A page was shown."),
        }
        reply(result)
    }
}

fn reply(result: Result<Sheet>) -> Response<aws::Body> {
    let (code, sheet) = match result {
        Ok(sheet) => (StatusCode::OK, sheet),
        Err(error) if error.is_ours() => (
            StatusCode::SERVICE_UNAVAILABLE,
            Sheet::only("Please try again", "This did not work just now. Please try again later."),
        ),
        Err(_) => (
            StatusCode::NOT_FOUND,
            Sheet::only("Nothing here", "This link is invalid or has expired."),
        ),
    };
    let mut response = Response::new(sheet.html().into());
    *response.status_mut() = code;
    let headers = response.headers_mut();
    for (name, value) in [
        (header::CONTENT_TYPE, "text/html; charset=utf-8"),
        (
            header::CONTENT_SECURITY_POLICY,
            "default-src 'none'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
        ),
        (header::CACHE_CONTROL, "no-store"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    response
}
