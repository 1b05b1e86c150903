//! Calls with an `Idempotency-Key`: executed once (decision 24).

use aws::Incoming;
use error::{Error, Result, Status};
use keyring::sha256_hex;
use store::{Answer, Claim, Naming, Once};

/// The header with the key.
pub const IDEMPOTENCY_KEY: &str = "idempotency-key";
/// Maximum length of a key, in bytes.
const MAX_NAME_BYTES: usize = 255;

/// The decision about a call.
pub(crate) enum Occurrence {
    /// Execute it, and store its reply if it has a key.
    First(Option<Once>),
    /// Replay this stored reply.
    Repeated(Answer),
}

/// Looks up whether a call was executed before.
///
/// # Errors
/// INVALID_ARGUMENT for a malformed key, or that of another call; ABORTED while it is in progress;
/// FAILED_PRECONDITION when its reply is not stored.
pub(crate) async fn occurrence(
    scope: &impl Naming,
    operation: &str,
    incoming: &Incoming,
) -> Result<Occurrence> {
    let Some(name) = incoming.headers.get(IDEMPOTENCY_KEY) else {
        return Ok(Occurrence::First(None));
    };
    let name = name.to_str().ok().filter(|name| (1..=MAX_NAME_BYTES).contains(&name.len()));
    let Some(name) = name else {
        let message = "The header Idempotency-Key must be 1 to 255 visible ASCII characters.";
        return Err(Error::invalid(message));
    };
    let body = String::from_utf8_lossy(&incoming.body);
    let call = sha256_hex(&format!("{}\n{body}", incoming.path));
    match Once::claim(scope, operation, name, call).await? {
        Claim::Mine(once) => Ok(Occurrence::First(Some(once))),
        Claim::Made(answer) => Ok(Occurrence::Repeated(answer)),
        Claim::UnderWay => Err(Error::under_way(
            "The call with this Idempotency-Key is in progress; please repeat it in a moment.",
        )),
        Claim::Another => Err(Error::invalid(
            "The Idempotency-Key was used for a call with another path or body.",
        )),
        Claim::Forgotten => Err(Error::precondition(
            "The call with this Idempotency-Key was executed; its reply is not stored.",
        )),
    }
}

/// Stores the reply of a call, if a repetition would get the same. A failure to store it does not
/// fail the call.
pub(crate) async fn keep(once: Once, result: &Result<Answer>) {
    let kept = match result {
        Ok(answer) => once.answered(answer).await,
        Err(error) if is_final(error) => {
            let (status, body) = (error.status.http(), envelope::failure(error));
            once.answered(&Answer { status, body }).await
        }
        Err(_) => once.give_up().await,
    };
    if let Err(error) = kept {
        tracing::warn!(error = ?error, "The reply of an idempotent call could not be stored.");
    }
}

/// Whether a failure is permanent, not transient.
fn is_final(error: &Error) -> bool {
    use Status::{Aborted, Internal, ResourceExhausted, Unavailable};
    !matches!(error.status, Aborted | Internal | ResourceExhausted | Unavailable)
}
