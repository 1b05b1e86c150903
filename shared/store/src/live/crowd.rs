//! Large rooms. What their members say of themselves stays in their rows for a second, and is then
//! told together: each member gets one message, however many spoke.

use aws::{Failure, Update, Value};
use error::Result;
use model::Millis;

use super::{
    Listening,
    member::{gathering, key_of},
};
use crate::{
    layout::{EXPIRES, Table, item},
    scopes::report,
};

const UNTIL: &str = "until";
/// How long a room gathers, in milliseconds; less than the worker waits.
const GATHERS: Millis = 800;
/// How long how many listen is believed, in milliseconds.
const BELIEVED: Millis = 10_000;

impl Listening {
    /// How many listened a few seconds ago, as far as this process knows.
    pub fn size(&self) -> Option<usize> {
        let db = &self.organization.tenant.db;
        db.live.sizes.find(&self.name(), db.clock.real(), BELIEVED)
    }

    pub(super) fn note_size(&self, size: usize) {
        let db = &self.organization.tenant.db;
        db.live.sizes.keep(self.name(), size, db.clock.real());
    }

    /// Whether the room begins to gather with this: the caller has it told a second later. Otherwise
    /// it is told with what came before.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub async fn gathers(&self) -> Result<bool> {
        let db = &self.organization.tenant.db;
        let now = db.clock.real();
        if db.live.gathering.find(&self.name(), now, GATHERS).is_some() {
            return Ok(false);
        }
        let until = now.saturating_add(GATHERS);
        let values = [(":until", until), (":now", now), (":expires", until.div_ceil(1000) + 60)];
        let update = Update {
            expression: "SET #until = :until, #expires = :expires".to_owned(),
            condition: Some("attribute_not_exists(#until) OR #until <= :now".to_owned()),
            names: [UNTIL, EXPIRES].map(|name| (format!("#{name}"), name.to_owned())).into(),
            values: values.map(|(name, at)| (name.to_owned(), Value::N(at.to_string()))).into(),
        };
        let key = item::key(&self.organization.partition, &gathering(&self.part));
        match db.dynamo.update(Table::Realtime.name(), key, update).await {
            Ok(_) => {
                db.live.gathering.keep(self.name(), (), now);
                Ok(true)
            }
            Err(Failure::Condition(_)) => Ok(false),
            Err(failure) => Err(report(failure)),
        }
    }

    /// The place, unlike any other of this deployment.
    fn name(&self) -> String {
        format!("{} {}", self.organization.partition.as_str(), key_of(&self.part).as_str())
    }
}
