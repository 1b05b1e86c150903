//! Rights of users: grants for resources anywhere in the tenant (`grants.rs`), and the one reader of
//! what decides in an organization. The model decides from the facts that are read here (`facts.rs`);
//! `departures.rs` ends rights, and `holders.rs` has those of groups, which stand with their container.

mod departures;
mod facts;
mod grants;
mod held;
mod holders;

pub(crate) use facts::RightRow;
pub use facts::{Facts, Who};

use std::collections::{BTreeSet, HashMap};

use aws::{Boxed, Item};
use error::{Error, Result};
use model::{
    DocumentId, FolderId, GroupId, UserId,
    document::Document,
    folder::Folder,
    organization::Organization,
    permissions::{Grant, Level},
    rights::Rules,
    user::User,
    user_group::Group,
};
use tenancy::{
    layout::{Entity, Key, Table, item, users_at},
    prelude::*,
    reading::Collection,
    scopes::{Currency, OrganizationStore, TenantStore, place_of},
};

use self::facts::{above, written};
use crate::{folders::MAX_FOLDER_DEPTH, prelude::*};

/// Up to this number, users are read by their keys.
pub(crate) const FEW: usize = 3;

tenancy::features! {
    /// Entry from the scope of a tenant.
    OfTenant for TenantStore:
    /// Rights of users in several organizations.
    permissions: TenantPermissions,
}

tenancy::features! {
    /// Entry from the scope of an organization.
    OfOrganization for OrganizationStore:
    /// Rights of users.
    permissions: Permissions,
}

impl Permissions<'_> {
    /// Rights of users, at every level.
    pub fn grants(self) -> Collection<Grant> {
        self.0.collection()
    }
}

/// Key prefix of the grants of a level.
pub(crate) fn grants_at(level: &Level) -> Key {
    match level {
        Level::Organization => Key::named("organization-grant"),
        Level::Document(id) => Key::pair("document-grant", id.as_str()).join(&Key::named("user")),
        Level::Folder(id) => Key::pair("folder-grant", id.as_str()).join(&Key::named("user")),
    }
}

impl<'a> Permissions<'a> {
    /// Reads the facts that decide on users and resources: the requested levels at once, then the
    /// folders above, one level of them at a time. Groups that hold a right and have one of the users
    /// are read with the folders above, or behind them; without users, all that hold a right.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub fn facts(
        self,
        users: &'a BTreeSet<UserId>,
        folders: &'a BTreeSet<FolderId>,
        documents: &'a BTreeSet<DocumentId>,
    ) -> Boxed<'a, Result<Facts>> {
        let groups = if users.is_empty() { Heads::All } else { Heads::OfUsers };
        self.gather(users, groups, (folders, documents))
    }

    /// Reads the facts that decide on who is in these groups.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub fn facts_of_groups(
        self,
        groups: &'a BTreeSet<GroupId>,
        folders: &'a BTreeSet<FolderId>,
        documents: &'a BTreeSet<DocumentId>,
    ) -> Boxed<'a, Result<Facts>> {
        static NOBODY: BTreeSet<UserId> = BTreeSet::new();
        self.gather(&NOBODY, Heads::Of(groups), (folders, documents))
    }

    fn gather(
        self,
        users: &'a BTreeSet<UserId>,
        of: Heads<'a>,
        (folders, documents): (&'a BTreeSet<FolderId>, &'a BTreeSet<DocumentId>),
    ) -> Boxed<'a, Result<Facts>> {
        Box::pin(async move {
            let (tenant, is_few) = (self.0.tenant(), users.len() <= FEW);
            let settings = &tenant.api_key().settings;
            let rules = Rules {
                now: tenant.db().clock().now(),
                default: settings.default_document_access_type,
                public_role: settings.public_access_role,
            };
            let (mut facts, mut rows): (_, Vec<RightRow>) = (Facts::new(rules), Vec::new());
            let mut heads = BTreeSet::new();
            let mut levels = BTreeSet::new();
            let mut wanted = BTreeSet::from([Level::Organization]);
            wanted.extend(folders.iter().filter(|id| !id.is_root()).cloned().map(Level::Folder));
            wanted.extend(documents.iter().cloned().map(Level::Document));
            // The requested ones, and all that can be above them.
            for _ in 0..=MAX_FOLDER_DEPTH {
                if wanted.is_empty() {
                    break;
                }
                let named: &BTreeSet<UserId> = if is_few { users } else { &BTreeSet::new() };
                let mut found = self.read(&wanted, named, &heads).await?;
                for level in &wanted {
                    self.place(&mut facts, level, &mut found)?;
                }
                self.place_groups(&mut facts, &heads, &mut found)?;
                for item in found.into_values().filter(item::is_there) {
                    rows.push(self.row(item)?);
                }
                levels.append(&mut wanted);
                wanted = above(&facts, &levels);
                heads = of.unread(&facts, &rows);
            }
            if !is_few {
                let lists: Vec<Key> =
                    levels.iter().flat_map(|level| [users_at(level), grants_at(level)]).collect();
                for item in self.0.notifications().of_users(&lists, users).await? {
                    rows.push(self.row(item)?);
                }
                heads = of.unread(&facts, &rows);
            }
            self.has_read(users);
            if !heads.is_empty() {
                let mut found = self.read(&BTreeSet::new(), &BTreeSet::new(), &heads).await?;
                self.place_groups(&mut facts, &heads, &mut found)?;
            }
            Ok(facts.with_rows(rows))
        })
    }

    /// The containers of levels, the rows of users there, and groups.
    async fn read(
        self,
        levels: &BTreeSet<Level>,
        users: &BTreeSet<UserId>,
        groups: &BTreeSet<GroupId>,
    ) -> Result<HashMap<(String, String), Item>> {
        let group = |id| (self.0.partition().clone(), Group::place(id).into_key());
        let mut places: BTreeSet<_> = groups.iter().map(group).collect();
        for level in levels {
            places.insert(self.container(level));
            for user in users {
                let id = (level.clone(), user.clone());
                places.insert((self.0.partition().clone(), User::place(&id).into_key()));
                places.insert((self.0.partition().clone(), Grant::place(&id).into_key()));
            }
        }
        let db = self.0.tenant().db();
        let found = db.get_across_standing(Table::Resources, places, Currency::Now).await?;
        let containers = levels.iter().map(|level| self.container(level));
        let containers = containers.map(|(partition, sort)| (partition.into(), sort.into()));
        let containers: BTreeSet<(String, String)> = containers.collect();
        db.has_seen(&containers, containers.iter().filter_map(|place| found.get(place)));
        Ok(found)
    }

    /// The place of the container of a level.
    pub(super) fn container(self, level: &Level) -> (Key, Key) {
        match level {
            Level::Organization => {
                (self.0.tenant().partition().clone(), Organization::place(self.0.id()).into_key())
            }
            Level::Folder(id) => (self.0.partition().clone(), Folder::place(id).into_key()),
            Level::Document(id) => (self.0.partition().clone(), Document::place(id).into_key()),
        }
    }

    /// Adds the container of a level to the facts.
    fn place(
        self,
        facts: &mut Facts,
        level: &Level,
        found: &mut HashMap<(String, String), Item>,
    ) -> Result<()> {
        let (partition, sort) = self.container(level);
        let found = found.remove(&(partition.into(), sort.into()));
        match level {
            Level::Organization => {
                let organizations = self.0.tenant().organizations().all();
                facts.organization = organizations.rows().standing(found)?;
            }
            Level::Folder(id) => {
                let folder = self.0.folders().all().rows().standing(found)?;
                facts.folders.insert(id.clone(), folder);
            }
            Level::Document(id) => {
                let document = self.0.documents().all().rows().standing(found)?;
                facts.documents.insert(id.clone(), document);
            }
        }
        Ok(())
    }

    /// Adds groups to the facts.
    fn place_groups(
        self,
        facts: &mut Facts,
        groups: &BTreeSet<GroupId>,
        found: &mut HashMap<(String, String), Item>,
    ) -> Result<()> {
        for id in groups {
            let place = (self.0.partition().clone().into(), Group::place(id).into_key().into());
            let group = self.0.user_groups().all().rows().standing(found.remove(&place))?;
            facts.groups.insert(id.clone(), group.bare().within(&facts.organization));
        }
        Ok(())
    }

    /// Decodes a row about a user: a grant or a membership. Further lists know of its departures.
    pub(crate) fn row(self, item: Item) -> Result<RightRow> {
        let (at, place) = (written(&item), place_of(&item));
        match place.1.split('#').next().unwrap_or_default() {
            "organization-grant" => {
                self.0.tenant().db().has_seen(&[place].into(), [&item]);
                Ok(RightRow::Grant(self.grants().rows().decode(item)?, at))
            }
            "document-grant" | "folder-grant" => {
                Ok(RightRow::Grant(self.grants().rows().decode(item)?, at))
            }
            "user" | "document-user" | "folder-user" => {
                Ok(RightRow::Member(self.0.users().all().rows().decode(item)?, at))
            }
            _ => Err(Error::internal("a row that says nothing about a user")),
        }
    }
}

/// Of which groups with a right it matters whether they are there.
#[derive(Clone, Copy)]
enum Heads<'a> {
    /// Of those that have one of the users.
    OfUsers,
    /// Of these.
    Of(&'a BTreeSet<GroupId>),
    /// Of all.
    All,
}

impl Heads<'_> {
    /// The groups that matter and were not read yet.
    fn unread(self, facts: &Facts, rows: &[RightRow]) -> BTreeSet<GroupId> {
        let joined = rows.iter().filter_map(|row| match row {
            RightRow::Member(user, _) => Some(user.groups.keys()),
            RightRow::Grant(..) => None,
        });
        let joined: BTreeSet<&GroupId> = joined.flatten().collect();
        let matters = |group: &&GroupId| match self {
            Self::OfUsers => joined.contains(*group),
            Self::Of(groups) => groups.contains(*group),
            Self::All => true,
        };
        let unread = facts.holders().filter(|group| !facts.groups.contains_key(*group));
        unread.filter(matters).cloned().collect()
    }
}
