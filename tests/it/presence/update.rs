use futures_util::future::join_all;
use serde_json::{Value, json};

use super::{DAY, online, present, refuses_what_is_no_user, send};
use crate::app::App;

#[tokio::test]
async fn members_left_out_keep_their_values() {
    let app = App::start().await;
    let ada = json!({
        "userId": "ada", "name": "Ada", "email": "ada@example.com", "status": "away",
    });
    send(&app, "presence.add", json!([ada])).await;
    for (member, value) in
        [("status", "busy"), ("name", "A"), ("email", "a@example.com"), ("status", "online")]
    {
        let mut expected = present(&app).await;
        expected[0][member] = json!(value);
        send(&app, "presence.update", json!([{ "userId": "ada", (member): value }])).await;
        assert_eq!(present(&app).await, expected);
    }
    let before = present(&app).await;
    let nothing = json!([{ "userId": "ada", "name": null, "email": null, "status": null }]);
    send(&app, "presence.update", nothing).await;
    assert_eq!(present(&app).await, before, "null is not sent");
}

#[tokio::test]
async fn a_user_who_is_not_present_is_added() {
    let app = App::start().await;
    let users = json!([{ "userId": "ada", "name": "Ada" }, { "userId": "bob", "status": "away" }]);
    send(&app, "presence.update", users).await;
    let expected = json!([
        { "userId": "ada", "name": "Ada", "status": "online" },
        { "userId": "bob", "status": "away" },
    ]);
    assert_eq!(present(&app).await, expected);
}

#[tokio::test]
async fn an_update_after_a_record_ended_restores_none_of_its_members() {
    let app = App::start().await;
    let ada = json!([{ "userId": "ada", "name": "Ada", "status": "away" }]);
    send(&app, "presence.add", ada).await;
    app.advance(DAY);
    send(&app, "presence.update", json!([{ "userId": "ada" }])).await;
    assert_eq!(present(&app).await, online(&["ada"]));
}

#[tokio::test]
async fn changes_of_the_same_user_are_merged_in_order() {
    let app = App::start().await;
    let users = json!([
        { "userId": "ada", "name": "Ada", "status": "away" },
        { "userId": "bob" },
        { "userId": "ada", "email": "ada@example.com", "status": "busy" },
    ]);
    send(&app, "presence.update", users).await;
    let expected = json!([
        { "userId": "ada", "name": "Ada", "email": "ada@example.com", "status": "busy" },
        { "userId": "bob", "status": "online" },
    ]);
    assert_eq!(present(&app).await, expected);
}

#[tokio::test]
async fn simultaneous_changes_of_one_user_lose_no_member() {
    let app = App::start().await;
    for round in 0..10 {
        let change = |member: &str, value: String| -> Value {
            json!([{ "userId": "ada", (member): value }])
        };
        let expected = json!([{
            "userId": "ada", "name": format!("Ada {round}"),
            "email": format!("ada{round}@example.com"), "status": format!("busy {round}"),
        }]);
        let changes = ["name", "email", "status"].map(|member| {
            let value = expected[0][member].as_str().unwrap().to_owned();
            send(&app, "presence.update", change(member, value))
        });
        join_all(changes).await;
        assert_eq!(present(&app).await, expected);
    }
}

#[tokio::test]
async fn malformed_users_are_refused() {
    refuses_what_is_no_user("presence.update").await;
}

#[tokio::test]
async fn data_is_replaced_as_a_whole_and_an_empty_object_unsets_it() {
    let app = App::start().await;
    let ada = json!({ "userId": "ada", "status": "online", "data": { "x": 1, "y": [0.1] } });
    send(&app, "presence.add", json!([ada])).await;
    assert_eq!(present(&app).await, json!([ada]));
    for (sent, kept) in [
        (json!({ "userId": "ada" }), json!({ "x": 1, "y": [0.1] })),
        (json!({ "userId": "ada", "data": null }), json!({ "x": 1, "y": [0.1] })),
        (json!({ "userId": "ada", "data": { "z": null } }), json!({ "z": null })),
        (json!({ "userId": "ada", "data": {} }), json!(null)),
    ] {
        send(&app, "presence.update", json!([sent])).await;
        assert_eq!(present(&app).await[0]["data"], kept, "{sent}");
    }
    let deep = format!("{}1{}", r#"{"a":"#.repeat(40), "}".repeat(40));
    let deep: Value = serde_json::from_str(&deep).unwrap();
    send(&app, "presence.update", json!([{ "userId": "ada", "data": deep }])).await;
    assert_eq!(present(&app).await[0]["data"], deep);
    let long = json!({ "organizationId": "o", "documentId": "d", "users": [
        { "userId": "ada", "data": { "x": "y".repeat(1017) } },
    ] });
    app.call("presence.update", long).await.error("INVALID_ARGUMENT");
}
