use model::Metadata;
use serde_json::{Value, json};

use super::{BriefComment, Options, SendOutcome, judge, request, thread_properties};
use crate::{Kind, Unsendable, sample};

fn built(template: Option<&str>, properties: Value) -> Value {
    let properties: Metadata = properties.as_object().cloned().unwrap();
    let options = Options { attempt: 2, sandbox: false };
    request(&sample::thread(), options, template, properties).unwrap()
}

#[test]
fn without_a_template_the_mail_brings_its_own_pages() {
    let body = built(None, json!({ "unused": 1 }));
    assert_eq!(body["from"], json!({ "email": "noreply@acme.test", "name": "Ann Lee via Acme" }));
    assert_eq!(body["subject"], "Comment thread in Plan");
    assert_eq!(body["content"][0]["type"], "text/plain");
    assert_eq!(body["content"][1]["type"], "text/html");
    assert!(body["content"][1]["value"].as_str().unwrap().contains("quote 1."));
    assert_eq!(body.get("template_id"), None);
    assert_eq!(body.get("reply_to"), None);
    assert_eq!(body.get("mail_settings"), None);
    assert_eq!(built(Some(""), json!({})), built(None, json!({})));
    let to = &body["personalizations"][0];
    assert_eq!(to["to"], json!([{ "email": "bob@x.test", "name": "Bob" }]));
    assert_eq!(
        to["custom_args"],
        json!({ "delivery": "01JD0000000000000000000000", "attempt": "2" })
    );
    assert_eq!(to.get("dynamic_template_data"), None);
    assert_eq!(body["personalizations"].as_array().unwrap().len(), 1);
}

#[test]
fn a_template_gets_the_properties_and_the_ready_subject() {
    let mut letter = sample::thread();
    letter.reply_to = Some(sample::address("ann@x.test", "Ann"));
    letter.documents[0].items[0].quote = Some("secret quote".to_owned());
    let data: Metadata = [("pageTitle".to_owned(), json!("P"))].into_iter().collect();
    let options = Options { attempt: 1, sandbox: true };
    let body = request(&letter, options, Some("d-1"), data).unwrap();
    assert_eq!(body["template_id"], "d-1");
    assert_eq!(body.get("content"), None);
    assert_eq!(body["reply_to"], json!({ "email": "ann@x.test", "name": "Ann" }));
    assert_eq!(body["mail_settings"]["sandbox_mode"]["enable"], true);
    assert_eq!(
        body["personalizations"][0]["dynamic_template_data"],
        json!({ "pageTitle": "P", "subject": "Comment thread in Plan" })
    );
    assert!(!body.to_string().contains("secret quote"));
}

#[test]
fn the_headers_are_those_of_the_mime_form_on_one_line_each() {
    let mut letter = sample::thread();
    letter.unsubscribe_url = format!("https://rt.acme.test/u/{}", "a".repeat(800));
    let Kind::Thread { document_name, .. } = &mut letter.kind else { panic!() };
    *document_name = "é".repeat(64);
    let body = request(&letter, Options::default(), None, Metadata::new()).unwrap();
    let headers = body["personalizations"][0]["headers"].as_object().unwrap();
    assert_eq!(headers["List-Unsubscribe"], format!("<{}>", letter.unsubscribe_url));
    assert_eq!(headers["List-Unsubscribe-Post"], "List-Unsubscribe=One-Click");
    assert_eq!(headers["References"], headers["In-Reply-To"]);
    assert!(headers["List-Id"].as_str().unwrap().contains("?= =?utf-8?"), "folded where encoded");
    for (name, value) in headers {
        let value = value.as_str().unwrap();
        assert!(value.is_ascii() && !value.contains(char::is_control), "{name}: {value}");
    }
    for reserved in ["To", "From", "Subject", "Reply-To", "Content-Type", "Message-ID"] {
        assert!(!headers.contains_key(reserved), "{reserved}");
    }
}

#[test]
fn what_can_never_be_sent_is_refused_here_too() {
    let mut letter = sample::thread();
    letter.to = sample::address("ßob@x.test", "Bob");
    let refused = request(&letter, Options::default(), None, Metadata::new());
    assert_eq!(refused, Err(Unsendable::Address));
}

#[test]
fn a_template_is_told_of_the_first_and_the_last_comments() {
    let comment = |id: u64| BriefComment {
        comment_id: id,
        comment_text: format!("text {id}"),
        from: json!({ "userId": "u" }),
    };
    let said = |count: u64| {
        Value::from(thread_properties(&(1..=count).map(comment).collect::<Vec<_>>(), count))
    };
    assert_eq!(said(0), json!({ "commentsCount": 0, "commentsCountMoreThanThree": false }));
    let one = said(1);
    assert_eq!(
        (one["firstComment"]["commentId"].as_u64(), one.get("prevComment")),
        (Some(1), None)
    );
    let four = said(4);
    assert_eq!(
        four["firstComment"],
        json!({ "commentId": 1, "commentText": "text 1", "from": { "userId": "u" } })
    );
    assert_eq!(four["latestComment"]["commentId"], 4);
    assert_eq!(four["prevComment"]["commentId"], 3);
    assert_eq!(
        (&four["commentsCount"], &four["commentsCountMoreThanThree"]),
        (&json!(4), &json!(true))
    );
    assert_eq!(said(3)["commentsCountMoreThanThree"], false);
}

#[test]
fn an_answer_says_whether_to_try_again() {
    assert_eq!(judge(Some(202), None), SendOutcome::Accepted);
    assert_eq!(judge(Some(200), None), SendOutcome::Accepted, "a sandbox says 200");
    assert_eq!(judge(None, None), SendOutcome::Ambiguous);
    for status in [429, 500, 502, 503, 504, 599] {
        assert_eq!(judge(Some(status), None), SendOutcome::Retry { after: None }, "{status}");
    }
    assert_eq!(judge(Some(429), Some(7)), SendOutcome::Retry { after: Some(7000) });
    assert_eq!(judge(Some(503), Some(u64::MAX)), SendOutcome::Retry { after: Some(u64::MAX) });
    for status in [301, 400, 401, 403, 404, 413, 422] {
        assert!(matches!(judge(Some(status), Some(1)), SendOutcome::Rejected(_)), "{status}");
    }
}
