//! Members that read a place, which may be deleted and made anew under the same name.

use aws::{Update, Value};
use error::Result;
use tenancy::layout::item;

use super::Room;
use crate::member::Member;

impl Room {
    /// Notes that a member reads the place, and goes on from that.
    ///
    /// # Errors
    /// UNAVAILABLE, INTERNAL.
    pub async fn note_read(&self, member: &Member) -> Result<()> {
        let update = Update {
            expression: "SET #unread = :false".to_owned(),
            condition: Some(format!("attribute_exists({})", item::PK)),
            names: [("#unread".to_owned(), "unread".to_owned())].into(),
            values: [(":false".to_owned(), Value::Bool(false))].into(),
        };
        self.update(member, update).await.map(drop)
    }
}
