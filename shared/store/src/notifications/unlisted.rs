//! Erasure of a user from the shared rows of pending work (rule N17): events with pages of
//! recipients, and windows. Their keys follow from the events of the organization.

use std::collections::BTreeSet;

use aws::{Update, Value, Write};
use error::{Error, Result};
use model::{
    UserId,
    event::Event,
    people::{Forgotten, Names},
};
use notification::{PageRef, PendingEvent, Row, RowBody, RowKey, StoredRow, Windows};
use serde_json::Value as Json;
use tenancy::{
    layout::{Table, VERSION, item},
    prelude::*,
    reading::new_version,
    scopes::Deadline,
    writing::{Unit, unchanged},
};

use crate::{deletion::Progress, notifications::Notifications, prelude::*};

/// Events read at a time.
const STEP: usize = 200;
/// Rows read at a time.
const AT_ONCE: usize = 100;
/// Attempts to change a row under contention.
const ATTEMPTS: usize = 8;

impl Notifications<'_> {
    /// Erases a user from shared rows; stops at `deadline`.
    pub(crate) async fn unlist(self, user: &UserId, deadline: Deadline) -> Result<Progress> {
        let mut after: Option<String> = None;
        let mut seen = BTreeSet::new();
        loop {
            let (events, more) = self.latest_events(after.as_deref(), STEP).await?;
            after = events.last().map(|event| event.id.clone());
            for stored in events {
                if self.0.tenant().db().clock().is_past(deadline) {
                    return Ok(Progress::More);
                }
                let Event::Domain(event) = &stored.event else { continue };
                let Some(id) = self.told_as(&stored) else { continue };
                let places = [Some(event.document_id.clone()), None];
                let windows = places.into_iter().flat_map(|document_id| {
                    [None, Some(user.clone())].map(|of| RowKey::Windows {
                        organization_id: self.0.id().clone(),
                        document_id: document_id.clone(),
                        from: None,
                        of,
                    })
                });
                let keys = windows.filter(|key| seen.insert(key.clone()));
                let keys = keys.chain([PageRef::first(&id).key()]).collect();
                self.unlist_in(user, keys).await?;
            }
            if !more {
                return Ok(Progress::Done);
            }
        }
    }

    async fn unlist_in(self, user: &UserId, keys: Vec<RowKey>) -> Result<()> {
        let mut left = keys;
        while !left.is_empty() {
            let rest = left.split_off(left.len().min(AT_ONCE));
            let found = self.0.tenant().schedule().load(&left).await?;
            let mut further = Vec::new();
            for (key, stored) in left.into_iter().zip(found) {
                let Some(stored) = stored else { continue };
                further.extend(beyond(&key, &stored)?);
                self.unlist_row(user, key, stored).await?;
            }
            left = rest;
            left.extend(further);
        }
        Ok(())
    }

    async fn unlist_row(self, user: &UserId, key: RowKey, stored: StoredRow) -> Result<()> {
        let mut stored = Some(stored);
        for _ in 0..ATTEMPTS {
            let Some(StoredRow { mut row, version }) = stored.take() else { return Ok(()) };
            let is_listed = unlisted(&mut row.body, user.as_str());
            let is_named = matches!(key, RowKey::Pending { .. }) && forgotten(&mut row, user)?;
            if !is_listed && !is_named {
                return Ok(());
            }
            let (partition, sort) = self.0.tenant().schedule().row_place(&key);
            let (table, item_key) = (Table::Schedule.name(), item::key(&partition, &sort));
            let write = match key {
                // The key of the row names the user as well.
                RowKey::Windows { of: Some(_), .. } => {
                    let condition = Some(unchanged(&version));
                    Write::Delete { table, key: item_key, condition }
                }
                _ => {
                    Write::Update { table, key: item_key, update: rewritten(&row.body, &version)? }
                }
            };
            let unit = Unit::new(vec![write]);
            if self.0.tenant().db().commit(unit).await.was_executed()? {
                return Ok(());
            }
            stored =
                self.0.tenant().schedule().load(std::slice::from_ref(&key)).await?.pop().flatten();
        }
        Err(Error::aborted())
    }
}

/// Replaces the body of a row of this version.
fn rewritten(body: &Json, version: &str) -> Result<Update> {
    let text = |text: &str| Value::S(text.to_owned());
    Ok(Update {
        expression: "SET #body = :body, #version = :new".to_owned(),
        condition: Some("#version = :seen".to_owned()),
        names: [("#body", "body"), ("#version", VERSION)]
            .map(|(name, of)| (name.to_owned(), of.to_owned()))
            .into(),
        values: [
            (":body", text(&body.to_string())),
            (":new", text(&new_version()?)),
            (":seen", text(version)),
        ]
        .map(|(name, value)| (name.to_owned(), value))
        .into(),
    })
}

/// The rows that a row refers to.
fn beyond(key: &RowKey, stored: &StoredRow) -> Result<Vec<RowKey>> {
    Ok(match key {
        RowKey::Pending { event_id } => {
            let pages = 1..PendingEvent::from_row(stored.row.clone())?.pages;
            let event_id = || event_id.clone();
            pages.map(|page| RowKey::Recipients { event_id: event_id(), page }).collect()
        }
        RowKey::Windows { organization_id, document_id, from: None, of: None } => {
            let splits = Windows::from_row(stored.row.clone())?.splits.into_iter();
            let of = |from| RowKey::Windows {
                organization_id: organization_id.clone(),
                document_id: document_id.clone(),
                from: Some(from),
                of: None,
            };
            splits.map(of).collect()
        }
        _ => vec![],
    })
}

/// Erases a user from the event of a row; false when it does not name the user.
fn forgotten(row: &mut Row, user: &UserId) -> Result<bool> {
    let mut pending = PendingEvent::from_row(row.clone())?;
    if pending.event.forget(user) == Forgotten::Unchanged {
        return Ok(false);
    }
    row.body["event"] = serde_json::to_value(pending.event).map_err(Error::internal)?;
    Ok(true)
}

/// Removes a user from every list of users; false when no list names the user.
fn unlisted(body: &mut Json, user: &str) -> bool {
    match body {
        Json::Object(members) => members.iter_mut().fold(false, |found, (name, member)| {
            found
                | match member {
                    Json::Array(users) if name == "users" => {
                        let before = users.len();
                        users.retain(|id| id.as_str() != Some(user));
                        users.len() < before
                    }
                    member => unlisted(member, user),
                }
        }),
        Json::Array(elements) => {
            elements.iter_mut().fold(false, |found, element| found | unlisted(element, user))
        }
        _ => false,
    }
}
