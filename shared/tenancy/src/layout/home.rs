//! The partition of an item within its scope: it follows from the sort key.
//!
//! An organization has many partitions, so that the limits of one do not bound its size or traffic.
//! The sort key of an item determines its partition:
//!
//! | What | Partition, behind that of the organization |
//! |---|---|
//! | the content of a document, found by it | `document#D` |
//! | link rows of a user | `links#00` … `links#1f`, by the user |
//! | an activity | `activity#A` |
//! | everything else | none: the partition of the organization itself |

use aws::{Item, Value};
use model::{DocumentId, Millis};

use super::{
    item,
    key::{Key, last_name},
};

/// Heads of the sort keys in the partition of a document; the document follows.
const OF_DOCUMENTS: [&str; 10] = [
    "annotation",
    "archived",
    "comment-id",
    "seen",
    "digest-of",
    "presence",
    "live-state",
    "live",
    "live-event",
    "crdt",
];
/// Number of partitions of the link rows of an organization. They can be enumerated, unlike
/// partitions per user.
const LINKS: u8 = 32;

/// The partition of an item of a scope, or of all items with a prefix of the sort key. The prefix
/// has to name the document or the user.
pub fn home(scope: &Key, sort: &str) -> Key {
    if scope.last_name() != Some("organization") {
        return scope.clone();
    }
    let mut parts = sort.split('#');
    match (parts.next(), parts.next()) {
        (Some(head), Some(document)) if OF_DOCUMENTS.contains(&head) => {
            scope.and_escaped("document", document)
        }
        (Some("link"), Some(user)) => links(scope, bucket(user)),
        (Some("activity"), Some(activity)) => scope.and_escaped("activity", activity),
        _ => scope.clone(),
    }
}

/// The partitions of link rows.
pub fn homes_of_links(scope: &Key) -> impl Iterator<Item = Key> {
    (0..LINKS).map(|bucket| links(scope, bucket))
}

/// Head of the listing rows of documents with content in a table. They are in the partition of the
/// organization, so that its deletion finds them.
pub const LISTED: &str = "listed";

/// Key of the listing row of a document.
pub fn listing(document: &DocumentId) -> Key {
    Key::pair(LISTED, document.as_str())
}

/// The listing row of a document.
pub fn listed(scope: &Key, document: &DocumentId, now: Millis) -> Item {
    let mut row = item::key(scope, &listing(document).join(&Key::named("document")));
    row.insert(item::WRITTEN.to_owned(), Value::N(now.to_string()));
    row
}

/// Whether a partition is that of a document.
pub fn is_of_document(partition: &str) -> bool {
    last_name(partition) == Some("document")
}

fn links(scope: &Key, bucket: u8) -> Key {
    scope.and("links", &format!("{bucket:02x}"))
}

fn bucket(user: &str) -> u8 {
    let digest = keyring::sha256_hex(user);
    u8::from_str_radix(&digest[..2], 16).unwrap_or(0) % LINKS
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::{home, homes_of_links, is_of_document};
    use crate::layout::Key;

    #[test]
    fn a_partition_follows_from_the_sort_key_and_from_its_beginning() {
        let scope = Key::pair("key", "k").and("organization", "o#document#d");
        let document = scope.and("document", "a#b");
        for sort in [
            Key::pair("annotation", "a#b").and("id", "x"),
            Key::pair("crdt", "a#b").and("head", "e"),
            Key::pair("seen", "a#b").and("annotation", "x").and("user", "u"),
        ] {
            assert_eq!(home(&scope, sort.as_str()), document, "{sort:?}");
        }
        assert_eq!(home(&scope, &Key::pair("annotation", "a#b").prefix()), document);
        assert!(is_of_document(document.as_str()) && !is_of_document(scope.as_str()));
        for sort in ["document#a", "user#u", "notification#n", "recording#r", "group#g#group"] {
            assert_eq!(home(&scope, sort), scope, "{sort}");
        }
    }

    #[test]
    fn rows_of_users_lie_in_partitions_that_can_be_enumerated() {
        let scope = Key::pair("key", "k").and("organization", "o");
        let all: BTreeSet<Key> = homes_of_links(&scope).collect();
        let used = (0..1_000).map(|n| {
            let rows = Key::pair("link", &format!("user-{n}"));
            let home = home(&scope, &rows.prefix());
            assert_eq!(home, super::home(&scope, rows.join(&Key::named("annotation")).as_str()));
            home
        });
        assert_eq!(used.collect::<BTreeSet<Key>>(), all);
    }
}
