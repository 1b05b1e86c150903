//! Presence: an expiring record for each user in a document.
//!
//! The link row of a user's record expires with it, so both are written each time.

use aws::{Item, Value, Write};
use error::Result;
use model::{
    DocumentId, Millis, Only, UserId,
    presence::{Presence, SentPresence},
};
use tenancy::{
    layout::{Entity, Key, Link, item, present_in},
    prelude::*,
    reading::{Page, Paged, new_version},
    scopes::OrganizationStore,
    writing::{Edit, Unit, settle},
};

tenancy::features! {
    /// Entry from the scope of an organization.
    OfOrganization for OrganizationStore:
    /// Users who are present in documents.
    presence: Presences,
}

/// The sort key of the presence record of a link row, if it is one.
pub(crate) fn presence_behind(row: &Item) -> Option<&str> {
    match row.get(item::TARGET) {
        Some(Value::S(sort)) => Some(sort.as_str())
            .filter(|sort| sort.starts_with(&Key::named(Presence::KIND).prefix())),
        _ => None,
    }
}

impl Presences<'_> {
    /// Writes records of distinct users, whether they exist or not.
    ///
    /// # Errors
    /// ABORTED, UNAVAILABLE: some may be written.
    pub async fn add(self, records: &[Presence]) -> Result<()> {
        let presence = self.0.collection::<Presence>();
        let unit = |record: &Presence| {
            let item = presence.rows().encode(record, &new_version()?)?;
            let links = presence.rows().links().linked(&item)?;
            let put = Write::Put { table: Presence::TABLE.name(), item, condition: None };
            Ok(Unit::new(vec![put]).linking(links))
        };
        self.make(records.iter().map(unit).collect::<Result<_>>()?).await
    }

    /// Merges requests into the records of distinct users; a missing or expired record is created.
    ///
    /// # Errors
    /// ABORTED, UNAVAILABLE: some may be written.
    pub async fn update(
        self,
        document: &DocumentId,
        sent: &[SentPresence],
        now: Millis,
    ) -> Result<()> {
        let ids: Vec<_> =
            sent.iter().map(|sent| (document.clone(), sent.user_id.clone())).collect();
        let edit = |n: usize, stored: Option<Presence>| {
            let sent = sent[n].clone();
            Ok(match stored.filter(|presence| presence.is_there(now)) {
                Some(mut presence) => {
                    presence.update(sent, now);
                    Edit::put(presence)
                }
                None => Edit::anew(sent.into_presence(document.clone(), now)),
            })
        };
        let edited = self.0.collection::<Presence>().edit_all(&ids, edit).await?;
        edited.into_iter().collect::<Result<Vec<_>>>().map(drop)
    }

    /// Removes the records of distinct users, if they exist.
    ///
    /// # Errors
    /// ABORTED, UNAVAILABLE: some may be removed.
    pub async fn remove(self, document: &DocumentId, users: &[UserId]) -> Result<()> {
        let sorts = users.iter().map(|user| {
            let sort = Presence::place(&(document.clone(), user.clone())).into_key();
            let link = Link::of_user(user, &sort).into_key();
            (sort, link)
        });
        let (sorts, links): (Vec<Key>, Vec<Key>) = sorts.unzip();
        let unit = |sort: &Key| {
            let key = item::key(self.0.partition(), sort);
            let delete = Write::Delete { table: Presence::TABLE.name(), key, condition: None };
            Unit::new(vec![delete])
        };
        self.make(sorts.iter().map(unit).collect()).await?;
        self.make(links.iter().map(unit).collect()).await
    }

    /// One page of the users in a document, only the named ones, in the order of their ids.
    /// A page may be short, because expired records are skipped.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub async fn list(
        self,
        document: &DocumentId,
        users: &Only<UserId>,
        now: Millis,
        page: &Page,
    ) -> Result<Paged<Presence>> {
        let presence = self.0.collection::<Presence>();
        let Some(users) = users.named() else {
            let query = presence.rows().under(present_in(document).prefix());
            return presence
                .rows()
                .page_where(query, page, |presence| presence.is_there(now))
                .await;
        };
        let ids: Vec<_> = users.iter().map(|user| (document.clone(), user.clone())).collect();
        let mut found = presence.list_of(ids, page).await?;
        found.items.retain(|presence| presence.is_there(now));
        Ok(found)
    }

    /// Writes unconditional units.
    async fn make(self, units: Vec<Unit>) -> Result<()> {
        let refused = |_| error::Error::internal("a write without a condition was refused");
        let outcomes = self.0.tenant().db().commit_all(units).await;
        outcomes.into_iter().try_for_each(|outcome| settle(outcome, refused))
    }
}
