//! The JSON of a row of windows: each event id stands once, and windows refer to it.

use std::collections::HashMap;

use model::{Millis, UserId};
use serde::{Deserialize, Serialize};

use crate::{Closed, PageRef, SeparateWindow};

/// The JSON of [`crate::Windows`].
#[derive(Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Windows {
    open: Vec<Window>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    events: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    apart: Vec<SeparateWindow>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    splits: Vec<UserId>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    idle: Option<Millis>,
}

#[derive(Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Window {
    generation: String,
    users: Vec<UserId>,
    opened_at: Millis,
    closes_at: Millis,
    ids: Vec<Id>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    closed: Option<Closed>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    led: bool,
}

/// A page of recipients.
#[derive(Clone, Serialize, Deserialize)]
#[serde(untagged)]
enum Id {
    /// The first page of an event.
    First(usize),
    /// A further page of an event.
    Further(usize, u32),
    /// A row that an earlier version wrote.
    Whole(PageRef),
}

impl From<crate::Windows> for Windows {
    fn from(windows: crate::Windows) -> Self {
        let crate::Windows { open, apart, splits, idle } = windows;
        let mut events: Vec<String> = Vec::new();
        let mut known: HashMap<String, usize> = HashMap::new();
        let mut id = |page: PageRef| {
            let at = *known.entry(page.event_id).or_insert_with_key(|event| {
                events.push(event.clone());
                events.len() - 1
            });
            match page.page {
                0 => Id::First(at),
                page => Id::Further(at, page),
            }
        };
        let open = open.into_iter().map(|window| {
            let crate::Window { generation, users, opened_at, closes_at, ids, closed, led } =
                window;
            let ids = ids.into_iter().map(&mut id).collect();
            Window { generation, users, opened_at, closes_at, ids, closed, led }
        });
        let open = open.collect();
        Self { open, events, apart, splits, idle }
    }
}

impl TryFrom<Windows> for crate::Windows {
    type Error = &'static str;

    fn try_from(stored: Windows) -> Result<Self, Self::Error> {
        let Windows { open, events, apart, splits, idle } = stored;
        let page = |id: Id| {
            let (at, page) = match id {
                Id::Whole(page) => return Ok(page),
                Id::First(at) => (at, 0),
                Id::Further(at, page) => (at, page),
            };
            let event_id = events.get(at).cloned().ok_or("no such event")?;
            Ok(PageRef { event_id, page })
        };
        let open = open.into_iter().map(|window| {
            let Window { generation, users, opened_at, closes_at, ids, closed, led } = window;
            let ids = ids.into_iter().map(page).collect::<Result<_, Self::Error>>()?;
            Ok(crate::Window { generation, users, opened_at, closes_at, ids, closed, led })
        });
        let open = open.collect::<Result<_, Self::Error>>()?;
        Ok(Self { open, apart, splits, idle })
    }
}
