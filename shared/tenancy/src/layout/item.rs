//! Entities as DynamoDB items: one attribute per member, readable in the AWS console.

use std::collections::{BTreeMap, BTreeSet};

use aws::{Item, Value};
use error::{Error, Result};
use keyring::Keyring;
use model::Millis;
use serde_json::{Map, Number, Value as Json};

pub use super::item_size::size;
use super::{
    entity::{Entity, Index},
    home::home,
    item_size::check_size,
    key::Key,
    sealed,
};

/// The partition key.
pub const PK: &str = "PK";
/// The sort key.
pub const SK: &str = "SK";
/// The partition key of [`Index::Container`].
pub const INDEX_PK: &str = Index::Container.names()[1];
/// The sort key of [`Index::Container`].
pub const INDEX_SK: &str = Index::Container.names()[2];
/// Identifies one write of an item.
pub const VERSION: &str = "_version";
/// Time of the last write, in epoch milliseconds.
pub const WRITTEN: &str = "_written";
/// Expiry, in epoch seconds.
pub const EXPIRES: &str = "expires";
/// The events of the last write.
pub const EVENTS: &str = "_events";
/// Marks a tombstone, which replaces a removed item.
pub(crate) const GONE: &str = "_gone";
/// The versions of recent writes, the oldest first.
const RECENT: &str = "_recent";
/// The sort keys of the link rows of the item.
pub(crate) const LINKS: &str = "_links";
/// The sort key of the item that a link row refers to.
pub const TARGET: &str = "target";

/// Retention of an item that only carries events, in milliseconds: a week, so that events lost in
/// the stream can be repaired.
const CARRIED: Millis = 7 * 24 * 60 * 60 * 1000;

/// A call with a lost reply is repeated within this time, in milliseconds.
const REPEATED_WITHIN: Millis = 10_000;
/// Maximum number of remembered versions.
const MAX_RECENT: usize = 16;

/// The key of an item of a scope.
pub fn key(scope: &Key, sort: &Key) -> Item {
    named_key(scope, sort.as_str())
}

/// The key of an item that was read.
pub fn key_of(item: &Item) -> Item {
    let own = [PK, SK].into_iter().filter_map(|name| item.get_key_value(name));
    own.map(|(name, value)| (name.clone(), value.clone())).collect()
}

/// The key of an item of a scope whose sort key was read before.
pub fn named_key(scope: &Key, sort: &str) -> Item {
    at(home(scope, sort).as_str(), sort)
}

/// The key of an item, all of which was read before.
pub fn at(partition: &str, sort: &str) -> Item {
    [(PK, partition), (SK, sort)]
        .map(|(name, text)| (name.to_owned(), Value::S(text.to_owned())))
        .into()
}

/// An entity as an item, stamped with the version and the time of this write.
///
/// # Errors
/// RESOURCE_EXHAUSTED or INVALID_ARGUMENT when it is too large.
pub(crate) fn encode<E: Entity>(
    keyring: &Keyring,
    partition: &Key,
    entity: &E,
    version: &str,
    now: Millis,
) -> Result<Item> {
    let item = encode_of_any_size(keyring, partition, entity, version, now)?;
    check_size(entity, &item)?;
    Ok(item)
}

/// An entity as an item, of any size.
pub(crate) fn encode_of_any_size<E: Entity>(
    keyring: &Keyring,
    partition: &Key,
    entity: &E,
    version: &str,
    now: Millis,
) -> Result<Item> {
    let sort = E::place(&entity.id()).0;
    let Json::Object(mut members) = serde_json::to_value(entity).map_err(Error::internal)? else {
        return Err(Error::internal("an entity is an object"));
    };
    let mut item = key(partition, &sort);
    if !E::SECRETS.is_empty() {
        let place = sealed::place_of(&item)?;
        sealed::each(E::SECRETS, &mut members, &mut |text| keyring.seal(&place, text))?;
    }
    for indexed in entity.indexes() {
        let group =
            if E::INDEXED_ALONE { indexed.partition } else { partition.join(&indexed.partition) };
        let [_, of_partition, of_sort] = indexed.index.names();
        item.insert(of_partition.to_owned(), Value::S(group.into()));
        item.insert(of_sort.to_owned(), Value::S(indexed.sort.into()));
    }
    let links: BTreeSet<String> = entity.links().into_iter().map(|link| link.0.into()).collect();
    if E::LISTS_LINKS && !links.is_empty() {
        item.insert(LINKS.to_owned(), packed(&links));
    }
    if let Some(at) = entity.expires() {
        item.insert(EXPIRES.to_owned(), Value::N(at.div_ceil(1000).to_string()));
    }
    item.insert(VERSION.to_owned(), Value::S(version.to_owned()));
    item.insert(WRITTEN.to_owned(), Value::N(now.to_string()));
    for (name, member) in members {
        let value = match member {
            Json::Null => continue,
            member if E::JSON.contains(&name.as_str()) => Value::S(member.to_string()),
            member => to_value(member),
        };
        item.insert(name, value);
    }
    Ok(item)
}

/// The entity in an item. A secret that does not open is unset: the deployment dropped its key.
pub fn decode<E: Entity>(keyring: &Keyring, item: Item) -> Result<E> {
    let place = sealed::place_of(&item)?;
    decode_with(item, &mut |text| {
        keyring.open(&place, text).unwrap_or_else(|_| {
            tracing::warn!(kind = E::NOUN, "A secret does not open and reads as unset.");
            String::new()
        })
    })
}

/// The entity in an item with its secrets unset.
pub(crate) fn decode_without_secrets<E: Entity>(item: Item) -> Result<E> {
    decode_with(item, &mut |_| String::new())
}

fn decode_with<E: Entity>(item: Item, open: &mut dyn FnMut(&str) -> String) -> Result<E> {
    let mut members = json_of::<E>(item)?;
    if !E::SECRETS.is_empty() {
        sealed::each(E::SECRETS, &mut members, &mut |text| Ok(open(text)))?;
    }
    serde_json::from_value(Json::Object(members)).map_err(Error::internal)
}

/// The entity in an item of a kind that has no secrets.
pub fn decode_plain<E: Entity>(item: Item) -> Result<E> {
    serde_json::from_value(Json::Object(json_of::<E>(item)?)).map_err(Error::internal)
}

fn json_of<E: Entity>(item: Item) -> Result<Map<String, Json>> {
    let mut members = Map::new();
    for (name, value) in item {
        if name == EVENTS {
            continue;
        }
        let member = match value {
            Value::S(text) if E::JSON.contains(&name.as_str()) => {
                serde_json::from_str(&text).map_err(Error::internal)?
            }
            value => to_json(value)?,
        };
        members.insert(name, member);
    }
    Ok(members)
}

/// Some members of an entity, without free JSON and secrets.
pub fn members<T: serde::de::DeserializeOwned>(item: Item) -> Result<T> {
    let members = item.into_iter().map(|(name, value)| Ok((name, to_json(value)?)));
    let members = members.collect::<Result<Map<String, Json>>>()?;
    serde_json::from_value(Json::Object(members)).map_err(Error::internal)
}

/// Sort keys, with those that differ only in their second part merged: `link#U#…` of many users.
fn packed(links: &BTreeSet<String>) -> Value {
    let mut alike: BTreeMap<String, Vec<Value>> = BTreeMap::new();
    for link in links {
        let mut parts = link.splitn(3, '#');
        let parts = [parts.next(), parts.next(), parts.next()].map(Option::unwrap_or_default);
        let [head, id, tail] = parts;
        alike.entry(format!("{head}#{tail}")).or_default().push(Value::S(id.to_owned()));
    }
    Value::M(alike.into_iter().map(|(rest, ids)| (rest, Value::L(ids))).collect())
}

/// The sort keys of the link rows of an item.
pub fn links(item: &Item) -> BTreeSet<String> {
    let Some(Value::M(packed)) = item.get(LINKS) else { return BTreeSet::new() };
    let mut links = BTreeSet::new();
    for (rest, ids) in packed {
        let (head, tail) = rest.split_once('#').unwrap_or((rest, ""));
        let ids = ids.as_l().map(Vec::as_slice).unwrap_or_default();
        let ids = ids.iter().filter_map(|id| id.as_s().ok());
        links.extend(ids.map(|id| match tail {
            "" => format!("{head}#{id}"),
            tail => format!("{head}#{id}#{tail}"),
        }));
    }
    links
}

/// A whole number; none when the attribute is absent or no such number.
pub fn number(item: &Item, name: &str) -> Option<u64> {
    item.get(name)?.as_n().ok()?.parse().ok()
}

/// The version of an item, as it was read.
pub fn version(item: &Item) -> Result<String> {
    match item.get(VERSION) {
        Some(Value::S(version)) => Ok(version.clone()),
        _ => Err(Error::internal("an item without a version")),
    }
}

/// A tombstone, which replaces a removed item until it expires.
pub fn tombstone(key: &Item, version: &str, now: Millis) -> Item {
    let mut item = key.clone();
    let expires = now.saturating_add(CARRIED).div_ceil(1000);
    item.insert(GONE.to_owned(), Value::Bool(true));
    item.insert(VERSION.to_owned(), Value::S(version.to_owned()));
    item.insert(WRITTEN.to_owned(), Value::N(now.to_string()));
    item.insert(EXPIRES.to_owned(), Value::N(expires.to_string()));
    item
}

/// Whether an item exists and is no tombstone.
pub fn is_there(item: &Item) -> bool {
    !item.contains_key(GONE)
}

/// Adds the replaced version to an item while a call may still be repeated, so that the repetition
/// recognises its write also after others.
pub fn remember(item: &mut Item, before: &Item, now: Millis) {
    let written = number(before, WRITTEN);
    let is_recent = written.is_some_and(|at| now.saturating_sub(at) <= REPEATED_WITHIN);
    let (true, Ok(version)) = (is_recent, version(before)) else { return };
    let mut recent: Vec<Value> = match before.get(RECENT) {
        Some(Value::L(recent)) => recent.clone(),
        _ => vec![],
    };
    recent.push(Value::S(version));
    recent.drain(..recent.len().saturating_sub(MAX_RECENT));
    item.insert(RECENT.to_owned(), Value::L(recent));
}

/// Whether a version is the present one of an item, or a recent one.
pub(crate) fn had_version(item: &Item, wanted: &str) -> bool {
    let is_wanted = |value: &Value| matches!(value, Value::S(version) if version == wanted);
    let recent = match item.get(RECENT) {
        Some(Value::L(recent)) => recent.as_slice(),
        _ => &[],
    };
    item.get(VERSION).is_some_and(is_wanted) || recent.iter().any(is_wanted)
}

fn to_value(json: Json) -> Value {
    match json {
        Json::Null => Value::Null(true),
        Json::Bool(value) => Value::Bool(value),
        Json::Number(number) => Value::N(number.to_string()),
        Json::String(text) => Value::S(text),
        Json::Array(elements) => Value::L(elements.into_iter().map(to_value).collect()),
        Json::Object(members) => {
            Value::M(members.into_iter().map(|(name, value)| (name, to_value(value))).collect())
        }
    }
}

fn to_json(value: Value) -> Result<Json> {
    Ok(match value {
        Value::Null(_) => Json::Null,
        Value::Bool(value) => Json::Bool(value),
        Value::N(number) => Json::Number(number.parse::<Number>().map_err(Error::internal)?),
        Value::S(text) => Json::String(text),
        Value::L(elements) => {
            Json::Array(elements.into_iter().map(to_json).collect::<Result<_>>()?)
        }
        Value::M(members) => {
            let members = members.into_iter().map(|(name, value)| Ok((name, to_json(value)?)));
            Json::Object(members.collect::<Result<_>>()?)
        }
        _ => return Err(Error::internal("an attribute of a type that is never written")),
    })
}

#[cfg(test)]
mod tests {
    use aws::Value;
    use keyring::Keyring;
    use model::{
        ApiKeyId, Metadata,
        configuration::{EmailConfig, EmailService},
        organization::Organization,
    };
    use serde_json::json;

    use super::{MAX_RECENT, REPEATED_WITHIN, decode, encode, had_version, remember, tombstone};
    use crate::layout::Key;

    fn keyring() -> Keyring {
        Keyring::parse("k1=0123456789abcdef0123456789abcdef").unwrap()
    }

    fn organization(metadata: Metadata) -> Organization {
        let id = "acme".to_owned().try_into().unwrap();
        Organization { metadata, ..Organization::implied(id, 1) }
    }

    #[test]
    fn free_json_keeps_numbers_and_depth_that_dynamodb_does_not_know() {
        let mut deep = json!(5e-324);
        for _ in 0..60 {
            deep = json!({ "": [deep] });
        }
        let metadata =
            Metadata::from_iter([("deep".to_owned(), deep), ("huge".to_owned(), json!(1e308))]);
        let stored = organization(metadata.clone());
        let item = encode(&keyring(), &Key::pair("key", "k"), &stored, "v", 1).unwrap();
        assert!(matches!(item["metadata"], Value::S(_)));
        assert_eq!(decode::<Organization>(&keyring(), item).unwrap().metadata, metadata);
    }

    /// A write with a lost reply is recognised although others wrote after it.
    #[test]
    fn an_item_remembers_its_versions_while_a_call_may_be_repeated() {
        let key = super::key(&Key::pair("key", "k"), &Key::pair("document", "d"));
        let written = |n: u64, at: u64| tombstone(&key, &format!("v{n}"), at);
        let mut item = written(0, 0);
        for n in 1..=20 {
            let mut next = written(n, n);
            remember(&mut next, &item, n);
            item = next;
        }
        let remembered = (0..=20).filter(|n| had_version(&item, &format!("v{n}")));
        assert_eq!(remembered.count(), MAX_RECENT + 1);
        assert!(had_version(&item, "v20") && had_version(&item, "v4") && !had_version(&item, "v3"));
        let now = 20 + REPEATED_WITHIN + 1;
        let mut later = written(21, now);
        remember(&mut later, &item, now);
        assert!(had_version(&later, "v21") && !had_version(&later, "v20"));
    }

    #[test]
    fn what_does_not_fit_is_refused_with_the_limit_named() {
        let metadata = Metadata::from_iter([("x".to_owned(), json!("x".repeat(420_000)))]);
        let error = encode(&keyring(), &Key::pair("key", "k"), &organization(metadata), "v", 1)
            .unwrap_err();
        assert!(error.message.contains("409600"), "{error}");
        assert!(error.message.contains("acme"), "{error}");
    }

    #[test]
    fn a_secret_is_sealed_and_bound_to_its_tenant() {
        let api_key = Some(serde_json::from_str("\"hunter2\"").unwrap());
        let config = EmailConfig {
            use_email_service: true,
            email_service_config: EmailService { api_key, ..EmailService::default() },
        };
        let partition =
            |key: &str| Key::pair("key", ApiKeyId::try_from(key.to_owned()).unwrap().as_str());
        let mut item = encode(&keyring(), &partition("a"), &config, "v", 1).unwrap();
        assert!(!format!("{item:?}").contains("hunter2"));
        let read: EmailConfig = decode(&keyring(), item.clone()).unwrap();
        assert_eq!(read.email_service_config.api_key.unwrap().expose(), "hunter2");

        let public: EmailConfig = super::decode_without_secrets(item.clone()).unwrap();
        assert!(public.email_service_config.api_key.unwrap().is_unset());
        item.insert("PK".to_owned(), Value::S(partition("b").into()));
        let moved: EmailConfig = decode(&keyring(), item).unwrap();
        assert!(moved.email_service_config.api_key.unwrap().is_unset());
    }
}
