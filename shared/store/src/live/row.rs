//! The stored row of a connection.

use std::collections::BTreeSet;

use aws::{Item, Value};
use error::{Error, Result};
use model::{Millis, live::LivePlace};
use serde::{Deserialize, Serialize};
use tenancy::{layout::item::number, scopes::Issued};

use super::Connected;

const PROTOCOL: &str = "protocol";
const ROOM: &str = "room";
const ORIGIN: &str = "origin";
const OPENED: &str = "opened";
pub(super) const CLAIMS: &str = "claims";
pub(super) const PLACES: &str = "places";
pub(super) const REFUSED: &str = "refused";

/// Protocol of a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Protocol {
    /// y-websocket.
    Y,
    /// Hocuspocus.
    Hocuspocus,
    /// Events, in JSON.
    Events,
}

impl Protocol {
    const ALL: [Self; 3] = [Self::Y, Self::Hocuspocus, Self::Events];

    /// The name on the wire.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Y => "y",
            Self::Hocuspocus => "hocuspocus",
            Self::Events => "events",
        }
    }

    /// The protocol of that name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|protocol| protocol.name() == name)
    }
}

/// The stored row of a connection.
pub(super) struct Row {
    pub(super) protocol: Protocol,
    pub(super) room: Option<String>,
    pub(super) origin: Option<String>,
    /// The time at which it opened, if it did so without a token.
    pub(super) opened: Option<Millis>,
    /// The claims of its token, once it has sent one.
    pub(super) issued: Option<Issued>,
    pub(super) places: BTreeSet<LivePlace>,
    /// Number of refused tokens.
    pub(super) refused: u64,
}

pub(super) fn claims(issued: &Issued) -> Result<String> {
    serde_json::to_string(issued).map_err(Error::internal)
}

impl Row {
    /// The row of a new connection, without its key.
    pub(super) fn written(
        connected: &Connected<'_>,
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
        if issued.is_none() {
            row.insert(OPENED.to_owned(), Value::N(now.to_string()));
        }
        Ok(row)
    }

    pub(super) fn read(item: &Item) -> Result<Self> {
        let text = |name: &str| item.get(name).and_then(|value| value.as_s().ok());
        let unreadable = || Error::internal("a connection that cannot be read");
        let issued = text(CLAIMS).map(|claims| serde_json::from_str(claims)).transpose();
        let places = item.get(PLACES).and_then(|value| value.as_ss().ok()).into_iter().flatten();
        let places = places.map(|place| serde_json::from_str(place)).collect::<Result<_, _>>();
        let refused = item.get(REFUSED).and_then(|value| value.as_n().ok()?.parse().ok());
        Ok(Self {
            protocol: text(PROTOCOL).and_then(|it| Protocol::named(it)).ok_or_else(unreadable)?,
            room: text(ROOM).cloned(),
            origin: text(ORIGIN).cloned(),
            opened: number(item, OPENED),
            issued: issued.map_err(Error::internal)?,
            places: places.map_err(Error::internal)?,
            refused: refused.unwrap_or(0),
        })
    }
}
