//! The user of a connection, for the turns of its calls.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use axum::http::{StatusCode, Uri};
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use dialects::{Dialect, Frame, Message};
use serde_json::Value;

use super::event;

/// The user of a connection. A token is not verified here: a connection counts as its user's when
/// the function has answered a message that came with the token or after it.
#[derive(Clone)]
pub(super) struct Account(Arc<Mutex<State>>);

enum State {
    Unknown,
    Claimed(Vec<u8>),
    Proven(Vec<u8>),
}

impl Account {
    /// That of a new connection, which may have its token in the query.
    pub(super) fn of_connection(uri: &Uri) -> Self {
        let user = event::token(uri).and_then(|token| user(&token));
        Self(Arc::new(Mutex::new(user.map_or(State::Unknown, State::Claimed))))
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The name of the account, once it is proven.
    pub(super) fn user(&self) -> Option<Vec<u8>> {
        match &*self.state() {
            State::Proven(user) => Some(user.clone()),
            State::Unknown | State::Claimed(_) => None,
        }
    }

    /// The key of the account, once it is proven.
    pub(super) fn tenant(&self) -> Option<String> {
        let [key, _] = serde_json::from_slice::<[String; 2]>(&self.user()?).ok()?;
        Some(key)
    }

    /// Looks for a token in a message of the client, while there is none.
    pub(super) fn hear(&self, text: &str) {
        let mut state = self.state();
        if matches!(*state, State::Unknown)
            && let Ok(Frame::Messages(messages)) = Frame::read(text)
        {
            let user = messages.iter().find_map(|bytes| {
                match Dialect::Hocuspocus.read(bytes).ok()?.message {
                    Message::Token(token) => user(&token),
                    _ => None,
                }
            });
            if let Some(user) = user {
                *state = State::Claimed(user);
            }
        }
    }

    /// Takes note that the function has answered a message.
    pub(super) fn prove(&self, status: StatusCode) {
        let mut state = self.state();
        if let State::Claimed(user) = &mut *state
            && status.is_success()
        {
            *state = State::Proven(std::mem::take(user));
        }
    }
}

/// The tenant and user that a token claims.
fn user(token: &str) -> Option<Vec<u8>> {
    let claims = URL_SAFE_NO_PAD.decode(token.split('.').nth(1)?).ok()?;
    let claims: Value = serde_json::from_slice(&claims).ok()?;
    Some(
        serde_json::json!([claims["apiKey"].as_str()?, claims["sub"].as_str()?]).to_string().into(),
    )
}

#[cfg(test)]
mod tests {
    use super::Account;
    use axum::http::{StatusCode, Uri};
    use base64::{
        Engine,
        engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD},
    };

    const ANN: &[u8] = br#"["k","ann"]"#;

    fn token(claims: &str) -> String {
        format!("h.{}.s", URL_SAFE_NO_PAD.encode(claims))
    }

    fn uri(query: &str) -> Uri {
        format!("/live?{query}").parse().unwrap()
    }

    #[test]
    fn a_user_is_proven_by_an_answered_message_with_a_token() {
        let ann = token(r#"{"sub":"ann","apiKey":"k"}"#);
        let in_query = Account::of_connection(&uri(&format!("protocol=y&token={ann}")));
        assert_eq!(in_query.user(), None);
        in_query.prove(StatusCode::BAD_GATEWAY);
        assert_eq!(in_query.user(), None);
        in_query.prove(StatusCode::OK);
        assert_eq!(in_query.user().as_deref(), Some(ANN));

        let in_message = Account::of_connection(&uri("protocol=hocuspocus"));
        in_message.hear("{}");
        in_message.prove(StatusCode::OK);
        assert_eq!(in_message.user(), None);
        let length = u8::try_from(ann.len()).unwrap();
        let message = [b"\x05a/b/c\x02\0", &[length][..], ann.as_bytes()].concat();
        in_message.hear(&format!("CQ== {}", STANDARD.encode(message)));
        in_message.prove(StatusCode::OK);
        assert_eq!(in_message.user().as_deref(), Some(ANN));
    }

    #[test]
    fn what_is_no_token_is_no_account() {
        for token in ["", ".", "a.b", "a.!.c", &token("[]"), &token(r#"{"sub":"ann"}"#)] {
            let account = Account::of_connection(&uri(&format!("token={token}")));
            account.prove(StatusCode::OK);
            assert_eq!(account.user(), None, "{token}");
        }
    }
}
