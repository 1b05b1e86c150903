use std::{collections::BTreeSet, time::Duration};

use serde_json::{Map, Value, json};

use super::{
    add, add_documents, add_plain, all, domain_events, find, get, ids, numbered, plain, start,
};
use crate::app::App;

const NONE: [Value; 0] = [];

/// Contract `recordings.get`.
#[tokio::test]
async fn a_recording_is_kept_as_it_was_sent() {
    let app = start().await;
    let attachment = json!({
        "attachmentId": 481_516, "url": "https://cdn.example.com/a.mp4", "mimeType": "video/mp4",
        "name": "a.mp4", "type": "mp4", "size": 1_048_576,
    });
    let from = json!({ "userId": "ada", "name": "Ada" });
    let sent = json!([{
        "annotationId": "r", "recordingType": "screen", "mode": "thread", "displayName": "Tour",
        "recordedTime": { "duration": 4204.55, "display": "99:99:99" },
        "attachments": [attachment], "from": from, "latestVersion": 7, "unknown": true,
    }]);
    let before = app.now();
    let added = add(&app, "d", sent).await;
    assert_eq!(added["r"]["success"], true);
    assert_eq!(added["r"]["annotationId"], "r");
    assert!(added["r"]["message"].is_string());

    let mut found = find(&app, "r").await;
    let at = found["recordedAt"].as_u64().expect("a time");
    assert!((before..=app.now()).contains(&at));
    assert_eq!(found["lastUpdated"].take(), found["recordedAt"].take());
    let version = json!({
        "recordedTime": { "duration": 4204.55, "display": "00:00:04" }, "displayName": "Tour",
        "attachments": [attachment],
    });
    let expected = json!({
        "annotationId": "r", "type": "recorder", "recordingType": "screen", "mode": "thread",
        "metadata": { "apiKey": app.key.api_key, "documentId": "d", "organizationId": "acme" },
        "recordedTime": version["recordedTime"], "displayName": "Tour",
        "attachments": [attachment], "from": from, "latestVersion": 1,
        "recordingEditVersions": { "1": version }, "recordedAt": null, "lastUpdated": null,
    });
    assert_eq!(found, expected);
}

#[tokio::test]
async fn omitted_members_have_defaults_and_missing_ids_are_generated() {
    let app = start().await;
    let file = json!({ "url": "http://x/a" });
    let named = json!({ "url": "http://x/b", "attachmentId": 100_000 });
    let sent = json!({ "recordedTime": { "duration": 0 }, "attachments": [file, named, file] });
    let mut unset = sent.clone();
    for member in ["annotationId", "recordingType", "mode", "displayName", "from"] {
        unset[member] = Value::Null;
    }
    unset["attachments"][0]["attachmentId"] = Value::Null;
    let added = add(&app, "d", json!([sent, unset])).await;
    let added = added.as_object().expect("a map");
    assert_eq!(added.len(), 2);
    for (id, entry) in added {
        assert_eq!(entry["success"], true);
        assert_eq!(&entry["annotationId"], id);
        assert!(id.len() == 20 && id.bytes().all(|byte| byte.is_ascii_alphanumeric()), "{id}");
        let found = find(&app, id).await;
        assert_eq!(found["recordingType"], "audio");
        assert_eq!(found["mode"], "floating");
        assert_eq!(found["displayName"], "Audio recording");
        assert_eq!(found["recordedTime"], json!({ "duration": 0, "display": "00:00:00" }));
        assert_eq!(found.get("from"), None);
        let files = found["attachments"].as_array().expect("files").iter();
        let files: BTreeSet<u64> =
            files.map(|file| file["attachmentId"].as_u64().expect("a number")).collect();
        assert_eq!(files.len(), 3);
        assert!(files.iter().all(|id| (100_000..=999_999).contains(id)), "{files:?}");
        assert!(files.contains(&100_000));
    }
}

#[tokio::test]
async fn an_omitted_name_is_derived_from_the_recording_type() {
    let app = start().await;
    for (kind, name) in
        [("audio", "Audio recording"), ("video", "Video recording"), ("screen", "Screen recording")]
    {
        let mut sent = plain(kind);
        sent["recordingType"] = json!(kind);
        add(&app, "d", json!([sent])).await;
        assert_eq!(find(&app, kind).await["displayName"], name);
    }
}

#[tokio::test]
async fn adding_an_existing_recording_adds_a_version() {
    let app = start().await;
    let mut first = plain("r");
    first["recordingType"] = json!("video");
    first["mode"] = json!("thread");
    first["displayName"] = json!("First");
    first["from"] = json!({ "userId": "ada" });
    first["attachments"] = json!([{ "url": "http://x/1", "attachmentId": 1 }]);
    add(&app, "d", json!([first])).await;
    let before = find(&app, "r").await;
    app.advance(Duration::from_secs(60));
    let mut second = plain("r");
    second["recordedTime"]["duration"] = json!(359_999_999.9);
    assert_eq!(add(&app, "d", json!([second])).await["r"]["success"], true);

    let found = find(&app, "r").await;
    assert_eq!(found["latestVersion"], 2);
    assert_eq!(found["recordedAt"], before["recordedAt"]);
    let later = |found: &Value| found["lastUpdated"].as_u64();
    assert!(later(&found) >= later(&before).map(|at| at + 60_000));
    for member in ["recordingType", "mode", "displayName", "from"] {
        assert_eq!(found[member], before[member], "{member}");
    }
    assert_eq!(found["attachments"], json!([]));
    assert_eq!(found["recordedTime"]["display"], "99:59:59");
    let versions = &found["recordingEditVersions"];
    assert_eq!(versions["1"], before["recordingEditVersions"]["1"]);
    assert_eq!(versions["2"]["recordedTime"], found["recordedTime"]);

    let mut third = plain("r");
    third["displayName"] = json!("Third");
    third["from"] = json!({ "userId": "bob" });
    third["recordingType"] = json!("screen");
    add(&app, "d", json!([third])).await;
    let found = find(&app, "r").await;
    assert_eq!(found["displayName"], "Third");
    assert_eq!(found["from"], json!({ "userId": "bob" }));
    assert_eq!(found["recordingType"], "screen");
    assert_eq!(all(&app).await, ["r"]);
}

#[tokio::test]
async fn a_recording_sent_22_times_in_a_request_has_22_versions_of_which_20_are_kept() {
    let app = start().await;
    let sent: Vec<Value> = (1..=22)
        .map(|n| {
            let mut sent = plain("r");
            sent["recordedTime"]["duration"] = json!(n * 1000);
            sent
        })
        .collect();
    let added = add(&app, "d", json!(sent)).await;
    assert_eq!(added.as_object().map(Map::len), Some(1));
    assert_eq!(added["r"]["success"], true);
    let found = find(&app, "r").await;
    assert_eq!(found["latestVersion"], 22);
    assert_eq!(found["recordedTime"]["duration"], 22_000);
    let versions = found["recordingEditVersions"].as_object().expect("versions");
    let kept: BTreeSet<u64> = versions.keys().map(|n| n.parse().expect("a number")).collect();
    assert_eq!(kept, (3..=22).collect());
    for (n, version) in versions {
        let duration = version["recordedTime"]["duration"].as_u64();
        assert_eq!(duration, n.parse().ok().map(|n: u64| n * 1000));
    }
    assert_eq!(domain_events(&app).len(), 1, "one event for a request");
}

#[tokio::test]
async fn simultaneous_additions_of_a_recording_add_one_version_each() {
    let app = start().await;
    let adding = (0..8).map(|_| add(&app, "d", json!([plain("r")])));
    for added in futures_util::future::join_all(adding).await {
        assert_eq!(added["r"]["success"], true, "{added}");
    }
    assert_eq!(find(&app, "r").await["latestVersion"], 8);
    assert_eq!((domain_events(&app).len(), app.last_number("d").await), (8, 8));
}

#[tokio::test]
async fn each_addition_emits_an_event_with_the_files_of_all_versions() {
    let app = start().await;
    let mut first = plain("r");
    first["from"] = json!({ "userId": "ada", "name": "Ada" });
    first["attachments"] = json!([{
        "url": "http://x/1", "mimeType": "audio/mpeg", "name": "1.mp3", "size": 5, "type": "mp3",
    }]);
    add(&app, "d", json!([first])).await;
    let mut second = plain("r");
    second["attachments"] = json!([{ "url": "http://x/2" }, { "url": "http://x/3" }]);
    add(&app, "d", json!([second, plain("s")])).await;

    let domain_events = domain_events(&app);
    assert_eq!(domain_events.len(), 3);
    let one = json!({
        "version": 1, "url": "http://x/1", "mimeType": "audio/mpeg", "fileName": "1.mp3",
        "fileSizeInBytes": 5, "fileFormat": "mp3",
    });
    let (two, three) = (
        json!({ "version": 2, "url": "http://x/2" }),
        json!({ "version": 2, "url": "http://x/3" }),
    );
    let event = &domain_events[0]["event"];
    assert_eq!(event["event"], "recorder.done");
    assert_eq!(event["organizationId"], "acme");
    assert_eq!(event["documentId"], "d");
    assert_eq!(event["actor"], json!({ "userId": "ada", "name": "Ada" }));
    assert_eq!(event["annotationId"], "r");
    assert_eq!(
        event["data"],
        json!({
            "recorderId": "r", "from": event["actor"], "assets": [one], "assetsAllVersions": [one],
        })
    );
    let data = &domain_events[1]["event"]["data"];
    assert_eq!(data["assets"], json!([two, three]));
    assert_eq!(data["assetsAllVersions"], json!([one, two, three]));
    let event = &domain_events[2]["event"];
    assert_eq!(event.get("actor"), None);
    assert_eq!(event["data"], json!({ "recorderId": "s", "assets": [], "assetsAllVersions": [] }));
}

#[tokio::test]
async fn an_unknown_organization_or_document_fails_each_item() {
    let app = App::start().await;
    for known in [false, true] {
        if known {
            add_documents(&app, &["other"]).await;
        }
        let added = add(&app, "d", json!([plain("r"), plain("s")])).await;
        assert_eq!(added.as_object().map(Map::len), Some(2));
        for id in ["r", "s"] {
            let entry = &added[id];
            assert_eq!(entry["success"], false, "{entry}");
            assert_eq!(entry["annotationId"], id);
            let message = entry["message"].as_str().expect("a message");
            assert!(message.contains("document d"), "{message}");
        }
        assert_eq!(all(&app).await, NONE);
        assert_eq!(domain_events(&app), NONE);
    }
}

#[tokio::test]
async fn a_recording_id_of_another_document_fails_without_failing_the_others() {
    let app = start().await;
    add_plain(&app, "d", &["r"]).await;
    let added = add(&app, "e", json!([plain("r"), plain("s")])).await;
    assert_eq!(added["r"]["success"], false);
    assert_eq!(added["s"]["success"], true);
    let found = find(&app, "r").await;
    assert_eq!(
        (&found["metadata"]["documentId"], &found["latestVersion"]),
        (&json!("d"), &json!(1))
    );
}

#[tokio::test]
async fn recordings_of_a_deleted_document_are_removed_and_new_ones_of_the_same_id_are_new() {
    let app = start().await;
    add_plain(&app, "d", &["r", "s"]).await;
    add_plain(&app, "e", &["t"]).await;
    let sent = json!({ "organizationId": "acme", "documentIds": ["d"] });
    app.call("documents.delete", sent).await.ok();
    assert_eq!(add(&app, "d", json!([plain("u")])).await["u"]["success"], false);
    app.advance(Duration::from_secs(1));
    app.settle().await;
    assert_eq!(all(&app).await, ["t"]);
    assert_eq!(find(&app, "r").await, Value::Null);

    add_documents(&app, &["d"]).await;
    add_plain(&app, "d", &["r"]).await;
    app.advance(Duration::from_secs(21 * 60));
    app.tick().await;
    app.settle().await;
    let found = find(&app, "r").await;
    assert_eq!(found["latestVersion"], 1, "what is added to the new document stays, and is new");
    assert_eq!(app.last_number("d").await, 3, "numbers go on");
}

#[tokio::test]
async fn no_recording_is_left_of_a_document_deleted_at_the_same_time() {
    let app = start().await;
    let sent: Vec<Value> = numbered(60).iter().map(|id| plain(id)).collect();
    let deletion = json!({ "organizationId": "acme", "documentIds": ["d"] });
    let (added, deleted) =
        tokio::join!(add(&app, "d", json!(sent)), app.call("documents.delete", deletion));
    deleted.ok();
    assert_eq!(added.as_object().map(Map::len), Some(60));
    app.advance(Duration::from_secs(1));
    app.settle().await;
    assert_eq!(all(&app).await, NONE);
}

#[tokio::test]
async fn a_recording_above_400_kib_fails_without_failing_the_others_in_its_batch() {
    let app = start().await;
    let mut large = plain("r");
    large["attachments"] = json!([{ "url": "http://x/1", "name": "x".repeat(420_000) }]);
    let added = add(&app, "d", json!([large, plain("s")])).await;
    assert_eq!(added["r"]["success"], false);
    let message = added["r"]["message"].as_str().expect("a message");
    assert!(message.contains("409600"), "{message}");
    assert_eq!(added["s"]["success"], true);
    assert_eq!(all(&app).await, ["s"]);
    assert_eq!(domain_events(&app).len(), 1);
}

#[tokio::test]
async fn a_batch_holds_1_to_500_recordings() {
    let app = start().await;
    let batch = |n: usize| {
        let recordings: Vec<Value> = numbered(n).iter().map(|id| plain(id)).collect();
        let sent = json!({ "organizationId": "acme", "documentId": "d", "recordings": recordings });
        app.call("recordings.add", sent)
    };
    for n in [0, 501] {
        let error = batch(n).await.error("INVALID_ARGUMENT");
        assert_eq!(error["details"]["issues"][0]["path"], json!(["data", "recordings"]));
    }
    assert_eq!(all(&app).await, NONE);
    let added = batch(500).await.data();
    let added = added.as_object().expect("a map");
    assert_eq!(added.len(), 500);
    assert!(added.values().all(|entry| entry["success"] == true));
    assert_eq!(ids(&get(&app, json!({ "pageSize": 1000 })).await).len(), 500);
    assert_eq!(domain_events(&app).len(), 500);
}

#[tokio::test]
async fn the_ends_of_every_range_are_allowed() {
    let app = start().await;
    let mut sent = plain("r");
    let file = json!({ "url": "http://x/1", "attachmentId": 0, "size": 0, "type": "webm" });
    let most = json!({
        "url": "http://x/1", "attachmentId": 9_007_199_254_740_991_u64,
        "size": 9_007_199_254_740_991_u64, "type": "mp3",
    });
    sent["attachments"] = json!([file, most]);
    sent["recordedTime"]["duration"] = json!(9_007_199_254_740_991_u64);
    sent["displayName"] = json!("x".repeat(1000));
    let mut many = plain("s");
    many["attachments"] = json!(vec![json!({ "url": "http://x/1" }); 30]);
    let added = add(&app, "d", json!([sent, many])).await;
    assert_eq!(added["r"]["success"], true);
    assert_eq!(added["s"]["success"], true);
    let found = find(&app, "r").await;
    assert_eq!(found["attachments"], json!([file, most]));
    assert_eq!(found["recordedTime"]["display"], "2501999792:59:00");
    assert_eq!(find(&app, "s").await["attachments"].as_array().map(Vec::len), Some(30));
}

#[tokio::test]
async fn a_malformed_item_refuses_the_whole_request() {
    let app = start().await;
    let file = |member: &str, value: Value| {
        let mut file = json!({ "url": "http://x/1" });
        file[member] = value;
        json!({ "attachments": [file] })
    };
    let first = json!(["attachments", 0]);
    for (wrong, path) in [
        (json!({ "annotationId": "" }), json!(["annotationId"])),
        (json!({ "annotationId": "x".repeat(257) }), json!(["annotationId"])),
        (json!({ "recordingType": "hologram" }), json!(["recordingType"])),
        (json!({ "mode": "pinned" }), json!(["mode"])),
        (json!({ "displayName": " " }), json!(["displayName"])),
        (json!({ "displayName": "x".repeat(1001) }), json!(["displayName"])),
        (json!({ "recordedTime": null }), json!(["recordedTime"])),
        (json!({ "recordedTime": {} }), json!(["recordedTime", "duration"])),
        (json!({ "recordedTime": { "duration": -1 } }), json!(["recordedTime", "duration"])),
        (json!({ "recordedTime": { "duration": "1" } }), json!(["recordedTime", "duration"])),
        (
            json!({ "recordedTime": { "duration": 9_007_199_254_740_992_u64 } }),
            json!(["recordedTime", "duration"]),
        ),
        (json!({ "attachments": null }), json!(["attachments"])),
        (
            json!({ "attachments": vec![json!({ "url": "http://x/1" }); 31] }),
            json!(["attachments"]),
        ),
        (json!({ "attachments": [{}] }), json!([first[0], first[1], "url"])),
        (file("url", json!("")), json!([first[0], first[1], "url"])),
        (file("url", json!("ftp://x/1")), json!([first[0], first[1], "url"])),
        (file("attachmentId", json!(-1)), json!([first[0], first[1], "attachmentId"])),
        (file("attachmentId", json!("1")), json!([first[0], first[1], "attachmentId"])),
        (file("size", json!(1.5)), json!([first[0], first[1], "size"])),
        (file("type", json!("gif")), json!([first[0], first[1], "type"])),
        (json!({ "from": {} }), json!(["from", "userId"])),
    ] {
        let mut second = plain("s");
        for (name, value) in wrong.as_object().expect("members") {
            second[name] = value.clone();
        }
        let sent = json!({
            "organizationId": "acme", "documentId": "d", "recordings": [plain("r"), second],
        });
        let error = app.call("recordings.add", sent).await.error("INVALID_ARGUMENT");
        let mut expected = vec![json!("data"), json!("recordings"), json!(1)];
        expected.extend(path.as_array().expect("a path").iter().cloned());
        assert_eq!(error["details"]["issues"][0]["path"], json!(expected), "{wrong}");
    }
    for missing in ["organizationId", "documentId", "recordings"] {
        let mut sent =
            json!({ "organizationId": "acme", "documentId": "d", "recordings": [plain("r")] });
        sent[missing] = Value::Null;
        let error = app.call("recordings.add", sent).await.error("INVALID_ARGUMENT");
        assert_eq!(error["details"]["issues"][0]["path"], json!(["data", missing]));
    }
    assert_eq!(all(&app).await, NONE);
}

#[tokio::test]
async fn ids_of_256_characters_and_of_any_unicode_are_stored_and_found() {
    let app = start().await;
    let longest = "#".repeat(256);
    let odd = [longest.as_str(), "#", "a#b", "%23", "a/b", "🦀", "مرحبا", "__proto__"];
    add_plain(&app, "d", &odd).await;
    for id in odd {
        assert_eq!(find(&app, id).await["annotationId"], id);
    }
    assert_eq!(all(&app).await.len(), odd.len());
}
