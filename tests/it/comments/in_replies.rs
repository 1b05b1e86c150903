//! Members that only replies have.

use serde_json::{Value, json};

use super::{add_to, at, by, find, list, start, with_thread};

#[tokio::test]
async fn typed_clients_find_lists_and_flags_that_are_empty_here() {
    let app = with_thread().await;
    let thread = find(&app, "a").await;
    assert_eq!(thread["customList"], json!([]));
    assert_eq!(thread["subscribedGroups"], json!({}));
    assert_eq!(thread["hasDraftComments"], false);
    assert_eq!(thread.get("locationId"), None, "it has no location");
    let sent = super::thread(json!({}));
    let comments = app.call("comments.get", sent).await.data();
    for comment in [&thread["comments"][0], &comments[0]] {
        for member in ["customList", "recorders", "toOrganizationUserGroup"] {
            assert_eq!(comment[member], json!([]), "{member}");
        }
    }
}

#[tokio::test]
async fn a_thread_has_its_position_in_the_list() {
    let app = start().await;
    for (id, document) in [("a", "d"), ("b", "d"), ("c", "e")] {
        add_to(&app, document, json!({ "annotationId": id, "commentData": [by("ada")] })).await;
    }
    let place = |it: &Value| (it["annotationId"].clone(), it["annotationIndex"].clone());
    let listed = list(&app, json!({ "order": "asc" })).await;
    let places: Vec<_> = listed.iter().map(place).collect();
    assert_eq!(places, [("a", 1), ("b", 2), ("c", 3)].map(|(id, n)| (json!(id), json!(n))));
    let grouped = json!({
        "organizationId": "o", "documentIds": ["d", "e"], "groupByDocumentId": true, "order": "asc",
    });
    let grouped = app.call("comments.annotations_get", grouped).await.data();
    assert_eq!(place(&grouped["d"][1]), (json!("b"), json!(2)));
    assert_eq!(place(&grouped["e"][0]), (json!("c"), json!(1)));
    let named = json!({ "documentId": "d", "annotationIds": ["nope", "b"] });
    assert_eq!(list(&app, named).await[1]["annotationIndex"], 2);
}

#[tokio::test]
async fn equal_locations_have_one_number_which_reactions_have_too() {
    let app = start().await;
    let location = json!({ "id": "intro", "page": 1 });
    for (id, location) in [
        ("a", location.clone()),
        ("b", location.clone()),
        ("c", json!({ "id": "intro", "page": 2 })),
    ] {
        let thread = json!({
            "annotationId": id, "location": location, "context": { "k": 1 },
            "commentData": [{ "commentId": 1, "from": { "userId": "ada" } }],
        });
        add_to(&app, "d", thread).await;
    }
    let heart = json!({ "commentId": 1, "icon": "HEART", "from": { "userId": "bob" } });
    app.call("comments.reactions_add", super::thread(heart)).await.ok();
    let [a, b, c] = [find(&app, "a").await, find(&app, "b").await, find(&app, "c").await];
    assert!(a["locationId"].as_u64().is_some_and(|it| it < 1 << 53));
    assert_eq!(a["locationId"], b["locationId"]);
    assert_ne!(a["locationId"], c["locationId"]);
    let reaction = &a["comments"][0]["reactionAnnotations"][0];
    assert_eq!(reaction["location"], location);
    assert_eq!(reaction["locationId"], a["locationId"]);
    assert_eq!(reaction["context"], json!({ "k": 1 }));
}

#[tokio::test]
async fn default_statuses_have_an_icon_unless_one_is_sent() {
    let app = start().await;
    let own = json!({ "id": "LATER", "name": "Later", "type": "ongoing" });
    for (id, status) in [
        ("a", json!({ "id": "OPEN" })),
        ("b", json!({ "id": "RESOLVED" })),
        ("c", json!({ "id": "OPEN", "iconUrl": "https://example.com/i.svg" })),
        ("d", own.clone()),
    ] {
        let thread = json!({ "annotationId": id, "status": status, "commentData": [by("ada")] });
        add_to(&app, "d", thread).await;
    }
    for (id, has_icon) in [("a", true), ("b", true), ("c", false), ("d", false)] {
        let status = find(&app, id).await["status"].clone();
        let icon = status["svg"].as_str();
        assert_eq!(icon.is_some_and(|icon| icon.starts_with("<svg ")), has_icon, "{id}: {status}");
    }
    let status = find(&app, "d").await["status"].clone();
    assert_eq!((&status["color"], &status["lightColor"]), (&json!("#F5A623"), &json!("#FEF5E7")));
    let update = at("d", json!({ "annotationIds": ["a"], "updatedData": { "status": own } }));
    app.call("comments.annotations_update", update).await.ok();
    assert_eq!(find(&app, "a").await["status"]["color"], "#F5A623");
}

#[tokio::test]
async fn a_comment_names_the_groups_that_it_mentions() {
    let app = start().await;
    let groups = json!({
        "organizationId": "o",
        "organizationUserGroups": [{ "groupId": "writers", "groupName": "Writers" }],
    });
    app.call("user-groups.add", groups).await.ok();
    let mut comment = by("ada");
    comment["taggedUserContacts"] = json!([{ "userId": "writers" }, { "userId": "bob" }]);
    add_to(&app, "d", json!({ "annotationId": "a", "commentData": [comment] })).await;
    let group = json!({
        "groupId": "writers", "organizationUserGroupId": "writers", "groupName": "Writers",
    });
    let thread = find(&app, "a").await;
    assert_eq!(thread["comments"][0]["toOrganizationUserGroup"], json!([group]));
    let comments = app.call("comments.get", super::thread(json!({}))).await.data();
    assert_eq!(comments[0]["toOrganizationUserGroup"], json!([group]));
}
