//! Answers and events of operations in a test run, to be compared with those in openapi.json.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs::File,
    io::Write as _,
};

use parking_lot::Mutex;
use roundtable::table_name;
use serde_json::Value;
use service::Table;

use crate::{App, Reply, events_of, rights::variable, specs};

/// The variable that names the file in which answers are noted.
const FILE: &str = "ROUNDTABLE_ANSWERS";

/// Notes the answers to the calls of a deployment.
#[derive(Default)]
pub(crate) struct Watch(Mutex<Progress>);

#[derive(Default)]
struct Progress {
    under_way: usize,
    /// Whether calls overlapped, so that nobody knows whose events these are.
    overlapped: bool,
    /// Whether clients of the live channel write beside the calls.
    has_peers: bool,
    /// How far each stream was read.
    read: BTreeMap<String, String>,
}

impl Watch {
    /// Notes that a client of the live channel connects. Its writes are no call's, so events of this
    /// deployment are not noted any more.
    pub(crate) fn has_peers(&self) {
        self.0.lock().has_peers = true;
    }

    pub(crate) fn begin(&self, app: &App) {
        if variable(FILE).is_none() {
            return;
        }
        let mut progress = self.0.lock();
        progress.overlapped = progress.under_way > 0;
        progress.under_way += 1;
        progress.events(app);
    }

    pub(crate) fn end(&self, app: &App, path: &str, is_end_user: bool, reply: &Reply) {
        let Some(file) = variable(FILE) else { return };
        let mut progress = self.0.lock();
        progress.under_way -= 1;
        let events = progress.events(app);
        let spec = specs().values().find(|spec| spec.paths.contains(&path));
        let Some(name) = spec.map(|spec| spec.name) else { return };
        let error: Value = serde_json::from_str(reply.text()).unwrap_or_default();
        // For every operation, data that an end user may not see do not exist: the credential says
        // so. It does not say that a call has to be repeated.
        let is_told = |status: &&str| !is_end_user || *status == "ABORTED";
        let status = error["error"]["status"].as_str().filter(is_told).map(str::to_owned);
        let is_anybodys = progress.overlapped || progress.has_peers;
        let events = if is_anybodys { BTreeSet::new() } else { events };
        note(&file, events.into_iter().chain(status).map(|said| format!("{name} {said}\n")));
    }
}

impl Progress {
    /// The types of the events that were made since the last call.
    fn events(&mut self, app: &App) -> BTreeSet<String> {
        let mut types = BTreeSet::new();
        for table in [Table::Resources, Table::Crdt].map(table_name) {
            loop {
                let after = self.read.get(&table).map(String::as_str);
                let page = app.embedded().stream(&table, after, 1000).expect("the stream");
                let Some(last) = page.last() else { break };
                self.read.insert(table.clone(), last.sequence.clone());
                let events = page.iter().flat_map(|record| events_of(&record.record));
                types.extend(events.filter_map(|event| name(&event["event"])));
            }
        }
        types
    }
}

/// The type of an event, as endpoints subscribe to it.
fn name(event: &Value) -> Option<String> {
    if event["endpointId"].is_string() {
        return event["change"].as_str().map(|change| format!("endpoint.{change}"));
    }
    event["event"].as_str().map(str::to_owned)
}

/// Adds lines to a file, each once.
fn note(file: &str, lines: impl Iterator<Item = String>) {
    static SEEN: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());
    let mut noted = SEEN.lock();
    let fresh: String = lines.filter(|line| noted.insert(line.clone())).collect();
    if fresh.is_empty() {
        return;
    }
    let file = File::options().append(true).create(true).open(file);
    let written = file.and_then(|mut file| file.write_all(fresh.as_bytes()));
    written.expect("the file of answers");
}

/// Documented or observed answers of operations: name, and status or type of an event.
pub type Answers = BTreeSet<(String, String)>;

/// The answers that were noted.
pub fn noted(text: &str) -> Answers {
    let words = text.lines().filter_map(|line| line.split_once(' '));
    words.map(|(name, said)| (name.to_owned(), said.to_owned())).collect()
}

/// The answers that the descriptions in openapi.json list under "Errors" and "Events".
pub fn documented(openapi: &Value) -> Answers {
    let mut found = Answers::new();
    for spec in specs().values() {
        let operation = &openapi["paths"][spec.paths[0]]["post"];
        let text = operation["description"].as_str().unwrap_or_default();
        let errors = section(text, "Errors").flat_map(str::lines);
        let errors = errors.filter_map(|line| line.strip_prefix("- ")?.split_once(": "));
        let errors = errors.map(|(status, _)| status).filter(|it| !it.contains(' '));
        let events =
            section(text, "Events").flat_map(|events| events.split('`').skip(1).step_by(2));
        let said = errors.chain(events);
        found.extend(said.map(|said| (spec.name.to_owned(), said.to_owned())));
    }
    found
}

/// The paragraph under a heading.
fn section<'a>(text: &'a str, title: &str) -> impl Iterator<Item = &'a str> {
    let heading = format!("**{title}**");
    let mut paragraphs = text.split("\n\n");
    paragraphs.find(|paragraph| *paragraph == heading);
    paragraphs.next().into_iter()
}
