//! A look through everything that is stored, over several calls.

use std::sync::Arc;

use aws::Item;
use error::Result;
use model::PageToken;
use tenancy::{
    layout::{PK, Table, item},
    reading::Page,
    scopes::{Db, Deadline, place_of, report},
};

/// Items read at a time.
const STEP: i32 = 200;

/// A scan of the table of resources until a deadline, continued by a page token.
pub(crate) struct Scan<'a> {
    db: &'a Db,
    page: Page,
    deadline: Deadline,
    at: At,
}

enum At {
    /// Not read yet; behind this key, if a call before has come so far.
    Start(Option<Item>),
    Behind(Item),
    End,
}

impl<'a> Scan<'a> {
    /// A scan with this name, which its tokens are for.
    ///
    /// # Errors
    /// INVALID_ARGUMENT when the token is not of this scan.
    pub(crate) fn new(
        db: &'a Db,
        name: &str,
        token: Option<&PageToken>,
        deadline: Deadline,
    ) -> Result<Self> {
        let page = Page::new(Arc::clone(db.keyring()), format!("admin\n{name}"), None, token)?;
        let start = match page.cursor() {
            Some([partition, sort]) => Some(item::at(partition, sort)),
            _ => None,
        };
        Ok(Self { db, page, deadline, at: At::Start(start) })
    }

    /// The next items; none at the end, and past the deadline, unless they are the first.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub(crate) async fn next(&mut self) -> Result<Option<Vec<Item>>> {
        let start = match &self.at {
            At::Start(start) => start.clone(),
            At::Behind(last) if !self.db.clock().is_past(self.deadline) => Some(last.clone()),
            At::Behind(_) | At::End => return Ok(None),
        };
        let table = Table::Resources.name();
        let found = self.db.dynamo().scan(table, PK, start, STEP).await.map_err(report)?;
        self.at = found.next.map_or(At::End, At::Behind);
        Ok(Some(found.items))
    }

    /// Where the next call continues; none at the end.
    ///
    /// # Errors
    /// INTERNAL.
    pub(crate) fn rest(&self) -> Result<Option<PageToken>> {
        let At::Behind(last) = &self.at else { return Ok(None) };
        let (partition, sort) = place_of(last);
        self.page.token(&[&partition, &sort]).map(Some)
    }
}
