//! Calls of the functions of the channel.

use std::sync::Arc;

use axum::http::{HeaderValue, StatusCode};
use editing::in_place;
use serde_json::Value;
use service::{Clock, SUBPROTOCOL, SocketSpec};

use super::limits::places;
use crate::{
    host::{Environments, Functions},
    net::{AccountLimits, Payer, Shares},
};

/// The answer of a function.
pub(super) struct Told {
    pub(super) status: StatusCode,
    pub(super) body: String,
    /// Whether it accepted the token of an end user.
    pub(super) has_accepted_user: bool,
    /// The subprotocol that it chose at `$connect`.
    pub(super) subprotocol: Option<HeaderValue>,
}

/// The functions of the channel, in turns of payers.
pub(crate) struct Calls {
    functions: Arc<Functions>,
    environments: Arc<Environments>,
    clock: Clock,
    turns: Arc<AccountLimits>,
    places: Shares,
}

impl Calls {
    pub(crate) fn new(
        functions: Arc<Functions>,
        environments: Arc<Environments>,
        clock: Clock,
        turns: Arc<AccountLimits>,
    ) -> Self {
        Self { functions, environments, clock, turns, places: places() }
    }

    /// The time, in epoch milliseconds.
    pub(super) fn now(&self) -> u64 {
        self.clock.now()
    }

    /// Calls the function of a route in the turn of a payer. Without an answer its status is 502. The
    /// event is made then: what waits for the turn is kept once.
    pub(super) async fn tell(
        &self,
        route: &str,
        payer: &Payer,
        event: impl FnOnce() -> Value,
    ) -> Told {
        let refused = |status| Told {
            status,
            body: String::new(),
            has_accepted_user: false,
            subprotocol: None,
        };
        let Some(socket) = self.functions.socket(route) else {
            return refused(StatusCode::FORBIDDEN);
        };
        // The turn first: whoever waits for it takes no place.
        let _turn = self.turns.acquire(payer).await;
        let Some(place) = self.places.take(payer, 1).await else {
            return refused(StatusCode::SERVICE_UNAVAILABLE);
        };
        let environment = self.environments.of_function(socket.binary());
        let answer = in_place(place, socket.answer(&environment, event())).await;
        let status = answer["statusCode"].as_u64().and_then(|status| u16::try_from(status).ok());
        let status = status.and_then(|status| StatusCode::from_u16(status).ok());
        Told {
            status: status.unwrap_or(StatusCode::BAD_GATEWAY),
            body: answer["body"].as_str().unwrap_or_default().to_owned(),
            has_accepted_user: SocketSpec::has_accepted_user(&answer),
            subprotocol: answer["headers"][SUBPROTOCOL].as_str().and_then(|name| name.parse().ok()),
        }
    }
}
