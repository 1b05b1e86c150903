//! Events found on their items after they expired in the stream.

use error::Result;

use super::{
    EventEntry, Journal, Numbered, Record,
    number::{behind, number},
};

/// The lane of events found on items.
pub const REPAIR: &str = "repair";

/// Dispatches events whose records expired in the stream: an event with an entry again with its
/// number, because the consumer may have died before dispatching it; any other with a new number.
/// Returns a result for each, in order.
///
/// Without positions, only the digests of the last run detect repetitions. The events have to come
/// in the same order in every repetition, and only events with subscribers may be given: an event
/// without an entry counts as unnumbered.
pub async fn repair<J: Journal>(
    journal: &J,
    records: Vec<Record<J::Document, J::Event>>,
) -> Vec<Result<()>> {
    let mut results: Vec<Option<Result<()>>> = records.iter().map(|_| None).collect();
    let (mut stored, mut stored_places) = (vec![], vec![]);
    let (mut unnumbered, mut unnumbered_places) = (vec![], vec![]);
    for (n, record) in records.into_iter().enumerate() {
        match journal.find_entry(&record.event).await {
            Err(error) => {
                results[n] = Some(Err(error));
                break;
            }
            Ok(EventEntry::Stored { seq }) => {
                stored_places.push(n);
                stored.push(Numbered { seq, event: record.event });
            }
            Ok(EventEntry::Missing) => {
                unnumbered_places.push(n);
                unnumbered.push(Record { position: None, ..record });
            }
        }
    }
    let passed_on = stored_places.into_iter().zip(journal.pass_on(stored).await);
    let numbered = unnumbered_places.into_iter().zip(number(journal, REPAIR, unnumbered).await);
    passed_on.chain(numbered).for_each(|(n, result)| results[n] = Some(result));
    results.into_iter().map(|result| result.unwrap_or_else(|| Err(behind()))).collect()
}
