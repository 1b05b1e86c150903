//! The size of items.

use aws::{Item, Value};
use error::{Error, Result};

use super::entity::Entity;

/// DynamoDB's limit; items are measured before they are sent.
pub(crate) const MAX_ITEM_BYTES: usize = 400 * 1024;

/// Refuses an item that is too large to be stored.
pub(super) fn check_size<E: Entity>(entity: &E, item: &Item) -> Result<()> {
    let size = size(item);
    if size <= MAX_ITEM_BYTES {
        return Ok(());
    }
    let (noun, id) = (E::NOUN, entity.id());
    let message = format!(
        "The {noun} {} is {size} bytes large; at most {MAX_ITEM_BYTES} can be stored.",
        E::shown(&id)
    );
    Err(if E::FILLS { Error::exhausted(message) } else { Error::invalid(message) })
}

/// The size of an item as DynamoDB counts it: names and values in bytes, numbers at their longest.
pub fn size(item: &Item) -> usize {
    item.iter().map(|(name, value)| name.len() + value_size(value)).sum()
}

fn value_size(value: &Value) -> usize {
    match value {
        Value::S(text) => text.len(),
        Value::N(_) => 21,
        Value::B(bytes) => bytes.as_ref().len(),
        Value::L(elements) => 3 + elements.iter().map(|value| 1 + value_size(value)).sum::<usize>(),
        Value::M(members) => {
            let sizes = members.iter().map(|(name, value)| 1 + name.len() + value_size(value));
            3 + sizes.sum::<usize>()
        }
        _ => 1,
    }
}
