//! Changes of items, in records of streams.

use aws::Item;
use error::{Error, Result};
use model::ApiKeyId;
use serde_json::Value as Json;
use tenancy::{
    layout::{PK, SK, image},
    scopes::TenantRef,
};

/// The message of a worker that a record of a stream causes, with its tenant.
pub struct TenantMessage<M> {
    /// The tenant.
    pub tenant: TenantRef,
    /// The message.
    pub message: M,
}

/// A change of an item.
pub(crate) struct ItemChange<'a> {
    pub(crate) partition: &'a str,
    pub(crate) sort: &'a str,
    /// The item before and after the change, if it existed.
    pub(crate) old: Option<Item>,
    pub(crate) new: Option<Item>,
}

impl<'a> ItemChange<'a> {
    /// The change in a record.
    pub(crate) fn in_record(record: &'a Json) -> Self {
        let change = &record["dynamodb"];
        let key = |name: &str| change["Keys"][name]["S"].as_str().unwrap_or_default();
        let read = |name: &str| change[name].as_object().map(|_| image(&change[name]));
        Self { partition: key(PK), sort: key(SK), old: read("OldImage"), new: read("NewImage") }
    }

    /// The tenant of the item.
    ///
    /// # Errors
    /// INTERNAL for an item of no tenant.
    pub(crate) fn tenant(&self) -> Result<TenantRef> {
        let mut parts = self.partition.split('#');
        let key = parts.next().filter(|head| *head == "key").and_then(|_| parts.next());
        let key = key.and_then(|key| ApiKeyId::try_from(key.to_owned()).ok());
        let api_key = key.ok_or_else(|| Error::internal("a record without its tenant"))?;
        Ok(TenantRef::from(api_key))
    }
}
