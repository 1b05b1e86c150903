//! The containers of rows as a call has read them, and whether the rows belong to them.

use std::collections::{BTreeSet, HashMap};

use aws::Item;
use error::Result;
use model::{
    Millis,
    clock::WallTime,
    life::{Fate, Life, Stand, fate},
};
use parking_lot::{Mutex, MutexGuard};

use super::{
    db::{Currency, Db, place_of},
    viewer::Viewer,
};
use crate::layout::{
    Belonging, Bond, Key, PK, SK, Table, belonging, belonging_of, is_judged, item, lives, outer,
    stamp, text,
};

/// Partition and sort key.
pub(crate) type At = (String, String);

/// Containers that were read; those that no read has asked for are taken to be there.
#[derive(Debug, Default)]
pub struct Containers {
    asked: BTreeSet<At>,
    found: HashMap<At, (bool, Life)>,
}

/// How long what a call has read of containers counts for its lists, in milliseconds. Calls are
/// shorter; jobs and conversations may be longer.
const SEEN: Millis = 10_000;
/// Containers that are remembered.
const MOST_SEEN: usize = 10_000;

/// Containers that a call has read, for its rights or its lists: further lists do not read them again.
/// Lists show a moment ago anyway, and what was added to a container since belongs to it.
#[derive(Debug, Default)]
pub(crate) struct Seen(Mutex<(WallTime, Containers)>);

impl Seen {
    fn remembered(&self, now: WallTime) -> MutexGuard<'_, (WallTime, Containers)> {
        let mut seen = self.0.lock();
        if now.since(seen.0) >= SEEN || seen.1.asked.len() > MOST_SEEN {
            *seen = (now, Containers::default());
        }
        seen
    }
}

/// The places of the containers of a row: its organization, what it is in, and the record of the
/// departures of its user.
fn places(partition: &str, belonging: &Belonging) -> Vec<At> {
    let Some(outer) = outer(partition) else { return vec![] };
    let inner = [&belonging.holder, &belonging.departures].into_iter().flatten();
    let inner = inner.map(|sort| (outer.scope.clone(), sort.clone()));
    [(outer.tenant, outer.sort)].into_iter().chain(inner).collect()
}

/// The places of the containers of an item, by partition and sort key: first its organization, then
/// the document, folder or group in it, if there is one.
pub fn containers_around(item: &Item) -> Vec<(String, String)> {
    let belonging = Belonging { departures: None, ..belonging_of(item) };
    places(text(item, PK), &belonging)
}

impl Containers {
    /// Adds what a read has found, with tombstones.
    pub(crate) fn note<'a>(
        &mut self,
        asked: impl IntoIterator<Item = At>,
        items: impl IntoIterator<Item = &'a Item>,
    ) {
        self.asked.extend(asked);
        for item in items {
            self.found.insert(place_of(item), (item::is_there(item), lives::life(item)));
        }
    }

    /// Makes containers that do not exist for a call absent, of those that were asked for.
    pub(crate) fn hide_from(&mut self, viewer: Option<&Viewer>) {
        let Some(viewer) = viewer else { return };
        viewer.each_absent(|place, end| {
            if self.asked.contains(place) {
                self.found.insert(place.clone(), (false, end));
            }
        });
    }

    /// Adds the groups among the results of a query, which has their members as well.
    pub(crate) fn note_groups(&mut self, items: &[Item]) {
        let is_group = |item: &&Item| {
            let sort = text(item, SK);
            sort.starts_with("group#") && sort.ends_with("#group")
        };
        let found = items.iter().filter(is_group);
        self.note(found.clone().map(place_of), found);
    }

    /// The places of containers of rows that were not read yet, from keys or prefixes of them.
    pub(crate) fn wanted<'a>(
        &self,
        of: impl IntoIterator<Item = (&'a str, &'a str)>,
    ) -> BTreeSet<At> {
        let all = of.into_iter().flat_map(|(at, sort)| places(at, &belonging(sort)));
        all.filter(|place| !self.asked.contains(place)).collect()
    }

    /// The places of containers with these sort keys in a scope, and of its organization.
    pub(crate) fn wanted_for<'a>(
        &self,
        scope: &str,
        sorts: impl IntoIterator<Item = &'a str>,
    ) -> BTreeSet<At> {
        let all = sorts.into_iter().flat_map(|sort| places(scope, &Belonging::within(sort)));
        all.filter(|place| !self.asked.contains(place)).collect()
    }

    /// The places of containers of items that were not read yet. Some items name their document in
    /// a member.
    pub(crate) fn wanted_by<'a>(&self, items: impl IntoIterator<Item = &'a Item>) -> BTreeSet<At> {
        let mut wanted = BTreeSet::new();
        // Most rows of a list are in the same container as the one before.
        let mut last: Option<(&str, Belonging)> = None;
        for item in items {
            let own = (text(item, PK), belonging_of(item));
            if last.as_ref() == Some(&own) {
                continue;
            }
            let new = places(own.0, &own.1).into_iter();
            wanted.extend(new.filter(|place| !self.asked.contains(place)));
            last = Some(own);
        }
        wanted
    }

    fn stand_of(&self, place: &At) -> Stand<()> {
        match self.found.get(place) {
            Some((true, life)) => Stand::There((), *life),
            Some((false, life)) => Stand::Absent(*life),
            None if self.asked.contains(place) => Stand::Absent(Life::FIRST),
            None => Stand::There((), Life::FIRST),
        }
    }

    /// The life of what was read at a place.
    pub(crate) fn life_of(&self, place: &At) -> Life {
        self.stand_of(place).life()
    }

    /// The container of rows in a partition: one of an earlier life of its organization, or in a
    /// deleted one, is absent.
    pub(crate) fn stand(&self, partition: &str, belonging: &Belonging) -> Stand<()> {
        let places = places(partition, belonging);
        let stands = places.iter().map(|place| self.stand_of(place));
        let inner = stands.reduce(|outer, inner| inner.within(&outer));
        inner.unwrap_or(Stand::There((), Life::FIRST))
    }

    /// Whether a row is in a container whose life is another one than that in which the rights of a
    /// call were decided, or is of a stay that began since.
    pub(crate) fn began_since(&self, viewer: &Viewer, item: &Item) -> bool {
        let (partition, belonging) = (text(item, PK), belonging_of(item));
        let stay = belonging.departures.as_ref().map(|record| self.named(partition, record).life());
        let has_left = |stay: Life| viewer.decided_at().is_some_and(|at| !stay.covers(at));
        let places = places(partition, &belonging).into_iter();
        let mut known = places.filter(|place| self.asked.contains(place));
        known.any(|it| viewer.is_of_another_life(&it, self.life_of(&it)))
            || stay.is_some_and(has_left)
    }

    /// The container of a row in a partition, as it stands.
    pub(crate) fn around(&self, item: &Item) -> Stand<()> {
        self.stand(&place_of(item).0, &belonging_of(item))
    }

    /// The container with a sort key in a scope, as it stands in its organization.
    pub(crate) fn named(&self, scope: &str, sort: &str) -> Stand<()> {
        self.stand(scope, &Belonging::within(sort))
    }

    /// Whether a row belongs to its containers.
    pub fn fate(&self, item: &Item) -> Fate {
        let belonging = belonging_of(item);
        let stand = self.stand(&place_of(item).0, &belonging);
        stamp(item, belonging.bond).map_or(Fate::Here, |stamp| fate(stamp, &stand))
    }

    /// Whether a call may see a row: one of the present life, or a document, folder or group of a
    /// deleted organization, until the clean-up is there (decision 80).
    pub(crate) fn admits(&self, item: &Item) -> bool {
        let belonging = belonging_of(item);
        is_seen(item, belonging.bond, &self.stand(text(item, PK), &belonging))
    }

    /// Drops the rows that a call may not see, of those that reads compare.
    pub(crate) fn retain_admitted(&self, items: &mut Vec<Item>) {
        let mut last: Option<(String, Belonging, Stand<()>)> = None;
        items.retain(|item| {
            if !is_judged(text(item, SK)) {
                return true;
            }
            let (partition, belonging) = (text(item, PK), belonging_of(item));
            let bond = belonging.bond;
            let known = last.as_ref().filter(|(at, of, _)| at == partition && *of == belonging);
            let stand = match known {
                Some((.., stand)) => *stand,
                None => {
                    let stand = self.stand(partition, &belonging);
                    last = Some((partition.to_owned(), belonging, stand));
                    stand
                }
            };
            is_seen(item, bond, &stand)
        });
    }
}

/// Whether a call may see a row in a container.
fn is_seen(item: &Item, bond: Bond, stand: &Stand<()>) -> bool {
    match stamp(item, bond).map_or(Fate::Here, |stamp| fate(stamp, stand)) {
        Fate::Here => true,
        Fate::Earlier => false,
        Fate::Orphan => bond == Bond::Container,
    }
}

impl Db {
    /// Reads the containers of rows in a table, which are named by partition and sort key.
    pub async fn containers_of(&self, items: &[Item], currency: Currency) -> Result<Containers> {
        let mut containers = Containers::default();
        self.read_containers(&mut containers, items, currency).await?;
        Ok(containers)
    }

    /// Adds the containers of items that were not read yet.
    pub(crate) async fn read_containers<'a>(
        &self,
        containers: &mut Containers,
        items: impl IntoIterator<Item = &'a Item>,
        currency: Currency,
    ) -> Result<()> {
        let wanted = containers.wanted_by(items);
        self.ask(containers, wanted, currency).await
    }

    /// Adds containers at these places; those of a moment ago are read once in a call.
    pub(crate) async fn ask(
        &self,
        containers: &mut Containers,
        mut wanted: BTreeSet<At>,
        currency: Currency,
    ) -> Result<()> {
        if currency == Currency::TimedCache {
            self.supply(containers, &mut wanted);
        }
        if wanted.is_empty() {
            return Ok(());
        }
        let keys = wanted.iter().map(|(partition, sort)| item::at(partition, sort)).collect();
        let found = self.read_keys(Table::Resources, keys, currency).await?;
        self.has_seen(&wanted, &found);
        containers.note(wanted, &found);
        containers.hide_from(self.viewer.as_ref());
        Ok(())
    }

    /// Reads containers in advance: one call for what several lists need.
    pub async fn look_at(&self, places: BTreeSet<(Key, Key)>) -> Result<()> {
        let places = places.into_iter().map(|(partition, sort)| (partition.into(), sort.into()));
        self.ask(&mut Containers::default(), places.collect(), Currency::TimedCache).await
    }

    /// Notes containers that were read, with tombstones, for the lists of this call.
    pub fn has_seen<'a>(
        &self,
        places: &BTreeSet<(String, String)>,
        items: impl IntoIterator<Item = &'a Item>,
    ) {
        if let Some(seen) = &self.seen {
            seen.remembered(self.clock.real()).1.note(places.iter().cloned(), items);
        }
    }

    /// Adds those of the wanted containers that this call has read.
    pub(crate) fn supply(&self, containers: &mut Containers, wanted: &mut BTreeSet<At>) {
        let Some(seen) = &self.seen else { return };
        let seen = seen.remembered(self.clock.real());
        wanted.retain(|place| {
            let is_known = seen.1.asked.contains(place);
            if is_known {
                containers.asked.insert(place.clone());
                let found = seen.1.found.get(place);
                containers.found.extend(found.map(|found| (place.clone(), *found)));
            }
            !is_known
        });
        containers.hide_from(self.viewer.as_ref());
    }
}

#[cfg(test)]
mod tests {
    use aws::{Item, Value};
    use model::life::Fate;

    use super::Containers;
    use crate::layout::item;

    const SCOPE: &str = "key#k#organization#o";

    fn row(at: &str, sort: &str, with: &[(&str, u64)]) -> Item {
        let mut item = item::at(at, sort);
        item.extend(with.iter().map(|(name, n)| ((*name).to_owned(), Value::N(n.to_string()))));
        item
    }

    fn thread(life: u64) -> Item {
        row(&format!("{SCOPE}#document#d"), "annotation#d#id#a", &[("_in", life)])
    }

    fn read(found: &[Item]) -> Containers {
        let mut containers = Containers::default();
        let wanted = containers.wanted_by(&[thread(0)]);
        assert_eq!(wanted.len(), 2);
        containers.note(wanted, found);
        containers
    }

    #[test]
    fn a_thread_belongs_to_its_document_and_that_to_its_organization() {
        let organization = |since| row("key#k", "organization#o", &[("_since", since)]);
        let document = |since| row(SCOPE, "document#d", &[("_since", since)]);
        let in_first = read(&[organization(0), document(0)]);
        assert_eq!(in_first.fate(&thread(0)), Fate::Here);
        let back = read(&[organization(0), document(10)]);
        assert_eq!((back.fate(&thread(0)), back.fate(&thread(10))), (Fate::Earlier, Fate::Here));
        let of_earlier_organization = read(&[organization(20), document(10)]);
        assert_eq!(of_earlier_organization.fate(&thread(10)), Fate::Orphan);
        assert!(!of_earlier_organization.admits(&document(10)));
        let mut gone = document(0);
        gone.extend([
            ("_gone".to_owned(), Value::Bool(true)),
            ("_ended".to_owned(), Value::N("10".to_owned())),
        ]);
        assert_eq!(read(&[organization(0), gone]).fate(&thread(0)), Fate::Orphan);
    }

    #[test]
    fn a_preference_belongs_to_the_stay_of_its_user() {
        let preference = |at| row(SCOPE, "preference#document#d#user#u", &[("_written", at)]);
        let mut containers = Containers::default();
        let wanted = containers.wanted_by(&[preference(10)]);
        assert_eq!(wanted.len(), 3);
        let left = row(SCOPE, "organization-grant#u", &[("left", 10)]);
        containers.note(wanted, &[row("key#k", "organization#o", &[]), left]);
        assert!(!containers.admits(&preference(10)));
        assert!(containers.admits(&preference(11)));
        let of_another = row(SCOPE, "preference#document#d#user#v", &[("_written", 10)]);
        assert!(containers.admits(&of_another));
    }

    #[test]
    fn what_was_changed_is_as_old_as_what_it_keeps() {
        let state = |with| row(&format!("{SCOPE}#document#d"), "live-state#d#id#e", with);
        let containers = read(&[
            row("key#k", "organization#o", &[]),
            row(SCOPE, "document#d", &[("_since", 10)]),
        ]);
        assert_eq!(containers.fate(&state(&[("_written", 11)])), Fate::Here);
        assert_eq!(containers.fate(&state(&[("_written", 11), ("_kept", 10)])), Fate::Earlier);
        assert_eq!(containers.fate(&state(&[("_written", 12), ("_kept", 11)])), Fate::Here);
    }

    #[test]
    fn a_document_of_a_deleted_organization_is_seen_until_the_clean_up_is_there() {
        let mut gone = row("key#k", "organization#o", &[("_ended", 10)]);
        gone.insert("_gone".to_owned(), Value::Bool(true));
        let containers = read(&[gone]);
        let document = row(SCOPE, "document#d", &[]);
        assert_eq!(containers.fate(&document), Fate::Orphan);
        assert!(containers.admits(&document));
    }
}
