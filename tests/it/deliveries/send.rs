use std::time::Duration;

use aes::cipher::{BlockModeDecrypt, KeyIvInit, block_padding::Pkcs7};
use base64::{Engine, engine::general_purpose::STANDARD};
use rsa::{Oaep, RsaPrivateKey, pkcs8::EncodePublicKey, rand_core::OsRng, sha2::Sha256};
use serde_json::json;

use super::{
    attempts, deliveries, endpoint, pass, secret, start, start_with, statuses, thread, verify,
};
use crate::app::{
    App, Options, Time,
    receiver::{Answer, Receiver},
};

const SCHEDULE: [u64; 9] =
    [5, 5 * 60, 30 * 60, 2 * 3600, 5 * 3600, 10 * 3600, 14 * 3600, 20 * 3600, 24 * 3600];

/// Advances the clock until a request arrives; returns the seconds.
async fn until_next(app: &App, receiver: &Receiver, never_before: u64) -> u64 {
    let short = Duration::from_millis(never_before * 1000 - 500);
    let started = app.now();
    pass(app, short).await;
    assert_eq!(receiver.count(), 0, "before {never_before} s");
    // Up to a fifth later, and a minute of the timer.
    pass(app, Duration::from_secs(never_before / 5 + 2)).await;
    if receiver.count() == 0 {
        pass(app, Duration::from_secs(61)).await;
    }
    assert_eq!(receiver.count(), 1, "after {never_before} s");
    (app.now() - started) / 1000
}

#[tokio::test]
async fn a_message_is_tried_ten_times_on_schedule_and_never_early() {
    let (app, receiver) = start().await;
    let id = endpoint(&app, &receiver, json!({})).await;
    receiver.answer(Answer::status(500).body("broken"));
    thread(&app, "t1").await;
    app.settle().await;
    let first = receiver.take().remove(0);
    let key = secret(&app, &id).await;
    for delay in SCHEDULE {
        until_next(&app, &receiver, delay).await;
        let next = receiver.take().remove(0);
        assert_eq!((next.id(), &next.body), (first.id(), &first.body));
        assert!(next.header("webhook-timestamp") >= first.header("webhook-timestamp"));
        assert!(next.header("webhook-signature").starts_with("v1,"));
    }
    pass(&app, Duration::from_secs(48 * 3600)).await;
    assert_eq!(receiver.count(), 0, "ten attempts are all");
    assert_eq!(statuses(&app, &id), ["exhausted"]);
    let listed = attempts(&app, &id).await;
    assert_eq!(listed.len(), 10);
    for attempt in &listed {
        assert_eq!(attempt["statusCode"], 500);
        assert_eq!(
            (&attempt["status"], &attempt["trigger"]),
            (&json!("failed"), &json!("scheduled"))
        );
        assert_eq!(
            (&attempt["response"], &attempt["url"]),
            (&json!("broken"), &json!(receiver.url))
        );
    }
    assert!(!key.is_empty());
}

/// Contract `webhook-endpoints.delete`.
#[tokio::test]
async fn a_deleted_endpoint_gets_nothing_more_though_a_retry_is_pending() {
    let (app, receiver) = start().await;
    let id = endpoint(&app, &receiver, json!({})).await;
    receiver.answer(Answer::status(500));
    thread(&app, "t1").await;
    app.settle().await;
    assert_eq!(receiver.take().len(), 1);
    app.call("webhook-endpoints.delete", json!({ "endpointId": id })).await.ok();
    for _ in 0..5 {
        pass(&app, Duration::from_secs(3600)).await;
    }
    assert_eq!(receiver.count(), 0);
    assert_eq!(statuses(&app, &id), ["skipped"]);
    assert_eq!(deliveries(&app, &id)[0]["reason"]["S"], "endpoint_deleted");
}

/// Contract `webhook-endpoints`.
#[tokio::test]
async fn messages_to_disabled_endpoints_are_skipped() {
    for (operation, members, reason) in [
        ("webhook-endpoints.update", json!({ "disabled": true }), "endpoint_disabled"),
        (
            "configuration.advanced_webhooks_update",
            json!({ "isEnabled": false }),
            "webhooks_disabled",
        ),
    ] {
        let (app, receiver) = start().await;
        let id = endpoint(&app, &receiver, json!({})).await;
        thread(&app, "t1").await;
        app.advance(Duration::from_millis(1));
        let mut sent = members;
        if operation.starts_with("webhook") {
            sent["endpointId"] = json!(id);
        }
        app.call(operation, sent).await.ok();
        app.settle().await;
        assert_eq!(receiver.count(), 0, "{operation}");
        assert_eq!(deliveries(&app, &id)[0]["reason"]["S"], reason);
    }
}

#[tokio::test]
async fn during_the_grace_of_a_rotation_both_secrets_sign() {
    let (app, receiver) = start().await;
    let id = endpoint(&app, &receiver, json!({})).await;
    let old = secret(&app, &id).await;
    app.call("webhook-endpoints.secret_rotate", json!({ "endpointId": id })).await.ok();
    let new = secret(&app, &id).await;
    thread(&app, "t1").await;
    app.settle().await;
    let one = receiver.take().remove(0);
    verify(&one, &old);
    verify(&one, &new);
    assert_eq!(one.header("webhook-signature").split(' ').count(), 2);
    app.advance(Duration::from_secs(86_400));
    thread(&app, "t2").await;
    app.settle().await;
    let one = receiver.take().remove(0);
    assert_eq!(one.header("webhook-signature").split(' ').count(), 1);
}

#[tokio::test]
async fn retry_after_pauses_the_whole_endpoint() {
    let (app, receiver) = start().await;
    endpoint(&app, &receiver, json!({})).await;
    receiver.script([Answer::status(429).header("retry-after", "600")]);
    thread(&app, "t1").await;
    app.settle().await;
    assert_eq!(receiver.take().len(), 1);
    thread(&app, "t2").await;
    app.settle().await;
    pass(&app, Duration::from_secs(590)).await;
    assert_eq!(receiver.count(), 0, "the other message waits, too");
    pass(&app, Duration::from_secs(20)).await;
    pass(&app, Duration::from_secs(120)).await;
    assert_eq!(receiver.take().len(), 2);
}

#[tokio::test]
async fn a_receiver_can_disable_its_endpoint() {
    for (answer, reason, attempts_made) in [
        (Answer::status(410), "gone", "exhausted"),
        (Answer::status(200).header("webhook-delivery", "disable"), "receiver_request", "success"),
    ] {
        let (app, receiver) = start().await;
        let id = endpoint(&app, &receiver, json!({})).await;
        receiver.answer(answer);
        thread(&app, "t1").await;
        app.settle().await;
        assert_eq!(receiver.take().len(), 1);
        let listed = app.call("webhook-endpoints.get", json!({})).await.data();
        let shown = &listed["endpoints"][0];
        assert_eq!((&shown["disabled"], &shown["disabledReason"]), (&json!(true), &json!(reason)));
        assert!(shown["disabledAt"].as_str().is_some_and(|at| at.ends_with('Z')), "{shown}");
        assert_eq!(statuses(&app, &id), [attempts_made]);
        app.advance(Duration::from_millis(1));
        thread(&app, "t2").await;
        pass(&app, Duration::from_secs(3600)).await;
        assert_eq!(receiver.count(), 0);
        let resources = app.items_of(service::Table::Resources, &app.key);
        let stored = resources.iter().find(|item| item["id"]["S"] == id.as_str()).unwrap();
        assert_eq!(stored["disabledReason"]["S"], reason);
        for (disabled, _) in [(false, "enabled again"), (true, "disabled by a call")] {
            let sent = json!({ "endpointId": id, "disabled": disabled });
            let shown = app.call("webhook-endpoints.update", sent).await.data();
            assert_eq!(
                (&shown["disabledReason"], &shown["disabledAt"]),
                (&json!(null), &json!(null))
            );
        }
    }
}

#[tokio::test]
async fn a_receiver_can_end_the_attempts_of_one_message() {
    let (app, receiver) = start().await;
    let id = endpoint(&app, &receiver, json!({})).await;
    receiver.script([Answer::status(500).header("webhook-delivery", "abort-message")]);
    thread(&app, "t1").await;
    app.settle().await;
    pass(&app, Duration::from_secs(3600)).await;
    assert_eq!(receiver.take().len(), 1);
    assert_eq!(statuses(&app, &id), ["exhausted"]);
    thread(&app, "t2").await;
    app.settle().await;
    assert_eq!(receiver.count(), 1, "others are sent");
}

#[tokio::test]
async fn a_redirect_is_a_failure_and_never_followed() {
    let (app, receiver) = start().await;
    let id = endpoint(&app, &receiver, json!({})).await;
    let elsewhere = receiver.url.replace("/hook", "/elsewhere");
    receiver.answer(Answer::status(308).header("location", &elsewhere));
    thread(&app, "t1").await;
    app.settle().await;
    let received = receiver.take();
    assert_eq!(received.len(), 1);
    assert_eq!(received[0].path, "/hook");
    assert_eq!(attempts(&app, &id).await[0]["statusCode"], 308);
    assert_eq!(statuses(&app, &id), ["failed"]);
}

/// Contract `webhook-endpoints`.
#[tokio::test]
async fn a_rate_limit_gives_each_message_a_slot_of_its_own() {
    const RATE: usize = 5;
    let time = Time::Runs { because: "a worker that has a slot sleeps until it" };
    let (app, receiver) = start_with(Options { time, ..Options::default() }).await;
    endpoint(&app, &receiver, json!({ "rateLimit": RATE })).await;
    for n in 0..20 {
        thread(&app, &format!("t{n}")).await;
    }
    for _ in 0..60 {
        app.settle().await;
        if receiver.count() == 20 {
            break;
        }
        app.advance(Duration::from_millis(400));
    }
    let received = receiver.take();
    let mut ids: Vec<String> = received.iter().map(|it| it.id()).collect();
    ids.sort();
    ids.dedup();
    assert_eq!((received.len(), ids.len()), (20, 20));
    let mut times: Vec<u64> = received.iter().map(|it| it.at).collect();
    times.sort_unstable();
    for (n, start) in times.iter().enumerate() {
        let within = times[n..].iter().take_while(|at| **at < start + 1000).count();
        assert!(within <= RATE, "{within} in a second: {times:?}");
    }
}

#[tokio::test]
async fn an_endpoint_that_failed_for_days_is_disabled_after_warnings() {
    let (app, receiver) = start().await;
    let id = endpoint(&app, &receiver, json!({})).await;
    let watcher = Receiver::start(&app).await;
    let types = json!(["endpoint.failing", "endpoint.disabled"]);
    endpoint(&app, &watcher, json!({ "url": watcher.url, "filterTypes": types })).await;
    receiver.answer(Answer::status(500));
    for n in 0..13 {
        thread(&app, &format!("t{n}")).await;
        app.settle().await;
        pass(&app, Duration::from_secs(10 * 3600)).await;
    }
    let received = watcher.take();
    let received: Vec<_> = received.iter().map(|it| it.json()).collect();
    let kinds: Vec<&str> = received.iter().map(|it| it["type"].as_str().unwrap()).collect();
    let failing = "endpoint.failing";
    assert_eq!(kinds, [failing, failing, failing, "endpoint.disabled"]);
    let percents: Vec<_> = received.iter().map(|it| &it["data"]["percent"]).collect();
    assert_eq!(percents[..3], [&json!(50), &json!(70), &json!(90)]);
    assert_eq!(received[3]["data"]["reason"], "consecutive_failure");
    assert_eq!(received[3]["data"]["endpointId"], json!(id));
    // Enabled again, it starts anew.
    let enable = json!({ "endpointId": id, "disabled": false });
    app.call("webhook-endpoints.update", enable).await.ok();
    app.advance(Duration::from_millis(1));
    receiver.take();
    thread(&app, "again").await;
    app.settle().await;
    assert_eq!(receiver.count(), 1);
    let listed = app.call("webhook-endpoints.get", json!({})).await.data();
    let endpoints = listed["endpoints"].as_array().unwrap();
    assert!(endpoints.iter().all(|it| it["disabled"] == false));
}

#[tokio::test]
async fn an_address_of_the_own_network_is_refused_and_listed_as_an_attempt() {
    let (app, receiver) = start_with(Options { allows_private: false, ..Options::default() }).await;
    let port = receiver.url.split(':').nth(2).unwrap().split('/').next().unwrap().to_owned();
    // Addresses themselves are refused when they are configured; what a name stands for, here.
    let url = format!("http://localhost:{port}/");
    let id = endpoint(&app, &receiver, json!({ "url": url })).await;
    thread(&app, &id.replace('_', "-")).await;
    app.settle().await;
    let listed = attempts(&app, &id).await;
    assert_eq!(listed[0]["failure"], "address_refused");
    assert_eq!(listed[0]["statusCode"], json!(null));
    assert_eq!(receiver.count(), 0);
}

#[tokio::test]
async fn a_body_is_base64_if_configured() {
    let (app, receiver) = start().await;
    let id = endpoint(&app, &receiver, json!({})).await;
    let sent = json!({ "encodeData": true });
    app.call("configuration.advanced_webhooks_update", sent).await.ok();
    thread(&app, "t1").await;
    app.settle().await;
    let one = receiver.take().remove(0);
    verify(&one, &secret(&app, &id).await);
    let payload = STANDARD.decode(one.json()["encodedPayload"].as_str().unwrap()).unwrap();
    let payload: serde_json::Value = serde_json::from_slice(&payload).unwrap();
    assert_eq!(payload["type"], "comment_annotation.add");
}

#[tokio::test]
async fn a_body_is_encrypted_with_the_public_key_or_not_sent() {
    let (app, receiver) = start().await;
    let id = endpoint(&app, &receiver, json!({})).await;
    let private = RsaPrivateKey::new(&mut OsRng, 1024).unwrap();
    let public = private.to_public_key().to_public_key_der().unwrap();
    let sent = json!({ "encryptData": true, "publicKey": STANDARD.encode(public.as_bytes()) });
    app.call("configuration.advanced_webhooks_update", sent).await.ok();
    thread(&app, "t1").await;
    app.settle().await;
    let one = receiver.take().remove(0);
    verify(&one, &secret(&app, &id).await);
    let body = one.json();
    let part = |name: &str| STANDARD.decode(body[name].as_str().unwrap()).unwrap();
    let key = private.decrypt(Oaep::new::<Sha256>(), &part("encryptedKey")).unwrap();
    let key: [u8; 32] = key.try_into().unwrap();
    let iv: [u8; 16] = part("iv").try_into().unwrap();
    let cipher = cbc::Decryptor::<aes::Aes256>::new(&key.into(), &iv.into());
    let text = cipher.decrypt_padded_vec::<Pkcs7>(&part("encryptedData")).unwrap();
    let text: serde_json::Value = serde_json::from_slice(&text).unwrap();
    assert_eq!(text["data"]["commentAnnotation"]["annotationId"], "t1");

    app.advance(Duration::from_millis(1));
    // An earlier version took any text for a key.
    let mut items = app.items_of(service::Table::Resources, &app.key).into_iter();
    let mut row = items.find(|item| item["publicKey"].is_object()).unwrap();
    row["publicKey"] = json!({ "S": "not a key" });
    crate::schedule::put(&app, service::Table::Resources, &row).await;
    thread(&app, "t2").await;
    app.settle().await;
    assert_eq!(receiver.count(), 0);
    assert_eq!(attempts(&app, &id).await[0]["failure"], "encryption");
}
