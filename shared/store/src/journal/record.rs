//! Records of a stream and their events.

use aws::Item;
use error::{Error, Result};
use model::{
    comment::{self, Thread},
    event::Event,
};
use serde_json::Value as Json;
use tenancy::{
    layout::{EVENTS, Entity, PK, SK, Table, image, is_of_document, item},
    scopes::TenantRef,
    writing::Carried,
};

use crate::journal::{
    StoredEvent,
    counter::CountedIn,
    numbering::{Digest, Position, Record},
};

/// An event of a stream before it has its number.
pub type Recorded = Record<CountedIn, StoredEvent>;

/// An item before and after a write, without binary attributes, which no event shows.
struct Images {
    old: Option<Item>,
    new: Item,
}

/// A lane: the events of a document in the order of their writes, from its own partition of a
/// table, or from items in the partition of the organization.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Lane {
    table: Table,
    is_of_document: bool,
}

impl Lane {
    /// Name of the lane in the counters of documents.
    pub fn name(self) -> String {
        match self.is_of_document {
            true => self.table.name().to_owned(),
            false => format!("{}/organization", self.table.name()),
        }
    }
}

/// The lane of a record, and its events in order: those of the new image, unless the old one has
/// them already.
///
/// # Errors
/// INTERNAL when the record cannot be read.
pub fn recorded(record: &Json) -> Result<(Lane, Vec<Recorded>)> {
    let unreadable = || Error::internal("a record of no stream");
    let source = record["eventSourceARN"].as_str().ok_or_else(unreadable)?;
    let (table, stream) = source.split_once("/stream/").ok_or_else(unreadable)?;
    let table = Table::ALL.into_iter().find(|known| table.ends_with(known.name()));
    let table = table.ok_or_else(unreadable)?;
    let change = &record["dynamodb"];
    let partition = change["NewImage"][PK]["S"].as_str().unwrap_or_default();
    let lane = Lane { table, is_of_document: is_of_document(partition) };
    let Some(carried) = carried(&change["NewImage"])? else { return Ok((lane, vec![])) };
    // An unreadable old image must not lose the new one.
    let before = self::carried(&change["OldImage"]).ok().flatten();
    if before.is_some_and(|before| before.version == carried.version) {
        return Ok((lane, vec![]));
    }
    let sequence = change["SequenceNumber"].as_str().ok_or_else(unreadable)?;
    let at = |index: u32| Some(Position::new(stream, sequence, index));
    let old = change["OldImage"].as_object().map(|_| image(&change["OldImage"]));
    let images = Images { old, new: image(&change["NewImage"]) };
    Ok((lane, events(carried, &images, at)?))
}

/// The events that an item carries.
pub(super) fn found(item: Item) -> Result<Vec<Recorded>> {
    let text = item.get(EVENTS).and_then(|text| text.as_s().ok());
    let Some(text) = text else { return Ok(vec![]) };
    let carried = serde_json::from_str(text).map_err(Error::internal)?;
    events(carried, &Images { old: None, new: item }, |_| None)
}

fn carried(image: &Json) -> Result<Option<Carried>> {
    match image[EVENTS]["S"].as_str() {
        Some(text) => serde_json::from_str(text).map(Some).map_err(Error::internal),
        None if image.get(EVENTS).is_some() => Err(Error::internal("events that are no text")),
        None => Ok(None),
    }
}

fn events(
    carried: Carried,
    images: &Images,
    at: impl Fn(u32) -> Option<Position>,
) -> Result<Vec<Recorded>> {
    let key = |name: &str| images.new.get(name).and_then(|key| key.as_s().ok());
    let (Some(partition), Some(sort)) = (key(PK), key(SK)) else {
        return Err(Error::internal("a record without its key"));
    };
    let mut recorded = Vec::new();
    for (index, mut event) in (0..).zip(carried.events) {
        let place = format!("{partition}\n{sort}\n{}\n{index}", carried.version);
        let (id, digest) = identity(carried.at, &place)?;
        event = complete(event, &carried.tenant, images)?;
        if let Event::Domain(event) = &mut event
            && let Some(grown) = &mut event.grown
        {
            grown.entry = sort.rsplit_once("#part#").map(|(entry, _)| entry.to_owned());
        }
        let document = CountedIn::of_event(&carried.tenant, &event);
        let (at_time, ahead, tenant) = (carried.at, carried.ahead, carried.tenant.clone());
        let event = StoredEvent { id, seq: None, at: at_time, ahead, tenant, event };
        recorded.push(Record { document, position: at(index), digest, event });
    }
    Ok(recorded)
}

/// The id of an event, a ULID derived from its position, and its digest for counters.
fn identity(at: u64, place: &str) -> Result<(String, Digest)> {
    let hash = keyring::sha256_hex(place);
    let random = u128::from_str_radix(&hash[..32], 16).map_err(Error::internal)?;
    let digest = u64::from_str_radix(&hash[32..48], 16).map_err(Error::internal)?;
    Ok((ulid::Ulid::from_parts(at, random).to_string(), digest.to_be_bytes()))
}

/// Completes an event with data from the images of the item.
fn complete(event: Event, tenant: &TenantRef, images: &Images) -> Result<Event> {
    let head = format!("{}#", Thread::KIND);
    let is_thread = |item: &Item| {
        let sort = item.get(SK).and_then(|sort| sort.as_s().ok());
        sort.is_some_and(|sort| sort.starts_with(&head)) && item::is_there(item)
    };
    let thread = |item: &Item| item::decode_plain::<Thread>(item.clone());
    let old = images.old.as_ref().filter(|item| is_thread(item)).map(thread).transpose()?;
    let new = Some(&images.new).filter(|item| is_thread(item)).map(thread).transpose()?;
    Ok(match event {
        Event::Domain(event) if event.annotation_id.is_some() => {
            comment::complete(*event, tenant.api_key(), old.as_ref(), new.as_ref()).into()
        }
        event => event,
    })
}

#[cfg(test)]
mod tests {
    use serde_json::{Value as Json, json};

    use super::recorded;

    fn carried(version: &str, documents: &[&str]) -> Json {
        let event = |document: &&str| json!({ "type": "domain", "event": "comment.add", "organizationId": "o", "documentId": document });
        let events: Vec<Json> = documents.iter().map(event).collect();
        let carried = json!({ "version": version, "at": 1, "tenant": "k", "events": events });
        json!({ "S": carried.to_string() })
    }

    fn record(old: Option<Json>, new: Option<Json>) -> Json {
        let image = |events| json!({ "PK": { "S": "p" }, "SK": { "S": "s" }, "_events": events });
        let mut record = json!({
            "eventSourceARN": "arn:aws:dynamodb:r:1:table/x-Crdt/stream/2026-01-01T00:00:00.000",
            "dynamodb": { "SequenceNumber": "0042", "Keys": {} },
        });
        for (name, events) in [("OldImage", old), ("NewImage", new)] {
            if let Some(events) = events {
                record["dynamodb"][name] = image(events);
            }
        }
        record
    }

    #[test]
    fn a_record_brings_the_events_of_its_write_and_no_others() {
        let (lane, events) = recorded(&record(None, Some(carried("a", &["d", "e"])))).unwrap();
        assert_eq!((lane.name().as_str(), events.len()), ("Crdt/organization", 2));
        let mut of_document = record(None, Some(carried("a", &["d"])));
        of_document["dynamodb"]["NewImage"]["PK"]["S"] = json!("key#k#organization#o#document#d");
        assert_eq!(recorded(&of_document).unwrap().0.name(), "Crdt");
        let at: Vec<String> =
            events.iter().map(|event| event.position.as_ref().unwrap().to_string()).collect();
        assert_eq!(at, ["2026-01-01T00:00:00.000/42/0", "2026-01-01T00:00:00.000/42/1"]);
        assert_ne!(events[0].event.id, events[1].event.id);
        assert_ne!(events[0].document, events[1].document);

        let again = record(Some(carried("x", &["d"])), Some(carried("a", &["d", "e"])));
        let again = recorded(&again).unwrap().1;
        assert_eq!(again[0].event.id, events[0].event.id, "an id follows from the write");
        assert_eq!(again[1].digest, events[1].digest);
        let other = recorded(&record(None, Some(carried("b", &["d", "e"])))).unwrap().1;
        assert_ne!(other[0].event.id, events[0].event.id);

        for nothing in [
            record(Some(carried("a", &["d"])), Some(carried("a", &["d"]))),
            record(Some(carried("a", &["d"])), None),
            json!({ "eventSourceARN": "table/x-Crdt/stream/s", "dynamodb": { "NewImage": {} } }),
        ] {
            assert_eq!(recorded(&nothing).unwrap().1.len(), 0, "{nothing}");
        }
    }

    #[test]
    fn what_cannot_be_read_is_refused() {
        let mut without_sequence = record(None, Some(carried("a", &["d"])));
        without_sequence["dynamodb"]["SequenceNumber"] = Json::Null;
        let mut without_key = record(None, Some(carried("a", &["d"])));
        without_key["dynamodb"]["NewImage"]["PK"] = Json::Null;
        for broken in [
            record(None, Some(json!({ "S": "{" }))),
            record(None, Some(json!({ "S": "{}" }))),
            record(None, Some(json!({ "N": "1" }))),
            json!({ "dynamodb": {} }),
            without_sequence,
            without_key,
        ] {
            assert!(recorded(&broken).is_err(), "{broken}");
        }
    }
}
