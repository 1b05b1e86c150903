//! Users of an organization who subscribe to their notifications.
//!
//! One row has the time until which anybody is subscribed: without subscribers, the delivery of
//! notifications reads that row alone.

use aws::{Failure, Update, Value};
use error::Result;
use model::{Millis, UserId, live::LivePart};
use tenancy::{
    layout::{EXPIRES, Key, Table, item},
    prelude::*,
    scopes::report,
};

use crate::{
    LIFETIME,
    features::OrganizationLive,
    member::{MAX_ROWS, Member, members_key},
};

const UNTIL: &str = "until";
/// Time before its end at which the row is renewed, in milliseconds.
const RENEWED: Millis = 60 * 60 * 1000;

fn key() -> Key {
    Key::named("live-users")
}

impl OrganizationLive<'_> {
    /// Records that a user is subscribed for at most the lifetime of a connection.
    pub(crate) async fn record_listening_user(self) -> Result<()> {
        let db = self.0.tenant().db();
        let until = db.clock().real().saturating_add(LIFETIME).millis();
        let values = [
            (":until", until),
            (":soon", until.saturating_sub(RENEWED)),
            (":expires", until.div_ceil(1000)),
        ];
        let update = Update {
            expression: "SET #until = :until, #expires = :expires".to_owned(),
            condition: Some("attribute_not_exists(#until) OR #until < :soon".to_owned()),
            names: [UNTIL, EXPIRES].map(|name| (format!("#{name}"), name.to_owned())).into(),
            values: values.map(|(name, at)| (name.to_owned(), Value::N(at.to_string()))).into(),
        };
        let key = item::key(self.0.partition(), &key());
        match db.dynamo().update(Table::Realtime.name(), key, update).await {
            Ok(_) | Err(Failure::Condition(_)) => Ok(()),
            Err(failure) => Err(report(failure)),
        }
    }

    /// Whether any user may be subscribed to notifications.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub async fn has_listening_users(self) -> Result<bool> {
        let db = self.0.tenant().db();
        let Some(row) = db.get(Table::Realtime, self.0.partition(), &key()).await? else {
            return Ok(false);
        };
        let until = item::number(&row, UNTIL);
        Ok(until.is_some_and(|until| db.clock().real().millis() < until))
    }

    /// The connections that are subscribed to the notifications of a user.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub async fn listening_connections(self, user: &UserId) -> Result<Vec<Member>> {
        let members = self.0.collection::<Member>();
        let part = LivePart::User { user_id: user.clone() };
        let items = members
            .rows()
            .first_items(members.rows().under(members_key(&part).prefix()), MAX_ROWS)
            .await?;
        items.into_iter().map(|item| members.rows().decode(item)).collect()
    }
}
