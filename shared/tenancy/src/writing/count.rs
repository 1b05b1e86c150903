//! Counters of limited resources of a tenant. A counter changes in the transaction that adds or
//! removes a resource, so the limit holds under concurrency.

use aws::{Item, Update, Value, Write};
use error::Result;

use crate::{
    layout::{Key, Table, VERSION, WRITTEN, item},
    prelude::*,
    reading::new_version,
    scopes::TenantStore,
};

/// A change of a counter.
#[derive(Clone, Copy)]
pub enum Counted {
    /// Increment up to this maximum; beyond it the unit is refused.
    Added {
        /// The maximum.
        max: u64,
    },
    /// Decrement.
    Removed,
}

/// The write that counts under `name` of a tenant, in the attribute `of`.
///
/// # Errors
/// INTERNAL without system randomness.
pub fn count(
    tenant: &TenantStore,
    name: &'static str,
    of: &str,
    counted: Counted,
) -> Result<Write> {
    let number = |n: i128| Value::N(n.to_string());
    let mut values: Item = [
        (":version".to_owned(), Value::S(new_version()?)),
        (":now".to_owned(), number(tenant.db.clock.now().into())),
    ]
    .into();
    let (change, condition) = match counted {
        Counted::Added { max } => {
            values.insert(":max".to_owned(), number(max.into()));
            values.insert(":none".to_owned(), number(0));
            let room = "#count < :max OR (attribute_not_exists(#count) AND :none < :max)";
            (1, Some(room.to_owned()))
        }
        Counted::Removed => (-1, None),
    };
    values.insert(":change".to_owned(), number(change));
    let names = [("#version", VERSION), ("#written", WRITTEN), ("#count", of)];
    let names = names.map(|(name, attribute)| (name.to_owned(), attribute.to_owned()));
    let expression = "SET #version = :version, #written = :now ADD #count :change".to_owned();
    let update = Update { expression, condition, names: names.into(), values };
    let key = item::key(tenant.partition(), &Key::named(name));
    Ok(Write::Update { table: Table::Resources.name(), key, update })
}
