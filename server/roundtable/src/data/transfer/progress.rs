//! How far an import is: a row in the target, so that a repetition goes on, from wherever it runs.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use service::Table;

use super::place::Stack;

const KEY: &str = "import";
const TABLE: Table = Table::Events;

/// How far an import is.
pub(crate) struct Progress<'a> {
    place: &'a Stack,
    archive: String,
    done: BTreeMap<String, u64>,
}

/// Whether an item is the row of an import.
pub(crate) fn is_row(item: &Value) -> bool {
    item["PK"]["S"] == KEY
}

fn key() -> Value {
    json!({ "PK": { "S": KEY }, "SK": { "S": KEY } })
}

impl<'a> Progress<'a> {
    /// The import that has begun in a place, if any.
    ///
    /// # Errors
    /// A sentence: it cannot be read, or it is of another archive.
    pub(crate) async fn found(place: &'a Stack, archive: &str) -> Result<Option<Self>, String> {
        let request =
            json!({ "TableName": place.table(TABLE), "Key": key(), "ConsistentRead": true });
        let mut found = place.dynamodb("GetItem", request).await?;
        let Some(row) = found.get_mut("Item") else { return Ok(None) };
        if row["archive"]["S"] != archive {
            return Err("the import of another archive has begun there: finish it first".to_owned());
        }
        let done = row["done"]["M"].as_object().into_iter().flatten();
        let done =
            done.filter_map(|(part, n)| Some((part.clone(), n["N"].as_str()?.parse().ok()?)));
        Ok(Some(Self { place, archive: archive.to_owned(), done: done.collect() }))
    }

    /// Notes the beginning of an import.
    ///
    /// # Errors
    /// A sentence: it cannot be written.
    pub(crate) async fn begin(place: &'a Stack, archive: &str) -> Result<Self, String> {
        let begun = Self { place, archive: archive.to_owned(), done: BTreeMap::new() };
        begun.write().await?;
        Ok(begun)
    }

    /// The number of lines of a part that are done.
    pub(crate) fn of(&self, part: &str) -> u64 {
        self.done.get(part).copied().unwrap_or(0)
    }

    /// Notes that further lines of a part are done.
    pub(crate) async fn advance(&mut self, part: &str, by: u64) -> Result<(), String> {
        *self.done.entry(part.to_owned()).or_default() += by;
        self.write().await
    }

    /// Removes the row: the import is complete.
    pub(crate) async fn end(self) -> Result<(), String> {
        let request = json!({ "TableName": self.place.table(TABLE), "Key": key() });
        self.place.dynamodb("DeleteItem", request).await.map(drop)
    }

    async fn write(&self) -> Result<(), String> {
        let done = self.done.iter().map(|(part, n)| (part.clone(), json!({ "N": n.to_string() })));
        let mut row = key();
        row["archive"] = json!({ "S": self.archive });
        row["done"] = json!({ "M": done.collect::<serde_json::Map<_, _>>() });
        let request = json!({ "TableName": self.place.table(TABLE), "Item": row });
        self.place.dynamodb("PutItem", request).await.map(drop)
    }
}
