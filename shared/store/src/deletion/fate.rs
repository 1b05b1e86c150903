//! The rows of a deletion that have to go.

use std::collections::{BTreeSet, HashMap};

use aws::{Item, Value};
use error::Result;
use model::life::{Fate, Life, Stamp, Stand, fate};
use tenancy::{
    layout::{Bond, Key, Table, belonging, item, lives, stamp},
    prelude::*,
    scopes::{Containers, Currency, place_of},
};

use super::items::Purge;

/// Parts of an editor besides its head and the number of editors.
const OF_EDITORS: [&str; 3] = ["client", "log", "snapshot"];

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
        let stand = match &self.of {
            Of::Container(partition, sort) | Of::Thread(partition, sort) => {
                let place = (partition.clone(), sort.clone());
                let found =
                    db.get_across_standing(Table::Resources, [place].into(), Currency::Now).await?;
                match found.into_values().next() {
                    Some(found) if item::is_there(&found) => Stand::There((), lives::life(&found)),
                    Some(gone) => Stand::Absent(lives::life(&gone)),
                    // Its tombstone has expired.
                    None => Stand::Absent(self.end),
                }
            }
            Of::Lives | Of::Epoch | Of::User | Of::Erased => Stand::Absent(self.end),
        };
        let epochs = self.epochs_of(items).await?;
        let containers = match &self.of {
            Of::Lives => db.containers_of(items, Currency::Now).await?,
            Of::Container(..) | Of::Thread(..) | Of::Epoch | Of::User | Of::Erased => {
                Containers::default()
            }
        };
        Ok(Judge { of: self.of.clone(), stand, end: self.end, epochs, containers })
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
    /// The end of the life before the present one of the container.
    pub(super) fn end(&self) -> Life {
        self.stand.life()
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
                (_, Bond::Container) if self.is_folder() => {
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

    fn is_folder(&self) -> bool {
        matches!(&self.of, Of::Container(_, sort) if sort.as_str().starts_with("folder#"))
    }
}

/// The sort key of the head of an editor that a row is a part of, and the epoch of the row.
fn head_of(sort: &str) -> Option<(String, String)> {
    let mut parts = sort.split('#');
    let [crdt, document, part, editor] = std::array::from_fn(|_| parts.next());
    let (document, editor, epoch) = (document?, editor?, parts.nth(1)?);
    let is_part = crdt == Some("crdt") && OF_EDITORS.contains(&part?);
    is_part.then(|| (format!("crdt#{document}#head#{editor}"), epoch.to_owned()))
}
