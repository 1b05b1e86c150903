//! `/v2/workspace/advancedwebhook/endpoints/secret/rotate`.

use std::time::Duration;

use serde_json::{Value, json};
use service::Table;

use super::{call, create, enabled, id, refused, secret};
use crate::app::{App, logged};

async fn rotate(app: &App, id: &str, grace: Value) -> Value {
    let sent = json!({ "endpointId": id, "gracePeriodSeconds": grace });
    call(app, "secret_rotate", sent).await.data()
}

/// Expiry of the replaced secrets, as stored.
fn ends(app: &App, id: &str) -> Vec<u64> {
    let items = app.items_of(Table::Resources, &app.key);
    let own = items.iter().find(|item| item["id"]["S"] == id).unwrap();
    let replaced = own["signing"]["M"]["replaced"]["L"].as_array().unwrap();
    let end = |old: &Value| old["M"]["until"]["N"].as_str().unwrap().parse().unwrap();
    replaced.iter().map(end).collect()
}

#[tokio::test]
async fn a_new_secret_is_shown_and_the_old_one_stays_valid_for_its_grace() {
    let app = enabled().await;
    let endpoint = create(&app, json!({})).await;
    let id = id(&endpoint);
    let first = secret(&app, &id).await;
    let before = app.now();
    let data = rotate(&app, &id, json!(3600)).await;
    let second = secret(&app, &id).await;
    assert_eq!(data, json!({ "endpointId": id, "secret": second }));
    assert!(second.starts_with("whsec_") && second != first);
    let near = |end: u64, seconds: u64| {
        (before + seconds * 1000..=app.now() + seconds * 1000).contains(&end)
    };
    assert!(near(ends(&app, &id)[0], 3600));
    // A day unless said otherwise; the latest comes first.
    rotate(&app, &id, json!(null)).await;
    let both = ends(&app, &id);
    assert!(both.len() == 2 && near(both[0], 86_400) && near(both[1], 3600), "{both:?}");
    let items = json!(app.items_of(Table::Resources, &app.key)).to_string();
    for secret in [first, second] {
        assert!(!items.contains(&secret) && !logged().contains(&secret));
    }
    let listed = call(&app, "get", json!({})).await.data();
    assert_eq!(listed["endpoints"], json!([endpoint]), "the endpoint itself did not change");
}

#[tokio::test]
async fn without_grace_the_old_secret_is_gone_at_once() {
    let app = enabled().await;
    let id = id(&create(&app, json!({})).await);
    rotate(&app, &id, json!(0)).await;
    assert_eq!(ends(&app, &id), Vec::<u64>::new());
}

#[tokio::test]
async fn at_most_ten_old_secrets_are_valid_and_expired_ones_do_not_count() {
    let app = enabled().await;
    let id = id(&create(&app, json!({})).await);
    for _ in 0..10 {
        rotate(&app, &id, json!(60)).await;
    }
    let current = secret(&app, &id).await;
    let sent = json!({ "endpointId": id, "gracePeriodSeconds": 60 });
    call(&app, "secret_rotate", sent).await.error("RESOURCE_EXHAUSTED");
    assert_eq!(secret(&app, &id).await, current);
    // Without grace there is not one more.
    rotate(&app, &id, json!(0)).await;
    assert_eq!(ends(&app, &id).len(), 10);
    app.advance(Duration::from_secs(61));
    rotate(&app, &id, json!(60)).await;
    assert_eq!(ends(&app, &id).len(), 1, "what is over is dropped");
}

#[tokio::test]
async fn the_grace_is_an_integer_up_to_a_week() {
    let app = enabled().await;
    let id = id(&create(&app, json!({})).await);
    for grace in [json!(0), json!(604_800), json!(1.0)] {
        rotate(&app, &id, grace).await;
    }
    let before = secret(&app, &id).await;
    for grace in [json!(-1), json!(604_801), json!(1.5), json!("60"), json!(true)] {
        let sent = json!({ "endpointId": id, "gracePeriodSeconds": grace });
        refused(&app, "secret_rotate", sent, "gracePeriodSeconds").await;
    }
    assert_eq!(secret(&app, &id).await, before);
}
