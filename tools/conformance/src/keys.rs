//! Distinctness of keys.

use delivery::{Body as _, Row, RowKey, Rows, Windows};
use model::{OrganizationId, UserId};
use serde_json::json;

use crate::{commits, delete, find, insert, key, read, row, version};

/// Ids that imitate parts of a key, and the longest one.
fn ids() -> Vec<String> {
    let odd = ["a", "b", "a#b", "#", "%", "%23", "a%23b", "pending", "user", "1", "é\u{10fffd} "];
    odd.map(str::to_owned).into_iter().chain(["#".repeat(256)]).collect()
}

fn owner(organization: &str, user: &str) -> (OrganizationId, UserId) {
    let organization = organization.to_owned().try_into().expect("an id");
    (organization, user.to_owned().try_into().expect("an id"))
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
        for (organization, user) in [("a", "b"), ("a#b", "b"), ("a", "b#b"), (&id, &id)] {
            let ((organization_id, user_id), id) = (owner(organization, user), id.clone());
            let document_id = Some(id.clone().try_into().expect("an id"));
            let (o, u) = (|| organization_id.clone(), || user_id.clone());
            keys.push(RowKey::Mail { organization_id: o(), user_id: u(), generation: id });
            for document_id in [document_id, None] {
                for (from, of) in [(None, None), (Some(u()), None), (None, Some(u()))] {
                    let (organization_id, document_id) = (o(), document_id.clone());
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
