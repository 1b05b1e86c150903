//! Notification preferences of users. Reads and writes compare them with the lives of their document
//! and organization, and with the departures of their user: one of before is absent.

use std::collections::{BTreeMap, BTreeSet};

use aws::Item;
use error::Result;
use futures_util::future;
use model::{
    DocumentId, Millis, UserId,
    life::Fate,
    preference::{Channels, Preference},
};
use tenancy::{
    layout::{Entity, Key, of_user, preferences_of},
    prelude::*,
    reading::Collection,
    scopes::Currency,
    writing::Edit,
};

use crate::{notifications::Notifications, prelude::*};

/// Preferences of many users, read at one time.
#[derive(Default)]
pub(crate) struct Wishes(BTreeMap<(UserId, Option<DocumentId>), Preference>);

impl Wishes {
    /// The effective preference of a user for a document.
    pub(crate) fn of(&self, user: &UserId, document: &DocumentId) -> Channels {
        let own = self.0.get(&(user.clone(), Some(document.clone())));
        Preference::effective(own, self.0.get(&(user.clone(), None)))
    }

    /// The preferences as they were at a time, as far as they are remembered.
    pub(crate) fn as_of(&self, then: Millis) -> Self {
        let was = |(id, now): (&_, &Preference)| (Clone::clone(id), now.clone().as_of(then));
        Self(self.0.iter().map(was).collect())
    }
}

/// Maximum number of documents with preferences of one user for an unsubscription from all mails.
const MAX_PREFERRED: usize = 1000;

/// Preferences of one user, read at one time.
pub struct Preferences(BTreeMap<Option<DocumentId>, Preference>);

impl Preferences {
    /// The effective preference for a document, or for the documents without their own.
    pub fn effective(&self, document: Option<&DocumentId>) -> Channels {
        let own = document.and_then(|id| self.0.get(&Some(id.clone())));
        Preference::effective(own, self.0.get(&None))
    }
}

impl Notifications<'_> {
    /// Preferences of users.
    pub fn preferences(self) -> Collection<Preference> {
        self.0.collection()
    }

    /// Sets preferences of users for documents, or, without documents, for the organization:
    /// channels that `channels` omits stay unchanged. Returns a result for each user, in order.
    ///
    /// # Errors
    /// NOT_FOUND when there is no such organization.
    pub async fn set_preferences(
        self,
        users: &[UserId],
        documents: &[Option<DocumentId>],
        channels: Channels,
    ) -> Result<Vec<Result<()>>> {
        self.0.own_record().ensure(false).await?;
        let ids: Vec<(UserId, Option<DocumentId>)> = users
            .iter()
            .flat_map(|user| documents.iter().map(|document| (user.clone(), document.clone())))
            .collect();
        let now = self.0.tenant().now();
        let set = |n: usize, stored: Option<Preference>| {
            let (user, document): &(UserId, Option<DocumentId>) = &ids[n];
            let unset = || Preference::unset(user.clone(), document.clone());
            let mut preference = stored.unwrap_or_else(unset);
            let keeps = channels.or(preference.channels) != channels;
            Ok(match (preference.set(channels, now), keeps) {
                (true, true) => Edit::put(preference),
                (true, false) => Edit::anew(preference),
                (false, _) => Edit::keep(preference),
            })
        };
        let written = self.preferences().edit_all(&ids, set).await?;
        let mut written = written.into_iter();
        let of_user = |_| written.by_ref().take(documents.len()).try_for_each(|it| it.map(drop));
        Ok(users.iter().map(of_user).collect())
    }

    /// Preferences of users for documents.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub(crate) async fn wishes(
        self,
        users: &BTreeSet<UserId>,
        documents: &BTreeSet<DocumentId>,
    ) -> Result<Wishes> {
        let lists = documents.iter().map(Some).chain([None]);
        // Each key is followed by `user#`, which is a part of it here.
        let lists: Vec<Key> =
            lists.map(|list| preferences_of(list).join(&Key::named("user"))).collect();
        let mut found = self.of_users(&lists, users).await?;
        // A query of neighbouring rows compares none of them.
        let lives = self.0.tenant().db().containers_of(&found, Currency::TimedCache).await?;
        found.retain(|item| lives.fate(item) == Fate::Here);
        let decode = |item: Item| {
            let preference: Preference = self.preferences().rows().decode(item)?;
            Ok((preference.id(), preference))
        };
        Ok(Wishes(found.into_iter().map(decode).collect::<Result<_>>()?))
    }

    /// The documents with a preference of the user; at most as many as one call may change.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub async fn documents_preferred_by(self, user: &UserId) -> Result<BTreeSet<DocumentId>> {
        let preferences = self.preferences();
        let (found, _) = preferences
            .rows()
            .fetch(preferences.rows().indexed(&of_user(user)), MAX_PREFERRED)
            .await?;
        let mut documents = BTreeSet::new();
        for item in found {
            documents.extend(preferences.rows().decode(item)?.document_id);
        }
        Ok(documents)
    }

    /// The preferences of a user for documents and the organization; none when the organization
    /// does not exist.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub async fn preferences_of(
        self,
        user: &UserId,
        documents: &BTreeSet<DocumentId>,
    ) -> Result<Option<Preferences>> {
        let ids = documents.iter().cloned().map(Some).chain([None]);
        let ids = ids.map(|document| (user.clone(), document));
        let (organizations, preferences) =
            (self.0.tenant().organizations().all(), self.preferences());
        let found = preferences.find_all(ids);
        let (organization, found) =
            future::try_join(organizations.find_standing(self.0.id()), found).await?;
        // An organization that is only implied was never added.
        let is_added = organization.there().is_some_and(|organization| !organization.is_implied);
        let of_document = |((_, document), preference)| (document, preference);
        Ok(is_added.then(|| Preferences(found.into_iter().map(of_document).collect())))
    }
}
