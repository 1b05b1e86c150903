//! Documents of many threads, and folders of many documents.

use serde_json::{Value, json};

use super::{add_to, at, by, ids, list, start};
use crate::multiply::multiply;

#[tokio::test]
async fn threads_are_found_in_a_folder_of_2100_documents() {
    let app = start().await;
    let documents = json!({
        "organizationId": "o", "folderId": "f", "createFolder": true,
        "documents": [{ "documentId": "d00000" }, { "documentId": "inside" }],
    });
    app.call("documents.add", documents).await.ok();
    multiply(&app, "document#d00000", "d00000", 1..2100).await;
    for (document, id) in [("d", "a"), ("inside", "b"), ("e", "c"), ("inside", "x")] {
        add_to(&app, document, json!({ "annotationId": id, "commentData": [by("ada")] })).await;
    }
    let found = list(&app, json!({ "folderId": "f" })).await;
    let mut found = ids(&found);
    found.sort();
    assert_eq!(found.concat(), "bx");
    let named = json!({ "folderId": "f", "documentIds": ["d", "inside"] });
    assert_eq!(ids(&list(&app, named).await).len(), 2);
    let sent = json!({ "organizationId": "o", "folderId": "f", "annotationIds": ["a", "b"] });
    let picked = app.call("comments.annotations_get", sent).await.data();
    assert_eq!((&picked[0], &picked[1]["annotationId"]), (&Value::Null, &json!("b")));
}

#[tokio::test]
async fn at_most_10000_threads_of_a_document_are_counted() {
    let app = start().await;
    let thread = json!({ "annotationId": "t00000", "commentData": [by("ada")] });
    add_to(&app, "d", thread).await;
    multiply(&app, "annotation#d#id#t00000", "t00000", 1..10_050).await;
    let sent = at("d", json!({ "documentIds": ["d"], "userId": "bob" }));
    let counted = app.call("comments.annotations_count", sent).await.data();
    assert_eq!(counted["d"], json!({ "total": 10_000, "unread": 10_000 }));
}
