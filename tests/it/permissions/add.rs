use serde_json::{Value, json};

use super::{grant, of, resource, rights, world};
use crate::app::App;

#[tokio::test]
async fn rights_hold_for_each_resource_in_whatever_organization() {
    let app = world().await;
    let elsewhere = json!({ "type": "document", "id": "x", "organizationId": "p" });
    let resources = json!([
        resource("document", "deep", "viewer"),
        resource("folder", "top", "viewer"),
        { "type": "organization", "id": "p", "accessRole": "viewer" },
        elsewhere,
    ]);
    let result = app.call("permissions.add", rights("u", resources)).await.ok();
    assert_eq!(result.get("data"), None);
    let of_user = of(&app, "u").await;
    assert_eq!(of_user["documents"]["deep"]["accessRole"], "viewer");
    assert_eq!(of_user["folders"]["top"]["accessRole"], "viewer");
    let sent = json!({ "organizationId": "p", "userIds": ["u"] });
    let other = app.call("permissions.get", sent).await.data();
    assert_eq!(other["u"]["organization"]["p"], json!({ "accessRole": "viewer" }));
}

#[tokio::test]
async fn a_right_given_again_replaces_the_earlier_one() {
    let app = world().await;
    let mut ending = resource("document", "deep", "viewer");
    ending["expiresAt"] = json!(4_102_444_800_u64);
    grant(&app, "u", json!([ending])).await;
    assert_eq!(of(&app, "u").await["documents"]["deep"]["expiresAt"], 4_102_444_800_u64);
    let twice = json!([
        { "type": "document", "id": "deep", "organizationId": "o", "accessRole": "editor" },
        { "type": "document", "id": "deep", "organizationId": "o", "accessRole": "viewer" },
    ]);
    grant(&app, "u", twice).await;
    let expected = json!({ "accessRole": "viewer", "accessType": "public" });
    assert_eq!(of(&app, "u").await["documents"]["deep"], expected);
    let by_default = json!([{ "type": "document", "id": "deep", "organizationId": "o" }]);
    grant(&app, "u", by_default).await;
    assert_eq!(of(&app, "u").await["documents"]["deep"]["accessRole"], "editor");
}

#[tokio::test]
async fn a_malformed_resource_is_refused_with_its_path_and_no_right_is_granted() {
    let app = world().await;
    let at = |tail: &[Value]| {
        let head = [json!("data"), json!("permissions"), json!("resources")];
        json!(head.iter().chain(tail).collect::<Vec<_>>())
    };
    let second = |name: &str, value: Value| {
        let mut wrong = resource("document", "loose", "viewer");
        wrong[name] = value;
        rights("u", json!([resource("document", "deep", "viewer"), wrong]))
    };
    let now = app.now() / 1000;
    for (sent, path) in [
        (rights("u", json!([])), at(&[])),
        (rights("u", json!(vec![resource("document", "d", "viewer"); 501])), at(&[])),
        (
            rights("", json!([resource("document", "d", "viewer")])),
            json!(["data", "user", "userId"]),
        ),
        (json!({ "user": { "userId": "u" } }), json!(["data", "permissions"])),
        (second("type", json!("location")), at(&[json!(1), json!("type")])),
        (second("id", json!(null)), at(&[json!(1), json!("id")])),
        (second("id", json!("")), at(&[json!(1), json!("id")])),
        (second("id", json!(" ")), at(&[json!(1), json!("id")])),
        (second("organizationId", json!(null)), at(&[json!(1), json!("organizationId")])),
        (second("accessRole", json!("owner")), at(&[json!(1), json!("accessRole")])),
        (second("expiresAt", json!(now)), at(&[json!(1), json!("expiresAt")])),
        (second("expiresAt", json!(1.5)), at(&[json!(1), json!("expiresAt")])),
        (second("expiresAt", json!(app.now() + 60_000)), at(&[json!(1), json!("expiresAt")])),
    ] {
        let error = app.call("permissions.add", sent.clone()).await.error("INVALID_ARGUMENT");
        assert_eq!(error["details"]["issues"][0]["path"], path, "{sent}");
    }
    assert_eq!(of(&app, "u").await["documents"]["deep"]["accessRole"], "editor");
}

#[tokio::test]
async fn a_full_batch_over_many_organizations_is_written_in_few_calls() {
    let app = App::start().await;
    let resources: Vec<Value> = (0..500)
        .map(|n| json!({ "type": "document", "id": "d", "organizationId": format!("o{n}") }))
        .collect();
    app.forget_calls();
    grant(&app, "u", json!(resources)).await;
    // Reads of earlier rights at each level and organization, writes of the permissions, and of the
    // organizations that no call added.
    let allowed = 2 * 500 / 100 + 2 * 500 / 25 + 1;
    assert!(app.calls().len() <= allowed, "{}", app.calls().len());
    let written = app.items_of(service::Table::Resources, &app.key);
    assert_eq!(written.iter().filter(|item| item["userId"]["S"] == "u").count(), 500);
}
