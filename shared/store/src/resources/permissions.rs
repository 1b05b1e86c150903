//! Rights of users: grants for resources anywhere in the tenant, decisions for those of one
//! organization.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use aws::{BatchWrite, Boxed, Item};
use error::Result;
use model::{
    DocumentId, FolderId, Millis, OrganizationId, UserId,
    access::{AccessType, Grant, Held, Level, Revoked},
    document::Document,
    notice::{Past, Standing},
    organization::Organization,
    user::User,
};
use tenancy::{
    layout::{Entity, Key, Table, users_at},
    prelude::*,
    reading::new_version,
    scopes::place_of,
};

use super::tree::{MAX_FOLDER_DEPTH, Tree};
use crate::{
    features::{Access, TenantAccess},
    inbox::FEW,
    prelude::*,
};

impl TenantAccess<'_> {
    /// Adds or changes distinct grants.
    ///
    /// # Errors
    /// UNAVAILABLE when not all of them were written.
    pub async fn grant(self, grants: &[(OrganizationId, Grant)]) -> Result<()> {
        let put = |(organization, grant): &(OrganizationId, Grant)| {
            let grants = self.0.organization(organization).access().grants();
            Ok(BatchWrite::Put(grants.rows().encode(grant, &new_version()?)?))
        };
        let writes = grants.iter().map(put).collect::<Result<_>>()?;
        self.0.db().write_all(Grant::TABLE, writes).await.into_iter().collect()
    }

    /// Takes distinct rights away, whether they were granted or not: also those in tokens of the
    /// user that were issued before.
    ///
    /// # Errors
    /// UNAVAILABLE when not all of them were taken away.
    pub async fn revoke(
        self,
        user: &UserId,
        of: impl IntoIterator<Item = (OrganizationId, Level)>,
    ) -> Result<()> {
        let now = self.0.db().clock().now();
        let revoke = |(organization, level)| {
            let grant = Grant::revoked(user.clone(), level, Revoked::Level, now);
            (organization, grant)
        };
        self.grant(&of.into_iter().map(revoke).collect::<Vec<_>>()).await
    }
}

/// The right of a user in a resource.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Right {
    /// The resource does not exist.
    Missing,
    /// No right; with the access type, except for organizations.
    Denied(Option<AccessType>),
    /// This right; with the access type, except for organizations.
    Held(Held, Option<AccessType>),
}

/// Rights of users in an organization, read at one time.
pub struct Rights {
    disabled: bool,
    default: AccessType,
    tree: Tree,
    documents: BTreeMap<DocumentId, Document>,
    held: BTreeMap<(Level, UserId), Held>,
    /// When stored grants were last changed, and what of tokens those that were taken away ended.
    changed: BTreeMap<(Level, UserId), (Millis, Option<Revoked>)>,
    /// When rights that were taken away or have expired ended.
    ended: BTreeMap<UserId, Millis>,
}

/// Key prefix of the grants of a level.
pub(crate) fn grants_at(level: &Level) -> Key {
    match level {
        Level::Organization => Key::named("organization-grant"),
        Level::Document(id) => Key::pair("document-grant", id.as_str()).join(&Key::named("user")),
        Level::Folder(id) => Key::pair("folder-grant", id.as_str()).join(&Key::named("user")),
    }
}

impl<'a> Access<'a> {
    /// Reads the data to decide on users and resources: the requested levels at once, ancestors
    /// only if necessary.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub fn rights(
        self,
        users: &'a BTreeSet<UserId>,
        folders: &'a BTreeSet<FolderId>,
        documents: &'a BTreeSet<DocumentId>,
    ) -> Boxed<'a, Result<Rights>> {
        Box::pin(async move {
            let (tenant, db) = (self.0.tenant(), self.0.tenant().db());
            let mut levels = BTreeSet::from([Level::Organization]);
            levels.extend(folders.iter().cloned().map(Level::Folder));
            levels.extend(documents.iter().cloned().map(Level::Document));
            let own = (tenant.partition().clone(), Organization::place(self.0.id()).into_key());
            let is_few = users.len() <= FEW;
            let mut places = match is_few {
                true => self.places(&levels, users),
                false => BTreeSet::new(),
            };
            places.insert(own.clone());
            places.extend(
                documents
                    .iter()
                    .map(|id| (self.0.partition().clone(), Document::place(id).into_key())),
            );
            let mut items = db.get_across(Table::Resources, places).await?;
            let own = items.remove(&(own.0.into(), own.1.into()));
            let own =
                own.map(|item| tenant.organizations().all().rows().decode(item)).transpose()?;
            let mut found = BTreeMap::new();
            for id in documents {
                if let Some(item) = self.take(&mut items, Document::place(id).into_key()) {
                    found.insert(id.clone(), self.0.documents().all().rows().decode(item)?);
                }
            }
            let inside = found.values().filter_map(|document| document.folder_id.clone());
            let tree = self
                .0
                .folders()
                .tree_above(inside.chain(folders.iter().cloned()).collect())
                .await?;
            let mut rights = Rights {
                disabled: own.is_some_and(|organization| organization.disabled),
                default: tenant.api_key().settings.default_document_access_type,
                tree,
                documents: found,
                held: BTreeMap::new(),
                changed: BTreeMap::new(),
                ended: BTreeMap::new(),
            };
            let above: BTreeSet<Level> =
                rights.folders_above(folders).difference(&levels).cloned().collect();
            if is_few {
                items.extend(db.get_across(Table::Resources, self.places(&above, users)).await?);
                levels.extend(above);
            } else {
                levels.extend(above);
                let lists: Vec<Key> =
                    levels.iter().flat_map(|level| [users_at(level), grants_at(level)]).collect();
                let found = self.0.notifications().of_users(&lists, users).await?;
                items.extend(found.into_iter().map(|item| (place_of(&item), item)));
            }
            self.fill(&mut rights, items, &levels, users)?;
            Ok(rights)
        })
    }

    /// The keys of memberships and grants at levels.
    fn places(self, levels: &BTreeSet<Level>, users: &BTreeSet<UserId>) -> BTreeSet<(Key, Key)> {
        let mut places = BTreeSet::new();
        for level in levels {
            for user in users {
                let id = (level.clone(), user.clone());
                places.insert((self.0.partition().clone(), User::place(&id).into_key()));
                places.insert((self.0.partition().clone(), Grant::place(&id).into_key()));
            }
        }
        places
    }

    fn fill(
        self,
        rights: &mut Rights,
        mut items: HashMap<(String, String), Item>,
        levels: &BTreeSet<Level>,
        users: &BTreeSet<UserId>,
    ) -> Result<()> {
        let now = self.0.tenant().db().clock().now();
        for level in levels {
            for user in users {
                let id = (level.clone(), user.clone());
                let member = self.take(&mut items, User::place(&id).into_key());
                let member =
                    member.map(|item| self.0.users().all().rows().decode(item)).transpose()?;
                let grant = self.take(&mut items, Grant::place(&id).into_key());
                let grant = grant.map(|item| self.grants().rows().decode(item)).transpose()?;
                let member = member.map(|user| user.access_role);
                if let Some(held) = Held::at(member, grant.as_ref(), now) {
                    rights.held.insert(id.clone(), held);
                }
                rights.ends(grant.as_ref().and_then(|grant| Some((user, grant.ended_at(now)?))));
                rights.changed.extend(grant.map(|grant| (id, (grant.since, grant.revoked))));
            }
        }
        Ok(())
    }

    fn take(self, items: &mut HashMap<(String, String), Item>, sort: Key) -> Option<Item> {
        items.remove(&(self.0.partition().as_str().to_owned(), sort.into()))
    }
}

impl Rights {
    /// The right of a user in the organization itself.
    pub fn of_organization(&self, user: &UserId) -> Right {
        match self.held(&Level::Organization, user) {
            Some(held) if !self.disabled => Right::Held(held, None),
            _ => Right::Denied(None),
        }
    }

    /// The right of a user in a folder.
    pub fn of_folder(&self, user: &UserId, id: &FolderId) -> Right {
        let Some(folder) = self.tree.get(id) else { return Right::Missing };
        self.decide(user, self.tree.access_type(folder), false, &self.chain(Some(id)))
    }

    /// The right of a user in a document.
    pub fn of_document(&self, user: &UserId, id: &DocumentId) -> Right {
        let Some(document) = self.documents.get(id) else { return Right::Missing };
        let mut levels = vec![Level::Document(id.clone())];
        levels.extend(self.chain(document.folder_id.as_ref()));
        let access_type = self.tree.access_type_of(document, self.default);
        self.decide(user, access_type, document.disabled, &levels)
    }

    /// Adds memberships and grants that were read.
    pub(crate) fn with(mut self, held: impl IntoIterator<Item = ((Level, UserId), Held)>) -> Self {
        self.held.extend(held);
        self
    }

    /// Adds the ends of rights that were read.
    pub(crate) fn ends<'a>(&mut self, ended: impl IntoIterator<Item = (&'a UserId, Millis)>) {
        for (user, at) in ended {
            let latest = self.ended.entry(user.clone()).or_insert(at);
            *latest = at.max(*latest);
        }
    }

    /// How a user stands to a document.
    pub(crate) fn standing(&self, user: &UserId, id: &DocumentId) -> Standing {
        match self.of_document(user, id) {
            Right::Missing | Right::Denied(_) => Standing::Shut,
            Right::Held(..) if self.is_known(user) => Standing::Holder,
            Right::Held(..) => Standing::Public(self.past(user)),
        }
    }

    /// The rights that a user without one had before, at the levels that were read.
    pub(crate) fn past(&self, user: &UserId) -> Past {
        self.ended.get(user).copied().map_or(Past::Stranger, Past::Ended)
    }

    /// Adds the rights in a token of this time, where nothing was granted or taken away since.
    pub(crate) fn or_held(mut self, held: Vec<((Level, UserId), Held)>, issued: Millis) -> Self {
        for (at, held) in held {
            let is_later = |(since, _): &(Millis, _)| *since >= issued;
            let change = self.changed.get(&(Level::Organization, at.1.clone()));
            let departure = change.filter(|(_, revoked)| *revoked == Some(Revoked::Inside));
            if !self.changed.get(&at).is_some_and(is_later) && !departure.is_some_and(is_later) {
                self.held.entry(at).or_insert(held);
            }
        }
        self
    }

    /// Whether the organization is disabled.
    pub(crate) fn is_disabled(&self) -> bool {
        self.disabled
    }

    /// The right of a user at a document itself, whether the document exists or not.
    pub(crate) fn at_document(&self, user: &UserId, id: &DocumentId) -> Option<Held> {
        self.held(&Level::Document(id.clone()), user)
    }

    /// Whether a user has a right at the levels that were read.
    pub(crate) fn is_known(&self, user: &UserId) -> bool {
        self.held.keys().any(|(_, holder)| holder == user)
    }

    /// Whether a document and all folders above it exist.
    pub(crate) fn is_there(&self, id: &DocumentId) -> bool {
        let Some(document) = self.documents.get(id) else { return false };
        let mut folder = document.folder_id.as_ref();
        for _ in 0..=MAX_FOLDER_DEPTH {
            folder = match folder {
                Some(id) if !id.is_root() => match self.tree.get(id) {
                    Some(found) => Some(&found.parent_folder_id),
                    None => return false,
                },
                _ => return true,
            };
        }
        true
    }

    /// A document.
    pub(crate) fn document(&self, id: &DocumentId) -> Option<&Document> {
        self.documents.get(id)
    }

    /// Access type of a document.
    pub(crate) fn access_type_of(&self, id: &DocumentId) -> Option<AccessType> {
        let document = self.documents.get(id)?;
        Some(self.tree.access_type_of(document, self.default))
    }

    /// The levels whose members have access to a document, besides the organization; none for an
    /// unknown document.
    pub(crate) fn levels_of(&self, id: &DocumentId) -> Vec<Level> {
        let Some(document) = self.documents.get(id) else { return vec![] };
        let mut levels = vec![Level::Document(id.clone())];
        levels.extend(self.chain(document.folder_id.as_ref()));
        levels
    }

    fn decide(&self, user: &UserId, access: AccessType, disabled: bool, levels: &[Level]) -> Right {
        let nearest = levels.iter().find_map(|level| self.held(level, user));
        match access.admit(nearest, self.held(&Level::Organization, user)) {
            Some(held) if !disabled && !self.disabled => Right::Held(held, Some(access)),
            _ => Right::Denied(Some(access)),
        }
    }

    fn held(&self, level: &Level, user: &UserId) -> Option<Held> {
        self.held.get(&(level.clone(), user.clone())).copied()
    }

    /// A folder and its existing ancestors.
    fn chain(&self, folder: Option<&FolderId>) -> Vec<Level> {
        let Some(folder) = folder.and_then(|id| self.tree.get(id)) else { return vec![] };
        let above = self.tree.ancestors(folder).into_iter().rev();
        let above = above.filter(|id| self.tree.get(id).is_some());
        [folder.folder_id.clone()].into_iter().chain(above).map(Level::Folder).collect()
    }

    /// Folders of requested documents, and requested folders.
    fn folders_above(&self, folders: &BTreeSet<FolderId>) -> BTreeSet<Level> {
        let of_documents =
            self.documents.values().filter_map(|document| document.folder_id.as_ref());
        folders.iter().chain(of_documents).flat_map(|id| self.chain(Some(id))).collect()
    }
}
