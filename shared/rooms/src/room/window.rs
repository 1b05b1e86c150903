//! Collection windows of large rooms. Awareness of their members is collected in their rows for a
//! second, and relayed together: each member gets one message, whatever the number of senders.

use aws::{Failure, Update, Value};
use error::Result;
use model::Millis;
use tenancy::{
    layout::{EXPIRES, Table, item},
    prelude::*,
    scopes::report,
};

use super::{Cache, Room};
use crate::member::window_key;

const UNTIL: &str = "until";
/// Length of a collection window in milliseconds; shorter than the delay of the worker.
const GATHERS: Millis = 800;

impl Room {
    /// Opens a collection window; false if one is open. The caller that opens it schedules the
    /// relay.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub async fn open_window(&self) -> Result<bool> {
        let db = self.organization.tenant().db();
        let now = db.clock().real();
        if db.cache::<Cache>().windows.find(&self.cache_key(), now, GATHERS).is_some() {
            return Ok(false);
        }
        let until = now.saturating_add(GATHERS).millis();
        let values =
            [(":until", until), (":now", now.millis()), (":expires", until.div_ceil(1000) + 60)];
        let update = Update {
            expression: "SET #until = :until, #expires = :expires".to_owned(),
            condition: Some("attribute_not_exists(#until) OR #until <= :now".to_owned()),
            names: [UNTIL, EXPIRES].map(|name| (format!("#{name}"), name.to_owned())).into(),
            values: values.map(|(name, at)| (name.to_owned(), Value::N(at.to_string()))).into(),
        };
        let key = item::key(self.organization.partition(), &window_key(&self.place.part));
        match db.dynamo().update(Table::Realtime.name(), key, update).await {
            Ok(_) => {
                db.cache::<Cache>().windows.keep(self.cache_key(), (), now);
                Ok(true)
            }
            Err(Failure::Condition(_)) => Ok(false),
            Err(failure) => Err(report(failure)),
        }
    }
}
