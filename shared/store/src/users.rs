//! Lists of users and of what is theirs.

use std::collections::BTreeSet;

use error::{Error, Result};
use futures_util::{StreamExt, TryStreamExt, stream};
use model::{
    DocumentId, FolderId, GroupId, UserId, access::Level, document::Document, group::GroupMember,
    user::User,
};

use crate::{
    collection::Collection,
    entities::{in_folder, users_at},
    entity::Entity,
    key::Key,
    page::{Page, Paged},
    scope::OrganizationStore,
};

impl Collection<User> {
    /// One page of the users of a level, in the order of their ids.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub async fn list_at(&self, level: &Level, page: &Page) -> Result<Paged<User>> {
        self.page(self.under(users_at(level).prefix()), page).await
    }

    /// One page of the users of all documents, document by document.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub async fn list_of_documents(&self, page: &Page) -> Result<Paged<User>> {
        self.page(self.under("document-user#".to_owned()), page).await
    }
}

impl Collection<Document> {
    /// One page of the documents of a folder, in the order of their ids. Read from an index: a
    /// document that was added or moved a moment ago may be missing.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub async fn list_in(&self, folder: &FolderId, page: &Page) -> Result<Paged<Document>> {
        self.page(self.indexed(&in_folder(folder)), page).await
    }
}

/// Most members of one group that one call can take up.
const MAX_MEMBERS: usize = 20_000;

impl Collection<GroupMember> {
    /// Every member of a group.
    ///
    /// # Errors
    /// RESOURCE_EXHAUSTED when there are too many for one call.
    pub async fn of_group(&self, group: &GroupId) -> Result<Vec<GroupMember>> {
        self.all(self.under(members_of(group).prefix()), MAX_MEMBERS).await
    }
}

fn members_of(group: &GroupId) -> Key {
    Key::of(GroupMember::KIND, group.as_str()).join(&Key::named("user"))
}

impl OrganizationStore {
    /// One page of the organization's users who are in one of the groups, in the order of their
    /// ids and each of them once: the sorted members of all groups are merged.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub async fn list_in_groups(
        &self,
        groups: &BTreeSet<GroupId>,
        page: &Page,
    ) -> Result<Paged<User>> {
        let after = match page.cursor.as_deref() {
            None => None,
            Some([user]) => Some(user.as_str()),
            Some(_) => return Err(Error::internal("a page token of another shape")),
        };
        let members = self.group_members();
        let pages = stream::iter(groups).map(|group| {
            let head = members_of(group).prefix();
            let start = after.map(|user| {
                let sort = Key::of(GroupMember::KIND, group.as_str());
                let user = UserId::try_from(user.to_owned())
                    .map_err(|e| Error::internal(e.to_string()))?;
                Ok::<_, Error>(crate::item::key(&self.partition, &sort.and("user", user.as_str())))
            });
            let members = &members;
            async move {
                let query = aws::Query { start: start.transpose()?, ..members.under(head) };
                let (items, more) = members.fetch(query, page.limit).await?;
                let items: Vec<GroupMember> =
                    items.into_iter().map(|item| members.decode(item)).collect::<Result<_>>()?;
                Ok::<_, Error>((items, more))
            }
        });
        let pages: Vec<(Vec<GroupMember>, bool)> = pages.buffered(8).try_collect().await?;
        // Beyond the last member of an unfinished group nothing is known yet.
        let sort = |user: &UserId| String::from(Key::of("user", user.as_str()));
        let known = pages.iter().filter(|(_, more)| *more);
        let horizon =
            known.filter_map(|(items, _)| items.last()).map(|last| sort(&last.user_id)).min();
        let mut ids: Vec<UserId> =
            pages.into_iter().flat_map(|(items, _)| items).map(|member| member.user_id).collect();
        ids.sort_by_cached_key(sort);
        ids.dedup();
        let all = ids.len();
        ids.retain(|id| horizon.as_ref().is_none_or(|horizon| sort(id) <= *horizon));
        let more = horizon.is_some() || ids.len() < all || ids.len() > page.limit;
        ids.truncate(page.limit);
        let next = match ids.last() {
            Some(last) if more => Some(page.token(&[last.as_str()])?),
            _ => None,
        };
        let keys = ids.into_iter().map(|id| (Level::Organization, id));
        let users = self.users().find_all(keys).await?;
        Ok(Paged { items: users.into_values().collect(), next })
    }

    /// Whether documents exist, for something to be added to them.
    ///
    /// # Errors
    /// NOT_FOUND when it does not and `create` is false.
    pub async fn ensure_document(&self, id: &DocumentId, create: bool) -> Result<()> {
        let documents = self.documents();
        if documents.find(id).await?.is_some() {
            return Ok(());
        }
        if !create {
            return Err(Error::not_found(format!("There is no document {id}.")));
        }
        let implied = Document::implied(id.clone(), self.tenant.db.clock.now());
        match documents.insert(&implied, None).await {
            Err(error) if error.status == error::Status::AlreadyExists => Ok(()),
            other => other,
        }
    }

    /// As [`OrganizationStore::ensure_document`], for a folder at the top.
    ///
    /// # Errors
    /// NOT_FOUND when it does not exist and `create` is false.
    pub async fn ensure_folder(&self, id: &FolderId, create: bool) -> Result<()> {
        let folders = self.folders();
        if folders.find(id).await?.is_some() {
            return Ok(());
        }
        if !create {
            return Err(Error::not_found(format!("There is no folder {id}.")));
        }
        if id.is_root() {
            return Err(Error::invalid("A folder cannot have the id root."));
        }
        let now = self.tenant.db.clock.now();
        let implied = model::folder::Folder::new(id.clone(), None, FolderId::root(), now);
        match folders.insert(&implied, None).await {
            Err(error) if error.status == error::Status::AlreadyExists => Ok(()),
            other => other,
        }
    }
}
