//! Yjs clients belong to the users who first wrote under them.

use serde_json::{Value, json};
use service::Table;

use super::{Peer, base64, bytes, count, with};
use crate::{
    app::{App, Reply},
    end_users::{at, member, with_document, with_document_in_parts},
};

/// The editor `e` of the document `d`, which Ada and Mallory may edit.
async fn with_two() -> (App, String, String) {
    let app = with_document().await;
    let (ada, mallory) =
        (member(&app, "ada", "editor").await, member(&app, "mallory", "editor").await);
    (app, ada, mallory)
}

fn sent(updates: &[Vec<u8>]) -> Value {
    let updates: Vec<String> = updates.iter().map(|update| base64(update)).collect();
    at(json!({ "editorId": "e", "updates": updates }))
}

async fn push(app: &App, token: &str, updates: &[Vec<u8>]) -> Reply {
    app.caller().end_user(token).call("editors.updates_add", sent(updates)).await
}

async fn text(app: &App) -> Value {
    let sent = at(json!({ "editorId": "e", "contentKey": "content" }));
    app.call("editors.get", sent).await.data()[0]["data"].take()
}

/// The whole state of a document in one update, as y-indexeddb loads it.
fn everything(peer: &Peer) -> Vec<u8> {
    use yrs::{ReadTxn, StateVector, Transact};
    peer.0.transact().encode_state_as_update_v1(&StateVector::default())
}

/// The rows of clients: each with its user.
fn owners(app: &App) -> Vec<(String, Option<String>)> {
    let rows = app.items_of(Table::Crdt, &app.key).into_iter();
    let rows = rows.filter_map(|row| {
        let sort = row["SK"]["S"].as_str()?.to_owned();
        let client = sort.starts_with("crdt#d#client#").then(|| sort.rsplit('#').next())??;
        Some((client.to_owned(), row["by"]["S"].as_str().map(str::to_owned)))
    });
    rows.collect()
}

fn owned(client: &str, user: &str) -> (String, Option<String>) {
    (client.to_owned(), Some(user.to_owned()))
}

#[tokio::test]
async fn a_forged_struct_is_refused_and_the_text_of_its_victim_stays() {
    let (app, ada, mallory) = with_two().await;
    let victim = Peer::new(7);
    push(&app, &ada, &[victim.insert(0, "hello ")]).await.ok();
    let forger = Peer::new(7);
    forger.insert(0, "hello ");
    let forged = forger.insert(6, "FORGED words");
    let error =
        push(&app, &mallory, std::slice::from_ref(&forged)).await.error("PERMISSION_DENIED");
    let expected = "The Yjs client 7 belongs to another user; use a client id of your own.";
    assert_eq!(error["message"], expected);
    // Next to something of her own it is refused as well, and hers is stored.
    let own = Peer::new(8).insert(0, "x");
    push(&app, &mallory, &[own, forged]).await.error("PERMISSION_DENIED");
    push(&app, &ada, &[victim.insert(6, "honest words")]).await.ok();
    assert_eq!(text(&app).await, "hello honest wordsx");
    assert!(owners(&app).contains(&owned("7", "ada")));
}

#[tokio::test]
async fn a_client_belongs_to_its_first_user_within_one_editor() {
    let (app, ada, mallory) = with_two().await;
    push(&app, &mallory, &[Peer::new(7).insert(0, "x")]).await.ok();
    push(&app, &ada, &[Peer::new(7).insert(0, "longer")]).await.error("PERMISSION_DENIED");
    let other = with(sent(&[Peer::new(7).insert(0, "longer")]), json!({ "editorId": "other" }));
    app.caller().end_user(&ada).call("editors.updates_add", other).await.ok();
}

#[tokio::test]
async fn of_two_users_who_start_with_the_same_client_number_at_once_only_one_gets_it() {
    let (app, ada, mallory) = with_two().await;
    push(&app, &ada, &[Peer::new(1).insert(0, "x")]).await.ok();
    for (words, client) in (1..).zip(20..30) {
        let (first, second) =
            (Peer::new(client).insert(0, "first"), Peer::new(client).insert(0, "second"));
        let (first, second) = ([first], [second]);
        let calls = (push(&app, &ada, &first), push(&app, &mallory, &second));
        let (first, second) = futures_util::future::join(calls.0, calls.1).await;
        let statuses = [first.status(), second.status()];
        // The later call with fewer letters brings nothing that is not known.
        let is_one = [[200, 403], [403, 200], [200, 200]].contains(&statuses);
        assert!(is_one, "{statuses:?}");
        let text = text(&app).await.as_str().expect("a text").to_owned();
        let [firsts, seconds] = ["first", "second"].map(|word| text.matches(word).count());
        assert_eq!(firsts + seconds, words, "{text}");
        assert!(statuses != [200, 200] || text.starts_with("second"), "{text}");
    }
}

/// y-indexeddb loads the whole document, and the provider sends all of it.
#[tokio::test]
async fn a_peer_may_send_structs_of_others_again_but_none_that_are_unknown() {
    let (app, ada, bob) = with_two().await;
    let first = Peer::new(7);
    push(&app, &ada, &[first.insert(0, "of Ada")]).await.ok();
    let second = Peer::new(8);
    second.apply(&everything(&first));
    second.insert(6, ", of Bob");
    push(&app, &bob, &[everything(&second)]).await.ok();
    assert_eq!(text(&app).await, "of Ada, of Bob");
    push(&app, &ada, &[first.insert(0, "all ")]).await.ok();
    assert_eq!(text(&app).await, "all of Ada, of Bob");
    assert_eq!(owners(&app), [owned("7", "ada"), owned("8", "mallory")]);
    // Structs that all have are not written again.
    let log = count(&app, "log");
    push(&app, &bob, &[everything(&first)]).await.ok();
    assert_eq!(count(&app, "log"), log);
    // Structs that only Bob attributes to Ada are refused.
    let unsaid = first.insert(0, "unsaid ");
    second.apply(&everything(&first));
    push(&app, &bob, std::slice::from_ref(&unsaid)).await.error("PERMISSION_DENIED");
    push(&app, &bob, &[everything(&second)]).await.error("PERMISSION_DENIED");
    push(&app, &ada, &[unsaid]).await.ok();
    push(&app, &bob, &[everything(&second)]).await.ok();
}

/// The bytes of a forger are not stored beside the known ones, because a reader might take them
/// first.
#[tokio::test]
async fn known_structs_of_others_are_not_stored_again() {
    let (app, ada, mallory) = with_two().await;
    push(&app, &ada, &[Peer::new(7).insert(0, "hello")]).await.ok();
    let forger = Peer::new(7);
    forger.insert(0, "EVIL!");
    let own = Peer::new(8);
    own.apply(&everything(&forger));
    own.insert(5, "?");
    push(&app, &mallory, &[everything(&own)]).await.ok();
    assert_eq!(text(&app).await, "hello?");
    let state = app.call("editors.state_get", at(json!({ "editorId": "e" }))).await.data();
    let state = bytes(&state["update"]);
    assert!(!state.windows(4).any(|window| window == b"EVIL"));
    let rows = app.items_of(Table::Crdt, &app.key).into_iter();
    let log = rows.filter(|row| row["SK"]["S"].as_str().unwrap().contains("#log#"));
    for row in log {
        let stored = bytes(&row["data"]["B"]);
        assert!(!stored.windows(4).any(|window| window == b"EVIL"), "{row}");
    }
}

#[tokio::test]
async fn a_struct_that_waits_for_an_earlier_one_may_be_sent_again_by_other_users() {
    let (app, ada, bob) = with_two().await;
    push(&app, &ada, &[Peer::new(1).insert(0, "-")]).await.ok();
    let first = Peer::new(7);
    let updates = [first.insert(0, "a"), first.insert(1, "b")];
    push(&app, &ada, &updates[1..]).await.ok();
    let second = Peer::new(8);
    second.apply(&updates[1]);
    second.insert(0, "x");
    push(&app, &bob, &[updates[1].clone()]).await.ok();
    push(&app, &bob, &[everything(&second)]).await.ok();
    push(&app, &bob, &[updates[0].clone()]).await.error("PERMISSION_DENIED");
    push(&app, &ada, &updates[..1]).await.ok();
    let text = text(&app).await.as_str().expect("a text").replace('-', "");
    assert!(text == "xab" || text == "abx", "{text}");
}

#[tokio::test]
async fn the_server_of_the_tenant_may_send_updates_of_any_client_and_owns_no_client() {
    let (app, ada, mallory) = with_two().await;
    let victim = Peer::new(7);
    push(&app, &ada, &[victim.insert(0, "a")]).await.ok();
    app.call("editors.updates_add", sent(&[victim.insert(1, "b")])).await.ok();
    let relayed = Peer::new(9);
    app.call("editors.updates_add", sent(&[relayed.insert(0, "")])).await.ok();
    assert_eq!(text(&app).await, "ab");
    assert_eq!(owners(&app), [owned("7", "ada")]);
    push(&app, &mallory, &[relayed.insert(0, "x")]).await.ok();
}

#[tokio::test]
async fn a_user_cannot_write_new_structs_under_the_client_of_the_service() {
    let (app, ada, _) = with_two().await;
    let new = at(json!({ "editorId": "e", "type": "text", "data": "written" }));
    app.call("editors.add", new).await.ok();
    let heads = app.items_of(Table::Crdt, &app.key).into_iter();
    let head = heads.into_iter().find(|row| row["SK"]["S"] == "crdt#d#head#e").expect("a head");
    let service: u64 = head["client"]["N"].as_str().unwrap().parse().unwrap();
    let state = app.call("editors.state_get", at(json!({ "editorId": "e" }))).await.data();
    let peer = Peer::new(service);
    peer.apply(&bytes(&state["update"]));
    push(&app, &ada, &[everything(&peer)]).await.ok();
    push(&app, &ada, &[peer.insert(0, "FORGED")]).await.error("PERMISSION_DENIED");
    push(&app, &ada, &[Peer::new(service).insert(0, "FORGED and long")])
        .await
        .error("PERMISSION_DENIED");
    let replaced = at(json!({ "editorId": "e", "type": "text", "data": "again" }));
    app.call("editors.update", replaced).await.ok();
    assert_eq!(text(&app).await, "again");
}

#[tokio::test]
async fn an_update_brings_at_most_32_new_clients() {
    let (app, ada, bob) = with_two().await;
    let of = |clients: std::ops::Range<u64>| -> Vec<Vec<u8>> {
        clients.map(|client| Peer::new(client).insert(0, "x")).collect()
    };
    push(&app, &ada, &of(100..133)).await.error("RESOURCE_EXHAUSTED");
    push(&app, &ada, &of(100..132)).await.ok();
    push(&app, &ada, &of(200..233)).await.error("RESOURCE_EXHAUSTED");
    push(&app, &ada, &of(200..232)).await.ok();
    assert_eq!(owners(&app).len(), 64);
    // Known ones are not new, however many they are.
    push(&app, &bob, &[of(100..132), of(200..232)].concat()).await.ok();
    assert_eq!(owners(&app).len(), 64);
}

/// An editor of an earlier version has no rows that name the users of its clients.
#[tokio::test]
async fn a_client_of_an_earlier_version_belongs_to_the_next_user_who_writes_under_it() {
    let (app, ada, bob) = with_two().await;
    let first = Peer::new(7);
    push(&app, &ada, &[first.insert(0, "of Ada")]).await.ok();
    let rows = app.items_of(Table::Crdt, &app.key);
    for mut row in rows {
        let sort = row["SK"]["S"].as_str().unwrap().to_owned();
        if sort == "crdt#d#head#e" {
            row.as_object_mut().unwrap().remove("isOwned");
            crate::schedule::put(&app, Table::Crdt, &row).await;
        }
    }
    let repeated = Peer::new(20);
    push(&app, &ada, &[repeated.insert(0, "")]).await.ok();
    push(&app, &bob, &[everything(&first)]).await.ok();
    push(&app, &ada, &[first.insert(6, "!")]).await.ok();
    assert_eq!(text(&app).await, "of Ada!");
}

#[tokio::test]
async fn clients_are_removed_with_their_editor_and_lose_the_name_of_an_erased_user() {
    let (app, ada, mallory) = with_two().await;
    push(&app, &ada, &[Peer::new(7).insert(0, "x")]).await.ok();
    let erased = json!({ "userIds": ["ada"], "organizationIds": ["acme"] });
    app.call("user-data.delete", erased).await;
    app.settle().await;
    assert_eq!(owners(&app), [("7".to_owned(), None)]);
    let forged = Peer::new(7);
    forged.insert(0, "x");
    push(&app, &mallory, &[forged.insert(1, "y")]).await.error("PERMISSION_DENIED");
    let gone = at(json!({ "editorIds": ["e"] }));
    app.call("editors.delete", gone).await.ok();
    app.settle().await;
    assert_eq!(owners(&app), []);
}

/// Number of calls to the store, and consumed units, without the records of queues.
fn cost(app: &App) -> (Vec<String>, f64, f64) {
    let is_ours = |call: &&embedded::Call| call.service == embedded::Service::DynamoDb;
    let calls: Vec<embedded::Call> = app.calls().iter().filter(is_ours).cloned().collect();
    let of = |wanted: bool| {
        let reads = |name: &str| name.contains("Get") || name == "Query";
        let is_read = |call: &&embedded::Call| reads(&call.operation) == wanted;
        calls.iter().filter(is_read).map(|call| call.units).sum()
    };
    (calls.iter().map(|call| call.operation.clone()).collect(), of(true), of(false))
}

#[tokio::test]
async fn the_first_update_of_a_new_client_costs_one_write_more_than_the_next() {
    let app = with_document_in_parts().await;
    let ada = member(&app, "ada", "editor").await;
    push(&app, &ada, &[Peer::new(1).insert(0, "x")]).await.ok();
    // The admission is cached, and so is the owner of the first client.
    push(&app, &ada, &[Peer::new(1).insert(0, "x")]).await.ok();
    let peer = Peer::new(7);
    let mut costs = vec![];
    for n in 0..2 {
        let update = peer.insert(n, "y");
        app.forget_calls();
        push(&app, &ada, &[update]).await.ok();
        costs.push(cost(&app));
    }
    let puts = |n: usize| costs[n].0.iter().filter(|name| *name == "PutItem").count();
    assert_eq!((puts(0), puts(1)), (2, 1), "{costs:?}");
    assert!((costs[0].2 - costs[1].2 - 1.0).abs() < 0.01, "{costs:?}");
    // The owner of the client, who has announced it, and for whom it is kept.
    assert!((costs[0].1 - costs[1].1 - 2.0).abs() < 0.01, "{costs:?}");
}
