//! Accepted updates of peers can be read in the memory of a function.

use serde_json::json;

use super::{count, data, noise, push, update, with_text, work};
use crate::app::App;

fn number(mut number: u32, out: &mut Vec<u8>) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

/// An update of `blocks` letters typed in front of each other: a few bytes per block.
fn typed_at_the_front(client: u32, from: u32, blocks: u32) -> Vec<u8> {
    let mut update = vec![1];
    number(blocks, &mut update);
    number(client, &mut update);
    number(from, &mut update);
    for clock in from..from + blocks {
        match clock.checked_sub(1) {
            None => update.extend(b"\x04\x01\x07content\x01x"),
            Some(right) => {
                update.push(0x44);
                number(client, &mut update);
                number(right, &mut update);
                update.extend(b"\x01x");
            }
        }
    }
    update.push(0);
    update
}

#[tokio::test]
async fn an_editor_at_its_limit_of_parts_accepts_only_smaller_content() {
    const BLOCKS: u32 = 40_000;
    let app = with_text("").await;
    for part in 0..11 {
        push(&app, &[typed_at_the_front(7, part * BLOCKS, BLOCKS)]).await.ok();
        assert!(work(&app, "merge").await);
    }
    push(&app, &[typed_at_the_front(7, 11 * BLOCKS, BLOCKS)]).await.ok();
    assert!(work(&app, "merge").await);
    let next = typed_at_the_front(7, 12 * BLOCKS, 1);
    let error = push(&app, &[next]).await.error("RESOURCE_EXHAUSTED");
    assert!(error["message"].as_str().unwrap().contains("too many parts"), "{error}");
    let text = "x".repeat(12 * BLOCKS as usize);
    assert!(data(&app, "e").await == json!(text));

    update(&app, "e", "text", json!(text + "y")).await.error("RESOURCE_EXHAUSTED");
    for smaller in ["x".repeat(9), "xx".to_owned()] {
        update(&app, "e", "text", json!(smaller)).await.ok();
        assert!(work(&app, "merge").await);
        assert_eq!(data(&app, "e").await, json!(smaller));
    }
    // Deleted parts of a text keep their place permanently, because peers may refer to them.
    push(&app, &[typed_at_the_front(7, 12 * BLOCKS, 1)]).await.error("RESOURCE_EXHAUSTED");

    let sent = json!({ "organizationId": "o", "documentId": "d", "editorIds": ["e"] });
    app.call("editors.delete", sent).await.ok();
    assert_eq!(app.call("editors.get", super::of("e")).await.data(), json!([]));
}

/// An update of values at the end of an array: a byte each, and many in memory.
fn nulls(client: u32, from: u32, count: u32) -> Vec<u8> {
    let mut update = vec![1, 1];
    number(client, &mut update);
    number(from, &mut update);
    match from.checked_sub(1) {
        None => update.extend(b"\x08\x01\x07content"),
        Some(left) => {
            update.push(0x88);
            number(client, &mut update);
            number(left, &mut update);
        }
    }
    number(count, &mut update);
    update.resize(update.len() + count as usize, 126);
    update.push(0);
    update
}

#[tokio::test]
async fn an_editor_that_a_caller_makes_smaller_is_open_at_once() {
    const VALUES: u32 = 340_000;
    let app = App::start().await;
    super::add(&app, "e", "array", json!([])).await;
    for part in 0..9 {
        push(&app, &[nulls(7, part * VALUES, VALUES)]).await.ok();
        assert!(work(&app, "merge").await);
    }
    let next = nulls(8, 0, 1);
    push(&app, std::slice::from_ref(&next)).await.error("RESOURCE_EXHAUSTED");
    assert_eq!(count(&app, "log"), 0, "it is merged");
    update(&app, "e", "array", json!(["small"])).await.ok();
    push(&app, &[next]).await.ok();
    app.settle().await;
    assert_eq!(data(&app, "e").await.as_array().map(Vec::len), Some(2));
}

#[tokio::test]
async fn the_updates_of_one_call_are_refused_when_they_need_too_much_memory() {
    let app = App::start().await;
    super::add(&app, "e", "text", "".into()).await;
    let updates: Vec<Vec<u8>> = (0..4).map(|n| typed_at_the_front(10 + n, 0, 40_000)).collect();
    let error = push(&app, &updates).await.error("RESOURCE_EXHAUSTED");
    assert!(error["message"].as_str().unwrap().contains("bytes of memory"), "{error}");
    assert_eq!(count(&app, "log"), 0);
    push(&app, &updates[..3]).await.ok();
}

/// Nothing is merged in this test, as if the queue were far behind.
#[tokio::test]
async fn a_log_that_is_not_merged_grows_only_to_the_limit_of_an_editor() {
    let app = with_text("").await;
    let (text, known) = (noise(340_000), super::Peer::new(7));
    let mut accepted = 0;
    for n in 0..10 {
        let updates: Vec<Vec<u8>> =
            (0..3).map(|at| super::Peer::new(100 + 10 * n + at).insert(0, &text)).collect();
        let reply = push(&app, &updates).await;
        if reply.json()["error"].is_object() {
            reply.error("RESOURCE_EXHAUSTED");
            break;
        }
        accepted += updates.len();
        updates.iter().for_each(|update| known.apply(update));
    }
    assert!((12..18).contains(&accepted), "{accepted}");
    known.pull(&app).await;
    assert_eq!(known.text().len(), accepted * text.len());
}

/// No update in this test is large enough to trigger a check of the log.
#[tokio::test]
async fn a_log_of_small_updates_that_is_not_merged_grows_only_to_the_limit() {
    let app = with_text("").await;
    let (mut accepted, mut is_refused) = (0, false);
    while accepted < 300 && !is_refused {
        let reply = push(&app, &[typed_at_the_front(7, accepted * 1_100, 1_100)]).await;
        is_refused = reply.json()["error"].is_object();
        match is_refused {
            true => drop(reply.error("RESOURCE_EXHAUSTED")),
            false => accepted += 1,
        }
    }
    assert!(is_refused && accepted > 200, "{accepted} were accepted");
    assert_eq!(data(&app, "e").await.as_str().unwrap().len(), accepted as usize * 1_100);
}
