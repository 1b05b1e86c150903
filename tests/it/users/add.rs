use serde_json::{Value, json};

use super::{add, ids, users, with};
use crate::app::App;

#[tokio::test]
async fn the_members_sent_are_kept_and_the_organization_is_created() {
    let app = App::start().await;
    let user = json!({
        "userId": "u", "name": "ada", "email": "ada@example.com", "photoUrl": "https://x.example/a",
        "color": "#fff", "textColor": "#000", "type": "signedIn", "plan": "gold",
        "isReadOnly": false, "isAnonymous": false, "isGuest": true, "isAdmin": true,
        "accessRole": "viewer"
    });
    let sent = json!({ "organizationId": "o", "users": [user] });
    let data = app.call("users.add", sent).await.data();
    assert_eq!(data, json!({ "u": { "id": "u", "success": true, "message": "User added." } }));
    let expected = with(user, json!({ "initial": "A", "organizationId": "o" }));
    assert_eq!(users(&app, json!({})).await, [expected]);
    let organizations = json!({ "organizationIds": ["o"] });
    let organizations = app.call("organizations.get", organizations).await.data();
    assert_eq!(organizations.as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn a_user_added_again_is_replaced() {
    let app = App::start().await;
    add(&app, json!({}), &["u"]).await;
    let again = json!({ "organizationId": "o", "users": [{ "userId": "u", "plan": "gold" }] });
    app.call("users.add", again).await.ok();
    let expected =
        json!({ "userId": "u", "plan": "gold", "accessRole": "editor", "organizationId": "o" });
    assert_eq!(users(&app, json!({})).await, [expected]);
}

#[tokio::test]
async fn a_user_sent_twice_in_a_request_is_added_as_the_later_item_says() {
    let app = App::start().await;
    let sent = json!({ "organizationId": "o", "users": [
        { "userId": "u", "name": "first" }, { "userId": "u", "name": "second" },
    ] });
    let data = app.call("users.add", sent).await.data();
    assert_eq!(data.as_object().unwrap().len(), 1);
    assert_eq!(users(&app, json!({})).await[0]["name"], "second");
}

#[tokio::test]
async fn users_of_a_document_or_folder_are_not_users_of_the_organization() {
    let app = App::start().await;
    add(&app, json!({ "documentId": "x" }), &["d"]).await;
    add(&app, json!({ "folderId": "x" }), &["f"]).await;
    assert!(ids(&app, json!({})).await.is_empty());
    let of_document = users(&app, json!({ "documentId": "x" })).await;
    assert_eq!(of_document.len(), 1);
    assert_eq!(
        (&of_document[0]["userId"], &of_document[0]["documentId"]),
        (&json!("d"), &json!("x"))
    );
    assert_eq!(of_document[0].get("folderId"), None);
    let of_folder = users(&app, json!({ "folderId": "x" })).await;
    assert_eq!((&of_folder[0]["userId"], &of_folder[0]["folderId"]), (&json!("f"), &json!("x")));
}

#[tokio::test]
async fn a_document_or_folder_must_exist_unless_it_is_to_be_created() {
    let app = App::start().await;
    for at in [json!({ "documentId": "x" }), json!({ "folderId": "x" })] {
        let sent = with(json!({ "organizationId": "o", "users": [{ "userId": "u" }] }), at.clone());
        let data = app.call("users.add", sent).await.data();
        assert_eq!(data["u"]["success"], false, "{at}");
        assert_eq!(data["u"]["id"], "u");
        assert_eq!(data["u"].get("code"), None);
        assert!(ids(&app, at.clone()).await.is_empty());
        add(&app, at.clone(), &["u"]).await;
        assert_eq!(ids(&app, at).await, ["u"]);
    }
    // The flag of the one does not create the other.
    let sent = json!({
        "organizationId": "o", "documentId": "y", "createFolder": true, "users": [{ "userId": "u" }]
    });
    assert_eq!(app.call("users.add", sent).await.data()["u"]["success"], false);
}

#[tokio::test]
async fn an_existing_document_is_not_changed_by_adding_users_to_it() {
    let app = App::start().await;
    let document = json!({ "documentId": "d", "documentName": "Plan" });
    let sent =
        json!({ "organizationId": "o", "createOrganization": true, "documents": [document] });
    app.call("documents.add", sent).await.ok();
    add(&app, json!({ "documentId": "d" }), &["u"]).await;
    let documents = app.call("documents.get", json!({ "organizationId": "o" })).await.data();
    assert_eq!(documents[0]["documentName"], "Plan");
}

#[tokio::test]
async fn a_document_and_a_folder_together_are_refused() {
    let app = App::start().await;
    let sent = json!({
        "organizationId": "o", "documentId": "d", "folderId": "f", "users": [{ "userId": "u" }]
    });
    let error = app.call("users.add", sent).await.error("INVALID_ARGUMENT");
    assert_eq!(error["details"]["issues"][0]["path"], json!(["data", "folderId"]));
}

#[tokio::test]
async fn a_malformed_user_is_named_and_nobody_is_added() {
    let app = App::start().await;
    let wrong = [
        (json!({ "accessRole": "owner" }), "accessRole"),
        (json!({ "email": 1 }), "email"),
        (json!({ "email": "x".repeat(1001) }), "email"),
        (json!({ "name": 1 }), "name"),
        (json!({ "isAdmin": "yes" }), "isAdmin"),
        (json!({ "userId": "" }), "userId"),
        (json!({ "userId": null }), "userId"),
    ];
    for (members, name) in wrong {
        let user = with(json!({ "userId": "v" }), members);
        let sent = json!({ "organizationId": "o", "users": [{ "userId": "u" }, user] });
        let error = app.call("users.add", sent).await.error("INVALID_ARGUMENT");
        let path = &error["details"]["issues"][0]["path"];
        assert_eq!(*path, json!(["data", "users", 1, name]), "{error}");
    }
    assert!(ids(&app, json!({})).await.is_empty());
}

#[tokio::test]
async fn the_v1_path_neither_sets_nor_changes_a_role() {
    let app = App::start().await;
    let add = async |path: &str, role: Value| {
        let sent =
            json!({ "organizationId": "o", "users": [{ "userId": "u", "accessRole": role }] });
        app.call_at(path, sent).await.ok();
        users(&app, json!({})).await[0]["accessRole"].clone()
    };
    assert_eq!(add("/v1/users/add", json!("viewer")).await, "editor");
    assert_eq!(add("/v2/users/add", json!("viewer")).await, "viewer");
    assert_eq!(add("/v1/users/add", json!("editor")).await, "viewer");
    assert_eq!(add("/v1/users/add", json!(null)).await, "viewer");
    assert_eq!(add("/v2/users/add", json!(null)).await, "viewer");
    assert_eq!(add("/v2/users/add", json!("editor")).await, "editor");
}

#[tokio::test]
async fn calls_without_a_role_do_not_change_a_role_set_at_the_same_time() {
    let app = App::start().await;
    let role = async |path: &str, role: Value| {
        let users: Vec<Value> = ["a", "b", "c"]
            .map(|id| json!({ "userId": id, "name": "x", "accessRole": role }))
            .into();
        let sent = json!({ "organizationId": "o", "users": users });
        app.call_at(path, sent).await.ok()
    };
    for (sent, path) in [("viewer", "/v1/users/add"), ("editor", "/v2/users/add")] {
        role("/v2/users/add", json!("viewer")).await;
        let quietly = || role(path, json!(null));
        let changes = role("/v2/users/add", json!(sent));
        let (results, _) = futures_util::join!(
            futures_util::future::join_all((0..4).map(|_| quietly())),
            changes,
        );
        assert!(results.iter().all(|it| !it.to_string().contains("false")), "{results:?}");
        // Whichever call came last at that moment, this one comes later.
        quietly().await;
        let found = users(&app, json!({})).await;
        assert!(found.iter().all(|user| user["accessRole"] == sent), "{found:?}");
    }
}

#[tokio::test]
async fn a_batch_has_1_to_500_users_and_is_written_in_batches() {
    let app = App::start().await;
    let batch = |n: usize| {
        let users: Vec<Value> = (0..n).map(|n| json!({ "userId": format!("u{n}") })).collect();
        json!({ "organizationId": "o", "users": users })
    };
    for n in [0, 501] {
        app.call("users.add", batch(n)).await.error("INVALID_ARGUMENT");
    }
    app.forget_calls();
    let data = app.call("users.add", batch(500)).await.data();
    assert_eq!(data.as_object().unwrap().len(), 500);
    // The organization, the users and their departures.
    assert!(app.calls().len() <= 1001_usize.div_ceil(100) + 500 / 25 + 3, "{}", app.calls().len());
    assert_eq!(ids(&app, json!({})).await.len(), 500);
}

#[tokio::test]
async fn addresses_are_stored_as_sent_and_an_empty_one_is_none() {
    let app = App::start().await;
    for (sent, shown) in
        [("", None), ("a@b", Some("a@b")), ("user@localhost", Some("user@localhost"))]
    {
        let user = json!({ "userId": "u", "email": sent });
        let data = app.call("users.add", json!({ "organizationId": "o", "users": [user] })).await;
        assert_eq!(data.data()["u"]["success"], true);
        let user = users(&app, json!({})).await.remove(0);
        assert_eq!(user.get("email").and_then(Value::as_str), shown, "{sent}");
    }
}
