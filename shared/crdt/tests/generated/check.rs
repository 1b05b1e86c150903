//! Properties of all accepted updates, and the comparison with Yjs.

use std::{
    io::{BufRead, BufReader, Write},
    path::Path,
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
};

use base64::{Engine, prelude::BASE64_STANDARD};
use crdt::{Kind, State, check_update};
use serde_json::{Value, json};

use super::generated::Generated;

/// The state of the service after the accepted updates of some.
pub(crate) struct Ours {
    pub(crate) updates: Vec<Vec<u8>>,
    is_double: bool,
    is_late: bool,
    is_between: bool,
    /// After each of them, or not looked at.
    seen: Vec<Option<Seen>>,
}

struct Seen {
    /// The values that are read.
    read: Value,
    /// The encoded states: of the log, of the log in reverse, and of the state merged in the
    /// middle.
    encoded: [Vec<u8>; 3],
}

/// All values that can be read.
fn read(state: &State) -> Result<Value, String> {
    let roots = state.roots().map_err(|e| e.to_string())?;
    let read = roots.iter().map(|root| {
        let values = Kind::ALL.into_iter().map(|kind| state.value(kind, &root.key));
        let values: Result<Vec<Value>, _> = values.collect();
        let _ = state.kind(&root.key);
        Ok(json!([root.key, root.kind, root.is_text, values.map_err(|e| e.to_string())?]))
    });
    read.collect()
}

fn loaded(snapshot: Option<&[u8]>, updates: &[&[u8]]) -> Result<State, String> {
    let state = State::load(1, snapshot, updates.iter().copied()).map_err(|e| format!("{e:?}"))?;
    read(&state)?;
    Ok(state)
}

/// The document is readable after each accepted update, in whichever way it is built. In the middle
/// and at the end it is built in all ways.
pub(crate) fn readable(made: &Generated) -> Result<Ours, String> {
    let updates: Vec<Vec<u8>> =
        made.updates.iter().filter(|update| check_update(update).is_ok()).cloned().collect();
    let all: Vec<&[u8]> = updates.iter().map(Vec::as_slice).collect();
    let (mut snapshot, mut aside): (Option<Vec<u8>>, Vec<&[u8]>) = (None, Vec::new());
    let (mut middle, mut later): (Option<Vec<u8>>, Vec<&[u8]>) = (None, Vec::new());
    let mut seen = Vec::new();
    for end in 1..=all.len() {
        aside.push(all[end - 1]);
        later.push(all[end - 1]);
        let merged = loaded(snapshot.as_deref(), &aside)?;
        aside = merged.waiting().keys().map(|at| aside[*at]).collect();
        snapshot = Some(merged.encode());
        if end != all.len() / 2 && end != all.len() {
            seen.push(None);
            continue;
        }
        let state = loaded(None, &all[..end])?;
        let reversed: Vec<&[u8]> = all[..end].iter().rev().copied().collect();
        let reversed = loaded(None, &reversed)?.encode();
        let merged = loaded(middle.as_deref(), &later)?;
        later = merged.waiting().keys().map(|at| later[*at]).collect();
        middle = Some(merged.encode());
        let encoded = [state.encode(), reversed, merged.encode()];
        seen.push(Some(Seen { read: read(&state)?, encoded }));
    }
    let Generated { is_double, is_late, is_between, .. } = *made;
    Ok(Ours { updates, is_double, is_late, is_between, seen })
}

/// Yjs, in Node.js; see `tests/peers/judge.mjs`.
pub(crate) struct Judge {
    child: Child,
    requests: ChildStdin,
    answers: BufReader<ChildStdout>,
}

/// How much was compared.
#[derive(Debug, Default)]
pub(crate) struct Count {
    /// Accepted updates.
    pub(crate) updates: usize,
    /// Documents at which Yjs fails.
    pub(crate) fails: usize,
    /// Documents that were compared.
    pub(crate) compared: usize,
    /// Documents of which Yjs makes other content if the updates come in another order, or may do
    /// so.
    unsteady: usize,
    /// Documents that are different if their updates come late.
    pub(crate) late: usize,
    /// Documents that are different if neighbours under a key come in the wrong order.
    pub(crate) apart: usize,
    /// The unsteady ones that are equal nevertheless.
    unsteady_equal: usize,
}

impl Judge {
    pub(crate) fn start(folder: &Path) -> Self {
        let mut child = Command::new("node")
            .arg(folder.join("judge.mjs"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap_or_else(|e| panic!("the judge does not start: {e}"));
        let requests = child.stdin.take().expect("piped");
        let answers = BufReader::new(child.stdout.take().expect("piped"));
        Self { child, requests, answers }
    }

    /// Compares cases; the first difference of each.
    pub(crate) fn compare(
        &mut self,
        cases: &[&Ours],
        count: &mut Count,
    ) -> Vec<Result<(), String>> {
        let text = |bytes: &Vec<u8>| BASE64_STANDARD.encode(bytes);
        let request: Vec<Value> = cases
            .iter()
            .map(|case| {
                let updates: Vec<String> = case.updates.iter().map(text).collect();
                let ours = case.seen.iter().map(Option::as_ref);
                let ours: Vec<Value> = ours
                    .map(|seen| json!(seen.map(|seen| seen.encoded.each_ref().map(text))))
                    .collect();
                json!({ "updates": updates, "ours": ours })
            })
            .collect();
        writeln!(self.requests, "{}", json!(request)).expect("a judge that reads");
        let mut answer = String::new();
        self.answers.read_line(&mut answer).expect("a judge that answers");
        let verdicts: Vec<Vec<Value>> = serde_json::from_str(&answer).expect("verdicts");
        cases.iter().zip(verdicts).map(|(case, verdicts)| judged(case, &verdicts, count)).collect()
    }
}

fn judged(case: &Ours, verdicts: &[Value], count: &mut Count) -> Result<(), String> {
    count.updates += case.updates.len();
    let mut is_steady = true;
    for (at, (verdict, seen)) in verdicts.iter().zip(&case.seen).enumerate() {
        if verdict["fails"] == json!(true) {
            count.fails += 1;
            break;
        }
        let Some(seen) = seen else { continue };
        count.compared += 1;
        let equal: Vec<bool> = serde_json::from_value(verdict["equal"].clone()).expect("flags");
        if case.is_double || verdict["steady"] != json!(true) {
            count.unsteady += 1;
            count.unsteady_equal += usize::from(equal[0]);
            is_steady = false;
            continue;
        }
        let theirs = BASE64_STANDARD.decode(verdict["update"].as_str().expect("base64"));
        let theirs = read(&loaded(None, &[&theirs.expect("base64")])?)?;
        // Yjs tries all that waits again, and the service only what lacks nothing: some of what is
        // beside others under a key has another order then.
        if case.is_late || !equal[1] {
            count.late += usize::from(equal[..2] != [true; 2] || theirs != seen.read);
            continue;
        }
        let is_equal = equal[0] && (equal[2] || !is_steady) && theirs == seen.read;
        // Neighbours in the wrong order, in several values under a key, are parts of one block here
        // and not in Yjs, or the other way round (decision 78).
        if !is_equal && case.is_between {
            count.apart += 1;
            break;
        }
        if !is_equal {
            return Err(format!(
                "after update {at}: {equal:?}\nYjs and ours: {}\ntheirs are read as {theirs}\nours \
                 {}\nencoded{}\nupdates",
                verdict["seen"],
                seen.read,
                told(&seen.encoded)
            ));
        }
    }
    Ok(())
}

impl Drop for Judge {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The bytes of updates, to keep as a test.
pub(crate) fn told(updates: &[Vec<u8>]) -> String {
    updates.iter().map(|update| format!("\n  {}", BASE64_STANDARD.encode(update))).collect()
}
