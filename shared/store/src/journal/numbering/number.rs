//! Numbering and dispatch of a batch of records, by the counters of their documents.

use std::collections::{BTreeMap, VecDeque};

use error::{Error, Result};
use futures_util::{StreamExt, stream};

use super::{ATTEMPTS, Journal, Numbered, PARALLEL, Position, RUN, Record, Swap};

/// A digest of an event within its run: the first bytes of a hash of its id.
pub type Digest = [u8; 8];

/// The row of a document. Every compare-and-set raises `last`, so `last` is also its version.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counter {
    /// The last assigned number; 0 before the first.
    pub last: u64,
    /// Each lane by name.
    pub lanes: BTreeMap<String, Run>,
}

/// The last run of one lane.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Run {
    /// The position of the last event of the run.
    pub position: Position,
    /// The number of the first event of the run; the others follow consecutively.
    pub first: u64,
    /// The events of the run, in order.
    pub digests: Vec<Digest>,
}

/// The state of an event in the counter.
#[derive(Debug, PartialEq, Eq)]
enum Finding {
    /// Without a number.
    New,
    /// Numbered in the last run.
    Numbered(u64),
    /// Finished before the last run.
    Finished,
}

impl Counter {
    /// The state of an event. An event without a position was found on its item: it has the number
    /// of the lane that numbered it last.
    fn find(&self, lane: &str, at: Option<&Position>, digest: &Digest) -> Finding {
        let Some(at) = at else {
            let seq = self.lanes.values().find_map(|run| run.number_of(digest));
            return seq.map_or(Finding::New, Finding::Numbered);
        };
        let Some(run) = self.lanes.get(lane) else { return Finding::New };
        match run.number_of(digest) {
            Some(seq) => Finding::Numbered(seq),
            None if *at <= run.position => Finding::Finished,
            None => Finding::New,
        }
    }

    /// The counter after one more run of a lane.
    fn with_run(&self, lane: &str, at: Option<Position>, digests: Vec<Digest>) -> Self {
        let mut next = self.clone();
        let first = self.last + 1;
        next.last += digests.len() as u64;
        let run = Run { position: at.unwrap_or_default(), first, digests };
        next.lanes.insert(lane.to_owned(), run);
        next
    }
}

impl Run {
    fn number_of(&self, digest: &Digest) -> Option<u64> {
        let index = self.digests.iter().position(|known| known == digest)?;
        Some(self.first + index as u64)
    }
}

/// A record with its position in the batch.
type Placed<J> = (usize, Record<<J as Journal>::Document, <J as Journal>::Event>);
/// A numbered event, with the position of its record in the batch.
type Ready<J> = (usize, Numbered<<J as Journal>::Event>);

/// Numbers the records of one lane, which are in its order, and dispatches them; returns a result
/// for each, in order. A repeated batch has to begin no later than its first failure.
///
/// Each round dispatches at most one run of every document, and a run begins only after the
/// previous one was dispatched, so the digests of the last run suffice.
pub async fn number<J: Journal>(
    journal: &J,
    lane: &str,
    records: Vec<Record<J::Document, J::Event>>,
) -> Vec<Result<()>> {
    let mut results: Vec<Option<Result<()>>> = records.iter().map(|_| None).collect();
    let mut ready: Vec<Ready<J>> = Vec::new();
    let mut queues: BTreeMap<J::Document, VecDeque<Placed<J>>> = BTreeMap::new();
    for (n, record) in records.into_iter().enumerate() {
        match record.document.clone() {
            Some(document) => queues.entry(document).or_default().push_back((n, record)),
            None => ready.push((n, Numbered { seq: None, event: record.event })),
        }
    }
    let mut failure = None;
    let mut documents = match load(journal, lane, queues).await {
        Ok(documents) => documents,
        // Events without a number are dispatched as well.
        Err(error) => {
            failure = Some(error);
            vec![]
        }
    };
    loop {
        let steps: Vec<_> = documents.iter_mut().map(|document| document.step(journal)).collect();
        let steps: Vec<_> = stream::iter(steps).buffered(PARALLEL).collect().await;
        for (document, step) in documents.iter_mut().zip(steps) {
            match step {
                Ok(Step { finished, ready: numbered }) => {
                    finished.into_iter().for_each(|n| results[n] = Some(Ok(())));
                    ready.extend(numbered);
                }
                Err(error) => document.fail(error, &mut results),
            }
        }
        if ready.is_empty() {
            break;
        }
        ready.sort_by_key(|(n, _)| *n);
        let (places, events): (Vec<usize>, Vec<_>) = std::mem::take(&mut ready).into_iter().unzip();
        for (n, result) in places.into_iter().zip(journal.pass_on(events).await) {
            results[n] = Some(result);
        }
        // A later run would replace the digests of undispatched events.
        documents.retain(|document| document.is_passed_on(&results));
    }
    let mut unfinished = || Err(failure.take().unwrap_or_else(behind));
    results.into_iter().map(|result| result.unwrap_or_else(&mut unfinished)).collect()
}

/// The error of an unprocessed record.
pub(super) fn behind() -> Error {
    Error::unavailable("an event before it was not finished")
}

async fn load<'a, J: Journal>(
    journal: &J,
    lane: &'a str,
    queues: BTreeMap<J::Document, VecDeque<Placed<J>>>,
) -> Result<Vec<Document<'a, J>>> {
    if queues.is_empty() {
        return Ok(vec![]);
    }
    let keys: Vec<J::Document> = queues.keys().cloned().collect();
    let counters = journal.load(&keys).await?.into_iter();
    let documents = queues.into_iter().zip(counters).map(|((key, records), counter)| Document {
        lane,
        key,
        counter: counter.unwrap_or_default(),
        records,
        passing: vec![],
    });
    Ok(documents.collect())
}

/// The waiting records of one document, and its last known counter.
struct Document<'a, J: Journal> {
    lane: &'a str,
    key: J::Document,
    counter: Counter,
    records: VecDeque<Placed<J>>,
    /// The positions of the records in dispatch.
    passing: Vec<usize>,
}

/// The work of one round for a document.
struct Step<J: Journal> {
    finished: Vec<usize>,
    ready: Vec<Ready<J>>,
}

impl<J: Journal> Document<'_, J> {
    /// The next events to dispatch: repetitions, or else one new run.
    async fn step(&mut self, journal: &J) -> Result<Step<J>> {
        let mut step = Step { finished: vec![], ready: vec![] };
        for _ in 0..ATTEMPTS {
            self.take_known(&mut step);
            let (digests, last) = self.next_run();
            if !step.ready.is_empty() || digests.is_empty() {
                break;
            }
            let (count, first) = (digests.len(), self.counter.last + 1);
            let next = self.counter.with_run(self.lane, last, digests);
            match journal.swap(&self.key, self.counter.last, &next).await? {
                Swap::Done => {
                    self.counter = next;
                    let run = self.records.drain(..count).zip(first..);
                    step.ready.extend(run.map(|((n, record), seq)| {
                        (n, Numbered { seq: Some(seq), event: record.event })
                    }));
                    break;
                }
                // Some of them may be numbered meanwhile.
                Swap::Refused(found) => self.counter = found.unwrap_or_default(),
            }
        }
        if step.ready.is_empty() && !self.records.is_empty() {
            return Err(Error::unavailable("others kept numbering the same document"));
        }
        self.passing = step.ready.iter().map(|(n, _)| *n).collect();
        Ok(step)
    }

    /// Takes the leading records that the counter knows.
    fn take_known(&mut self, step: &mut Step<J>) {
        while let Some((_, record)) = self.records.front() {
            let finding = self.counter.find(self.lane, record.position.as_ref(), &record.digest);
            let seq = match finding {
                Finding::New => return,
                Finding::Numbered(seq) => Some(seq),
                Finding::Finished => None,
            };
            let Some((n, record)) = self.records.pop_front() else { return };
            match seq {
                Some(_) => step.ready.push((n, Numbered { seq, event: record.event })),
                None => step.finished.push(n),
            }
        }
    }

    /// The digests of the next run, and the position of its last event.
    fn next_run(&self) -> (Vec<Digest>, Option<Position>) {
        let (mut digests, mut last) = (Vec::new(), None);
        for (_, record) in self.records.iter().take(RUN) {
            let finding = self.counter.find(self.lane, record.position.as_ref(), &record.digest);
            // A batch may contain a record twice.
            if finding != Finding::New || digests.contains(&record.digest) {
                break;
            }
            digests.push(record.digest);
            last = record.position.clone();
        }
        (digests, last)
    }

    fn is_passed_on(&self, results: &[Option<Result<()>>]) -> bool {
        self.passing.iter().all(|&n| matches!(results[n], Some(Ok(()))))
    }

    fn fail(&mut self, error: Error, results: &mut [Option<Result<()>>]) {
        if let Some((n, _)) = self.records.front() {
            results[*n] = Some(Err(error));
        }
        self.records.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::{Counter, Finding, Position};

    #[test]
    fn a_counter_knows_its_last_run_and_what_was_before() {
        let at = |n: &str| Some(Position::new("s", n, 0));
        let counter = Counter::default().with_run("a", at("5"), vec![[1; 8], [2; 8]]);
        let counter = counter.with_run("b", at("9"), vec![[3; 8]]);
        assert_eq!(counter.last, 3);
        let find = |lane, n, digest| counter.find(lane, at(n).as_ref(), &[digest; 8]);
        assert_eq!(find("a", "4", 1), Finding::Numbered(1));
        assert_eq!(find("a", "5", 2), Finding::Numbered(2));
        assert_eq!(find("a", "3", 7), Finding::Finished);
        assert_eq!(find("a", "6", 7), Finding::New);
        assert_eq!(find("b", "9", 3), Finding::Numbered(3));
        assert_eq!(find("c", "1", 1), Finding::New);
        let found = |digest| counter.find("c", None, &[digest; 8]);
        assert_eq!((found(7), found(2)), (Finding::New, Finding::Numbered(2)));
    }
}
