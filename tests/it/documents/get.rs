use serde_json::{Value, json};

use super::{add, ids, lying_in, numbered, start};
use crate::app::App;

async fn get(app: &App, mut sent: Value) -> Value {
    sent["organizationId"] = json!("acme");
    app.call("documents.get", sent).await.ok()
}

#[tokio::test]
async fn an_unknown_organization_has_no_documents() {
    let app = App::start().await;
    for sent in [json!({}), json!({ "folderId": "f" }), json!({ "documentIds": ["d"] })] {
        let result = get(&app, sent).await;
        assert_eq!(result["data"], json!([]));
        assert_eq!(result.get("pageToken"), Some(&Value::Null));
    }
    app.call("documents.get", json!({})).await.error("INVALID_ARGUMENT");
}

#[tokio::test]
async fn document_ids_select_the_documents_that_exist_and_each_is_returned_once() {
    let app = start().await;
    add(&app, None, &["a", "b", "c"]).await;
    let filter = json!(["c", "nobody", "a", "c"]);
    let result = get(&app, json!({ "documentIds": filter })).await;
    assert_eq!(ids(&result["data"]), ["a", "c"]);
    assert_eq!(result.get("pageToken"), Some(&Value::Null));
    assert_eq!(result["missing"], json!(["nobody"]));
    let first = get(&app, json!({ "documentIds": filter, "pageSize": 1 })).await;
    assert_eq!(ids(&first["data"]), ["a"]);
    assert_eq!(first["missing"], json!([]), "the second page tells of the others");
    let token = &first["pageToken"];
    let second =
        get(&app, json!({ "documentIds": filter, "pageSize": 1, "pageToken": token })).await;
    assert_eq!(ids(&second["data"]), ["c"]);
    assert_eq!(second["missing"], json!(["nobody"]));
    assert_eq!(second.get("pageToken"), Some(&Value::Null));
}

#[tokio::test]
async fn a_folder_id_selects_the_documents_directly_in_that_folder() {
    let app = start().await;
    let below = json!({ "folderId": "below", "parentFolderId": "f" });
    let sent = json!({ "organizationId": "acme", "folders": [below] });
    app.call("folders.add", sent).await.ok();
    add(&app, Some("f"), &["a", "c"]).await;
    add(&app, Some("below"), &["b"]).await;
    add(&app, None, &["d"]).await;
    assert_eq!(lying_in(&app, "f").await, ["a", "c"]);
    assert_eq!(lying_in(&app, "below").await, ["b"]);
    assert_eq!(lying_in(&app, "root").await, ["d"]);
    assert_eq!(lying_in(&app, "nowhere").await, Vec::<Value>::new());
    assert_eq!(ids(&get(&app, json!({})).await["data"]), ["a", "b", "c", "d"]);
}

#[tokio::test]
async fn document_ids_with_a_folder_select_the_documents_that_match_both() {
    let app = start().await;
    add(&app, Some("f"), &["a", "b"]).await;
    add(&app, None, &["c"]).await;
    for (folder, found) in [("f", "a"), ("root", "c")] {
        let result = get(&app, json!({ "documentIds": ["a", "c"], "folderId": folder })).await;
        assert_eq!(ids(&result["data"]), [found], "{folder}");
        assert_eq!(result["missing"].as_array().unwrap().len(), 1, "{folder}");
    }
}

#[tokio::test]
async fn a_null_filter_selects_all_documents() {
    let app = start().await;
    add(&app, None, &["a", "b"]).await;
    let sent = json!({ "documentIds": null, "folderId": null });
    let result = get(&app, sent).await;
    assert_eq!(ids(&result["data"]), ["a", "b"]);
    assert_eq!(result.get("missing"), None, "only ids can be missing");
}

#[tokio::test]
async fn at_most_30_ids_can_be_asked_for() {
    let app = start().await;
    add(&app, None, &["d29"]).await;
    let result = get(&app, json!({ "documentIds": numbered(30) })).await;
    assert_eq!(ids(&result["data"]), ["d29"]);
    let sent = json!({ "organizationId": "acme", "documentIds": numbered(31) });
    let error = app.call("documents.get", sent).await.error("INVALID_ARGUMENT");
    assert_eq!(error["details"]["issues"][0]["path"], json!(["data", "documentIds"]));
}

#[tokio::test]
async fn pages_contain_every_document_once_and_the_last_page_has_no_token() {
    let app = start().await;
    let all = ["a", "b", "c", "d", "e", "f"];
    add(&app, Some("f"), &all).await;
    for filter in [json!({}), json!({ "folderId": "f" })] {
        for size in [1, 2, 4, 5, 6, 7, 1000] {
            let (mut seen, mut pages, mut token) = (Vec::new(), 0, Value::Null);
            loop {
                let mut sent = filter.clone();
                sent["pageSize"] = json!(size);
                sent["pageToken"] = token;
                let result = get(&app, sent).await;
                seen.extend(ids(&result["data"]));
                pages += 1;
                token = result["pageToken"].clone();
                if token.is_null() {
                    break;
                }
                assert!(pages < 7, "pages without end");
            }
            assert_eq!(seen, all, "{filter} {size}");
            assert_eq!(pages, all.len().div_ceil(size), "{filter} {size}");
        }
    }
}

#[tokio::test]
async fn a_document_without_an_access_type_has_the_default_of_its_key() {
    let app = start().await;
    add(&app, None, &["own", "none"]).await;
    let sent = json!({ "organizationId": "acme", "documentIds": ["own"], "accessType": "public" });
    app.call("documents.access_update", sent).await.ok();
    let sent = json!({ "defaultDocumentAccessType": "restricted" });
    app.call_at("/v2/workspace/apikeyconfig/update", sent).await.ok();
    let listed = get(&app, json!({})).await["data"].take();
    assert_eq!(listed[0]["id"], "none");
    assert_eq!(listed[0]["accessType"], "restricted");
    assert_eq!(listed[1]["accessType"], "public");
}
