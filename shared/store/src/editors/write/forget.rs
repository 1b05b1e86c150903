//! Erasure of the authors of editors.

use aws::{Condition, Item, Query, Update, Value, Write};
use error::Result;
use model::{UserId, user::User};
use tenancy::{
    layout::{EVENTS, Key, LISTED, Table, VERSION, item},
    prelude::*,
    reading::new_version,
    scopes::{Deadline, place_of},
    writing::{Unit, no_failure},
};

use crate::{
    deletion::Progress,
    editors::{Editors, edits::USERS, head::UPDATED_BY, log::BY, text},
};

/// Rows processed at a time.
const STEP: i32 = 100;

impl Editors<'_> {
    /// Erases a user as an author of editors, document by document, from `after` on; stops at
    /// `deadline` and sets `after` to the continuation.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub async fn forget(
        self,
        user: &UserId,
        after: &mut Option<String>,
        deadline: Deadline,
    ) -> Result<Progress> {
        let db = self.0.tenant().db();
        loop {
            if db.clock().is_past(deadline) {
                return Ok(Progress::More);
            }
            let at = after.as_deref().unwrap_or_default();
            let (document, start) = match at.split('#').collect::<Vec<_>>().as_slice() {
                ["crdt", document, ..] => {
                    ((*document).to_owned(), Some(item::named_key(self.0.partition(), at)))
                }
                _ => match self.next_listed(after.as_deref()).await? {
                    Some(document) => (document, None),
                    None => {
                        *after = None;
                        return Ok(Progress::Done);
                    }
                },
            };
            let only = vec![item::PK, item::SK, UPDATED_BY, BY, USERS];
            let rows = self.0.collection::<User>().rows().under(format!("crdt#{document}#"));
            let query = Query { table: Table::Crdt.name(), limit: STEP, only, start, ..rows };
            let found = db.query(query).await?;
            let names = |row: &Item, name: &str| text(row, name).as_deref() == Some(user.as_str());
            let mut units = Vec::new();
            for row in &found.items {
                if let Some(name) = [UPDATED_BY, BY].into_iter().find(|name| names(row, name)) {
                    units.push(self.without(row, name, user));
                }
                if let Some(at) = number_of(row, user) {
                    units.push(self.unnumbered(row, at, user)?);
                }
            }
            no_failure(db.commit_all(units).await)?;
            *after = Some(match found.next {
                Some(next) => behind(place_of(&next).1),
                None => format!("{LISTED}#{document}#document"),
            });
        }
    }

    /// The document in a listing row, in the form of keys.
    async fn next_listed(self, after: Option<&str>) -> Result<Option<String>> {
        let start = after.map(|sort| item::named_key(self.0.partition(), sort));
        let rows = self.0.collection::<User>().rows().under(Key::named(LISTED).prefix());
        let query = Query { table: Table::Crdt.name(), limit: 1, start, ..rows };
        let row = self.0.tenant().db().query(query).await?.items.pop();
        Ok(row.and_then(|row| place_of(&row).1.split('#').nth(1).map(str::to_owned)))
    }

    /// Removes the member that names the user, if it still does.
    fn without(self, row: &Item, name: &str, user: &UserId) -> Unit {
        let Condition { mut names, mut values, .. } = Condition::default();
        names.insert("#by".to_owned(), name.to_owned());
        // The events of the row name the user as well.
        names.insert("#events".to_owned(), EVENTS.to_owned());
        values.insert(":user".to_owned(), Value::S(user.as_str().to_owned()));
        let condition = Some("#by = :user".to_owned());
        let update =
            Update { expression: "REMOVE #by, #events".to_owned(), condition, names, values };
        let (table, key) = (Table::Crdt.name(), item::key_of(row));
        Unit::new(vec![Write::Update { table, key, update }])
    }

    /// Leaves the number of the user without a user, if it is still the user's: entries and authors of
    /// the history name it.
    fn unnumbered(self, row: &Item, at: usize, user: &UserId) -> Result<Unit> {
        let update = Update {
            expression: format!("SET #users[{at}] = :nobody, #version = :version"),
            condition: Some(format!("#users[{at}] = :user")),
            names: [("#users", USERS), ("#version", VERSION)]
                .map(|(name, attribute)| (name.to_owned(), attribute.to_owned()))
                .into(),
            values: [
                (":nobody", String::new()),
                (":user", user.as_str().to_owned()),
                (":version", new_version()?),
            ]
            .map(|(name, text)| (name.to_owned(), Value::S(text)))
            .into(),
        };
        let (table, key) = (Table::Crdt.name(), item::key_of(row));
        Ok(Unit::new(vec![Write::Update { table, key, update }]))
    }
}

/// The position of a user among those whom a history names.
fn number_of(row: &Item, user: &UserId) -> Option<usize> {
    let users = row.get(USERS)?.as_l().ok()?;
    users.iter().position(|named| named.as_s().is_ok_and(|named| named == user.as_str()))
}

/// The continuation behind a row. Snapshots and merged entries are skipped: they are large and name
/// nobody.
fn behind(sort: String) -> String {
    let mut parts = sort.splitn(4, '#');
    match (parts.next(), parts.next(), parts.next()) {
        (Some(crdt), Some(document), Some(part @ ("history" | "snapshot"))) => {
            format!("{crdt}#{document}#{part}#{}", char::MAX)
        }
        _ => sort,
    }
}
