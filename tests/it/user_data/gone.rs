//! Erasures of users whom deleted documents and organizations still name: their clean-up is pending,
//! has failed, or was interrupted.

use embedded::{Effect, Fault};
use serde_json::{Value, json};
use service::Table;

use super::{
    add_thread, call, delete,
    erase::{traces, world},
    finish, person, status,
};
use crate::app::App;

/// Data of zoe everywhere, also in an archive and in custom members; the workers have done everything.
async fn filled() -> App {
    let app = world().await;
    let comments = |ids: std::ops::Range<u64>| {
        let comment = |id: u64| {
            let by = if id.is_multiple_of(2) { "zoe" } else { "bob" };
            json!({ "commentId": id, "from": person(by), "commentText": "Some words." })
        };
        json!(ids.map(comment).collect::<Vec<Value>>())
    };
    add_thread(&app, "d", json!({ "annotationId": "long", "commentData": comments(1..2) })).await;
    let more =
        json!({ "documentId": "d", "annotationId": "long", "commentData": comments(2..200) });
    call(&app, "comments.add", more).await;
    let custom = json!({ "documents": [{ "documentId": "e", "owner": person("zoe") }] });
    call(&app, "documents.update", custom).await;
    app.settle().await;
    assert!(named(&app, "archived#") > 0);
    app
}

/// How many items of a kind name zoe.
fn named(app: &App, kind: &str) -> usize {
    let items = app.items_of(Table::Resources, &app.key).into_iter();
    let items = items.filter(|item| item["SK"]["S"].as_str().unwrap().starts_with(kind));
    items.filter(|item| item.to_string().contains("zoe")).count()
}

async fn delete_organization(app: &App) {
    app.call("organizations.delete", json!({ "organizationIds": ["acme"] })).await.ok();
}

async fn add_again(app: &App) {
    let again = json!({
        "organizationId": "acme", "createOrganization": true,
        "documents": [{ "documentId": "d" }],
    });
    app.call("documents.add", again).await.ok();
}

/// Erases zoe without the clean-up of what was deleted before, which never comes.
async fn erase_alone(app: &App, moment: &str) {
    app.skip_records().await;
    let job = delete(app, &["zoe"]).await;
    finish(app).await;
    assert_eq!(status(app, &job).await["isDeleteCompleted"], true, "{moment}");
    assert_eq!(traces(app, "zoe"), Vec::<String>::new(), "{moment}");
}

#[tokio::test]
async fn an_erasure_reaches_deleted_documents_whose_clean_up_never_came() {
    for is_added_again in [false, true] {
        let app = filled().await;
        call(&app, "documents.delete", json!({ "documentIds": ["d", "e"] })).await;
        if is_added_again {
            add_again(&app).await;
        }
        assert!(named(&app, "annotation#") > 0 && named(&app, "archived#") > 0);
        erase_alone(&app, &format!("added again: {is_added_again}")).await;
    }
}

#[tokio::test]
async fn an_erasure_reaches_deleted_organizations_whose_clean_up_never_came() {
    for is_added_again in [false, true] {
        let app = filled().await;
        delete_organization(&app).await;
        if is_added_again {
            add_again(&app).await;
        }
        assert!(named(&app, "annotation#") > 0 && named(&app, "document#e") > 0);
        erase_alone(&app, &format!("added again: {is_added_again}")).await;
    }
}

/// One message of the clean-up of an event, of which a request fails, and each after that.
async fn clean_up_until(app: &App, event: Value, request: usize) {
    let message = json!({ "event": event, "at": app.now() - 1 });
    let body = json!({ "tenant": app.key.api_key, "message": message }).to_string();
    let effect = Effect::InternalError;
    app.fault(Fault { operation: "*".to_owned(), skip: request, times: 1_000, effect });
    let records = json!({ "Records": [{ "messageId": "m", "body": body }] });
    app.stack().run_worker("cleanup.sweep", records).await.expect("the worker");
    app.embedded().clear_faults();
}

/// The rows that a clean-up removes first do not hide the rest.
#[tokio::test]
async fn an_erasure_reaches_what_an_interrupted_clean_up_has_left() {
    for request in [6, 16, 30, 10_000] {
        let app = filled().await;
        call(&app, "documents.delete", json!({ "documentIds": ["d"] })).await;
        let event =
            json!({ "type": "document.delete", "organizationId": "acme", "documentId": "d" });
        clean_up_until(&app, event, request).await;
        erase_alone(&app, &format!("a document, request {request}")).await;
        let app = filled().await;
        delete_organization(&app).await;
        let event = json!({ "type": "organization.delete", "organizationId": "acme" });
        clean_up_until(&app, event, request).await;
        erase_alone(&app, &format!("the organization, request {request}")).await;
    }
}

/// The organization whose clean-up has ended is nobody's: a job does not begin it anew.
#[tokio::test]
async fn an_erasure_writes_nothing_into_an_organization_whose_clean_up_has_ended() {
    let app = filled().await;
    delete_organization(&app).await;
    app.clean_up().await;
    let own = || {
        let items = app.items_of(Table::Resources, &app.key).into_iter();
        let items = items.map(|item| item["PK"]["S"].as_str().unwrap().to_owned());
        items.filter(|partition| partition.contains("#organization#acme")).count()
    };
    assert_eq!(own(), 0);
    delete(&app, &["zoe"]).await;
    finish(&app).await;
    assert_eq!(own(), 0);
}
