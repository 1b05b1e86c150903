//! Events found on their items after they expired in the stream.

use error::Result;

use crate::{
    Journal, Numbered, Record,
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
    let (mut kept, mut lost) = ((vec![], vec![]), (vec![], vec![]));
    for (n, record) in records.into_iter().enumerate() {
        match journal.kept(&record.event).await {
            Err(error) => {
                results[n] = Some(Err(error));
                break;
            }
            Ok(Some(seq)) => {
                kept.0.push(n);
                kept.1.push(Numbered { seq, event: record.event });
            }
            Ok(None) => {
                lost.0.push(n);
                lost.1.push(Record { position: None, ..record });
            }
        }
    }
    let passed = journal.pass_on(kept.1).await;
    let numbered = number(journal, REPAIR, lost.1).await;
    let done = kept.0.into_iter().zip(passed).chain(lost.0.into_iter().zip(numbered));
    done.for_each(|(n, result)| results[n] = Some(result));
    results.into_iter().map(|result| result.unwrap_or_else(|| Err(behind()))).collect()
}
