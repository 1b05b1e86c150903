//! Erasure of the authors of editors.

use aws::{Condition, Item, Query, Update, Value, Write};
use error::Result;
use model::{UserId, user::User};
use tenancy::{
    layout::{EVENTS, Key, LISTED, Table, item},
    prelude::*,
    scopes::{Deadline, place_of},
    writing::{Unit, no_failure},
};

use super::{head::UPDATED_BY, log::BY, text};
use crate::{deletion::Progress, editors::Editors};

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
            let only = vec![item::PK, item::SK, UPDATED_BY, BY];
            let rows = self.0.collection::<User>().rows().under(format!("crdt#{document}#"));
            let query = Query { table: Table::Crdt.name(), limit: STEP, only, start, ..rows };
            let found = db.query(query).await?;
            let names = |row: &Item, name: &str| text(row, name).as_deref() == Some(user.as_str());
            let mut units = Vec::new();
            for row in &found.items {
                if let Some(name) = [UPDATED_BY, BY].into_iter().find(|name| names(row, name)) {
                    units.push(self.without(row, name, user));
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
}

/// The continuation behind a row. Snapshots are skipped: they are large and name nobody.
fn behind(sort: String) -> String {
    let mut parts = sort.splitn(4, '#');
    match (parts.next(), parts.next(), parts.next()) {
        (Some(crdt), Some(document), Some("snapshot")) => {
            format!("{crdt}#{document}#snapshot#{}", char::MAX)
        }
        _ => sort,
    }
}
