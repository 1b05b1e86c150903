//! Notification preferences of users.

use std::collections::{BTreeMap, BTreeSet};

use aws::{Item, Update, Value, Write};
use error::{Error, Result};
use model::{
    DocumentId, Millis, UserId,
    organization::Organization,
    preference::{Channels, Preference},
};
use tenancy::{
    layout::{Entity, Key, Table, WRITTEN, item, of_user, preferences_of},
    prelude::*,
    reading::{Collection, new_version},
    writing::Unit,
};

use crate::{features::Notifications, prelude::*};

/// Preferences of many users, read at one time.
#[derive(Default)]
pub(crate) struct Wishes(BTreeMap<(UserId, Option<DocumentId>), Preference>);

impl Wishes {
    /// The effective preference of a user for a document.
    pub(crate) fn of(&self, user: &UserId, document: &DocumentId) -> Channels {
        let own = self.0.get(&(user.clone(), Some(document.clone())));
        Preference::effective(own, self.0.get(&(user.clone(), None)))
    }
}

/// The channels as stored.
const CHANNELS: [&str; 3] = ["inbox", "email", "chat"];

/// The attribute with the previous preference of a channel.
fn before(channel: &str) -> String {
    format!("_was_{channel}")
}

/// A row as of a time, as far as it remembers.
fn as_of(row: &Item, then: Millis) -> Item {
    let written = item::number(row, WRITTEN);
    let mut row = row.clone();
    if written.is_some_and(|at| at > then) {
        for channel in CHANNELS {
            match row.get(&before(channel)).cloned() {
                Some(Value::Null(_)) | None => drop(row.remove(channel)),
                Some(was) => drop(row.insert(channel.to_owned(), was)),
            }
        }
    }
    row
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
        let unit = |(user_id, document_id): &(UserId, Option<DocumentId>)| {
            let (user_id, document_id) = (user_id.clone(), document_id.clone());
            let write = self.said(&Preference { user_id, document_id, channels })?;
            Ok(Unit::new(vec![write]))
        };
        let refused = |_: &_, _| Error::internal("a write without a condition was refused");
        let written = self.preferences().rows().commit_each(&ids, unit, refused).await;
        let mut written = written.into_iter();
        let of_user = |_| written.by_ref().take(documents.len()).collect::<Vec<_>>();
        let by_user: Vec<Vec<Result<()>>> = users.iter().map(of_user).collect();
        Ok(by_user.into_iter().map(|results| results.into_iter().collect()).collect())
    }

    /// Writes only the sent channels, so the stored ones need not be read. The row remembers the
    /// previous preference for events that are processed late.
    fn said(self, preference: &Preference) -> Result<Write> {
        let encoded = self.preferences().rows().encode(preference, &new_version()?)?;
        let is_key = |name: &str| name == item::PK || name == item::SK;
        let (key, members): (Item, Item) =
            encoded.into_iter().partition(|(name, _)| is_key(name.as_str()));
        let mut update = Update {
            expression: String::new(),
            condition: None,
            names: Default::default(),
            values: Item::new(),
        };
        for (n, (name, value)) in members.into_iter().enumerate() {
            let head = if n == 0 { "SET " } else { ", " };
            update.expression.push_str(&format!("{head}#m{n} = :m{n}"));
            update.names.insert(format!("#m{n}"), name);
            update.values.insert(format!(":m{n}"), value);
        }
        for channel in CHANNELS {
            update
                .expression
                .push_str(&format!(", #was_{channel} = if_not_exists(#{channel}, :unset)"));
            update.names.insert(format!("#was_{channel}"), before(channel));
            update.names.insert(format!("#{channel}"), channel.to_owned());
        }
        update.values.insert(":unset".to_owned(), Value::Null(true));
        Ok(Write::Update { table: Preference::TABLE.name(), key, update })
    }

    /// Preferences of users for documents, as of a time in the past: without the latest change
    /// after it.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub(crate) async fn wishes(
        self,
        users: &BTreeSet<UserId>,
        documents: &BTreeSet<DocumentId>,
        then: Option<Millis>,
    ) -> Result<Wishes> {
        let lists = documents.iter().map(Some).chain([None]);
        // Each key is followed by `user#`, which is a part of it here.
        let lists: Vec<Key> =
            lists.map(|list| preferences_of(list).join(&Key::named("user"))).collect();
        let found = self.of_users(&lists, users).await?.into_iter();
        let decode = |item: Item| {
            let item = match then {
                Some(then) => as_of(&item, then),
                None => item,
            };
            self.preferences()
                .rows()
                .decode(item)
                .map(|preference: Preference| (preference.id(), preference))
        };
        Ok(Wishes(found.map(decode).collect::<Result<_>>()?))
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
        let place =
            |id| (self.0.partition().clone(), Preference::place(&(user.clone(), id)).into_key());
        let mut places: BTreeSet<(Key, Key)> = ids.map(place).collect();
        places.insert((
            self.0.tenant().partition().clone(),
            Organization::place(self.0.id()).into_key(),
        ));
        let found = self.0.tenant().db().get_across(Table::Resources, places).await?;
        let (own, above): (Vec<_>, Vec<_>) = found
            .into_iter()
            .partition(|((partition, _), _)| partition == self.0.partition().as_str());
        if above.is_empty() {
            return Ok(None);
        }
        let decode = |(_, item)| {
            let preference = self.preferences().rows().decode(item)?;
            Ok((preference.document_id.clone(), preference))
        };
        Ok(Some(Preferences(own.into_iter().map(decode).collect::<Result<_>>()?)))
    }
}
