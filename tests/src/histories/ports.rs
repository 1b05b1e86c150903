//! Parts of the service between its calls and the store, broken in ways in which it once was, or
//! which its rules are there to prevent. The model has to disagree with each.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use embedded::Port;
use serde_json::{Map, Value, json};

/// A broken part; the number is that of the table of mutants.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Broken {
    /// 4: what is added after a deletion forgets when the life before it ended.
    LifeIsForgotten,
    /// 9: the clean-up leaves what was written after the deletion, as if it asked for times.
    CleanUpAsksTimes,
    /// 13: a reply takes a thread of an earlier life for one of the present.
    ReplyRevives,
    /// 16: tombstones expire although no clean-up was confirmed.
    TombstonesExpire,
    /// 17: what a call writes is of the life at its end, not of the one that it has read.
    CallsAreStampedAtTheirEnd,
    /// 19: an end replaces the ends before it.
    EndsReplaceEnds,
    /// 22: what a change keeps is as new as the change.
    AgeIsForgotten,
}

impl Broken {
    /// Every one of them.
    pub const ALL: [Self; 7] = [
        Self::LifeIsForgotten,
        Self::CleanUpAsksTimes,
        Self::ReplyRevives,
        Self::TombstonesExpire,
        Self::CallsAreStampedAtTheirEnd,
        Self::EndsReplaceEnds,
        Self::AgeIsForgotten,
    ];

    /// The port that is broken so.
    pub(super) fn port(self) -> Arc<dyn Port> {
        Arc::new(Breaking { how: self, seen: Mutex::default() })
    }
}

struct Breaking {
    how: Broken,
    seen: Mutex<Seen>,
}

/// Data that have passed, by partition and sort key.
#[derive(Default)]
struct Seen {
    /// The lives of containers.
    lives: BTreeMap<(String, String), u64>,
    /// The last end in an organization, by its partition.
    ends: BTreeMap<String, u64>,
    /// The last departure and the last end of a right.
    left: BTreeMap<(String, String), [Option<u64>; 2]>,
}

/// Retention of a tombstone, in seconds.
const RETENTION: u64 = 8 * 24 * 60 * 60;

impl Breaking {
    fn seen(&self) -> MutexGuard<'_, Seen> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Port for Breaking {
    fn ask(&self, _: &str, operation: &str, request: &mut Value) {
        let mut seen = self.seen();
        for item in puts(operation, request) {
            let place = place_of(item);
            match self.how {
                Broken::LifeIsForgotten if is_container(&place.1) => drop(item.remove("_since")),
                Broken::TombstonesExpire => {
                    if let Some(end) = number(item, "_ended") {
                        item.entry("expires").or_insert_with(|| of(end / 1_000 + RETENTION));
                    }
                }
                Broken::CallsAreStampedAtTheirEnd => seen.stamp(&place, item),
                Broken::EndsReplaceEnds => seen.replace_ends(&place, item),
                Broken::AgeIsForgotten => drop(item.remove("_kept")),
                _ => {}
            }
            seen.note(place, item);
        }
    }

    fn answer(&self, caller: &str, operation: &str, reply: &mut Value) {
        let seen = self.seen();
        match (self.how, operation) {
            (Broken::ReplyRevives, "BatchGetItem") => {
                for items in lists(operation, reply) {
                    for item in items.iter_mut().filter_map(Value::as_object_mut) {
                        let place = place_of(item);
                        seen.stamp(&place, item);
                    }
                }
            }
            (Broken::CleanUpAsksTimes, "BatchGetItem" | "Query") if caller.contains("cleanup") => {
                for items in lists(operation, reply) {
                    items.retain(|item| item.as_object().is_none_or(|item| seen.is_older(item)));
                }
            }
            _ => {}
        }
    }
}

impl Seen {
    fn note(&mut self, place: (String, String), item: &Map<String, Value>) {
        let is_gone = item.contains_key("_gone");
        if let (true, Some(end)) = (is_gone, number(item, "_ended")) {
            let organization = match place.1.strip_prefix("organization#") {
                Some(_) => format!("{}#{}", place.0, place.1),
                None => place.0.clone(),
            };
            self.ends.insert(organization, end);
        } else if is_container(&place.1) && !is_gone {
            self.lives.insert(place.clone(), number(item, "_since").unwrap_or(0));
        }
        if place.1.contains("-grant#") {
            let said = ["left", "ended"].map(|name| number(item, name));
            self.left.insert(place, said);
        }
    }

    /// Gives a thread the life that its document has now.
    fn stamp(&self, (partition, sort): &(String, String), item: &mut Map<String, Value>) {
        let Some(("annotation", document)) = sort.split_once('#') else { return };
        let document = document.split('#').next().unwrap_or_default();
        let scope = partition.rsplit_once("#document#").map_or(partition.as_str(), |it| it.0);
        let place = (scope.to_owned(), format!("document#{document}"));
        if let Some(life) = self.lives.get(&place).filter(|life| **life > 0) {
            item.insert("_in".to_owned(), of(*life));
        }
    }

    /// Takes away the departure that an end of a right has kept.
    fn replace_ends(&self, place: &(String, String), item: &mut Map<String, Value>) {
        let [left, ended] = ["left", "ended"].map(|name| number(item, name));
        let Some([left_before, ended_before]) = self.left.get(place) else { return };
        if ended > *ended_before && left == *left_before {
            item.remove("left");
        }
    }

    /// Whether a row was written before the last deletion, or is none that a time decides on.
    fn is_older(&self, item: &Map<String, Value>) -> bool {
        let (partition, sort) = place_of(item);
        if is_container(&sort) && !sort.starts_with("document#") {
            return true;
        }
        let is_of = |scope: &&String| {
            let rest = partition.strip_prefix(scope.as_str());
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('#'))
        };
        let end = self.ends.iter().find(|(scope, _)| is_of(scope)).map(|(_, end)| *end);
        number(item, "_written").is_none_or(|at| end.is_none_or(|end| at <= end))
    }
}

fn is_container(sort: &str) -> bool {
    let parts: Vec<&str> = sort.split('#').collect();
    matches!(parts.as_slice(), ["organization" | "folder" | "document", _] | ["group", _, "group"])
}

/// The items that a request puts.
fn puts<'a>(operation: &str, request: &'a mut Value) -> Vec<&'a mut Map<String, Value>> {
    fn list(value: &mut Value) -> impl Iterator<Item = &mut Value> {
        value.as_array_mut().into_iter().flatten()
    }
    let found: Vec<&mut Value> = match operation {
        "PutItem" => request.get_mut("Item").into_iter().collect(),
        "TransactWriteItems" => list(&mut request["TransactItems"])
            .filter_map(|action| action.get_mut("Put")?.get_mut("Item"))
            .collect(),
        "BatchWriteItem" => {
            let tables = request["RequestItems"].as_object_mut().into_iter().flatten();
            tables
                .flat_map(|(_, writes)| list(writes))
                .filter_map(|write| write.get_mut("PutRequest")?.get_mut("Item"))
                .collect()
        }
        _ => vec![],
    };
    found.into_iter().filter_map(Value::as_object_mut).collect()
}

/// The lists of items in a reply.
fn lists<'a>(operation: &str, reply: &'a mut Value) -> Vec<&'a mut Vec<Value>> {
    match operation {
        "Query" => reply.get_mut("Items").and_then(Value::as_array_mut).into_iter().collect(),
        _ => {
            let tables = reply["Responses"].as_object_mut().into_iter().flatten();
            tables.filter_map(|(_, items)| items.as_array_mut()).collect()
        }
    }
}

fn place_of(item: &Map<String, Value>) -> (String, String) {
    let text = |name: &str| {
        let text = item.get(name).and_then(|value| value["S"].as_str());
        text.unwrap_or_default().to_owned()
    };
    (text("PK"), text("SK"))
}

fn number(item: &Map<String, Value>, name: &str) -> Option<u64> {
    item.get(name)?["N"].as_str()?.parse().ok()
}

fn of(number: u64) -> Value {
    json!({ "N": number.to_string() })
}
