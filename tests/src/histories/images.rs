//! Rules for every write, checked on the images of the streams: lives and ends never fall, and only
//! its own calls change when something was given, and what it is in.

use embedded::EmbeddedServices;
use reference::Call;
use roundtable::table_name;
use serde_json::Value;
use service::Table;

/// Tables whose streams are read.
const TABLES: [Table; 3] = [Table::Resources, Table::Realtime, Table::Crdt];
/// Records read at a time.
const PAGE: usize = 1_000;

/// How far the streams were read.
#[derive(Default)]
pub(super) struct Images([Option<String>; TABLES.len()]);

impl Images {
    /// Passes over what is there.
    pub(super) fn skip(&mut self, embedded: &EmbeddedServices) {
        let _ = self.each(embedded, |_, _| Ok(()));
    }

    /// Looks at what was written since the last look, by a call or by others.
    ///
    /// # Errors
    /// A sentence about the first write that is wrong.
    pub(super) fn look(
        &mut self,
        embedded: &EmbeddedServices,
        by: Option<&Call>,
    ) -> Result<(), String> {
        self.each(embedded, |before, after| check(before, after, by))
    }

    fn each(
        &mut self,
        embedded: &EmbeddedServices,
        look: impl Fn(&Value, &Value) -> Result<(), String>,
    ) -> Result<(), String> {
        for (table, position) in TABLES.into_iter().zip(&mut self.0) {
            loop {
                let records = embedded.stream(&table_name(table), position.as_deref(), PAGE);
                let records = records.expect("a stream");
                for record in &records {
                    let images = &record.record["dynamodb"];
                    look(&images["OldImage"], &images["NewImage"])?;
                }
                match records.into_iter().last() {
                    Some(last) => *position = Some(last.sequence),
                    None => break,
                }
            }
        }
        Ok(())
    }
}

fn check(before: &Value, after: &Value, by: Option<&Call>) -> Result<(), String> {
    if after.is_null() {
        return Ok(());
    }
    let sort = after["SK"]["S"].as_str().unwrap_or_default();
    let changed = |what: &str| Err(format!("a write makes {what} of {sort}: {before} to {after}"));
    let is_gone = after.get("_gone").is_some();
    if life(after) < life(before) {
        return changed("an earlier life");
    }
    for name in ["left", "ended"] {
        if !is_gone && number(after, name) < number(before, name) {
            return changed("an earlier end");
        }
    }
    let given = number(after, "given");
    if given.is_some() && given != number(before, "given") && !by.is_some_and(gives) {
        return changed("something given");
    }
    let (was_in, is_in) = (number(before, "_in"), number(after, "_in"));
    let was_there = !before.is_null() && before.get("_gone").is_none();
    if was_there && !is_gone && was_in != is_in && !by.is_some_and(places) {
        return changed("something in another life");
    }
    Ok(())
}

/// When the life of a container began, or the next one begins.
fn life(image: &Value) -> Option<u64> {
    number(image, if image.get("_gone").is_some() { "_ended" } else { "_since" })
}

fn number(image: &Value, name: &str) -> Option<u64> {
    image[name]["N"].as_str()?.parse().ok()
}

/// Calls that give a right.
fn gives(call: &Call) -> bool {
    matches!(call, Call::Grant(..) | Call::AddUser(..) | Call::JoinGroup(..))
}

/// Calls that place something, or add it, also over what an earlier life has left.
fn places(call: &Call) -> bool {
    matches!(
        call,
        Call::AddFolder(..)
            | Call::MoveFolder(..)
            | Call::AddDocument(..)
            | Call::MoveDocument(..)
            | Call::AddUser(..)
            | Call::AddGroup(..)
            | Call::JoinGroup(..)
            | Call::Thread(..)
            | Call::Recording(..)
    )
}
