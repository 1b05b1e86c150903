//! Calls of a tenant that others should not notice.

use bench::client::ORGANIZATION;
use serde_json::{Value, json};

/// The longest name of a person.
const LONGEST_NAME: usize = 1_000;
/// Mails of a comment.
const MAILS: usize = 20;

/// The path and the body of a call; the number is unique, the text the URL of a receiver.
pub(crate) type Attack = fn(u64, &str) -> (&'static str, Value);

/// The other tenants: a busy one, and attackers.
pub(crate) const OTHERS: [(&str, Attack); 8] = [
    ("a busy tenant", |n, _| match n % 2 {
        0 => read(),
        _ => ("/v2/commentannotations/add", thread(&format!("h{n}"), "What do you think?", "Ann")),
    }),
    ("a flood of reads", |_, _| read()),
    ("poisonous ids", |n, _| {
        let organization = json!({ "organizationId": format!("x\u{ffff}{n}") });
        ("/v2/organizations/add", json!({ "organizations": [organization] }))
    }),
    ("mention bombs", |n, _| {
        let bomb = thread(&format!("bomb-{n}"), &"{{a}}".repeat(2_000), &"n".repeat(LONGEST_NAME));
        ("/v2/commentannotations/add", bomb)
    }),
    ("a flood of mails", |n, _| {
        let users = (0..MAILS).map(|m| format!("u{}-{m}", n / 2));
        if n % 2 == 0 {
            let user =
                |id| json!({ "userId": id, "name": id, "email": format!("{id}@example.com") });
            let users: Vec<Value> = users.map(user).collect();
            return ("/v2/users/add", json!({ "organizationId": ORGANIZATION, "users": users }));
        }
        let mentioned: Vec<Value> = users.map(|id| json!({ "userId": id })).collect();
        let mut sent = thread(&format!("m{n}"), "Please look.", "Ann");
        sent["commentAnnotations"][0]["commentData"][0]["taggedUserContacts"] = json!(mentioned);
        ("/v2/commentannotations/add", sent)
    }),
    ("a thread without end", |n, _| match n {
        0 => ("/v2/commentannotations/add", thread("endless", "x", "Ann")),
        _ => {
            let comment = json!({ "from": { "userId": "a" }, "commentText": "x".repeat(2_000) });
            let sent = json!({
                "organizationId": ORGANIZATION, "documentId": "d0", "annotationId": "endless",
                "commentData": [comment],
            });
            ("/v2/commentannotations/comments/add", sent)
        }
    }),
    ("folders without end", |n, _| {
        let folders: Vec<Value> =
            (0..20).map(|m| json!({ "folderId": format!("f{n}-{m}") })).collect();
        let sent = json!({ "organizationId": ORGANIZATION, "folders": folders });
        ("/v2/organizations/folders/add", sent)
    }),
    ("endpoints without end", |n, receiver| {
        let url = format!("{receiver}/{n}");
        ("/v2/workspace/advancedwebhook/endpoints/create", json!({ "url": url }))
    }),
];

pub(crate) fn read() -> (&'static str, Value) {
    let asked = json!({ "organizationId": ORGANIZATION, "documentIds": ["d0"] });
    ("/v2/organizations/documents/get", asked)
}

fn thread(id: &str, text: &str, name: &str) -> Value {
    let person = json!({ "userId": "a", "name": name });
    json!({
        "organizationId": ORGANIZATION, "documentId": "d0", "triggerNotification": true,
        "commentAnnotations": [{
            "annotationId": id,
            "commentData": [{
                "from": person, "commentText": text,
                "taggedUserContacts": [{ "userId": "a", "contact": person }],
            }],
        }],
    })
}
