//! The payer of a connection: its address until it sends a token that this process can verify, and
//! then the user of the latest one. Its place is that of a user once the service has accepted a token,
//! which may be one of a user whom it knows no more.

use std::sync::Arc;

use dialects::{Dialect, Frame, Message};
use parking_lot::Mutex;

use crate::net::{Bounds, Payer, Payers, SharePermit, listener::Client};

/// The account that pays for a connection.
#[derive(Clone)]
pub(super) struct Account {
    payers: Arc<Payers>,
    bounds: Arc<Bounds>,
    /// The connection as the listener knows it.
    client: Option<Arc<Client>>,
    state: Arc<Mutex<State>>,
}

struct State {
    payer: Payer,
    /// The account's share of the connections.
    #[expect(dead_code, reason = "held")]
    place: SharePermit,
}

impl Account {
    /// The account of a new connection of a payer; none if the payer has its part of the
    /// connections.
    pub(super) fn open(
        payers: &Arc<Payers>,
        bounds: &Arc<Bounds>,
        payer: Payer,
        client: Option<Arc<Client>>,
    ) -> Option<Self> {
        let place = bounds.socket(&payer)?;
        if let Some(client) = &client {
            // By what the service says of the token, and not by earlier calls.
            client.is_judged(false);
        }
        let state = Arc::new(Mutex::new(State { payer, place }));
        let (payers, bounds) = (Arc::clone(payers), Arc::clone(bounds));
        Some(Self { payers, bounds, client, state })
    }

    /// The payer of the connection.
    pub(super) fn payer(&self) -> Payer {
        self.state.lock().payer.clone()
    }

    /// The end user of a token that this process can verify.
    pub(super) fn of_token(&self, token: &str) -> Option<Payer> {
        self.payers.of_token(token)
    }

    /// Looks for tokens in a frame of a client of Hocuspocus; whether somebody else pays from now on.
    pub(super) fn hear(&self, text: &str) -> bool {
        let Ok(Frame::Messages(messages)) = Frame::read(text) else { return false };
        let token = |bytes: Vec<u8>| match Dialect::Hocuspocus.read(&bytes).ok()?.message {
            Message::Token(token) => Some(token),
            _ => None,
        };
        let tokens = messages.into_iter().filter_map(token);
        tokens.filter(|token| self.take(token)).count() > 0
    }

    /// Takes note of a token; whether somebody else pays from now on. One that does not prove a user
    /// changes nothing.
    pub(super) fn take(&self, token: &str) -> bool {
        let Some(payer) = self.payers.of_token(token) else { return false };
        let mut state = self.state.lock();
        if state.payer == payer {
            return false;
        }
        // A user who has its part of the connections proves nothing with more of them.
        let Some(place) = self.bounds.socket(&payer) else { return false };
        *state = State { payer, place };
        true
    }

    /// Takes note that the service has accepted the token of the user who pays.
    pub(super) fn is_accepted(&self) {
        if let Some(client) = self.client.as_ref().filter(|_| self.payer().is_proven()) {
            client.is_judged(true);
        }
    }

    /// Returns when the connection has to end because it has proven no user, in time or while there
    /// was room for it.
    pub(super) async fn overdue(&self) {
        match &self.client {
            Some(client) => drop(client.overdue().await),
            None => std::future::pending().await,
        }
    }
}
