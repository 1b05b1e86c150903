use serde_json::{Value, from_value, json};

use super::{Contents, Facts, NoticeEntry};
use crate::{event::EventType, notification::NotificationSource, template::Sink, user::Person};

fn person(id: &str) -> Person {
    from_value(json!({ "userId": id, "name": id.to_uppercase() })).unwrap()
}

fn entry(n: u64, actor: &str, document: &str) -> NoticeEntry {
    NoticeEntry {
        event_id: format!("e{n}"),
        kind: EventType::CommentAdd,
        source: NotificationSource::Comment,
        actor: Some(person(actor)),
        at: n,
        document_id: document.to_owned().try_into().unwrap(),
        document_name: format!("Document {document}"),
        annotation_id: Some("t".to_owned().try_into().unwrap()),
        comment_id: Some(n),
        snippet: Some(format!("text {n}")),
        is_mention: false,
        is_direct: false,
        is_subscriber: false,
        page_url: None,
        by_end_user: None,
        location: None,
        values: Default::default(),
        own: None,
    }
}

fn contents(entries: Vec<NoticeEntry>) -> Contents {
    Contents {
        id: "n".to_owned().try_into().unwrap(),
        organization_id: "acme".to_owned().try_into().unwrap(),
        recipient: person("zoe"),
        entries,
        batch: from_value(json!({ "scope": "user", "openedAt": 1, "closedAt": 9 })).unwrap(),
        at: 10,
    }
}

#[test]
fn a_headline_says_who_did_what_where() {
    let said = |change: fn(&mut NoticeEntry)| {
        let mut entry = entry(1, "ada", "d");
        change(&mut entry);
        contents(vec![entry]).headline().text(Sink::Plain)
    };
    assert_eq!(said(|_| ()), "ADA replied in Document d");
    assert_eq!(said(|entry| entry.is_mention = true), "ADA mentioned you in Document d");
    assert_eq!(said(|entry| entry.actor = None), "Somebody replied in Document d");
    let status = |entry: &mut NoticeEntry| {
        entry.kind = EventType::AnnotationStatusChange;
        entry.values = from_value(json!({ "status": "Resolved" })).unwrap();
    };
    assert_eq!(said(status), "ADA changed the status to Resolved in Document d");
    let assigned = |entry: &mut NoticeEntry| {
        entry.kind = EventType::AnnotationAssign;
        entry.values = from_value(json!({ "assignee": { "userId": "zoe" } })).unwrap();
    };
    assert_eq!(said(assigned), "ADA assigned you a thread in Document d");
}

#[test]
fn several_have_one_headline_with_counts() {
    let said = |entries| contents(entries).headline().text(Sink::Plain);
    let one = vec![entry(1, "ada", "d"), entry(2, "ada", "d")];
    assert_eq!(said(one), "ADA left 2 updates in Document d");
    let two = vec![entry(1, "bob", "d"), entry(2, "ada", "d")];
    assert_eq!(said(two), "ADA and 1 other left 2 updates in Document d");
    let three = vec![entry(1, "bob", "d"), entry(2, "cy", "e"), entry(3, "ada", "d")];
    assert_eq!(said(three), "ADA and 2 others left 3 updates in 2 documents");
}

#[test]
fn a_digest_can_lose_activities_and_counts_anew() {
    let three = vec![entry(1, "bob", "d"), entry(2, "cy", "e"), entry(3, "ada", "d")];
    let mut it = contents(three).notification().unwrap();
    assert_eq!(it.document_id.as_str(), "d");
    assert_eq!(it.further_document_ids.len(), 1);
    let before = it.clone();
    assert_eq!(it.retain_parts(|_| true), 3);
    assert_eq!(it, before);
    assert_eq!(it.retain_parts(|part| part.document_id.as_str() == "d"), 2);
    let data = &it.notification_source_data;
    assert_eq!(data["batch"]["total"], 2);
    assert_eq!(
        data["batch"]["documents"],
        json!([{ "documentId": "d", "documentName": "Document d", "count": 2 }])
    );
    assert_eq!(data["batch"]["activities"][1]["id"], "e3");
    // The rest shows nothing of the newest one either.
    assert_eq!(it.retain_parts(|part| part.id == "e1"), 1);
    let shown = serde_json::to_string(&it).unwrap();
    for gone in ["ada", "ADA", "cy", "text 3", "text 2", "Document e"] {
        assert!(!shown.contains(gone), "{gone}: {shown}");
    }
    assert_eq!(it.display_body_message.as_deref(), Some("text 1"));
    let template = it.display_headline_message_template.as_deref();
    assert_eq!(template, Some("{actionUser} left {count} update in {documentName}"));
    let data = &it.display_headline_message_template_data;
    assert_eq!((&data["count"], &data["othersCount"]), (&json!(1), &json!(0)));
    assert_eq!(it.action_user.as_ref().unwrap().user_id.as_str(), "bob");
}

#[test]
fn what_an_event_tells_is_whom_it_involves() {
    let event = json!({
        "event": "comment.reaction_add", "organizationId": "acme", "documentId": "d",
        "actor": { "userId": "eve" }, "annotationId": "t", "commentId": 2,
    });
    let shown = json!({
        "from": { "userId": "ada" }, "status": { "id": "OPEN" },
        "subscribedUsers": { "sub": { "user": { "userId": "sub" }, "type": "manual" } },
        "unsubscribedUsers": { "ada": { "user": { "userId": "ada" } } },
        "comments": [
            { "commentId": 1, "from": { "userId": "ada" } },
            { "commentId": 2, "from": { "userId": "bob" }, "to": [{ "userId": "cy" }],
              "reactionAnnotations": [
                { "icon": "OLD", "fromUsers": [{ "from": { "userId": "eve" }, "lastUpdated": 1 }] },
                { "icon": "NEW", "fromUsers": [{ "from": { "userId": "eve" }, "lastUpdated": 2 }] },
              ] },
        ],
    });
    let facts = Facts::from_event(&from_value(event).unwrap(), Some(&from_value(shown).unwrap()));
    let shown: Value = serde_json::to_value(&facts).unwrap();
    assert_eq!(shown["direct"], json!(["bob", "cy"]));
    assert_eq!(shown["involved"], json!(["bob", "sub"]), "who unsubscribed is not");
    assert_eq!(shown["values"], json!({ "icon": "NEW" }));
    assert_eq!(from_value::<Facts>(shown).unwrap(), facts);
}
