//! Secrets in items: members of certain names, whose text is sealed and bound to the item's key.

use aws::{Item, Value};
use error::{Error, Result};
use serde_json::{Map, Value as Json};

use super::item::{PK, SK};

/// The binding of the secrets of an item.
pub fn place_of(item: &Item) -> Result<String> {
    match (item.get(PK), item.get(SK)) {
        (Some(Value::S(partition)), Some(Value::S(sort))) => Ok(format!("{partition}\n{sort}")),
        _ => Err(Error::internal("an item without its key")),
    }
}

/// Applies `change` to the text of every secret in an entity, at any depth.
pub(crate) fn each(
    names: &[&str],
    members: &mut Map<String, Json>,
    change: &mut dyn FnMut(&str) -> Result<String>,
) -> Result<()> {
    for (name, member) in members {
        match member {
            Json::String(text) if names.contains(&name.as_str()) => *text = change(text)?,
            Json::Object(members) => each(names, members, change)?,
            Json::Array(elements) => {
                for element in elements.iter_mut().filter_map(Json::as_object_mut) {
                    each(names, element, change)?;
                }
            }
            _ => {}
        }
    }
    Ok(())
}
