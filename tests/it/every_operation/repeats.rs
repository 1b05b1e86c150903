//! Calls with an `Idempotency-Key` (decision 24).

use std::time::Duration;

use embedded::{Effect as Harm, Fault};
use roundtable::table_name;
use serde_json::{Value, json};
use service::{Effect, IDEMPOTENCY_KEY, Spec, Table};
use tests::Reply;

use crate::app::{App, cost::Cost, specs};

/// Operations that write.
fn writing() -> impl Iterator<Item = &'static Spec> {
    specs().values().filter(|spec| spec.effect != Effect::Reads)
}

/// All stored data.
fn stored(app: &App) -> Vec<Vec<Value>> {
    Table::ALL.map(|table| app.embedded().dump(&table_name(table)).expect("a dump")).into()
}

fn is_repeated(reply: &Reply) -> bool {
    reply.header("idempotent-replayed").is_some_and(|value| value == "true")
}

async fn named(app: &App, name: &str, operation: &str, data: Value) -> Reply {
    app.caller().header(IDEMPOTENCY_KEY, name).call(operation, data).await
}

/// A thread whose id is generated: each call makes another one.
fn thread() -> Value {
    json!({ "organizationId": "acme", "documentId": "welcome", "commentAnnotations": [
        { "commentData": [{ "commentText": "Why?", "from": { "userId": "ada" } }] },
    ] })
}

/// A job whose id is generated, by a call that fails as a whole.
async fn erase(app: &App, name: &str) -> Reply {
    named(app, name, "user-data.delete", json!({ "userIds": ["nobody"] })).await
}

#[tokio::test]
async fn a_call_repeated_with_its_idempotency_key_changes_nothing_and_gets_the_first_reply() {
    for spec in writing() {
        let (app, second) = App::sample_world().await;
        let body = app.sample_body(&spec.binary(), &second);
        let caller = app.caller().header(IDEMPOTENCY_KEY, "a");
        let first = caller.body_at(spec.paths[0], body.clone()).await;
        first.ok();
        assert!(!is_repeated(&first), "{}", spec.name);
        let before = stored(&app);
        app.forget_calls();
        let again = caller.body_at(spec.paths[0], body.clone()).await;
        assert!(is_repeated(&again), "{}: {}", spec.name, again.text());
        assert_eq!((again.status(), again.text()), (200, first.text()), "{}", spec.name);
        assert_eq!(stored(&app), before, "{}", spec.name);
        let cost = Cost::of(&app.calls());
        assert_eq!((cost.writes, cost.sends), (1, 0), "{}: {cost:?}", spec.name);
        // Another body, if only by a space.
        let other = caller.body_at(spec.paths[0], format!("{body} ")).await;
        other.error("INVALID_ARGUMENT");
        assert_eq!(stored(&app), before, "{}", spec.name);
    }
}

#[tokio::test]
async fn of_simultaneous_calls_with_one_idempotency_key_one_is_made() {
    for spec in writing() {
        let (app, second) = App::sample_world().await;
        let body = app.sample_body(&spec.binary(), &second);
        let caller = app.caller().header(IDEMPOTENCY_KEY, "a");
        let calls = (0..4).map(|_| caller.body_at(spec.paths[0], body.clone()));
        let replies = futures_util::future::join_all(calls).await;
        let made = replies.iter().find(|reply| reply.status() == 200 && !is_repeated(reply));
        let made = made.unwrap_or_else(|| panic!("{}: {replies:?}", spec.name)).text();
        let mut count = 0;
        for reply in &replies {
            match reply.status() {
                200 if is_repeated(reply) => assert_eq!(reply.text(), made, "{}", spec.name),
                200 => count += 1,
                _ => drop(reply.error("ABORTED")),
            }
        }
        assert_eq!(count, 1, "{}: {replies:?}", spec.name);
    }
}

#[tokio::test]
async fn an_idempotency_key_costs_two_writes_on_a_write_and_none_on_a_read() {
    let (app, _) = App::sample_world().await;
    let mut costs = vec![];
    for name in [None, Some("a")] {
        app.forget_calls();
        let caller = name.iter().fold(app.caller(), |it, name| it.header(IDEMPOTENCY_KEY, name));
        caller.call("comments.annotations_add", thread()).await.ok();
        costs.push(Cost::of(&app.calls()));
    }
    let [without, with] = costs[..] else { panic!("two costs") };
    assert_eq!((with.reads, with.writes), (without.reads, without.writes + 2));
    assert!(with.write_units <= without.write_units + 2.0, "{with:?} {without:?}");
    // A read has no use for a name, and pays nothing for it.
    app.forget_calls();
    named(&app, "a", "organizations.get", json!({})).await.ok();
    assert_eq!(Cost::of(&app.calls()).writes, 0);
}

#[tokio::test]
async fn an_idempotency_key_holds_for_one_tenant_one_operation_and_24_hours() {
    let (app, second) = App::sample_world().await;
    let first = named(&app, "a", "comments.annotations_add", thread()).await;
    let other = app.caller().key(&second).header(IDEMPOTENCY_KEY, "a");
    for reply in [
        other.call("comments.annotations_add", thread()).await,
        named(&app, "b", "comments.annotations_add", thread()).await,
        named(&app, "A", "comments.annotations_add", thread()).await,
        named(
            &app,
            "a",
            "organizations.add",
            json!({ "organizations": [{ "organizationId": "x" }] }),
        )
        .await,
    ] {
        reply.ok();
        assert!(!is_repeated(&reply), "{}", reply.text());
    }
    // The time of the tenant is another than real time.
    app.call("schedule.test_clock_advance", json!({ "seconds": 90_000 })).await.ok();
    app.advance(Duration::from_secs(24 * 60 * 60 - 60));
    let again = named(&app, "a", "comments.annotations_add", thread()).await;
    assert!(is_repeated(&again) && again.text() == first.text());
    app.advance(Duration::from_secs(61));
    let anew = named(&app, "a", "comments.annotations_add", thread()).await;
    anew.ok();
    assert!(!is_repeated(&anew) && anew.text() != first.text());
}

#[tokio::test]
async fn a_lasting_failure_is_repeated_and_a_temporary_failure_is_tried_again() {
    let (app, _) = App::sample_world().await;
    let comment = json!({ "organizationId": "acme", "documentId": "welcome",
        "annotationId": "later", "commentData": [{ "from": { "userId": "ada" } }] });
    let missing = named(&app, "a", "comments.add", comment.clone()).await;
    missing.error("NOT_FOUND");
    let again = named(&app, "a", "comments.add", comment).await;
    again.error("NOT_FOUND");
    assert!(is_repeated(&again) && !is_repeated(&missing));
    assert_eq!(again.text(), missing.text());

    // A malformed request is refused before anything is stored.
    named(&app, "b", "comments.annotations_add", json!({})).await.error("INVALID_ARGUMENT");
    named(&app, "b", "comments.annotations_add", thread()).await.ok();

    // The claim is written, then the store fails for as long as it is asked for the job.
    let harm = Harm::InternalError;
    app.fault(Fault { operation: "PutItem".to_owned(), skip: 1, times: 3, effect: harm });
    erase(&app, "c").await.error("UNAVAILABLE");
    app.embedded().clear_faults();
    let repeated = erase(&app, "c").await;
    repeated.ok();
    assert!(!is_repeated(&repeated));
}

#[tokio::test]
async fn an_idempotency_key_is_blocked_for_30_seconds_after_a_crash() {
    let (app, _) = App::sample_world().await;
    // Nothing can be written after the claim: neither the job nor that it failed.
    let harm = Harm::InternalError;
    app.fault(Fault { operation: "PutItem".to_owned(), skip: 1, times: 100, effect: harm });
    erase(&app, "a").await.error("UNAVAILABLE");
    app.embedded().clear_faults();
    app.advance(Duration::from_secs(29));
    erase(&app, "a").await.error("ABORTED");
    app.advance(Duration::from_secs(2));
    let repeated = erase(&app, "a").await;
    repeated.ok();
    assert!(!is_repeated(&repeated));
}

#[tokio::test]
async fn a_call_succeeds_when_the_reply_to_its_claim_is_lost() {
    let (app, _) = App::sample_world().await;
    let harm = Harm::LoseReply;
    app.fault(Fault { operation: "PutItem".to_owned(), skip: 0, times: 1, effect: harm });
    let reply = named(&app, "a", "comments.annotations_add", thread()).await;
    reply.ok();
    assert!(!is_repeated(&reply));
}

#[tokio::test]
async fn an_idempotency_key_has_1_to_255_visible_characters() {
    let (app, _) = App::sample_world().await;
    for name in ["x".repeat(256), String::new()] {
        named(&app, &name, "comments.annotations_add", thread()).await.error("INVALID_ARGUMENT");
    }
    for name in ["x".repeat(255), "a#named-call#b%\"/ ~".to_owned()] {
        let first = named(&app, &name, "comments.annotations_add", thread()).await;
        let again = named(&app, &name, "comments.annotations_add", thread()).await;
        assert!(is_repeated(&again) && again.text() == first.text(), "{name}");
    }
}

#[tokio::test]
async fn stored_replies_are_sealed_and_large_ones_compressed() {
    let (app, _) = App::sample_world().await;
    let sent =
        json!({ "ownerEmail": "owner@example.com", "type": "testing", "createAuthToken": true });
    let created = named(&app, "a", "workspace.api_key_create", sent.clone()).await;
    let key = created.data()["apiKey"].as_str().expect("a key").to_owned();
    let rows = app.embedded().dump(&table_name(Table::Realtime)).expect("a dump");
    let kept = rows.iter().filter(|row| row["SK"]["S"] == "operation#workspace.api_key_create");
    let kept: Vec<String> = kept.map(Value::to_string).collect();
    assert!(kept.len() == 1 && !kept[0].contains(&key), "{kept:?}");
    let again = named(&app, "a", "workspace.api_key_create", sent).await;
    assert!(is_repeated(&again) && again.text() == created.text());

    let users: Vec<Value> =
        (0..500).map(|n| json!({ "userId": format!("{n:0250}"), "name": "x" })).collect();
    let sent = json!({ "organizationId": "acme", "users": users });
    let added = named(&app, "a", "users.add", sent.clone()).await;
    assert!(added.text().len() > 250_000);
    app.forget_calls();
    let again = named(&app, "a", "users.add", sent).await;
    assert!(is_repeated(&again) && again.text() == added.text());
    let rows = app.items_of(Table::Realtime, &app.key);
    let size = rows.iter().map(|row| row["body"]["S"].as_str().unwrap_or_default().len()).max();
    assert!(size.expect("a row") < 50_000, "{size:?}");
}
