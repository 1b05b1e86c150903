//! The container of each row, and how the row is bound to it: the table from which reads, writes,
//! clean-up and tests derive whether a row belongs to the present life of its container (decision
//! 101).
//!
//! | Row | Container | Bound by |
//! |---|---|---|
//! | document, folder, group | the organization | its own `_since` |
//! | user; the number of folders | the organization | `_in` |
//! | user, thread and its archive; recording | the document | `_in` |
//! | user of a folder | the folder | `_in` |
//! | member of a group, and their number | the group | `_in` |
//! | an event of the live channel | the document | the time of the event |
//! | grant, presence, live state, seen mark | their level or document | the time of the write |
//! | preference | the document or the organization; the stay of its user in the organization | the time of the write |
//! | editor | the document | the time of its creation, at which its head has its time |
//! | everything else: notification, inbox mark, activity, link row | the organization | the time of the write |
//!
//! A row that is bound by the time of its write and keeps a part of what was there is as old as that
//! part (`_kept`): otherwise a merge would bring it into the next life.
//!
//! The folder in which a document lies is `_in` of the document, which is compared by placing and
//! clean-up alone: a document is read through its organization.
//!
//! A stay of a user ends like the life of a container: the record of the departures has the time.

use aws::{Item, Value};
use model::life::Stamp;

use super::{item, lives};

/// How a row is bound to its container.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bond {
    /// A container of its own, bound by its life.
    Container,
    /// A row that cannot be without its container, bound by the life of that.
    Content,
    /// A row that needs no container, bound by the time of its write.
    Free,
}

/// The container of a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Belonging {
    /// How it is bound.
    pub bond: Bond,
    /// The sort key of the folder, document or group; the organization itself when absent.
    pub holder: Option<String>,
    /// The sort key of the record of the departures of a user who takes the row along.
    pub departures: Option<String>,
}

impl Belonging {
    /// The belonging of content that cannot be without the container with this sort key.
    pub(crate) fn within(holder: &str) -> Self {
        Self { bond: Bond::Content, holder: Some(holder.to_owned()), departures: None }
    }
}

/// Heads of the sort keys of rows that reads compare with their containers. Others are reached
/// through these, or decide on nothing.
const JUDGED: [&str; 14] = [
    "activity",
    "annotation",
    "document",
    "document-user",
    "folder",
    "folder-user",
    "group",
    "live-event",
    "live-state",
    "notification",
    "preference",
    "presence",
    "recording",
    "user",
];

/// Whether reads of a row, or of all with a prefix, compare it with its containers.
pub(crate) fn is_judged(sort: &str) -> bool {
    sort.split('#').next().is_some_and(|head| JUDGED.contains(&head))
}

/// The container of the row with a sort key, or of all rows with a prefix of one.
pub fn belonging(sort: &str) -> Belonging {
    let mut parts = sort.split('#');
    let [head, id, part] = std::array::from_fn(|_| parts.next().unwrap_or_default());
    let named =
        |kind: &str, id: &str, tail: &str| (!id.is_empty()).then(|| format!("{kind}#{id}{tail}"));
    let of = |bond, kind: &str, tail: &str| Belonging {
        bond,
        holder: named(kind, id, tail),
        departures: None,
    };
    let own = |bond| Belonging { bond, holder: None, departures: None };
    match head {
        "document" | "folder" => own(Bond::Container),
        "group" if part == "user" => of(Bond::Content, "group", "#group"),
        "group" => own(Bond::Container),
        "group-count" => of(Bond::Content, "group", "#group"),
        "user" | "folder-count" | "recording" => own(Bond::Content),
        "document-user" | "annotation" | "archived" | "comment-id" => {
            of(Bond::Content, "document", "")
        }
        "folder-user" => of(Bond::Content, "folder", ""),
        "document-grant" | "presence" | "live-state" | "live-event" | "seen" | "crdt" => {
            of(Bond::Free, "document", "")
        }
        "folder-grant" => of(Bond::Free, "folder", ""),
        "preference" => Belonging {
            bond: Bond::Free,
            holder: named("document", if id == "document" { part } else { "" }, ""),
            departures: named("organization-grant", parts.next_back().unwrap_or_default(), ""),
        },
        _ => own(Bond::Free),
    }
}

/// The container of an item: some name their document in a member.
pub fn belonging_of(item: &Item) -> Belonging {
    let sort = text(item, item::SK);
    let found = belonging(sort);
    let names_document = ["recording#", "notification#"].iter().any(|head| sort.starts_with(head));
    match item.get("documentId") {
        Some(Value::S(document)) if names_document && found.holder.is_none() => {
            let holder = super::Key::pair("document", document);
            Belonging { holder: Some(holder.into()), ..found }
        }
        _ => found,
    }
}

/// The age that an item records; none if it has no time.
pub fn stamp(item: &Item, bond: Bond) -> Option<Stamp> {
    match bond {
        Bond::Container => Some(Stamp::In(lives::life(item))),
        Bond::Content => Some(Stamp::In(lives::in_life(item))),
        Bond::Free => lives::age(item).map(Stamp::At),
    }
}

/// The scope of an organization, and the place of its record, from a partition in it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Outer {
    /// The partition of the organization.
    pub(crate) scope: String,
    /// The partition of the tenant.
    pub(crate) tenant: String,
    /// The sort key of the organization.
    pub(crate) sort: String,
}

/// The organization of a partition, if it is in one.
pub(crate) fn outer(partition: &str) -> Option<Outer> {
    const ORGANIZATION: &str = "#organization#";
    let (tenant, rest) = partition.split_once(ORGANIZATION)?;
    let id = rest.split('#').next()?;
    Some(Outer {
        scope: format!("{tenant}{ORGANIZATION}{id}"),
        tenant: tenant.to_owned(),
        sort: format!("{}{id}", &ORGANIZATION[1..]),
    })
}

/// The text of an attribute; empty when it is absent.
pub(crate) fn text<'a>(item: &'a Item, name: &str) -> &'a str {
    match item.get(name) {
        Some(Value::S(text)) => text,
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use super::{Bond, belonging, outer};

    #[test]
    fn a_row_is_in_what_its_key_names() {
        let of = |sort| {
            let found = belonging(sort);
            (found.bond, found.holder)
        };
        let document = || Some("document#d%23".to_owned());
        assert_eq!(of("annotation#d%23#id#a"), (Bond::Content, document()));
        assert_eq!(of("annotation#d%23#"), (Bond::Content, document()));
        assert_eq!(of("document-user#"), (Bond::Content, None), "those of all documents");
        assert_eq!(of("presence#d%23#user#u"), (Bond::Free, document()));
        assert_eq!(of("preference#document#d%23#user#u"), (Bond::Free, document()));
        assert_eq!(of("preference#organization#user#u"), (Bond::Free, None));
        assert_eq!(of("preference#document#d%23#"), (Bond::Free, document()));
        assert_eq!(of("group#g#group"), (Bond::Container, None));
        assert_eq!(of("group#g#user#u"), (Bond::Content, Some("group#g#group".to_owned())));
        assert_eq!(of("group-count#g#members"), (Bond::Content, Some("group#g#group".to_owned())));
        assert_eq!(of("user#u"), (Bond::Content, None));
    }

    #[test]
    fn a_preference_names_the_record_of_the_departures_of_its_user() {
        let of = |sort| belonging(sort).departures;
        let record = Some("organization-grant#u%23".to_owned());
        assert_eq!(of("preference#document#d#user#u%23"), record);
        assert_eq!(of("preference#organization#user#u%23"), record);
        for prefix in
            ["preference#", "preference#organization#user#", "preference#document#d#user#"]
        {
            assert_eq!(of(prefix), None, "{prefix}");
        }
        assert_eq!(of("user#u"), None);
    }

    #[test]
    fn a_partition_names_its_organization() {
        let found = outer("key#k#organization#o#document#d").unwrap();
        assert_eq!(found.scope, "key#k#organization#o");
        assert_eq!((found.tenant.as_str(), found.sort.as_str()), ("key#k", "organization#o"));
        assert_eq!(outer("key#k"), None);
        assert_eq!(outer("workspace#w"), None);
    }
}
