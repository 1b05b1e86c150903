//! Data of shared editors (contract `editors`). Peers are documents of another library instance
//! that exchange updates like a browser.

mod add;
mod authors_get;
mod changes_get;
mod changes_revert;
mod clients;
mod compact;
mod delete;
mod forms;
mod get;
mod history;
pub(crate) mod hostile;
mod limits;
mod many;
mod pending;
pub(crate) mod readable;
mod state_get;
mod types;
mod update;
mod updates_add;
mod versions_add;
mod versions_delete;
mod versions_get;
mod versions_list;
mod versions_restore;
mod versions_update;

use base64::{Engine, engine::general_purpose::STANDARD};
use serde_json::{Value, json};
use service::Table;
use simulator::Dice;
use yrs::{
    ClientID, Doc, GetString, OffsetKind, Options, ReadTxn, StateVector, Text, Transact, Update,
    updates::{decoder::Decode, encoder::Encode},
};

use crate::app::{App, Reply};

/// A text that compresses to no less than three quarters.
pub(crate) fn noise(len: usize) -> String {
    let mut dice = Dice::new(1);
    (0..len).map(|_| char::from(b'0' + dice.below(64) as u8)).collect()
}

/// Ids of an editor in the test document.
fn of(editor: &str) -> Value {
    json!({ "organizationId": "o", "documentId": "d", "editorId": editor })
}

fn with(mut sent: Value, members: Value) -> Value {
    for (name, value) in members.as_object().unwrap() {
        sent[name] = value.clone();
    }
    sent
}

async fn add(app: &App, editor: &str, kind: &str, data: Value) {
    let sent = with(of(editor), json!({ "type": kind, "data": data }));
    app.call("editors.add", sent).await.ok();
}

async fn update(app: &App, editor: &str, kind: &str, data: Value) -> Reply {
    app.call("editors.update", with(of(editor), json!({ "type": kind, "data": data }))).await
}

/// The reply for an editor.
async fn view(app: &App, editor: &str) -> Value {
    app.call("editors.get", of(editor)).await.data()[0].take()
}

/// The content of an editor.
async fn data(app: &App, editor: &str) -> Value {
    view(app, editor).await["data"].take()
}

/// A deployment with a text editor `e`.
async fn with_text(text: &str) -> App {
    let app = App::start().await;
    add(&app, "e", "text", json!(text)).await;
    app
}

/// The sort keys of all rows of editors.
fn stored(app: &App) -> Vec<String> {
    let items = app.items_of(Table::Crdt, &app.key);
    let sorts = items.into_iter().map(|item| item["SK"]["S"].as_str().unwrap().to_owned());
    // A document stays listed, with the number of its editors, until it goes.
    let is_left = |sort: &str| sort.starts_with("listed#") || sort.ends_with("#editor-count");
    sorts.filter(|sort| !is_left(sort)).collect()
}

/// Number of rows of a kind, such as `log`.
fn count(app: &App, part: &str) -> usize {
    stored(app).iter().filter(|sort| sort.split('#').nth(2) == Some(part)).count()
}

/// The events of editors, in order.
fn events(app: &App) -> Vec<Value> {
    let stored = app.events().into_iter();
    stored.filter(|stored| stored["event"]["event"] == "crdt.update_data").collect()
}

/// Runs the worker for editor `e`; returns whether it succeeded.
async fn work(app: &App, task: &str) -> bool {
    work_on(app, with(of("e"), json!({ "task": task }))).await
}

async fn work_on(app: &App, message: Value) -> bool {
    let body = json!({ "tenant": app.key.api_key, "message": message }).to_string();
    let event = json!({ "Records": [{ "messageId": "1", "body": body }] });
    let answer = app.stack().run_worker("editors.compact", event).await.expect("the worker");
    answer["batchItemFailures"] == json!([])
}

fn base64(bytes: &[u8]) -> String {
    STANDARD.encode(bytes)
}

fn bytes(value: &Value) -> Vec<u8> {
    STANDARD.decode(value.as_str().expect("base64")).expect("base64")
}

/// An editor in a browser, whose text is under `content`.
struct Peer(Doc);

impl Peer {
    fn new(client: u64) -> Self {
        Self(Doc::with_options(Options {
            client_id: ClientID::new(client),
            offset_kind: OffsetKind::Utf16,
            ..Options::default()
        }))
    }

    /// Inserts a text; returns the update of it.
    fn insert(&self, at: u32, text: &str) -> Vec<u8> {
        let content = self.0.get_or_insert_text("content");
        let mut txn = self.0.transact_mut();
        content.insert(&mut txn, at, text);
        txn.encode_update_v1()
    }

    /// Deletes a text; returns the update of it.
    fn remove(&self, at: u32, len: u32) -> Vec<u8> {
        let content = self.0.get_or_insert_text("content");
        let mut txn = self.0.transact_mut();
        content.remove_range(&mut txn, at, len);
        txn.encode_update_v1()
    }

    fn text(&self) -> String {
        let content = self.0.get_or_insert_text("content");
        content.get_string(&self.0.transact())
    }

    fn vector(&self) -> StateVector {
        self.0.transact().state_vector()
    }

    fn apply(&self, update: &[u8]) {
        let update = Update::decode_v1(update).expect("an update");
        self.0.transact_mut().apply_update(update).expect("an update that fits");
    }

    /// Fetches missing updates, as many replies as it takes.
    async fn pull(&self, app: &App) -> Value {
        loop {
            let vector = base64(&self.vector().encode_v1());
            let sent = with(of("e"), json!({ "stateVector": vector }));
            let state = app.call("editors.state_get", sent).await.data();
            self.apply(&bytes(&state["update"]));
            if state["isComplete"] == true {
                return state;
            }
        }
    }
}

/// Sends updates of a peer.
async fn push(app: &App, updates: &[Vec<u8>]) -> Reply {
    let updates: Vec<String> = updates.iter().map(|update| base64(update)).collect();
    app.call("editors.updates_add", with(of("e"), json!({ "updates": updates }))).await
}

/// Sends an update of a peer whose user the tenant's server names.
async fn push_by(app: &App, user: &str, update: Vec<u8>) {
    let sent = json!({ "updates": [base64(&update)], "userId": user });
    app.call("editors.updates_add", with(of("e"), sent)).await.ok();
}

/// The versions of editor `e`, the newest first.
async fn versions(app: &App) -> Vec<Value> {
    app.call("editors.versions_list", of("e")).await.data().as_array().expect("a list").clone()
}

/// Adds a version of editor `e`; returns its id.
async fn add_version(app: &App, name: &str) -> String {
    let sent = with(of("e"), json!({ "name": name, "userId": "ada" }));
    let version = app.call("editors.versions_add", sent).await.data();
    version["versionId"].as_str().expect("an id").to_owned()
}

/// The text of editor `e` as it was at a version or a time.
async fn text_at(app: &App, point: Value) -> Value {
    let sent = with(with(of("e"), json!({ "format": "text" })), point);
    app.call("editors.versions_get", sent).await.data()["content"]["data"].take()
}

/// Users and numbers of edits of versions.
fn shown<'a>(versions: &'a [Value]) -> Vec<(Vec<&'a str>, u64)> {
    let users = |version: &'a Value| {
        version["userIds"].as_array().unwrap().iter().map(|user| user.as_str().unwrap()).collect()
    };
    versions.iter().map(|version| (users(version), version["edits"].as_u64().unwrap())).collect()
}
