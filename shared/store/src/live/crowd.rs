//! Large rooms. Awareness of their members is collected in their rows for a second, and relayed
//! together: each member gets one message, whatever the number of senders.

use aws::{Failure, Update, Value};
use error::Result;
use model::Millis;
use tenancy::{
    layout::{EXPIRES, Table, item},
    prelude::*,
    scopes::report,
};

use super::{
    Listening, Memory,
    member::{MAX_MEMBERS, gathering, key_of},
};

const UNTIL: &str = "until";
/// Length of a collection window in milliseconds; shorter than the delay of the worker.
const GATHERS: Millis = 800;
/// Lifetime of a cached room size or sweep in milliseconds.
const CACHE_LIFETIME: Millis = 10_000;

impl Listening {
    /// The number of members a few seconds ago, if this process has read it.
    pub fn size(&self) -> Option<usize> {
        let db = self.organization.tenant().db();
        db.cache::<Memory>().sizes.find(&self.name(), db.clock().real(), CACHE_LIFETIME)
    }

    pub(super) fn note_size(&self, size: usize) {
        let db = self.organization.tenant().db();
        db.cache::<Memory>().sizes.keep(self.name(), size, db.clock().real());
    }

    /// Counts a new member of a place of known size; false if the size is unknown or the place may
    /// be full: then the caller reads the members.
    pub fn note_join(&self) -> bool {
        let size = self.size().filter(|size| *size < MAX_MEMBERS * 9 / 10);
        size.inspect(|size| self.note_size(size + 1)).is_some()
    }

    /// Whether this process looked for expired leases in the last ten seconds.
    pub fn was_swept(&self) -> bool {
        let db = self.organization.tenant().db();
        db.cache::<Memory>().sweeps.find(&self.name(), db.clock().real(), CACHE_LIFETIME).is_some()
    }

    /// Records that this process looks for expired leases.
    pub fn note_sweep(&self) {
        let db = self.organization.tenant().db();
        db.cache::<Memory>().sweeps.keep(self.name(), (), db.clock().real());
    }

    /// Opens a collection window; false if one is open. The caller that opens it schedules the
    /// relay.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub async fn opens_window(&self) -> Result<bool> {
        let db = self.organization.tenant().db();
        let now = db.clock().real();
        if db.cache::<Memory>().gathering.find(&self.name(), now, GATHERS).is_some() {
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
        let key = item::key(self.organization.partition(), &gathering(&self.part));
        match db.dynamo().update(Table::Realtime.name(), key, update).await {
            Ok(_) => {
                db.cache::<Memory>().gathering.keep(self.name(), (), now);
                Ok(true)
            }
            Err(Failure::Condition(_)) => Ok(false),
            Err(failure) => Err(report(failure)),
        }
    }

    /// A name of the place that is unique in the deployment.
    fn name(&self) -> String {
        format!("{} {}", self.organization.partition().as_str(), key_of(&self.part).as_str())
    }
}
