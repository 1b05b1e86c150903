//! The stored row of a connection.

use std::collections::BTreeSet;

use aws::{Item, Value};
use error::{Error, Result};
use model::{Millis, live::LivePlace};
use tenancy::{
    layout::{Key, item},
    scopes::Issued,
};

use crate::member::protocol::Protocol;

/// Time in which a connection has to send a token, in milliseconds.
pub(super) const PATIENCE: Millis = 10_000;

const PROTOCOL: &str = "protocol";
const ROOM: &str = "room";
const ORIGIN: &str = "origin";
const OPENED: &str = "opened";
pub(super) const ENDED: &str = "ended";
/// How long what a connection sent before its end is handled, in milliseconds.
const AFTERMATH: Millis = 20_000;
pub(super) const CLAIMS: &str = "claims";
pub(super) const PLACES: &str = "places";
pub(super) const REFUSED: &str = "refused";

/// The place of a connection's row.
pub(super) fn place(id: &str) -> (Key, Key) {
    (Key::pair("connection", id), Key::named("connection"))
}

pub(super) fn key(id: &str) -> Item {
    let (partition, sort) = place(id);
    item::key(&partition, &sort)
}

/// A connection at `$connect`.
pub struct NewConnection<'a> {
    /// Id of the connection at API Gateway.
    pub id: &'a str,
    /// Protocol of the connection.
    pub protocol: Protocol,
    /// The requested room.
    pub room: Option<&'a str>,
    /// The origin of the web page.
    pub origin: Option<&'a str>,
    /// The token of its user.
    pub token: Option<&'a str>,
}

/// The stored row of a connection.
pub(super) struct ConnectionRow {
    pub(super) protocol: Protocol,
    pub(super) room: Option<String>,
    pub(super) origin: Option<String>,
    /// The time at which it opened. Rows of earlier versions say it only without a token.
    pub(super) opened: Option<Millis>,
    /// The time at which it ended.
    pub(super) ended: Option<Millis>,
    /// The claims of its token, once it has sent one.
    pub(super) issued: Option<Issued>,
    pub(super) places: BTreeSet<LivePlace>,
    /// Number of refused tokens.
    pub(super) refused: u64,
}

pub(super) fn claims(issued: &Issued) -> Result<String> {
    serde_json::to_string(issued).map_err(Error::internal)
}

impl ConnectionRow {
    /// The row of a new connection, without its key.
    pub(super) fn written(
        connected: &NewConnection<'_>,
        issued: Option<&Issued>,
        now: Millis,
    ) -> Result<Item> {
        let texts = [
            (PROTOCOL, Some(connected.protocol.name().to_owned())),
            (ROOM, connected.room.map(str::to_owned)),
            (ORIGIN, connected.origin.map(str::to_owned)),
            (CLAIMS, issued.map(claims).transpose()?),
        ];
        let texts = texts.into_iter().filter_map(|(name, text)| Some((name.to_owned(), text?)));
        let mut row: Item = texts.map(|(name, text)| (name, Value::S(text))).collect();
        row.insert(OPENED.to_owned(), Value::N(now.to_string()));
        Ok(row)
    }

    /// Whether what the connection sent is still handled: it is open, or has just ended.
    pub(super) fn is_heard(&self, now: Millis) -> bool {
        self.ended.is_none_or(|ended| now <= ended.saturating_add(AFTERMATH))
    }

    pub(super) fn read(item: &Item) -> Result<Self> {
        let text = |name: &str| item.get(name).and_then(|value| value.as_s().ok());
        let unreadable = || Error::internal("a connection that cannot be read");
        let issued = text(CLAIMS).map(|claims| serde_json::from_str(claims)).transpose();
        let places = item.get(PLACES).and_then(|value| value.as_ss().ok()).into_iter().flatten();
        let places = places.map(|place| serde_json::from_str(place)).collect::<Result<_, _>>();
        let refused = item.get(REFUSED).and_then(|value| value.as_n().ok()?.parse().ok());
        Ok(Self {
            protocol: text(PROTOCOL)
                .and_then(|name| Protocol::named(name))
                .ok_or_else(unreadable)?,
            room: text(ROOM).cloned(),
            origin: text(ORIGIN).cloned(),
            opened: item::number(item, OPENED),
            ended: item::number(item, ENDED),
            issued: issued.map_err(Error::internal)?,
            places: places.map_err(Error::internal)?,
            refused: refused.unwrap_or(0),
        })
    }
}
