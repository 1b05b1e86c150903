//! Lists of users, and their memberships.

use std::collections::BTreeSet;

use aws::{Query, Value};
use error::{Error, Result, Status};
use model::{
    DocumentId, FolderId, GroupId, Only, UserId,
    document::Document,
    folder::Folder,
    life::{Life, Stand},
    permissions::Level,
    user::User,
    user_group::GroupMember,
};
use tenancy::{
    layout::{Entity, Key, Table, in_folder, in_group, item, of_user, users_at},
    prelude::*,
    reading::{Collection, Page, Paged, cursor, merge, missing, sort_name, start_key},
    scopes::{Currency, Found, OrganizationStore},
    writing::{Within, no_failure},
};

use crate::{documents::Documents, organizations::as_added, prelude::*, user_groups::members_of};

tenancy::features! {
    /// Entry from the scope of an organization.
    OfOrganization for OrganizationStore:
    /// Users, at every level.
    users: Users,
}

/// Users that a search by name looks at, at a time and in one call.
const LOOKED_AT_ONCE: usize = 250;
const MAX_LOOKED_AT: usize = 1_000;

impl Users<'_> {
    /// All users, at every level.
    pub fn all(self) -> Collection<User> {
        self.0.collection()
    }
}

impl Users<'_> {
    /// One page of the users of a level, in the order of their ids.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub async fn list_at(self, level: &Level, page: &Page) -> Result<Paged<User>> {
        let all = self.all();
        all.rows().page(all.rows().under(users_at(level).prefix()), page).await
    }

    /// One page of the users of a level whose name has a word that begins with a text, in the order of
    /// their ids. A page looks at a thousand users at most; the next one continues behind them.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub async fn list_named(
        self,
        level: &Level,
        beginning: &str,
        page: &Page,
    ) -> Result<Paged<User>> {
        let all = self.all();
        let query = all.rows().under(users_at(level).prefix());
        let mut start = page.cursor().map(|to| start_key(&query, to)).transpose()?;
        let (mut kept, mut looked_at) = (vec![], 0);
        loop {
            let from = Query { start: start.take(), ..query.clone() };
            let (items, mut more) = all.rows().fetch(from, LOOKED_AT_ONCE).await?;
            looked_at += items.len();
            let (count, mut last) = (items.len(), None);
            for (n, item) in items.into_iter().enumerate() {
                last = Some(position_of(&item, &query));
                kept.extend(all.rows().visible(item)?.filter(|it| it.profile.is_named(beginning)));
                if kept.len() >= page.limit() {
                    more |= n + 1 < count;
                    break;
                }
            }
            let Some(last) = last.filter(|_| more) else {
                return Ok(Paged { items: kept, next: None });
            };
            if kept.len() >= page.limit() || looked_at >= MAX_LOOKED_AT {
                let cursor: Vec<&str> = last.iter().map(String::as_str).collect();
                return Ok(Paged { items: kept, next: Some(page.token(&cursor)?) });
            }
            start = Some(start_key(&query, &last)?);
        }
    }

    /// One page of the users of all documents, document by document; only the named users. Named
    /// users are read from an index: recently added ones may be missing.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub async fn list_of_documents(self, users: &Only<UserId>, page: &Page) -> Result<Paged<User>> {
        let all = self.all();
        const DOCUMENTS: &str = "document-user#";
        let Some(users) = users.named() else {
            return all.rows().page(all.rows().under(DOCUMENTS.to_owned()), page).await;
        };
        let after = after(page)?;
        let query = |user: &UserId| {
            let prefix = Some((item::INDEX_SK, DOCUMENTS.to_owned()));
            let query = Query { prefix, ..all.rows().indexed(&of_user(user)) };
            let start = after.map(|sort| {
                let (own, group) = (all.rows().partition().as_str(), query.partition.1.as_str());
                [(item::PK, own), (item::SK, sort), (item::INDEX_PK, group), (item::INDEX_SK, sort)]
                    .map(|(name, text)| (name.to_owned(), Value::S(text.to_owned())))
                    .into()
            });
            Query { start, ..query }
        };
        let lists = all.rows().lists(users.iter().map(query).collect(), page.limit()).await?;
        let sort = |user: &User| String::from(User::place(&user.id()).into_key());
        let (items, more) = merge(lists, page.limit(), sort);
        let next = match items.last() {
            Some(last) if more => Some(page.token(&[sort(last).as_str()])?),
            _ => None,
        };
        Ok(Paged { items, next })
    }
}

/// Where a list continues behind an item.
fn position_of(item: &aws::Item, query: &Query) -> Vec<String> {
    cursor(item, sort_name(query)).into_iter().map(str::to_owned).collect()
}

/// Continuation of a merged list.
fn after(page: &Page) -> Result<Option<&str>> {
    match page.cursor() {
        None => Ok(None),
        Some([after]) => Ok(Some(after)),
        Some(_) => Err(Error::internal("a page token of another shape")),
    }
}

impl Documents<'_> {
    /// One page of the documents of a folder, `root` for those in none, in the order of their ids.
    /// Read from an index: recently added or moved documents may be missing.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub async fn list_in(self, folder: &FolderId, page: &Page) -> Result<Paged<Document>> {
        let all = self.all();
        all.rows().page(all.rows().indexed(&in_folder(folder)), page).await
    }
}

impl Users<'_> {
    /// One page of the organization's users in one of the groups, in the order of their ids without
    /// duplicates: the sorted members of all groups are merged.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub async fn list_in_groups(
        self,
        groups: &BTreeSet<GroupId>,
        page: &Page,
    ) -> Result<Paged<User>> {
        let after = after(page)?;
        let members = self.0.user_groups().members();
        let query = |group: &GroupId| {
            let start = after.map(|user| {
                let sort = in_group(group);
                item::key(self.0.partition(), &sort.and("user", user))
            });
            Query { start, ..members.rows().under(members_of(group)) }
        };
        let lists = members.rows().lists(groups.iter().map(query).collect(), page.limit()).await?;
        let ids = |(members, more): (Vec<GroupMember>, bool)| {
            (members.into_iter().map(|member| member.user_id).collect(), more)
        };
        let lists = lists.into_iter().map(ids).collect();
        let sort = |user: &UserId| String::from(Key::pair("user", user.as_str()));
        let (ids, more) = merge(lists, page.limit(), sort);
        let next = match ids.last() {
            Some(last) if more => Some(page.token(&[last.as_str()])?),
            _ => None,
        };
        let keys = ids.into_iter().map(|id| (Level::Organization, id));
        let users = self.all().find_all(keys).await?.into_values();
        // Rows of members who left the organization meanwhile remain until the clean-up is there.
        let is_in = |user: &User| groups.iter().any(|group| user.groups.contains_key(group));
        Ok(Paged { items: users.filter(is_in).collect(), next })
    }

    /// Ensures that the organization and the document or folder of a membership exist, a folder with
    /// all above it. A missing organization is created, except when a missing document or folder is
    /// not.
    ///
    /// # Errors
    /// NOT_FOUND when a document or folder does not exist and `create` is false, or one above a
    /// folder does not.
    pub async fn ensure_level(self, level: &Level, create: bool) -> Result<()> {
        match level {
            Level::Organization => self.0.own_record().ensure(true).await.map(drop),
            Level::Folder(id) => self.ensure_folder_and_above(id, create).await,
            Level::Document(id) => self.ensure_document(id, create).await,
        }
    }

    async fn ensure_folder_and_above(self, id: &FolderId, create: bool) -> Result<()> {
        let folders = self.0.folders();
        let chain = folders.chain(BTreeSet::from([id.clone()]), None).await?;
        if chain.tree.get(id).is_some() {
            return chain.tree.placing(id).map(drop);
        }
        if !create {
            return Err(missing::<Folder>(id));
        }
        let organization = match chain.organization {
            Stand::There((), life) => life,
            Stand::Absent(_) => self.0.own_record().ensure(true).await?,
        };
        self.imply_folder(id, organization, &chain.found).await
    }

    async fn ensure_document(self, id: &DocumentId, create: bool) -> Result<()> {
        let (tenant, db) = (self.0.tenant(), self.0.tenant().db());
        let (organizations, documents) = (tenant.organizations().all(), self.0.documents().all());
        let places = [organizations.rows().place_of(self.0.id()), documents.rows().place_of(id)];
        let record = places[0].clone();
        let mut found =
            db.get_across_standing(Table::Resources, places.into(), Currency::Now).await?;
        let record = found.remove(&(record.0.into(), record.1.into()));
        let organization = organizations.rows().standing(record)?;
        let implied = Document::implied(id.clone(), db.clock().now());
        let within = Within { organization: self.0.id(), life: organization.life() };
        let unit = documents.begun(&implied, within, &found).await?;
        if unit.is_some() && !create {
            return Err(missing::<Document>(id));
        }
        if !as_added(organization.as_ref()).is_there() {
            self.0.own_record().ensure(true).await?;
        }
        // A refused one was added concurrently.
        no_failure(db.commit_all(unit.into_iter().collect()).await)
    }

    /// Adds a folder at the top that is absent; one that someone else added is added.
    async fn imply_folder(self, id: &FolderId, organization: Life, found: &Found) -> Result<()> {
        if id.is_root() {
            return Err(Error::invalid("A folder cannot have the id root."));
        }
        let now = self.0.tenant().db().clock().now();
        let implied = [Folder::new(id.clone(), None, FolderId::root(), now)];
        let added = self.0.folders().begin(&implied, organization, found).await?;
        added.into_iter().try_for_each(|added| match added {
            Err(error) if error.status == Status::AlreadyExists => Ok(()),
            added => added,
        })
    }

    /// Ensures that a folder exists with all above it, before an addition to it in the
    /// organization's life; a new one is at the top.
    ///
    /// # Errors
    /// NOT_FOUND when it does not and `create` is false, or when one above it does not.
    pub async fn ensure_folder(
        self,
        id: &FolderId,
        create: bool,
        organization: Life,
    ) -> Result<()> {
        let folders = self.0.folders();
        let chain = folders.chain(BTreeSet::from([id.clone()]), Some(organization)).await?;
        if chain.tree.get(id).is_some() {
            return chain.tree.placing(id).map(drop);
        }
        if !create {
            return Err(Error::not_found(format!("There is no folder {id}.")));
        }
        self.imply_folder(id, organization, &chain.found).await
    }
}
