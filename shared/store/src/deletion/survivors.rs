//! Remains of deletions of earlier versions: rows whose document, folder, group or organization is
//! gone, and rights of users who have left. Their deletion is repeated: its event, which the
//! ordinary clean-up follows, is written again. Beside them, groups that memberships of earlier
//! versions lack.
//!
//! An earlier version removed by times: it missed what was changed during the clean-up, and its
//! tombstones expired whether it had ended or not. A container without a tombstone is gone for rows
//! that cannot be without it. Its end is then not known, only that these rows are older: what needs no
//! container and is not older than they are may have been written since, and stays.

mod departed;
mod entries;

use std::collections::{BTreeMap, BTreeSet, HashMap};

use aws::{Item, Value, Write};
use error::Result;
use model::{
    ApiKeyId, DocumentId, FolderId, GroupId, OrganizationId, PageToken,
    event::Event,
    life::{Fate, Life, Stamp, fate},
    organization::Organization,
};
use tenancy::{
    layout::{
        Bond, ENDED, Entity, Key, PK, SK, Table, VERSION, belonging, belonging_of, item, lives,
        stamp, unescaped,
    },
    prelude::*,
    reading::new_version,
    scopes::{Currency, Deadline, TenantStore, containers_around, place_of},
    writing::{Unit, no_failure, unchanged, vacant},
};

use self::{
    departed::{departure, expel, is_record, member_of, repeat_departure},
    entries::{entry, list},
};
use super::fate::stand;
use crate::{deletion::Survivors, prelude::*, scan::Scan};

/// Repeated deletions that a call remembers, so that rows of one container on several pages repeat
/// one deletion.
const REMEMBERED: usize = 10_000;
/// When a row was added, where it says so.
const ADDED: [&str; 3] = ["createdAt", "recordedAt", "given"];

/// Partition and sort key.
type At = (String, String);

/// How far a repair is.
#[derive(Debug, Default)]
pub struct Repaired {
    /// Items that were looked at.
    pub items: u64,
    /// Deletions that are repeated.
    pub repeated: u64,
    /// Members of groups whose memberships lacked the group.
    pub listed: u64,
    /// Containers that are gone whose id no row tells: their rows stay.
    pub unnamed: u64,
    /// Continuation, except at the end.
    pub next: Option<PageToken>,
}

/// Evidence in rows of a page about a container to which they do not belong.
#[derive(Default)]
struct Claim {
    /// A row of the evidence; it may name the container.
    row: Item,
    /// The end that the rows prove, where no tombstone has it.
    proved: Life,
    /// The end of the organization, if that is gone as well.
    outer: Life,
}

/// The object that is gone.
enum Lost {
    /// A container.
    Container(Claim),
    /// Rights, by their record in the form of earlier versions.
    Rights(Item),
    /// The user of a membership of a group.
    Member(Item),
    /// The entry of a group in the membership of its user.
    Entry(Item),
}

/// Items by their places, with tombstones.
type Containers = HashMap<At, Item>;

/// The tenants that a call has met; none for one whose key is deleted, and with it everything.
type Tenants = BTreeMap<String, Option<TenantStore>>;

impl Survivors<'_> {
    /// Looks through everything, until `deadline`, and repeats the deletions that left something.
    /// Idempotent: what a clean-up has removed is not found again.
    ///
    /// # Errors
    /// INVALID_ARGUMENT when the token is not of this scan; UNAVAILABLE, INTERNAL.
    pub async fn repair(self, token: Option<&PageToken>, deadline: Deadline) -> Result<Repaired> {
        let mut scan = Scan::new(self.0.db(), "deletions", token, deadline)?;
        let (mut done, mut tenants, mut known) =
            (Repaired::default(), Tenants::new(), BTreeSet::new());
        while let Some(items) = scan.next().await? {
            done.items += items.len() as u64;
            self.repair_page(items, &mut tenants, &mut known, &mut done).await?;
        }
        done.next = scan.rest()?;
        Ok(done)
    }

    async fn repair_page(
        self,
        items: Vec<Item>,
        tenants: &mut Tenants,
        known: &mut BTreeSet<At>,
        done: &mut Repaired,
    ) -> Result<()> {
        // Read after the rows: what seems to be gone was there when they were written.
        let wanted: BTreeSet<At> = items.iter().flat_map(places).collect();
        let keys = wanted.iter().map(|(partition, sort)| item::at(partition, sort)).collect();
        let read = self.0.db().read_keys(Table::Resources, keys, Currency::Now).await?;
        let found: Containers = read.into_iter().map(|item| (place_of(&item), item)).collect();
        if known.len() > REMEMBERED {
            known.clear();
        }
        let departures = items.iter().filter_map(|row| departure(row, &found));
        let entries = items.iter().filter_map(|row| entry(row, &found));
        for (place, lost) in claims(&items, &found).into_iter().chain(departures).chain(entries) {
            if !known.insert(place.clone()) {
                continue;
            }
            let Some(tenant) = self.tenant_of(&place.0, tenants).await? else { continue };
            let is_named = match lost {
                Lost::Container(claim) => repeat_deletion(&tenant, &place, &claim, &found).await?,
                Lost::Rights(record) => repeat_departure(&tenant, &place.0, record, &found).await?,
                Lost::Member(row) => expel(&tenant, &place.0, row, &found).await?,
                Lost::Entry(row) => {
                    let is_named = list(&tenant, &place.0, row, &found).await?;
                    done.listed += u64::from(is_named);
                    done.unnamed += u64::from(!is_named);
                    continue;
                }
            };
            done.repeated += u64::from(is_named);
            done.unnamed += u64::from(!is_named);
        }
        Ok(())
    }

    async fn tenant_of(
        self,
        partition: &str,
        tenants: &mut Tenants,
    ) -> Result<Option<TenantStore>> {
        let own = partition.strip_prefix("key#").and_then(|rest| rest.split('#').next());
        let Some(own) = own else { return Ok(None) };
        if let Some(known) = tenants.get(own) {
            return Ok(known.clone());
        }
        let id = unescaped(own).and_then(|id| ApiKeyId::try_from(id).ok());
        let tenant = match id {
            Some(id) => self.0.tenant(&id).await?,
            None => None,
        };
        tenants.insert(own.to_owned(), tenant.clone());
        Ok(tenant)
    }
}

/// The places that decide about a row: its containers, and the folder it lies in; of a membership of a
/// group, that of the organization. Of a tombstone and of a record of ends, its own.
fn places(row: &Item) -> Vec<At> {
    let own = (is_unconfirmed(row) || is_record(row)).then(|| place_of(row));
    match item::is_there(row) || own.is_some() {
        true => containers_around(row)
            .into_iter()
            .chain(own)
            .chain(folder_of(row))
            .chain(member_of(row))
            .collect(),
        false => vec![],
    }
}

/// Whether an item is the tombstone of a container that lacks the time of the end.
fn is_unconfirmed(item: &Item) -> bool {
    let is_container =
        |sort: &str| belonging(sort).bond == Bond::Container || sort.starts_with("organization#");
    !item::is_there(item) && !item.contains_key(ENDED) && is_container(text(item, SK))
}

/// The folder in which a document or folder lies.
fn folder_of(row: &Item) -> Option<At> {
    let (partition, sort) = (text(row, PK), text(row, SK));
    let folder = match sort.split_once('#')?.0 {
        "document" => text(row, "folderId"),
        "folder" => text(row, "parentFolderId"),
        _ => return None,
    };
    let is_above = !folder.is_empty() && folder != FolderId::root().as_str();
    is_above.then(|| (partition.to_owned(), Key::pair("folder", folder).into()))
}

/// The containers to which rows do not belong.
fn claims(items: &[Item], found: &Containers) -> Vec<(At, Lost)> {
    let mut claims: BTreeMap<At, Claim> = BTreeMap::new();
    for row in items {
        if is_unconfirmed(row) {
            let place = place_of(row);
            if found.get(&place).is_some_and(is_unconfirmed) {
                claims
                    .entry(place)
                    .or_insert_with(|| Claim { row: row.clone(), ..Claim::default() });
            }
            continue;
        }
        if !item::is_there(row) {
            continue;
        }
        let lies = Stamp::In(lives::in_life(row));
        let own = stamp(row, belonging_of(row).bond);
        let around = containers_around(row).into_iter().map(|place| (place, own));
        let around = around.chain(folder_of(row).map(|place| (place, Some(lies))));
        let mut outer = Life::FIRST;
        for (place, stamp) in around {
            let Some(stamp) = stamp else { continue };
            let container = found.get(&place);
            let is_there = container.is_some_and(item::is_there);
            let is_lost = match container {
                Some(container) => fate(stamp, &stand(container)) != Fate::Here,
                None => matches!(stamp, Stamp::In(_)),
            };
            if is_lost || (!is_there && !outer.is_first()) {
                let claim = claims.entry(place).or_default();
                claim.proved = claim.proved.max(end_before(row, stamp));
                claim.outer = claim.outer.max(outer);
                if claim.row.is_empty() {
                    claim.row = row.clone();
                }
            }
            if is_lost && !is_there {
                outer = outer.max(container.map_or_else(|| end_before(row, stamp), lives::life));
            }
        }
    }
    claims.into_iter().map(|(place, claim)| (place, Lost::Container(claim))).collect()
}

/// The earliest end of a container that a row in it proves: it was there when the row was added.
fn end_before(row: &Item, stamp: Stamp) -> Life {
    match stamp {
        Stamp::In(life) => {
            let added = ADDED.iter().filter_map(|name| item::number(row, name)).max();
            life.ended(added.unwrap_or(0))
        }
        Stamp::At(_) => Life::FIRST,
    }
}

/// Repeats the deletion of a container; returns whether its id is known.
async fn repeat_deletion(
    tenant: &TenantStore,
    place: &At,
    claim: &Claim,
    found: &Containers,
) -> Result<bool> {
    let (now, container) = (tenant.now(), found.get(place));
    let end = match container {
        Some(container) => lives::life(container),
        // Rights to documents in it were given while they lay there: they go with them.
        None if place.1.starts_with("folder#") => claim.proved.ended(now),
        None => claim.proved,
    };
    let end = end.max(claim.outer);
    let Some(event) = deletion(place, &claim.row, found, end) else { return Ok(false) };
    let version = new_version()?;
    let condition = match container {
        Some(container) => unchanged(&item::version(container)?),
        None => vacant(),
    };
    let item = match container.filter(|container| item::is_there(container)) {
        // The container was added again: what was in it before goes.
        Some(container) => {
            let mut item = container.clone();
            item.insert(VERSION.to_owned(), Value::S(version.clone()));
            item::remember(&mut item, container, now);
            item
        }
        None => {
            let mut item = item::tombstone(&item::at(&place.0, &place.1), &version, now);
            lives::end(&mut item, end);
            item
        }
    };
    let write = Write::Put { table: Table::Resources.name(), item, condition: Some(condition) };
    commit(tenant, Unit::new(vec![write]).versioned(version), Some(event)).await?;
    Ok(true)
}

/// The deletion of the container at a place.
fn deletion(place: &At, row: &Item, found: &Containers, end: Life) -> Option<Event> {
    let (partition, sort) = place;
    let since = Some(end.since());
    let kind = match sort.split('#').next()? {
        Organization::KIND => {
            let organization_id = organization_at(place, found)?;
            return Some(Event::OrganizationDeleted { organization_id });
        }
        "document" => "document",
        "folder" => "folder",
        _ => "group",
    };
    let level = match row.get("level") {
        Some(Value::M(level)) => text(level, "id"),
        _ => "",
    };
    let inside =
        ["documentId", "folderId", "parentFolderId", "groupId"].map(|name| text(row, name));
    let inside = inside.into_iter().chain([level]).map(str::to_owned);
    let is_own = |id: &String| {
        let key = Key::pair(kind, id);
        let rest = sort.strip_prefix(key.as_str());
        rest.is_some_and(|rest| rest.is_empty() || rest == "#group")
    };
    let id = unescaped(sort.split('#').nth(1)?).into_iter().chain(inside).find(is_own)?;
    let organization_id = organization_of(partition, found)?;
    Some(match kind {
        "document" => {
            let document_id = DocumentId::try_from(id).ok()?;
            Event::DocumentDeleted { organization_id, document_id, since }
        }
        "folder" => {
            let folder_id = FolderId::try_from(id).ok()?;
            Event::FolderDeleted { organization_id, folder_id, since }
        }
        _ => Event::GroupDeleted { organization_id, group_id: GroupId::try_from(id).ok()? },
    })
}

/// The organization of a partition.
fn organization_of(partition: &str, found: &Containers) -> Option<OrganizationId> {
    let place = containers_around(&item::at(partition, "")).into_iter().next()?;
    organization_at(&place, found)
}

/// The organization at a place. A long id is its digest in the key.
fn organization_at(place: &At, found: &Containers) -> Option<OrganizationId> {
    let own = place.1.split_once('#').and_then(|(_, id)| unescaped(id));
    let stored = || Some(text(found.get(place)?, "organizationId").to_owned());
    OrganizationId::try_from(own.or_else(stored)?).ok()
}

/// Executes a unit with its event; one that is refused has lost to a later write.
async fn commit(tenant: &TenantStore, unit: Unit, event: Option<Event>) -> Result<()> {
    let emitted = tenant.organizations().all().rows().emitted(event);
    no_failure(tenant.db().commit_all(vec![unit.emitting(emitted)]).await)
}

/// The text of an attribute; empty when it is absent.
fn text<'a>(item: &'a Item, name: &str) -> &'a str {
    match item.get(name) {
        Some(Value::S(text)) => text,
        _ => "",
    }
}
