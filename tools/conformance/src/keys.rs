//! Distinctness of keys.

use model::{OrganizationId, UserId};
use notification::{Row, RowBody as _, RowKey, Rows, Windows};
use serde_json::json;

use crate::{commits, delete, find, insert, key, read, row, version};

/// Ids that imitate parts of a key, and the longest one.
fn ids() -> Vec<String> {
    let odd = ["a", "b", "a#b", "#", "%", "%23", "a%23b", "pending", "user", "1", "é\u{10fffd} "];
    odd.map(str::to_owned).into_iter().chain(["#".repeat(256)]).collect()
}

/// A user of an organization.
struct Owner {
    organization_id: OrganizationId,
    user_id: UserId,
}

fn owner(organization: &str, user: &str) -> Owner {
    Owner {
        organization_id: organization.to_owned().try_into().expect("an id"),
        user_id: user.to_owned().try_into().expect("an id"),
    }
}

/// Every kind of row, with ids that differ as little as possible.
fn all_kinds() -> Vec<RowKey> {
    let mut keys = Vec::new();
    for id in ids() {
        let event_id = || id.clone();
        keys.push(RowKey::Pending { event_id: event_id() });
        keys.extend([1, 11].map(|page| RowKey::Recipients { event_id: event_id(), page }));
        keys.push(RowKey::Feedback { tag: id.clone() });
        keys.push(RowKey::Suppressed { address: id.clone() });
        for owner in [owner("a", "b"), owner("a#b", "b"), owner("a", "b#b"), owner(&id, &id)] {
            let Owner { organization_id, user_id } = owner;
            let document_id = Some(id.clone().try_into().expect("an id"));
            keys.push(RowKey::Mail {
                organization_id: organization_id.clone(),
                user_id: user_id.clone(),
                generation: id.clone(),
            });
            let user = || Some(user_id.clone());
            for document_id in [document_id, None] {
                for (from, of) in [(None, None), (user(), None), (None, user())] {
                    let organization_id = organization_id.clone();
                    let document_id = document_id.clone();
                    keys.push(RowKey::Windows { organization_id, document_id, from, of });
                }
            }
        }
    }
    keys.sort();
    keys.dedup();
    keys
}

/// A row of its kind, with a mark.
fn marked(key: &RowKey, mark: usize) -> Row {
    let generation = mark.to_string();
    let typed = match key {
        RowKey::Windows { .. } => {
            let splits = vec![generation.try_into().expect("an id")];
            Windows { splits, ..Windows::default() }.to_row()
        }
        _ => Ok(row(json!({ "generation": generation }))),
    };
    Row { due: None, ..typed.expect("a row") }
}

pub(crate) async fn no_row_is_taken_for_another(rows: &impl Rows) {
    let keys = all_kinds();
    for (chunk, keys) in keys.chunks(100).enumerate() {
        let new = keys.iter().enumerate().map(|(n, key)| insert(key, marked(key, chunk * 100 + n)));
        assert!(commits(rows, new.collect()).await, "one of {keys:?} was there");
    }
    for (chunk, keys) in keys.chunks(100).enumerate() {
        for (n, found) in read(rows, keys).await.into_iter().enumerate() {
            let found = found.map(|stored| stored.row);
            assert_eq!(found, Some(marked(&keys[n], chunk * 100 + n)), "{:?}", keys[n]);
        }
    }
}

pub(crate) async fn tenants_do_not_meet(rows: &impl Rows, other: &impl Rows) {
    let (key, absent) = (key("tenants"), key("tenants-absent"));
    assert!(commits(rows, vec![insert(&key, row(1))]).await);
    assert_eq!(find(other, &key).await, None);
    assert!(commits(other, vec![insert(&key, row(2))]).await);
    let (own, foreign) = (version(rows, &key).await, find(other, &key).await);
    assert!(!commits(other, vec![delete(&key, &own), insert(&absent, row(2))]).await);
    assert!(commits(rows, vec![delete(&key, &own)]).await);
    assert_eq!((find(rows, &key).await, find(other, &key).await), (None, foreign));
}
