//! Events that were found on their items after the stream had forgotten them.

use error::Result;

use crate::{
    Journal, Numbered, Record,
    number::{behind, number},
};

/// The lane of what was found on items.
pub const REPAIR: &str = "repair";

/// Passes on events whose records are gone from the stream, so that no consumer of the stream gets
/// them any more: an event with an entry once more with its number, because its consumer may have
/// died before it sent it; any other with a new number. Returns a result for each, in order.
///
/// Without positions only the digests of the last run tell a repeat. So the events have to come in
/// the same order whenever this is repeated, and only events that have subscribers may be given: an
/// event without an entry counts as one without a number.
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
