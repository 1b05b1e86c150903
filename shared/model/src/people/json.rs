//! People in free JSON, as far as its members have the names of our own resources.

use serde_json::{Map, Value, json};

use super::visit::{Fate, Part, People};
use crate::{Metadata, UserId, user::Person};

/// Ends of the names of members with several users, by id.
const OF_USERS: [&str; 4] = ["UserIds", "userIds", "Users", "ByUserId"];

/// The members of a person besides the id.
const PROFILE: [&str; 12] = [
    "name",
    "email",
    "photoUrl",
    "color",
    "textColor",
    "initial",
    "type",
    "plan",
    "isReadOnly",
    "isAnonymous",
    "isGuest",
    "isAdmin",
];

/// A value: an object with a `userId` is a person, whose erasure leaves a deleted user. Comments of
/// a user who leaves are removed from lists and members.
pub fn json(walk: &mut dyn People, value: &mut Value) {
    match value {
        Value::Array(elements) => {
            elements.retain(|element| !is_of_leaving(walk, element));
            elements.iter_mut().for_each(|element| json(walk, element));
        }
        Value::Object(found) => match fate_of(walk, found) {
            Fate::Leaves => *value = json!(Person::deleted()),
            Fate::Stays | Fate::Becomes(_) => members(walk, found),
        },
        Value::String(text) => walk.text(text),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// A snapshot of one thing: that of a comment goes with its author.
pub fn snapshot(walk: &mut dyn People, value: &mut Value) {
    if is_of_leaving(walk, value) {
        *value = Value::Null;
    }
    json(walk, value);
}

/// Members that are stored separately, and are kept even if they describe a person.
pub fn members(walk: &mut dyn People, found: &mut Metadata) {
    match fate_of(walk, found) {
        Fate::Stays => {}
        Fate::Leaves => disguise(found, &Person::deleted()),
        Fate::Becomes(person) => disguise(found, person),
    }
    found.retain(|_, value| !is_of_leaving(walk, value));
    found.iter_mut().for_each(|(name, value)| member(walk, name, value));
}

/// A member with a name: ids of users are recognized by it.
pub fn member(walk: &mut dyn People, name: &str, value: &mut Value) {
    let is_of_users = OF_USERS.iter().any(|end| name.ends_with(end));
    match value {
        Value::Object(found) if is_of_users => {
            for (id, value) in std::mem::take(found) {
                match walk.named(Part::Beside, &id) {
                    Fate::Stays => drop(found.insert(id, value)),
                    Fate::Leaves => {}
                    Fate::Becomes(person) => {
                        found.insert(person.user_id.as_str().to_owned(), value);
                    }
                }
            }
        }
        Value::Array(found) if is_of_users => found.retain_mut(|element| {
            let Value::String(id) = element else { return true };
            match walk.named(Part::Beside, id) {
                Fate::Stays => true,
                Fate::Leaves => false,
                Fate::Becomes(person) => {
                    *id = person.user_id.as_str().to_owned();
                    true
                }
            }
        }),
        Value::String(id) if name.ends_with("UserId") || name == "lastUpdatedBy" => {
            let to = match walk.named(Part::Beside, id) {
                Fate::Stays => None,
                Fate::Leaves => Some(UserId::deleted().into()),
                Fate::Becomes(person) => Some(person.user_id.as_str().to_owned()),
            };
            if let Some(to) = to {
                *id = to;
            }
        }
        _ => {}
    }
    json(walk, value);
}

/// The fate of the person whom an object describes.
fn fate_of<'a>(walk: &'a mut dyn People, found: &Map<String, Value>) -> Fate<'a> {
    match found.get("userId") {
        Some(Value::String(id)) => walk.named(Part::Beside, id),
        _ => Fate::Stays,
    }
}

/// Makes the description of a person that of another.
fn disguise(found: &mut Metadata, person: &Person) {
    for name in PROFILE {
        found.remove(name);
    }
    if let Value::Object(members) = json!(person) {
        found.extend(members);
    }
}

/// Whether a value is a comment by a user who leaves.
fn is_of_leaving(walk: &mut dyn People, value: &Value) -> bool {
    let Some(comment) = value.as_object().filter(|found| found.contains_key("commentId")) else {
        return false;
    };
    match comment.get("from").and_then(|from| from.get("userId")).and_then(Value::as_str) {
        Some(author) => walk.named(Part::Beside, author) == Fate::Leaves,
        None => false,
    }
}
