//! `/v2/workspace/advancedwebhook/endpoints/create`.

use std::collections::BTreeSet;

use futures_util::future::join_all;
use serde_json::{Value, json};
use service::Table;

use super::{call, create, enable, enabled, field, id, refused, secret};
use crate::app::{App, Options, logged};

/// Contract `webhook-endpoints.get`.
#[tokio::test]
async fn members_that_are_not_set_are_null_and_the_endpoint_is_enabled() {
    let app = enabled().await;
    let before = app.now();
    let mut endpoint = create(&app, json!({ "description": null, "channels": null })).await;
    let created = endpoint["createdAt"].as_str().unwrap().to_owned();
    assert_eq!(created.len(), "2026-11-20T08:00:00.000Z".len());
    assert!(created.ends_with('Z') && &created[10..11] == "T" && &created[19..20] == ".");
    assert_eq!(endpoint["updatedAt"], created);
    assert_eq!(model_millis(&created).max(before), model_millis(&created));
    let id = endpoint["id"].take();
    let (head, rest) = id.as_str().unwrap().split_at(3);
    assert!(head == "ep_" && rest.len() == 27 && rest.chars().all(|c| c.is_ascii_alphanumeric()));
    let expected = json!({
        "id": null, "url": "https://hooks.example.com", "description": null, "filterTypes": null,
        "channels": null, "disabled": false, "disabledReason": null, "disabledAt": null,
        "rateLimit": null, "uid": null,
        "createdAt": created, "updatedAt": created,
    });
    assert_eq!(endpoint, expected);
}

/// Epoch milliseconds of a time of day, counted from the days since 1970 (civil calendar).
fn model_millis(text: &str) -> u64 {
    let number = |range: std::ops::Range<usize>| text[range].parse::<i64>().unwrap();
    let (y, m, d) = (number(0..4), number(5..7), number(8..10));
    let years = if m > 2 { y } else { y - 1 };
    let day_of_year = (153 * ((m + 9) % 12) + 2) / 5 + d - 1;
    let days = 365 * years + years / 4 - years / 100 + years / 400 + day_of_year - 719_468;
    let seconds = days * 86_400 + number(11..13) * 3600 + number(14..16) * 60 + number(17..19);
    u64::try_from(seconds * 1000 + number(20..23)).unwrap()
}

/// Contract `webhook-endpoints.get`.
#[tokio::test]
async fn the_members_sent_are_returned_and_metadata_is_stored_but_not_returned() {
    let app = enabled().await;
    let sent = json!({
        "url": "https://user:pass@hooks.example.com:8443/x?y=z", "description": "Ünïcode",
        "filterTypes": ["comment.add", "own_type-2"], "channels": ["a:b", "c"], "disabled": true,
        "rateLimit": 7, "uid": "my.uid_1-x",
    });
    let endpoint = create(&app, sent.clone()).await;
    for (member, value) in sent.as_object().unwrap() {
        assert_eq!(&endpoint[member], value, "{member}");
    }
    let mut more = sent;
    more["uid"] = json!("other");
    more["metadata"] = json!({ "team": "platform" });
    let endpoint = create(&app, more).await;
    assert!(!endpoint.to_string().contains("platform"));
    let items = json!(app.items_of(Table::Resources, &app.key)).to_string();
    assert!(items.contains("platform"), "metadata is stored");
}

#[tokio::test]
async fn every_endpoint_has_a_secret_of_its_own_which_is_neither_shown_nor_logged_nor_readable() {
    let app = enabled().await;
    let mut secrets = BTreeSet::new();
    for _ in 0..3 {
        let sent = json!({ "url": "https://x.example", "secret": "whsec_mine" });
        let reply = call(&app, "create", sent).await;
        assert!(!reply.text().contains("whsec_"));
        secrets.insert(secret(&app, &id(&reply.data())).await);
    }
    assert_eq!(secrets.len(), 3);
    let items = json!(app.items_of(Table::Resources, &app.key)).to_string();
    for secret in secrets {
        assert!(!items.contains(&secret) && !logged().contains(&secret));
    }
}

#[tokio::test]
async fn ids_of_endpoints_increase_also_within_a_millisecond() {
    let app = enabled().await;
    let mut ids = Vec::new();
    for _ in 0..40 {
        ids.push(id(&create(&app, json!({})).await));
    }
    assert!(ids.is_sorted_by(|a, b| a < b), "{ids:?}");
    let many = join_all((0..20).map(|_| create(&app, json!({})))).await;
    let distinct: BTreeSet<String> = many.iter().map(id).collect();
    assert_eq!(distinct.len(), 20);
    assert!(distinct.first() > ids.last());
}

#[tokio::test]
async fn a_uid_is_unique_within_the_api_key() {
    let app = enabled().await;
    let second = app.second_key().await;
    enable(&app, &second, true).await;
    let sent = json!({ "url": "https://x.example", "uid": "crm" });
    let replies = join_all((0..5).map(|_| call(&app, "create", sent.clone()))).await;
    assert_eq!(replies.iter().filter(|reply| reply.status() == 200).count(), 1);
    for clash in replies.iter().filter(|reply| reply.status() != 200) {
        assert!(clash.error("ALREADY_EXISTS")["message"].as_str().unwrap().contains("crm"));
    }
    let listed = call(&app, "get", json!({})).await.data();
    assert_eq!(listed["endpoints"].as_array().unwrap().len(), 1);
    app.call_as(&second, "webhook-endpoints.create", sent).await.ok();
    create(&app, json!({ "uid": "CRM" })).await;
}

/// Members of an endpoint with invalid values, by path.
pub(super) fn wrong_members() -> Vec<(Value, String)> {
    let words = |n: usize| (0..n).map(|n| format!("w{n}")).collect::<Vec<_>>();
    let url = |n: usize| format!("https://{}", "x".repeat(n - 8));
    let mut wrong = Vec::new();
    let mut add = |member: &str, path: &str, value: Value| {
        wrong.push((json!({ member: value }), path.to_owned()));
    };
    for value in
        ["", "hooks.example.com", "ftp://x", "https://", "https://a b", "//x", "https://:1"]
    {
        add("url", "url", json!(value));
    }
    add("url", "url", json!(1));
    add("url", "url", json!(url(65_537)));
    add("description", "description", json!(1));
    add("description", "description", json!("a\nb"));
    add("description", "description", json!("x".repeat(1001)));
    for value in [json!([]), json!("comment.add"), json!({}), json!(words(501))] {
        add("filterTypes", "filterTypes", value);
    }
    for value in
        [json!(""), json!("a b"), json!("a:b"), json!("é"), json!(1), json!("x".repeat(257))]
    {
        add("filterTypes", "filterTypes.1", json!(["comment.add", value]));
    }
    add("filterTypes", "filterTypes.2", json!(["a", "b", "a"]));
    for value in [json!([]), json!("a"), json!(words(11))] {
        add("channels", "channels", value);
    }
    for value in [json!(""), json!("a b"), json!("a/b"), json!("x".repeat(129)), json!(null)] {
        add("channels", "channels.0", json!([value]));
    }
    add("channels", "channels.1", json!(["a", "a"]));
    add("disabled", "disabled", json!("true"));
    for value in [json!(0), json!(-1), json!(1.5), json!(65_536), json!("10"), json!(true)] {
        add("rateLimit", "rateLimit", value);
    }
    add("metadata", "metadata", json!([]));
    add("metadata", "metadata", json!("x"));
    add("metadata", "metadata.k", json!({ "k": 1 }));
    add("metadata", "metadata.k", json!({ "k": null }));
    add("metadata", "metadata", json!({ "k": "x".repeat(4096 - 7) }));
    wrong
}

/// Members of an endpoint at the ends of their ranges.
pub(super) fn extreme_members() -> Vec<Value> {
    let words = |n: usize| (0..n).map(|n| format!("w{n}")).collect::<Vec<_>>();
    vec![
        json!({ "url": format!("https://{}", "x".repeat(65_528)) }),
        json!({ "url": "HTTP://[::1]:65535" }),
        json!({ "description": "" }),
        json!({ "description": "x".repeat(1000) }),
        json!({ "filterTypes": words(500) }),
        json!({ "filterTypes": ["x".repeat(256)] }),
        json!({ "channels": words(10) }),
        json!({ "channels": ["x".repeat(128)] }),
        json!({ "rateLimit": 1 }),
        json!({ "rateLimit": 65_535 }),
        json!({ "rateLimit": 10.0 }),
        json!({ "metadata": {} }),
        json!({ "metadata": { "k": "x".repeat(4096 - 8) } }),
    ]
}

#[tokio::test]
async fn values_at_the_ends_of_a_range_are_accepted_and_values_beyond_are_refused_by_name() {
    let app = enabled().await;
    refused(&app, "create", json!({ "description": "x" }), "url").await;
    let mut wrong = wrong_members();
    for uid in [json!(""), json!("a b"), json!("a:b"), json!("x".repeat(257)), json!(1)] {
        wrong.push((json!({ "uid": uid }), "uid".to_owned()));
    }
    for (members, path) in wrong {
        let mut sent = json!({ "url": "https://x.example" });
        sent.as_object_mut().unwrap().extend(members.as_object().unwrap().clone());
        let error = call(&app, "create", sent).await.error("INVALID_ARGUMENT");
        assert_eq!(field(&error), format!("data.{path}"), "{error}");
    }
    assert_eq!(call(&app, "get", json!({})).await.data()["endpoints"], json!([]));
    for members in extreme_members() {
        create(&app, members).await;
    }
    create(&app, json!({ "uid": "x".repeat(256) })).await;
}

#[tokio::test]
async fn creating_an_endpoint_costs_at_most_three_calls() {
    let (app, _): (App, _) = App::sample_world().await;
    app.advance(std::time::Duration::from_secs(11));
    for uid in [json!(null), json!("x")] {
        app.forget_calls();
        create(&app, json!({ "uid": uid })).await;
        assert!(app.calls().len() <= 3, "{:?}", app.calls());
    }
}

#[tokio::test]
async fn an_address_that_can_never_be_called_is_refused_wherever_it_is_configured() {
    let app = App::start_with(Options { allows_private: false, ..Options::default() }).await;
    enable(&app, &app.key, true).await;
    let id = id(&create(&app, json!({})).await);
    let key = json!({ "ownerEmail": "ada@example.com", "type": "testing" });
    for url in [
        "http://169.254.169.254/latest/meta-data",
        "https://10.0.0.1/hook",
        "http://127.1:3000/",
        "http://[::1]/",
        "http://user:secret@192.168.0.1/",
        "https://hooks.example.com:25/",
        "http://hooks.example.com:6/",
    ] {
        let error = call(&app, "create", json!({ "url": url })).await.error("INVALID_ARGUMENT");
        assert_eq!(field(&error), "data.url", "{url}");
        assert!(!error.to_string().contains("secret"), "{error}");
        let sent = json!({ "endpointId": id, "url": url });
        call(&app, "update", sent).await.error("INVALID_ARGUMENT");
        for member in ["rawNotificationUrl", "processedNotificationUrl"] {
            let mut service = json!({});
            service[member] = json!(url);
            let mut new_key = key.clone();
            new_key["webhookServiceConfig"] = service.clone();
            for (operation, sent) in [
                ("configuration.webhooks_update", json!({ "webhookServiceConfig": service })),
                ("workspace.api_key_create", new_key),
            ] {
                let error = app.call(operation, sent).await.error("INVALID_ARGUMENT");
                let path = format!("data.webhookServiceConfig.{member}");
                assert_eq!(field(&error), path, "{operation} {url}");
            }
        }
    }
    let listed = call(&app, "get", json!({})).await.data();
    assert_eq!(listed["endpoints"].as_array().unwrap().len(), 1);
    assert_eq!(listed["endpoints"][0]["url"], "https://hooks.example.com");
    for url in ["https://1.1.1.1:8443/", "http://hooks.example.com:443/"] {
        create(&app, json!({ "url": url })).await;
    }
    // An empty one unsets it.
    let unset = json!({ "webhookServiceConfig": { "rawNotificationUrl": "" } });
    app.call("configuration.webhooks_update", unset).await.ok();
}

#[tokio::test]
async fn a_key_has_as_many_endpoints_as_the_operator_allows() {
    let app = enabled().await;
    let allow = async |max: u64| {
        let sent = json!({ "id": app.workspace.id, "maxWebhookEndpoints": max });
        app.call("operator.workspace_update", sent).await.data()
    };
    let unchanged =
        app.call("operator.workspace_update", json!({ "id": app.workspace.id })).await.data();
    assert_eq!(unchanged["maxWebhookEndpoints"], 500);
    assert_eq!(allow(0).await["maxWebhookEndpoints"], 0);
    let sent = json!({ "url": "https://hooks.example.com" });
    call(&app, "create", sent.clone()).await.error("RESOURCE_EXHAUSTED");
    allow(3).await;
    let replies = join_all((0..8).map(|_| call(&app, "create", sent.clone()))).await;
    let made: Vec<_> = replies.iter().filter(|reply| reply.status() == 200).collect();
    assert_eq!(made.len(), 3, "{replies:?}");
    for reply in replies.iter().filter(|reply| reply.status() != 200) {
        assert!(
            ["RESOURCE_EXHAUSTED", "ABORTED"].map(|it| reply.text().contains(it)).contains(&true)
        );
    }
    let named = json!({ "url": "https://hooks.example.com", "uid": "u" });
    call(&app, "create", named.clone()).await.error("RESOURCE_EXHAUSTED");
    // A deleted endpoint makes room for another.
    let gone = json!({ "endpointId": made[0].data()["id"] });
    call(&app, "delete", gone).await.ok();
    call(&app, "create", named).await.ok();
    call(&app, "create", sent.clone()).await.error("RESOURCE_EXHAUSTED");
    // Another key has room of its own.
    let second = app.second_key().await;
    enable(&app, &second, true).await;
    app.call_as(&second, "webhook-endpoints.create", sent).await.ok();
}

#[tokio::test]
async fn the_largest_endpoint_can_be_changed_again_and_again() {
    let app = enabled().await;
    let types = |from: usize| (from..from + 64).map(|n| format!("{n:0256}")).collect::<Vec<_>>();
    let largest = json!({
        "url": format!("https://{}", "x".repeat(65_528)), "description": "x".repeat(1000),
        "filterTypes": types(0), "metadata": { "k": "x".repeat(4096 - 8) },
        "channels": (0..10).map(|n| format!("{n:0128}")).collect::<Vec<_>>(),
    });
    let id = id(&create(&app, largest).await);
    for n in 1..8 {
        let sent = json!({ "endpointId": id, "filterTypes": types(n) });
        call(&app, "update", sent).await.ok();
    }
    let mut more = types(0);
    more.push("x".to_owned());
    let sent = json!({ "endpointId": id, "filterTypes": more });
    let error = call(&app, "update", sent).await.error("INVALID_ARGUMENT");
    assert_eq!(field(&error), "data.filterTypes");
}
