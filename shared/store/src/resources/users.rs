//! Lists of users, and their memberships.

use std::collections::BTreeSet;

use aws::{Query, Value};
use error::{Error, Result};
use model::{
    FolderId, GroupId, UserId, access::Level, document::Document, folder::Folder,
    group::GroupMember, organization::Organization, user::User,
};
use tenancy::{
    layout::{Entity, Key, Table, in_folder, in_group, item, of_user, users_at},
    prelude::*,
    reading::{Page, Paged, merge, missing},
    writing::no_failure,
};

use super::groups::members_of;
use crate::{
    features::{Documents, Users},
    prelude::*,
};

impl Users<'_> {
    /// One page of the users of a level, in the order of their ids.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub async fn list_at(self, level: &Level, page: &Page) -> Result<Paged<User>> {
        let all = self.all();
        all.rows().page(all.rows().under(users_at(level).prefix()), page).await
    }

    /// One page of the users of all documents, document by document; only the named users, if any.
    /// Those are read from an index: recently added ones may be missing.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub async fn list_of_documents(
        self,
        users: &BTreeSet<UserId>,
        page: &Page,
    ) -> Result<Paged<User>> {
        let all = self.all();
        const DOCUMENTS: &str = "document-user#";
        if users.is_empty() {
            return all.rows().page(all.rows().under(DOCUMENTS.to_owned()), page).await;
        }
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
        let members = self.0.groups().members();
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
        let users = self.all().find_all(keys).await?;
        Ok(Paged { items: users.into_values().collect(), next })
    }

    /// Ensures that the organization and the document or folder of a membership exist. A missing
    /// organization is created, except when a missing document or folder is not.
    ///
    /// # Errors
    /// NOT_FOUND when a document or folder does not exist and `create` is false.
    pub async fn ensure_level(self, level: &Level, create: bool) -> Result<()> {
        let (organizations, db) = (self.0.tenant().organizations().all(), self.0.tenant().db());
        let below = match level {
            Level::Organization => None,
            Level::Folder(id) => Some(Folder::place(id).into_key()),
            Level::Document(id) => Some(Document::place(id).into_key()),
        };
        let below = below.map(|sort| (self.0.partition().clone(), sort));
        let organization =
            (self.0.tenant().partition().clone(), Organization::place(self.0.id()).into_key());
        let places = below.into_iter().chain([organization]).collect();
        let found = db.get_across(Table::Resources, places).await?;
        let is_missing = |from: &Key| found.keys().all(|(partition, _)| partition != from.as_str());
        let now = db.clock().now();
        let mut units = Vec::new();
        match level {
            Level::Document(id) if is_missing(self.0.partition()) => {
                let implied = Document::implied(id.clone(), now);
                let implied = create.then_some(implied).ok_or_else(|| missing::<Document>(id))?;
                units.push(self.0.documents().all().rows().inserted(&implied, None)?);
            }
            Level::Folder(id) if is_missing(self.0.partition()) => {
                create.then_some(()).ok_or_else(|| missing::<Folder>(id))?;
                self.0.folders().imply(id).await?;
            }
            _ => {}
        }
        if is_missing(self.0.tenant().partition()) {
            let implied = Organization::implied(self.0.id().clone(), now);
            units.push(organizations.rows().inserted(&implied, None)?);
        }
        // A refused one was added concurrently.
        no_failure(db.commit_all(units).await)
    }

    /// Ensures that a folder exists before an addition to it; a new one is at the top.
    ///
    /// # Errors
    /// NOT_FOUND when it does not and `create` is false.
    pub async fn ensure_folder(self, id: &FolderId, create: bool) -> Result<()> {
        if self.0.folders().all().find(id).await?.is_some() {
            return Ok(());
        }
        if !create {
            return Err(Error::not_found(format!("There is no folder {id}.")));
        }
        self.0.folders().imply(id).await
    }
}
