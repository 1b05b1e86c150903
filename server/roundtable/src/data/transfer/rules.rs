//! Rules that say which rows move to another place, and without which attributes.

use serde_json::{Map, Value, json};
use service::Table;

/// Events that an item still carries. They are drained before an export; the streams of the target
/// would send them once more.
const CARRIED: &str = "_events";
/// The last number of a document's events.
const NUMBER: &str = "seq";
/// The counter row of a document, and what it says about streams and connections of the source:
/// positions that mean nothing in other streams, and logs of events that do not move. Without these,
/// events go on with the next number, and subscribers read anew what they missed.
const COUNTER: &str = "counter";
const OF_STREAMS: &str = "lanes";
const OF_CONNECTIONS: [&str; 3] = ["live", "log", "first"];

/// The rule for the rows of a kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Rule {
    Moves,
    /// Connections end with the process that has them.
    Stays,
}

/// The kinds of rows of a table by the heads of their sort keys; none: all rows move.
fn kinds(table: Table) -> Option<&'static [(&'static str, Rule)]> {
    use Rule::{Moves, Stays};
    match table {
        Table::Resources | Table::Schedule | Table::Crdt => None,
        Table::Events => Some(&[(COUNTER, Moves), ("event", Moves), ("webhook-message", Moves)]),
        Table::Realtime => Some(&[
            ("live-state", Moves),
            ("listed", Moves),
            // Named calls, so that a repetition of a call finds its reply.
            ("operation", Moves),
            ("presence", Stays),
            // Of presence only.
            ("link", Stays),
            ("connected", Stays),
            ("connection", Stays),
            ("live", Stays),
            ("live-event", Stays),
            ("live-user", Stays),
            ("live-users", Stays),
            ("socket", Stays),
        ]),
    }
}

/// The item as it moves, in DynamoDB JSON; none if it stays.
///
/// # Errors
/// A sentence: there is no rule for such a row.
pub(crate) fn moved(table: Table, item: Value) -> Result<Option<Map<String, Value>>, String> {
    let Value::Object(mut item) = item else { return Err("an item that is no object".to_owned()) };
    let sort = item.get("SK").and_then(|sort| sort["S"].as_str()).unwrap_or_default();
    let kind = sort.split('#').next().unwrap_or_default();
    if let Some(kinds) = kinds(table) {
        let known = kinds.iter().find(|(known, _)| *known == kind);
        let table = table.name();
        let (_, rule) =
            known.ok_or_else(|| format!("there is no rule for the row {sort} of {table}"))?;
        if *rule == Rule::Stays {
            return Ok(None);
        }
    }
    if table == Table::Events && kind == COUNTER {
        if !item.contains_key(NUMBER) {
            return Ok(None);
        }
        item.insert(OF_STREAMS.to_owned(), json!({ "M": {} }));
        OF_CONNECTIONS.iter().for_each(|name| drop(item.remove(*name)));
    }
    item.remove(CARRIED);
    Ok(Some(item))
}

#[cfg(test)]
mod tests {
    use std::{collections::BTreeSet, fs, path::Path};

    use serde_json::json;
    use service::Table;

    use super::{kinds, moved};

    /// Names in keys that are no rows of `Events` or `Realtime`: their tables move as they are, or
    /// they are inside of keys.
    const OTHERS: &str = "
        activity actor admin agent agent-version annotation annotation-id archived beside
        built-in comment-id config crdt digest-of document document-grant document-user
        editor-count endpoint erasure events everybody feedback folder folder-count
        folder-grant folder-user gathers grant group group-count history id inbox key kind
        limit mail members message notice notification organization organization-grant
        own-window part pending preference quota reaction recipients recording seen
        settings slots state suppressed target topic unauthenticated urls user warm-up
        webhook-debounce webhook-uid window windows workspace";

    /// The names in the first argument of what makes keys, and kinds of entities.
    fn names(folder: &Path, found: &mut BTreeSet<String>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() && path.file_name().is_some_and(|name| name != "tests") {
                names(&path, found);
            } else if path.extension().is_some_and(|kind| kind == "rs") {
                let text = fs::read_to_string(&path).unwrap();
                let code = text.split("\n#[cfg(test)]\nmod tests").next().unwrap_or_default();
                for start in ["Key::named(", "Key::pair(", "KIND: &'static str = "] {
                    let after = code.split(start).skip(1).map(str::trim_start);
                    let quoted = after.filter_map(|rest| rest.strip_prefix('"')?.split('"').next());
                    found.extend(quoted.map(str::to_owned));
                }
            }
        }
    }

    #[test]
    fn every_kind_of_row_has_a_rule() {
        let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
        let mut found = BTreeSet::new();
        for folder in
            ["shared/tenancy/src", "shared/store/src", "shared/rooms/src", "shared/webhook/src"]
        {
            names(&root.join(folder), &mut found);
        }
        assert!(found.len() > 60, "{found:?}");
        let strict = [Table::Events, Table::Realtime].into_iter().filter_map(kinds).flatten();
        let known: BTreeSet<&str> = strict.map(|(kind, _)| *kind).collect();
        let known: BTreeSet<&str> = known.into_iter().chain(OTHERS.split_whitespace()).collect();
        let new: Vec<&String> =
            found.iter().filter(|name| !known.contains(name.as_str())).collect();
        assert!(new.is_empty(), "decide whether such rows move to another place: {new:?}");
    }

    #[test]
    fn rows_move_without_what_belongs_to_streams_and_connections() {
        let row = |sort: &str| json!({ "PK": { "S": "p" }, "SK": { "S": sort } });
        let mut counter = row("counter");
        counter["live"] = json!({ "N": "5" });
        assert_eq!(moved(Table::Events, counter.clone()), Ok(None), "no event has a number yet");
        for (name, value) in [
            ("seq", json!({ "N": "41" })),
            ("log", json!({ "N": "1" })),
            ("first", json!({ "N": "7" })),
            ("lanes", json!({ "M": { "Resources": { "M": { "at": { "S": "s/1/0" } } } } })),
        ] {
            counter[name] = value;
        }
        let mut expected = row("counter");
        expected["seq"] = json!({ "N": "41" });
        expected["lanes"] = json!({ "M": {} });
        assert_eq!(json!(moved(Table::Events, counter).unwrap()), expected);

        let mut carrying = row("annotation#d");
        carrying["_events"] = json!({ "S": "{}" });
        assert_eq!(json!(moved(Table::Resources, carrying).unwrap()), row("annotation#d"));
        assert_eq!(moved(Table::Realtime, row("presence#d#user#u")), Ok(None));
        assert!(moved(Table::Realtime, row("live-state#d#data#x")).unwrap().is_some());
        assert!(moved(Table::Realtime, row("unheard-of")).unwrap_err().contains("unheard-of"));
    }
}
