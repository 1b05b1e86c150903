//! Replies as answers.

use std::collections::BTreeSet;

use reference::{
    Answer, Call, Doc, Entry, Folder, Level, Listed, Mark, Org, Refusal, ThreadNo, User, Want, What,
};
use serde_json::Value;
use service::Error;

use super::{
    deployment::Reply,
    names::{access_of, doc, folder, marks, number, org, role_of, user, user_of, users_in},
};

/// The answer in a reply, after all pages were read into it.
///
/// # Errors
/// The reply is none that any call may have.
pub(super) fn answer(call: &Call, reply: &Reply) -> Result<Answer, String> {
    if let Some(refused) = refusal(reply)? {
        return Ok(refused);
    }
    let data = reply.data();
    Ok(match call {
        Call::Read(_, What::Threads) => Answer::Threads(threads(data)?),
        Call::Read(_, What::Live) => {
            let keys = list(data).iter().filter_map(|entry| entry["data"].as_object());
            Answer::Marks(keys.flat_map(|it| it.keys()).flat_map(|key| marks(key)).collect())
        }
        Call::Read(_, What::Editor) => {
            let texts = list(data).iter().filter_map(|editor| editor["data"].as_str());
            Answer::Marks(texts.flat_map(marks).collect())
        }
        Call::Read(_, What::Presence) | Call::Users(..) => {
            let users = list(data).iter().filter_map(|it| user_of(it["userId"].as_str()?));
            Answer::Users(users.collect())
        }
        Call::Rights(id) => Answer::Rights(rights(*id, data)),
        Call::Organizations => {
            let shown =
                |it: &Value| Some((Org(number(&it["id"], "org")?), it["disabled"].as_bool()?));
            Answer::Organizations(list(data).iter().filter_map(shown).collect())
        }
        Call::Documents(_) => {
            let shown = |it: &Value| {
                let within = number(&it["folderId"], "folder").map(Folder);
                Some((Doc(number(&it["id"], "doc")?), within, None))
            };
            Answer::Documents(list(data).iter().filter_map(shown).collect())
        }
        Call::Folders(_) => {
            let shown = |it: &Value| {
                let parent = number(&it["parentFolderId"], "folder").map(Folder);
                Some((Folder(number(&it["folderId"], "folder")?), parent, None))
            };
            Answer::Folders(list(data).iter().filter_map(shown).collect())
        }
        Call::Group(_) => {
            let members = |group: &Value| -> BTreeSet<User> {
                let ids = list(&group["userIds"]).iter();
                ids.filter_map(|id| user_of(id.as_str()?)).collect()
            };
            Answer::Group(list(data).first().map(members))
        }
        Call::Recordings(_) => {
            let names = list(data).iter().filter_map(|it| it["displayName"].as_str());
            Answer::Marks(names.flat_map(marks).collect())
        }
        Call::Activities(_) => {
            let custom = list(data).iter().filter(|it| it["actionType"] == "custom.done");
            let texts = custom.filter_map(|it| it["displayMessageTemplate"].as_str());
            let named = list(data).iter().flat_map(users_in).collect();
            Answer::Activities(texts.flat_map(marks).collect(), named)
        }
        Call::Export(..) => {
            let comments = list(&data["comments"]).iter().flat_map(|it| list(&it["comments"]));
            let texts = comments.filter_map(|it| it["commentText"].as_str());
            Answer::Marks(texts.flat_map(marks).collect())
        }
        Call::Inbox(..) => {
            let texts = list(data).iter().filter_map(|it| it["displayBodyMessage"].as_str());
            let mut told: Vec<Mark> = texts.flat_map(marks).collect();
            told.sort_unstable();
            Answer::Told(told)
        }
        Call::Preferences(..) => Answer::Wanted(match list(data) {
            [] => None,
            [shown, ..] => {
                Some([want(&shown["config"]["inbox"])?, want(&shown["config"]["email"])?])
            }
        }),
        _ => entry(data)?,
    })
}

fn want(shown: &Value) -> Result<Want, String> {
    match shown.as_str() {
        Some("ALL") => Ok(Want::All),
        Some("MINE") => Ok(Want::Mine),
        Some("NONE") => Ok(Want::None),
        _ => Err(format!("{shown} is no preference")),
    }
}

/// The refusal of a whole call, if it is one.
fn refusal(reply: &Reply) -> Result<Option<Answer>, String> {
    if reply.status == 200 {
        return Ok(None);
    }
    let status = reply.body["error"]["status"].as_str().unwrap_or_default();
    Ok(Some(match status {
        "NOT_FOUND" => Answer::Refused(Refusal::NotFound),
        "PERMISSION_DENIED" | "UNAUTHENTICATED" => Answer::Refused(Refusal::Denied),
        "ALREADY_EXISTS" => Answer::Refused(Refusal::Conflict),
        "INVALID_ARGUMENT" | "FAILED_PRECONDITION" => Answer::Refused(Refusal::Invalid),
        "INTERNAL" | "UNAVAILABLE" | "ABORTED" => Answer::Lost,
        _ => return Err(format!("answered {} {}", reply.status, reply.body)),
    }))
}

/// The outcome of a change: of the one entry of a batch, if it is one.
fn entry(data: &Value) -> Result<Answer, String> {
    let entry = match data.as_object() {
        Some(entries) if entries.contains_key("success") => data,
        Some(entries) => match entries.values().find(|it| it.get("success").is_some()) {
            Some(entry) => entry,
            // The entries of activities are one level deeper.
            None => return Ok(Answer::Done),
        },
        None => return Ok(Answer::Done),
    };
    if let Some(inner) = entry.get("activities").filter(|it| it.is_object()) {
        return self::entry(inner);
    }
    if entry["success"] == true {
        return Ok(Answer::Done);
    }
    Ok(match entry["code"].as_str() {
        Some("not-found") => Answer::Refused(Refusal::NotFound),
        Some("already-exists") => Answer::Refused(Refusal::Conflict),
        Some("invalid-argument") => Answer::Refused(Refusal::Invalid),
        Some("internal") => Answer::Lost,
        Some(code) => return Err(format!("an entry has the code {code}: {entry}")),
        None if is_lost(&entry["message"]) => Answer::Lost,
        None => Answer::Refused(Refusal::Failed),
    })
}

/// Whether an entry without a code failed for want of the store, so that its write may have been done.
fn is_lost(message: &Value) -> bool {
    let faults = [Error::internal(""), Error::unavailable(""), Error::aborted()];
    faults.iter().any(|fault| *message == fault.message.as_ref())
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn threads(data: &Value) -> Result<Vec<Listed>, String> {
    let listed = |it: &Value| {
        let id = number(&it["annotationId"], "thread")?;
        let texts = list(&it["comments"]).iter().filter_map(|it| it["commentText"].as_str());
        let marks = texts.flat_map(marks).collect();
        Some(Listed { thread: ThreadNo(id), marks, whole: it["hasMoreComments"] != true })
    };
    let all: Option<Vec<Listed>> = list(data).iter().map(listed).collect();
    let mut all = all.ok_or_else(|| format!("unreadable threads: {data}"))?;
    all.sort();
    Ok(all)
}

fn rights(id: Org, data: &Value) -> Vec<Entry> {
    let mut entries = Vec::new();
    for of in User::ALL {
        let shown = &data[user(of)];
        let mut add = |level, entry: &Value| {
            entries.push(Entry {
                user: of,
                level,
                role: role_of(&entry["accessRole"]),
                access: access_of(&entry["accessType"]),
                absent: entry["errorCode"] == "does_not_exist",
            });
        };
        add(Level::Organization, &shown["organization"][org(id)]);
        for it in [Folder(0), Folder(1)] {
            add(Level::Folder(it), &shown["folders"][folder(it)]);
        }
        for it in [Doc(0), Doc(1), Doc(2)] {
            add(Level::Document(it), &shown["documents"][doc(it)]);
        }
    }
    entries
}
