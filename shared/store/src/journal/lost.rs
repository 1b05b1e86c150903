//! Events that items still carry, for the repair after records expired in the stream.

use std::ops::Range;

use error::Result;
use model::clock::WallTime;
use serde::{Deserialize, Serialize};
use tenancy::{
    layout::{EVENTS, Table, item},
    scopes::{place_of, report},
};

use crate::{
    journal::{
        StoredEvent,
        record::{self, Recorded},
    },
    schedule::SystemStore,
};

/// Items processed in one call.
const PAGE: i32 = 200;

/// A position in a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ScanPlace {
    partition: String,
    sort: String,
}

/// A part of the events of a table.
#[derive(Debug)]
pub struct FoundEvents {
    /// The events, in the order of the table.
    pub events: Vec<Recorded>,
    /// Items whose events cannot be read.
    pub unreadable: usize,
    /// Continuation, except at the end.
    pub next: Option<ScanPlace>,
}

impl SystemStore {
    /// The events on items of a table from a time range, in real time.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub async fn carried_events(
        &self,
        table: Table,
        start: Option<ScanPlace>,
        time: &Range<WallTime>,
    ) -> Result<FoundEvents> {
        let start = start.map(|place| item::at(&place.partition, &place.sort));
        let page =
            self.db.dynamo().scan(table.name(), EVENTS, start, PAGE).await.map_err(report)?;
        let next = page.next.map(|key| {
            let (partition, sort) = place_of(&key);
            ScanPlace { partition, sort }
        });
        let mut found = FoundEvents { events: vec![], unreadable: 0, next };
        for item in page.items {
            match record::found(item) {
                Ok(events) => found.events.extend(events.into_iter().filter(|recorded| {
                    let StoredEvent { at, ahead, .. } = recorded.event;
                    time.contains(&WallTime::when_tenant_shows(at, ahead))
                })),
                Err(_) => found.unreadable += 1,
            }
        }
        Ok(found)
    }
}
