//! `/v2/workspace/emailconfig/update`.

use serde_json::{Value, json};

use super::{HUDDLE, STANDARD, get, key_with, refused, stored, switches, update, with};
use crate::app::{App, logged};

fn defaults() -> Value {
    with(switches(&STANDARD, true), switches(&HUDDLE, true))
}

#[tokio::test]
async fn the_first_enabling_seeds_triggers_and_the_type_custom() {
    for sent in [
        json!({ "useEmailService": true }),
        json!({ "emailServiceConfig": { "type": "custom" } }),
        json!({ "useEmailService": true, "emailServiceConfig": null }),
    ] {
        let app = App::start().await;
        let kept =
            json!({ "type": "default", "fromEmail": "a@example.com", "fromCompany": "Acme" });
        update(&app, "email", json!({ "emailServiceConfig": kept })).await;
        let data = update(&app, "email", sent).await;
        assert_eq!(data["useEmailService"], true);
        let config = &data["emailServiceConfig"];
        assert_eq!(config["type"], "custom");
        assert_eq!(config["triggers"], defaults());
        assert_eq!(config["fromEmail"], "a@example.com");
        assert_eq!(config["fromCompany"], "Acme");
        assert_eq!(get(&app, "email").await, data);
    }
}

#[tokio::test]
async fn members_sent_with_the_first_enabling_override_the_defaults() {
    let app = App::start().await;
    let sent = json!({
        "type": "thirdparty", "apiKey": "SG.x", "fromEmail": "a@example.com",
        "triggers": { "comment.add": false, "x.y": true },
    });
    let sent = json!({ "useEmailService": true, "emailServiceConfig": sent });
    let config = update(&app, "email", sent).await["emailServiceConfig"].take();
    assert_eq!(config["type"], "thirdparty");
    assert_eq!(config["apiKey"], "SG.x");
    let expected = with(defaults(), json!({ "comment.add": false, "x.y": true }));
    assert_eq!(config["triggers"], expected);
}

#[tokio::test]
async fn nothing_is_seeded_when_triggers_are_stored_or_the_service_stays_off() {
    let app = App::start().await;
    for sent in [
        json!({ "useEmailService": false }),
        json!({ "emailServiceConfig": { "type": "thirdparty" } }),
        json!({ "useEmailService": false, "emailServiceConfig": { "type": "custom" } }),
        json!({ "emailServiceConfig": {} }),
    ] {
        let data = update(&app, "email", sent).await;
        assert_eq!(data["useEmailService"], false);
        assert_eq!(data["emailServiceConfig"]["triggers"], json!({}));
    }
    let own = json!({ "comment.add": false });
    let sent = json!({ "emailServiceConfig": { "type": "default", "triggers": own } });
    update(&app, "email", sent).await;
    let data = update(&app, "email", json!({ "useEmailService": true })).await;
    assert_eq!(data["useEmailService"], true);
    assert_eq!(data["emailServiceConfig"]["type"], "default");
    assert_eq!(data["emailServiceConfig"]["triggers"], own);
}

#[tokio::test]
async fn enabling_again_seeds_nothing() {
    let app = App::start().await;
    update(&app, "email", json!({ "useEmailService": true })).await;
    let off = json!({ "useEmailService": false, "emailServiceConfig": { "triggers": { "comment.add": false } } });
    update(&app, "email", off).await;
    let data = update(&app, "email", json!({ "useEmailService": true })).await;
    assert_eq!(
        data["emailServiceConfig"]["triggers"],
        with(defaults(), json!({ "comment.add": false }))
    );
}

#[tokio::test]
async fn a_provider_that_was_chosen_stays_when_mails_are_switched_on() {
    let app = App::start().await;
    let provider = json!({ "type": "thirdparty", "apiKey": "SG.x", "fromEmail": "a@example.com" });
    update(&app, "email", json!({ "emailServiceConfig": provider })).await;
    let data = update(&app, "email", json!({ "useEmailService": true })).await;
    assert_eq!(data["emailServiceConfig"]["type"], "thirdparty");
    assert_eq!(data["emailServiceConfig"]["triggers"], defaults());

    // Mails that are on already are switched on once more, without effect.
    let sent = json!({ "useEmailService": true, "emailServiceConfig": provider });
    let key = key_with(&app, sent).await;
    let enable = json!({ "useEmailService": true });
    let data = app.call_as(&key, "configuration.email_update", enable).await.data();
    assert_eq!(data["emailServiceConfig"]["type"], "thirdparty");
}

#[tokio::test]
async fn the_type_custom_switches_mails_on_also_where_triggers_are_stored() {
    let app = App::start().await;
    let triggers = json!({ "comment.add": true });
    update(&app, "email", json!({ "emailServiceConfig": { "triggers": triggers } })).await;
    let data = update(&app, "email", json!({ "emailServiceConfig": { "type": "custom" } })).await;
    assert_eq!(data["useEmailService"], true);
    assert_eq!(data["emailServiceConfig"]["triggers"], triggers);
}

#[tokio::test]
async fn a_provider_without_key_or_address_is_refused_when_mails_are_on() {
    let app = App::start().await;
    let email = |members: Value| json!({ "emailServiceConfig": members });
    let on = |members: Value| with(email(members), json!({ "useEmailService": true }));
    let (key, from) = ("emailServiceConfig.apiKey", "emailServiceConfig.fromEmail");
    refused(&app, "email", on(json!({ "type": "thirdparty" })), from).await;
    let sent = json!({ "type": "thirdparty", "fromEmail": "a@example.com" });
    refused(&app, "email", on(sent.clone()), key).await;
    // A service that is off may be prepared, and the switch is refused until it is complete.
    update(&app, "email", email(sent)).await;
    refused(&app, "email", json!({ "useEmailService": true }), key).await;
    update(&app, "email", on(json!({ "apiKey": "SG.x" }))).await;
    refused(&app, "email", email(json!({ "apiKey": "" })), key).await;
    refused(&app, "email", email(json!({ "fromEmail": "" })), from).await;
    update(&app, "email", email(json!({ "type": "default", "apiKey": "" }))).await;
    refused(&app, "email", email(json!({ "type": "thirdparty" })), key).await;
}

#[tokio::test]
async fn members_are_merged_one_by_one_and_triggers_key_by_key() {
    let app = App::start().await;
    let mut expected = get(&app, "email").await;
    for (member, value) in [
        ("type", json!("thirdparty")),
        ("apiKey", json!("SG.x")),
        ("fromEmail", json!("a@example.com")),
        ("fromCompany", json!("Ünïcode & Söhne")),
        ("commentTemplateId", json!("d-1")),
        ("tagTemplateId", json!("d-2")),
        ("fromCompany", json!("")),
        ("fromEmail", json!("")),
        ("apiKey", json!("")),
    ] {
        let data = update(&app, "email", json!({ "emailServiceConfig": { member: value } })).await;
        expected["emailServiceConfig"][member] = value;
        assert_eq!(data, expected);
        assert_eq!(get(&app, "email").await, expected);
        // Null is as good as not sent.
        let data = update(&app, "email", json!({ "emailServiceConfig": { member: null } })).await;
        assert_eq!(data, expected);
    }
    for (sent, stored) in [
        (json!({ "a.b": true }), json!({ "a.b": true })),
        (json!({ "comment.add": false }), json!({ "a.b": true, "comment.add": false })),
        (
            json!({ "a.b": false, "comment.add": null }),
            json!({ "a.b": false, "comment.add": false }),
        ),
    ] {
        let data =
            update(&app, "email", json!({ "emailServiceConfig": { "triggers": sent } })).await;
        assert_eq!(data["emailServiceConfig"]["triggers"], stored);
    }
}

#[tokio::test]
async fn a_trigger_in_nested_spelling_changes_the_stored_trigger_in_dotted_spelling() {
    let app = App::start().await;
    update(&app, "email", json!({ "useEmailService": true })).await;
    let sent = json!({ "triggers": { "comment": { "added": false } } });
    let data = update(&app, "email", json!({ "emailServiceConfig": sent })).await;
    let triggers = &data["emailServiceConfig"]["triggers"];
    assert_eq!(triggers["comment"], json!({ "added": false }));
    assert_eq!(triggers["comment.add"], false);
    assert_eq!(triggers["comment.update"], true);
}

#[tokio::test]
async fn a_key_created_with_the_default_triggers_is_not_seeded_again() {
    let app = App::start().await;
    let sent = json!({
        "useEmailService": true, "setDefaultEmailTriggers": true,
        "emailServiceConfig": { "triggers": { "comment.add": false } },
    });
    let key = key_with(&app, sent).await;
    let enable = json!({ "useEmailService": true });
    let data = app.call_as(&key, "configuration.email_update", enable).await.data();
    assert_eq!(data["emailServiceConfig"]["type"], "custom");
    let expected = with(defaults(), json!({ "comment.add": false }));
    assert_eq!(data["emailServiceConfig"]["triggers"], expected);
}

#[tokio::test]
async fn use_email_service_or_email_service_config_is_required() {
    let app = App::start().await;
    for sent in [json!({}), json!({ "useEmailService": null, "emailServiceConfig": null })] {
        app.call("configuration.email_update", sent).await.error("INVALID_ARGUMENT");
    }
}

#[tokio::test]
async fn a_refusal_names_the_field_and_writes_nothing() {
    let app = App::start().await;
    let long = |n: usize| json!("x".repeat(n));
    for (member, value) in [
        ("type", json!("smtp")),
        ("type", json!("Custom")),
        ("apiKey", json!(1)),
        ("apiKey", json!("a\nb")),
        ("apiKey", long(1001)),
        ("fromEmail", json!("nobody")),
        ("fromEmail", json!("a@example.com\r\nBcc: b@example.com")),
        ("fromCompany", json!("a\r\nb")),
        ("fromCompany", long(1001)),
        ("commentTemplateId", json!([])),
        ("tagTemplateId", json!(true)),
        ("triggers", json!([])),
        ("triggers", json!({ "comment": true })),
        ("triggers", json!({ "": true })),
    ] {
        let mut config = json!({ "fromCompany": "Acme" });
        config[member] = value;
        let sent = json!({ "useEmailService": true, "emailServiceConfig": config });
        refused(&app, "email", sent, &format!("emailServiceConfig.{member}")).await;
    }
    for (triggers, path) in [
        (json!({ "comment.add": "true" }), "comment.add"),
        (json!({ "comment.add": 1 }), "comment.add"),
        (json!({ "comment": { "added": 0 } }), "comment.added"),
        (json!({ "comment": { "added": { "x": true } } }), "comment.added"),
    ] {
        let sent = json!({ "emailServiceConfig": { "triggers": triggers } });
        refused(&app, "email", sent, &format!("emailServiceConfig.triggers.{path}")).await;
    }
    refused(&app, "email", json!({ "useEmailService": "yes" }), "useEmailService").await;
    refused(&app, "email", json!({ "emailServiceConfig": [] }), "emailServiceConfig").await;
    let sent = json!({ "apiKey": long(1000), "fromCompany": long(1000) });
    update(&app, "email", json!({ "emailServiceConfig": sent })).await;
}

#[tokio::test]
async fn the_key_at_the_provider_is_sealed_at_rest_and_never_logged() {
    let app = App::start().await;
    let secret = "SG.canary-of-email-update";
    let data = update(&app, "email", json!({ "emailServiceConfig": { "apiKey": secret } })).await;
    assert_eq!(data["emailServiceConfig"]["apiKey"], secret);
    assert_eq!(get(&app, "email").await["emailServiceConfig"]["apiKey"], secret);
    assert!(!stored(&app, "email").contains(secret));
    let wrong = json!({ "emailServiceConfig": { "apiKey": secret, "type": secret } });
    let refused = app.call("configuration.email_update", wrong).await;
    refused.error("INVALID_ARGUMENT");
    assert!(!refused.text().contains(secret));
    assert!(!logged().contains(secret));
}
