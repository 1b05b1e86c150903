//! Reads rows of many users: one query reads neighbouring rows of all of them, and absent rows cost
//! nothing.

use std::collections::BTreeSet;

use aws::{Item, Query};
use error::Result;
use futures_util::future::try_join_all;
use model::UserId;
use tenancy::{
    layout::{Key, Table, item},
    prelude::*,
    scopes::place_of,
};

use crate::{notifications::Notifications, permissions::FEW, prelude::*};

/// Tolerated number of unneeded rows in between, for each user.
const OTHERS: usize = 10;

/// The sort key of a user's row behind a key.
fn sort_of(under: &Key, user: &UserId) -> String {
    let of_user = Key::pair("user", user.as_str());
    let id = of_user.as_str().strip_prefix("user#").unwrap_or_default();
    format!("{}{id}", under.prefix())
}

impl Notifications<'_> {
    /// The items of users behind keys; each key is followed by the user and nothing else.
    pub(crate) async fn of_users(
        self,
        under: &[Key],
        users: &BTreeSet<UserId>,
    ) -> Result<Vec<Item>> {
        let reads = under.iter().map(|key| self.of_users_behind(key, users));
        let found: Vec<Vec<Item>> = match users.len() {
            0 => vec![],
            1..=FEW => vec![self.named_items(under, users).await?],
            _ => try_join_all(reads).await?,
        };
        Ok(found.into_iter().flatten().collect())
    }

    async fn named_items(self, under: &[Key], users: &BTreeSet<UserId>) -> Result<Vec<Item>> {
        let sorts = under.iter().flat_map(|key| users.iter().map(|user| sort_of(key, user)));
        let sorts: Vec<String> = sorts.collect();
        let found =
            self.0.tenant().db().get_named(Table::Resources, self.0.partition(), &sorts).await?;
        Ok(found.into_values().collect())
    }

    async fn of_users_behind(self, under: &Key, users: &BTreeSet<UserId>) -> Result<Vec<Item>> {
        let sorts: BTreeSet<String> = users.iter().map(|user| sort_of(under, user)).collect();
        let (Some(first), Some(last)) = (sorts.first(), sorts.last()) else { return Ok(vec![]) };
        let query = Query {
            prefix: None,
            between: Some((item::SK, first.clone(), last.clone())),
            ..self.0.users().all().rows().under(under.prefix())
        };
        let (mut found, more) =
            self.0.users().all().rows().fetch(query, users.len() * OTHERS).await?;
        if more {
            return self.named_items(std::slice::from_ref(under), users).await;
        }
        found.retain(|item| sorts.contains(&place_of(item).1));
        Ok(found)
    }
}
