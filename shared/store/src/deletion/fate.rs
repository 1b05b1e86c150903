//! The rows of a deletion that have to go.

use std::collections::{BTreeSet, HashMap};

use aws::{Item, Value};
use error::Result;
use model::{
    life::{Fate, Life, Stamp, Stand, fate},
    organization::Organization,
};
use tenancy::{
    layout::{Bond, Entity, Key, Table, belonging, item, lives, stamp},
    prelude::*,
    scopes::{Containers, Currency, OrganizationStore, place_of},
};

use super::items::Purge;
use crate::editors;

/// Partition and sort key.
type At = (Key, Key);

/// Members of a record that have the ends of rights; the last as earlier versions wrote it.
const ENDS: [&str; 3] = ["left", "ended", "revoked"];

/// The container of the rows of a deletion.
#[derive(Clone, Debug)]
pub(crate) enum Of {
    /// A container, at this place.
    Container(Key, Key),
    /// All containers of each row.
    Lives,
    /// A thread, in this partition: its id may be in use again.
    Thread(Key, Key),
    /// An editor, whose epoch its parts name.
    Epoch,
    /// The membership of a user.
    User,
    /// A user who is erased.
    Erased,
}

/// The facts that decide about rows: read after them, so that a row that is older than the
/// container that is found is never of a later life.
pub(super) struct Judge {
    of: Of,
    stand: Stand<()>,
    /// The present or next life of the organization of a folder.
    outer: Life,
    end: Life,
    /// The heads of the editors that rows are parts of.
    epochs: HashMap<String, Item>,
    /// The containers of the rows, where all of them decide.
    containers: Containers,
}

impl Purge<'_> {
    /// The facts that decide about these rows.
    pub(super) async fn judge(&self, items: &[Item]) -> Result<Judge> {
        let db = self.organization.tenant().db();
        let (stand, outer) = match &self.of {
            Of::Container(partition, sort) | Of::Thread(partition, sort) => {
                let own = (partition.clone(), sort.clone());
                let outer = self.of.is_folder().then(|| organization_of(self.organization));
                let places = outer.iter().chain([&own]).cloned().collect();
                let found = db.get_across_standing(Table::Resources, places, Currency::Now).await?;
                let stand = |(partition, sort): &At| {
                    found.get(&place_of(&item::key(partition, sort))).map(stand)
                };
                // The tombstone of the container may have expired.
                (stand(&own).unwrap_or(Stand::Absent(self.end)), outer.as_ref().and_then(stand))
            }
            Of::Lives | Of::Epoch | Of::User | Of::Erased => (Stand::Absent(self.end), None),
        };
        let outer = outer.map_or(Life::FIRST, |outer| outer.life());
        let epochs = self.epochs_of(items).await?;
        let containers = match &self.of {
            Of::Lives => db.containers_of(items, Currency::Now).await?,
            Of::Container(..) | Of::Thread(..) | Of::Epoch | Of::User | Of::Erased => {
                Containers::default()
            }
        };
        Ok(Judge { of: self.of.clone(), stand, outer, end: self.end, epochs, containers })
    }

    /// The heads of the editors that items are parts of.
    async fn epochs_of(&self, items: &[Item]) -> Result<HashMap<String, Item>> {
        let heads = items.iter().filter_map(|item| Some(head_of(&place_of(item).1)?.0));
        let heads: Vec<String> = heads.collect::<BTreeSet<_>>().into_iter().collect();
        let db = self.organization.tenant().db();
        db.get_named(Table::Crdt, self.organization.partition(), &heads).await
    }
}

impl Judge {
    /// The end of what goes: that of its container, unless the organization around it ended before.
    pub(super) fn end(&self, row: &Item) -> Life {
        let life = lives::life(row);
        if life < self.outer { self.outer } else { life.ended(self.stand.life().since()) }
    }

    /// Whether a row has to go.
    pub(super) fn removes(&self, row: &Item) -> bool {
        let (_, sort) = place_of(row);
        // Updates appended to a deleted editor go with it.
        let is_orphan = head_of(&sort).is_some_and(|(head, epoch)| {
            let current = self.epochs.get(&head).and_then(|head| head.get("epoch"));
            current != Some(&Value::S(epoch))
        });
        is_orphan || self.fate(row, &sort) != Fate::Here
    }

    fn fate(&self, row: &Item, sort: &str) -> Fate {
        // A preference is of the stay in which the oldest of it was said; presence is of that in which
        // its user was there last.
        let written = || match belonging(sort).departures {
            Some(_) => lives::age(row),
            None => item::number(row, item::WRITTEN),
        };
        let at = |at: Option<u64>| at.map_or(Fate::Here, |at| fate(Stamp::At(at), &self.stand));
        match &self.of {
            Of::Container(..) => match (sort.split('#').next(), belonging(sort).bond) {
                // A document or folder lies in a folder, and is in the organization.
                (_, Bond::Container) if self.of.is_folder() => {
                    fate(Stamp::In(lives::in_life(row)), &self.stand)
                }
                (_, bond) => stamp(row, bond).map_or(Fate::Here, |row| fate(row, &self.stand)),
            },
            Of::Lives => self.containers.fate(row),
            Of::Thread(..) => match (self.stand.is_there(), belonging(sort).bond) {
                (false, Bond::Content) => Fate::Orphan,
                _ if written().is_some_and(|at| self.end.covers(at)) => Fate::Here,
                _ => Fate::Earlier,
            },
            Of::Epoch => Fate::Here,
            // The departure covers what ended before it at a document or folder.
            Of::Erased if !sort.starts_with("organization-grant#") => {
                let ended = ENDS.iter().filter_map(|end| item::number(row, end)).max();
                at(ended.max(item::number(row, "given")).or_else(written))
            }
            // A record that rights ended stays.
            Of::User | Of::Erased if ENDS.iter().any(|end| row.contains_key(*end)) => Fate::Here,
            Of::User | Of::Erased => at(item::number(row, "given").or_else(written)),
        }
    }
}

impl Of {
    fn is_folder(&self) -> bool {
        matches!(self, Self::Container(_, sort) if sort.as_str().starts_with("folder#"))
    }
}

/// A container, as its item says.
pub(super) fn stand(container: &Item) -> Stand<()> {
    match item::is_there(container) {
        true => Stand::There((), lives::life(container)),
        false => Stand::Absent(lives::life(container)),
    }
}

/// The place of an organization.
fn organization_of(organization: &OrganizationStore) -> At {
    let sort = Organization::place(organization.id()).into_key();
    (organization.tenant().partition().clone(), sort)
}

/// The sort key of the head of an editor that a row is a part of, and the epoch of the row.
fn head_of(sort: &str) -> Option<(String, String)> {
    let mut parts = sort.split('#');
    let [crdt, document, part, editor] = std::array::from_fn(|_| parts.next());
    let (document, editor, epoch) = (document?, editor?, parts.nth(1)?);
    let is_part = crdt == Some("crdt") && editors::PARTS.contains(&part?);
    is_part.then(|| (format!("crdt#{document}#head#{editor}"), epoch.to_owned()))
}
