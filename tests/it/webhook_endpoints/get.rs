//! `/v2/workspace/advancedwebhook/endpoints/get`.

use futures_util::future::join_all;
use serde_json::{Value, json};

use super::{call, create, enable, enabled, field, id, refused};
use crate::app::App;

/// Creates endpoints one by one; returns their ids, the newest first.
async fn with_endpoints(n: usize) -> (App, Vec<String>) {
    let app = enabled().await;
    let mut ids = Vec::new();
    for _ in 0..n {
        ids.insert(0, id(&create(&app, json!({})).await));
    }
    (app, ids)
}

struct Page {
    ids: Vec<String>,
    iterator: Value,
    prev: Value,
    done: bool,
}

async fn page(app: &App, limit: Value, iterator: &Value) -> Page {
    let data = call(app, "get", json!({ "limit": limit, "iterator": iterator })).await.data();
    let members = data.as_object().unwrap();
    assert_eq!(members.len(), 4, "{data}");
    let ids = data["endpoints"].as_array().unwrap().iter().map(id).collect();
    let (iterator, prev) = (data["iterator"].clone(), data["prevIterator"].clone());
    let done = data["done"].as_bool().unwrap();
    assert_eq!(iterator.is_null(), done, "{data}");
    assert!(prev.is_null() || prev.is_string());
    Page { ids, iterator, prev, done }
}

#[tokio::test]
async fn an_empty_list_is_done_and_leads_nowhere() {
    let (app, _) = with_endpoints(0).await;
    let expected = json!({ "endpoints": [], "iterator": null, "prevIterator": null, "done": true });
    assert_eq!(call(&app, "get", json!({})).await.data(), expected);
}

#[tokio::test]
async fn without_a_limit_a_page_holds_50_the_newest_first() {
    let (app, ids) = with_endpoints(51).await;
    let first = page(&app, json!(null), &json!(null)).await;
    assert_eq!(first.ids, ids[..50]);
    let rest = page(&app, json!(null), &first.iterator).await;
    assert_eq!((rest.ids.as_slice(), rest.done), (&ids[50..], true));
}

/// Walks to the end and back again, and compares each page.
async fn walk(app: &App, ids: &[String], limit: usize) {
    let chunks: Vec<&[String]> = ids.chunks(limit).collect();
    let (mut iterator, mut backward) = (json!(null), json!(null));
    for (n, chunk) in chunks.iter().enumerate() {
        let page = page(app, json!(limit), &iterator).await;
        assert_eq!(page.ids, *chunk, "page {n} by {limit}");
        assert_eq!(page.done, n + 1 == chunks.len(), "page {n} by {limit}");
        assert_eq!(page.prev.is_null(), n == 0, "page {n} by {limit}");
        (iterator, backward) = (page.iterator, page.prev);
    }
    // Full pages but for the last, so that they are the same backwards.
    for (n, chunk) in chunks.iter().enumerate().rev().skip(1) {
        let page = page(app, json!(limit), &backward).await;
        assert_eq!(page.ids, *chunk, "back at page {n} by {limit}");
        assert!(!page.done, "back at page {n} by {limit}");
        assert_eq!(page.prev.is_null(), n == 0, "back at page {n} by {limit}");
        // And from there forth again.
        let next = self::page(app, json!(limit), &page.iterator).await;
        assert_eq!(next.ids, chunks[n + 1], "forth to page {} by {limit}", n + 1);
        assert_eq!(next.done, n + 2 == chunks.len());
        backward = page.prev;
    }
    assert!(backward.is_null());
}

#[tokio::test]
async fn every_page_of_251_endpoints_is_complete_in_both_directions() {
    let (app, ids) = with_endpoints(251).await;
    join_all([2, 25, 50, 83, 84, 125, 126, 249, 250].map(|limit| walk(&app, &ids, limit))).await;
    let (head, tail) = (&ids[..9], &ids[242..]);
    let first = page(&app, json!(1), &json!(null)).await;
    assert_eq!(first.ids, head[..1]);
    let mut at = page(&app, json!(250), &json!(null)).await;
    assert_eq!(at.ids, ids[..250]);
    at = page(&app, json!(1), &at.iterator).await;
    assert_eq!((at.ids.as_slice(), at.done), (&tail[8..], true));
    for n in (0..8).rev() {
        at = page(&app, json!(1), &at.prev).await;
        assert_eq!(at.ids, tail[n..=n]);
    }
}

#[tokio::test]
async fn done_is_right_for_every_limit_up_to_one_more_than_the_endpoints() {
    let (app, mut ids) = with_endpoints(0).await;
    for n in 1..=5 {
        ids.insert(0, id(&create(&app, json!({})).await));
        for limit in 1..=6 {
            walk(&app, &ids, limit).await;
        }
        let exact = page(&app, json!(n), &json!(null)).await;
        assert!(exact.done && exact.prev.is_null());
    }
}

#[tokio::test]
async fn a_page_whose_endpoints_were_deleted_still_has_iterators_in_both_directions() {
    let (app, ids) = with_endpoints(5).await;
    let delete = |id: &str| call(&app, "delete", json!({ "endpointId": id }));
    let first = page(&app, json!(2), &json!(null)).await;
    let second = page(&app, json!(2), &first.iterator).await;
    // The endpoints older than the first page are deleted.
    for id in &ids[2..] {
        delete(id).await.ok();
    }
    let empty = page(&app, json!(2), &first.iterator).await;
    assert!(empty.ids.is_empty() && empty.done);
    let back = page(&app, json!(2), &empty.prev).await;
    assert_eq!(back.ids, ids[..2]);
    assert!(back.prev.is_null());
    // The endpoints newer than the second page are deleted, too; others are created.
    for id in &ids[..2] {
        delete(id).await.ok();
    }
    let empty = page(&app, json!(2), &second.prev).await;
    assert!(empty.ids.is_empty() && empty.prev.is_null());
    let newer = id(&create(&app, json!({})).await);
    assert_eq!(page(&app, json!(2), &second.prev).await.ids, [newer]);
    let forth = page(&app, json!(2), &empty.iterator).await;
    assert!(forth.ids.is_empty() && forth.done);
}

#[tokio::test]
async fn an_iterator_stays_valid_when_endpoints_are_created_and_deleted() {
    let (app, ids) = with_endpoints(6).await;
    let first = page(&app, json!(2), &json!(null)).await;
    call(&app, "delete", json!({ "endpointId": ids[1] })).await.ok();
    let newest = id(&create(&app, json!({})).await);
    let second = page(&app, json!(2), &first.iterator).await;
    assert_eq!(second.ids, ids[2..4]);
    let back = page(&app, json!(2), &second.prev).await;
    assert_eq!(back.ids, [newest, ids[0].clone()]);
    // An iterator can be used again, and with another limit.
    assert_eq!(page(&app, json!(250), &first.iterator).await.ids, ids[2..]);
}

#[tokio::test]
async fn a_limit_is_an_integer_from_1_to_250() {
    let (app, ids) = with_endpoints(2).await;
    for (limit, n) in [(json!(1), 1), (json!(250), 2), (json!(1.0), 1), (json!(null), 2)] {
        assert_eq!(page(&app, limit, &json!(null)).await.ids, ids[..n]);
    }
    for limit in [json!(0), json!(251), json!(-1), json!(1.5), json!("1"), json!(true), json!([1])]
    {
        refused(&app, "get", json!({ "limit": limit }), "limit").await;
    }
}

#[tokio::test]
async fn an_altered_iterator_or_a_page_token_of_another_list_is_refused() {
    let (app, ids) = with_endpoints(3).await;
    let first = page(&app, json!(1), &json!(null)).await;
    let second = page(&app, json!(1), &first.iterator).await;
    for token in [&first.iterator, &second.prev] {
        let token = token.as_str().unwrap();
        assert!(!token.contains(&ids[0]) && !token.contains(&ids[1]), "it is opaque");
        for at in 0..token.len() {
            let mut altered = token.as_bytes().to_vec();
            altered[at] = if altered[at] == b'A' { b'B' } else { b'A' };
            let altered = String::from_utf8(altered).unwrap();
            refused(&app, "get", json!({ "iterator": altered }), "iterator").await;
        }
    }
    let whole = first.iterator.as_str().unwrap();
    for wrong in [
        json!(""),
        json!("x"),
        json!(ids[0]),
        json!(whole[1..]),
        json!(format!("{whole}=")),
        json!("A".repeat(8193)),
        json!(1),
        json!([whole]),
    ] {
        refused(&app, "get", json!({ "iterator": wrong }), "iterator").await;
    }
    let second_key = app.second_key().await;
    enable(&app, &second_key, true).await;
    let sent = json!({ "iterator": whole });
    let reply = app.call_as(&second_key, "webhook-endpoints.get", sent).await;
    assert_eq!(field(&reply.error("INVALID_ARGUMENT")), "data.iterator");
    // An iterator of another list of the same tenant.
    let organizations =
        json!({ "organizations": [{ "organizationId": "a" }, { "organizationId": "b" }] });
    app.call("organizations.add", organizations).await.ok();
    let listed = app.call("organizations.get", json!({ "pageSize": 1 })).await.ok();
    let foreign = [&listed["nextPageToken"], &listed["pageToken"]];
    let foreign = foreign.into_iter().find(|token| token.is_string()).unwrap();
    refused(&app, "get", json!({ "iterator": foreign }), "iterator").await;
    page(&app, json!(1), &first.iterator).await;
}

#[tokio::test]
async fn an_older_key_of_the_listing_tenant_sees_its_own_endpoints_only() {
    let (app, ids) = with_endpoints(1).await;
    let second = app.second_key().await;
    enable(&app, &second, true).await;
    let sent = json!({ "url": "https://x.example" });
    let theirs = app.call_as(&second, "webhook-endpoints.create", sent).await.data();
    let listed = app.call_as(&second, "webhook-endpoints.get", json!({})).await.data();
    assert_eq!(listed["endpoints"], json!([theirs]));
    assert_eq!(page(&app, json!(null), &json!(null)).await.ids, ids);
}
