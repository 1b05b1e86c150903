//! Live connections: whose they are, and what they follow.

use std::collections::BTreeMap;

use axum::{body::Body, extract::State, http::Response};
use embedded::EmbeddedServices;
use serde_json::{Value, json};
use service::Table;

use crate::{
    host::table_name,
    laptop::reply::{failure, shown},
};

/// The beginning of the partitions of connections in the table of what is live.
const CONNECTION: &str = "connection#";

/// The connections of all tenants, the newest first.
pub(super) async fn list(State(embedded): State<EmbeddedServices>) -> Response<Body> {
    let active = embedded.connections().active();
    let read = tokio::task::spawn_blocking(move || {
        embedded.in_partitions(&table_name(Table::Realtime), CONNECTION)
    });
    let Ok(Ok(rows)) = read.await else { return failure("The connections cannot be read.") };
    let mut found: Vec<Value> = rows.iter().filter_map(|row| connection(row, &active)).collect();
    found.sort_by_key(|connection| std::cmp::Reverse(connection["openedAt"].as_u64()));
    shown(json!({ "connections": found }))
}

/// A stored connection, if it is open: a process that was killed leaves the rows of others.
fn connection(row: &Value, active: &BTreeMap<String, u64>) -> Option<Value> {
    let text = |name: &str| row[name]["S"].as_str();
    let active_at = active.get(text("PK")?.strip_prefix(CONNECTION)?)?;
    let claims = text("claims").and_then(|claims| serde_json::from_str::<Value>(claims).ok());
    let claims = claims.unwrap_or_default();
    let places = row["places"]["SS"].as_array().into_iter().flatten();
    let places = places.filter_map(|place| serde_json::from_str(place.as_str()?).ok());
    Some(json!({
        "apiKey": claims["apiKey"],
        "userId": claims["sub"],
        "name": claims["name"],
        "protocol": text("protocol"),
        "origin": text("origin"),
        "openedAt": row["opened"]["N"].as_str().and_then(|at| at.parse::<u64>().ok()),
        "activeAt": active_at,
        "follows": places.collect::<Vec<Value>>(),
    }))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use serde_json::json;

    use super::connection;

    #[test]
    fn a_connection_says_who_follows_what_and_none_that_is_gone_is_shown() {
        let place = r#"{"organizationId":"acme","part":{"events":{"documentId":"welcome"}}}"#;
        let claims = r#"{"sub":"ada","name":"Ada","apiKey":"rt_1","permissions":{"resources":[]}}"#;
        let row = json!({
            "PK": { "S": "connection#abc=" }, "SK": { "S": "connection" },
            "protocol": { "S": "events" }, "opened": { "N": "5" },
            "claims": { "S": claims }, "places": { "SS": [place] },
        });
        let active = BTreeMap::from([("abc=".to_owned(), 7)]);
        let expected = json!({
            "apiKey": "rt_1", "userId": "ada", "name": "Ada", "protocol": "events", "origin": null,
            "openedAt": 5, "activeAt": 7,
            "follows": [{ "organizationId": "acme", "part": { "events": { "documentId": "welcome" } } }],
        });
        assert_eq!(connection(&row, &active), Some(expected));
        assert_eq!(connection(&row, &BTreeMap::new()), None);
    }
}
