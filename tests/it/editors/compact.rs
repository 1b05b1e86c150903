use std::{
    sync::atomic::{AtomicBool, Ordering},
    time::Duration,
};

use embedded::{Effect, Fault};
use futures_util::future::{join, join3};
use serde_json::json;
use service::{Queue, Table};

use super::{Peer, add, count, data, noise, of, push, stored, update, with_text, work};
use crate::{app::App, schedule::put};

/// A fault at one call that also outlasts the client's retries.
fn at(skip: usize, effect: Effect) -> Fault {
    let times = if effect == Effect::LoseReply { 1 } else { 3 };
    Fault { operation: "*".to_owned(), skip, times, effect }
}

fn waiting(app: &App) -> u64 {
    app.embedded().queue_depth(&roundtable::queue_name(Queue::Compaction)).unwrap().visible
}

/// More than the number of calls of the worker.
const CALLS: usize = 12;

#[tokio::test]
async fn a_long_log_becomes_a_snapshot_by_itself() {
    let app = with_text("").await;
    let peer = Peer::new(7);
    for at in 0..200 {
        push(&app, &[peer.insert(at, "x")]).await.ok();
    }
    app.settle().await;
    assert_eq!((count(&app, "log"), count(&app, "snapshot")), (200, 0), "not long yet");
    update(&app, "e", "text", json!("y".repeat(200))).await.ok();
    update(&app, "e", "text", json!("z".repeat(200))).await.ok();
    app.settle().await;
    assert_eq!(count(&app, "log"), 0);
    assert_eq!(data(&app, "e").await, "z".repeat(200));
    assert_eq!(count(&app, "snapshot"), 0, "a small one is in the head");
}

#[tokio::test]
async fn many_small_updates_or_one_large_update_of_peers_start_a_compaction() {
    let app = with_text("").await;
    let peer = Peer::new(7);
    for at in 0..300 {
        push(&app, &[peer.insert(at, "x")]).await.ok();
    }
    app.settle().await;
    assert!(count(&app, "log") <= 100, "{}", count(&app, "log"));
    assert_eq!(data(&app, "e").await, "x".repeat(300));
    push(&app, &[Peer::new(8).insert(0, &noise(70_000))]).await.ok();
    app.settle().await;
    assert_eq!(count(&app, "log"), 0, "much at once is seen at once");
}

#[tokio::test]
async fn a_short_log_is_neither_merged_nor_swept() {
    let app = with_text("x").await;
    let before = stored(&app);
    assert!(work(&app, "merge").await && work(&app, "sweep").await);
    assert_eq!(stored(&app), before);
}

#[tokio::test]
async fn the_worker_writes_nothing_for_an_editor_that_does_not_exist() {
    let app = App::start().await;
    assert!(work(&app, "merge").await && work(&app, "sweep").await);
    assert_eq!(stored(&app), Vec::<String>::new());
}

#[tokio::test]
async fn a_replaced_snapshot_is_removed_between_14_and_21_minutes_later() {
    let app = with_text(&noise(70_000)).await;
    assert!(work(&app, "merge").await);
    assert_eq!(count(&app, "snapshot"), 1);
    app.advance(Duration::from_secs(3600));
    update(&app, "e", "text", json!(noise(140_000))).await.ok();
    assert!(work(&app, "merge").await);
    assert_eq!(count(&app, "snapshot"), 2, "somebody may be reading it");
    app.advance(Duration::from_secs(14 * 60));
    assert!(work(&app, "sweep").await);
    assert_eq!(count(&app, "snapshot"), 2);
    app.advance(Duration::from_secs(7 * 60));
    app.tick().await;
    assert!(waiting(&app) > 0, "it was ordered");
    app.settle().await;
    assert_eq!(count(&app, "snapshot"), 1);
    assert!(data(&app, "e").await == json!(noise(140_000)));
}

/// Wherever it stops, nothing is lost, and the next run reaches the same result.
async fn survives(effect: Effect) {
    let mut crashed = 0;
    for call in 0..CALLS {
        let app = with_text("").await;
        let (text, more) = (noise(70_000), noise(90_000));
        let peer = Peer::new(7);
        push(&app, &[peer.insert(0, &text)]).await.ok();
        assert!(work(&app, "merge").await);
        push(&app, &[peer.insert(70_000, &more)]).await.ok();

        app.fault(at(call, effect.clone()));
        crashed += usize::from(!work(&app, "merge").await);
        app.embedded().clear_faults();
        let whole = format!("{text}{more}");
        assert!(data(&app, "e").await == json!(whole), "{effect:?} at call {call}");

        push(&app, &[peer.insert(160_000, "!")]).await.ok();
        let late = Peer::new(8);
        late.pull(&app).await;
        assert!(late.text() == whole.clone() + "!", "{effect:?} at call {call}");
        assert!(work(&app, "merge").await);
        assert!(data(&app, "e").await == json!(whole.clone() + "!"));

        for _ in 0..2 {
            app.advance(Duration::from_secs(21 * 60));
            app.tick().await;
            app.settle().await;
        }
        assert_eq!((count(&app, "head"), count(&app, "snapshot")), (1, 1), "at call {call}");
        assert!(data(&app, "e").await == json!(whole + "!"));
    }
    match effect {
        Effect::LoseReply => assert_eq!(crashed, 0),
        _ => assert!((5..CALLS).contains(&crashed), "{crashed} calls failed"),
    }
}

#[tokio::test]
async fn a_crash_before_any_step_loses_nothing() {
    survives(Effect::InternalError).await;
}

#[tokio::test]
async fn a_crash_after_any_step_loses_nothing() {
    survives(Effect::LoseReply).await;
}

/// Peers write and read while one call of the worker stalls.
#[tokio::test]
async fn writers_and_readers_miss_nothing_while_a_compaction_stalls() {
    for call in 0..CALLS {
        let app = with_text("").await;
        push(&app, &[Peer::new(7).insert(0, &noise(70_000))]).await.ok();
        app.fault(at(call, Effect::Stall(Duration::from_millis(100))));
        let done = AtomicBool::new(false);
        let worker = async {
            let first = work(&app, "merge").await;
            let second = join(work(&app, "merge"), work(&app, "sweep")).await;
            done.store(true, Ordering::Relaxed);
            assert!(first && second.0 && second.1);
        };
        let peer = async {
            let (peer, mut written) = (Peer::new(8), 0);
            while !done.load(Ordering::Relaxed) && written < 100 {
                push(&app, &[peer.insert(written, "x")]).await.ok();
                written += 1;
                let seen = data(&app, "e").await;
                let seen =
                    seen.as_str().unwrap().strip_suffix(&noise(70_000)).map(str::len).or_else(
                        || seen.as_str().unwrap().strip_prefix(&noise(70_000)).map(str::len),
                    );
                assert_eq!(seen, Some(written as usize), "its own writes, at call {call}");
            }
            written
        };
        let caller = async {
            let mut added = 0;
            while !done.load(Ordering::Relaxed) && added < 20 {
                let text = format!("caller {added}");
                add(&app, &format!("c{added}"), "text", json!(text)).await;
                added += 1;
                let sent = json!({ "organizationId": "o", "documentId": "d" });
                let all = app.call("editors.get", sent).await.data();
                assert_eq!(all.as_array().unwrap().len(), added + 1);
                let large = all.as_array().unwrap().iter().find(|view| view["id"] == "e");
                assert!(large.unwrap()["data"].as_str().unwrap().len() >= 70_000);
            }
        };
        let (_, written, ()) = join3(worker, peer, caller).await;
        let last = data(&app, "e").await;
        assert_eq!(last.as_str().unwrap().len(), 70_000 + written as usize, "at call {call}");
    }
}

/// A reader that pauses between any two of its calls, while the data it is about to read is
/// replaced and removed.
#[tokio::test]
async fn a_reader_that_stalls_while_its_snapshot_is_replaced_reads_the_new_content() {
    for (operation, skip) in [("GetItem", 0), ("BatchGetItem", 0), ("Query", 0)] {
        let app = with_text(&noise(70_000)).await;
        assert!(work(&app, "merge").await);
        app.advance(Duration::from_secs(3600));
        let longer = noise(140_000);
        update(&app, "e", "text", json!(longer)).await.ok();
        let stall = Effect::Stall(Duration::from_millis(400));
        app.fault(Fault { operation: operation.to_owned(), skip, times: 1, effect: stall });
        let others = async {
            // The stalled call is under way by then.
            tokio::time::sleep(Duration::from_millis(100)).await;
            assert!(work(&app, "merge").await);
            app.advance(Duration::from_secs(21 * 60));
            assert!(work(&app, "sweep").await);
            assert_eq!((count(&app, "log"), count(&app, "snapshot")), (0, 1));
        };
        let (seen, ()) = join(data(&app, "e"), others).await;
        assert!(seen == json!(longer), "stalled at {operation}");
    }
}

#[tokio::test]
async fn two_compactions_at_once_leave_one_snapshot_with_all_content() {
    let app = with_text(&noise(70_000)).await;
    let (first, second) = join(work(&app, "merge"), work(&app, "merge")).await;
    assert!(first && second);
    assert_eq!((count(&app, "log"), count(&app, "snapshot")), (0, 1), "{:?}", stored(&app));
    assert!(data(&app, "e").await == json!(noise(70_000)));
}

#[tokio::test]
async fn an_editor_deleted_during_compaction_leaves_no_rows() {
    for call in 0..CALLS {
        let app = with_text(&noise(70_000)).await;
        app.fault(at(call, Effect::Stall(Duration::from_millis(100))));
        let sent = json!({ "organizationId": "o", "documentId": "d", "editorIds": ["e"] });
        let (done, gone) = join(work(&app, "merge"), app.call("editors.delete", sent)).await;
        assert!(done);
        assert_eq!(gone.data()["e"]["success"], true);
        app.settle().await;
        app.advance(Duration::from_secs(21 * 60));
        app.tick().await;
        app.settle().await;
        assert_eq!(stored(&app), Vec::<String>::new(), "at call {call}");
    }
}

#[tokio::test]
async fn updates_beyond_the_size_limit_are_refused_and_a_small_update_is_still_accepted() {
    let app = with_text("").await;
    let text = noise(340_000);
    let large: Vec<Vec<u8>> = (0..8).map(|n| Peer::new(20 + n).insert(0, &text)).collect();
    push(&app, &large).await.ok();
    push(&app, &large[..1]).await.ok();
    let large: Vec<Vec<u8>> = (0..5).map(|n| Peer::new(40 + n).insert(0, &text)).collect();
    push(&app, &large).await.ok();
    let more: Vec<Vec<u8>> = (0..5).map(|n| Peer::new(60 + n).insert(0, &text)).collect();
    for _ in 0..2 {
        let error = push(&app, &more).await.error("RESOURCE_EXHAUSTED");
        assert!(error["message"].as_str().unwrap().contains("4300000"), "{error}");
        assert!(work(&app, "merge").await);
        assert_eq!((count(&app, "log"), count(&app, "snapshot")), (0, 10));
    }
    assert_eq!(data(&app, "e").await.as_str().unwrap().len(), 13 * 340_000);
    push(&app, &[Peer::new(70).insert(0, "x")]).await.ok();
    push(&app, &large[..1]).await.ok();
    assert_eq!(data(&app, "e").await.as_str().unwrap().len(), 13 * 340_000 + 1);
}

/// The worker is slow, and another run has replaced what it judged.
#[tokio::test]
async fn a_late_size_verdict_on_an_older_snapshot_does_not_refuse_later_updates() {
    let app = with_text("").await;
    let text = noise(340_000);
    for from in [20, 30] {
        let large: Vec<Vec<u8>> = (from..from + 7).map(|n| Peer::new(n).insert(0, &text)).collect();
        push(&app, &large).await.ok();
    }
    let rows = app.items_of(Table::Crdt, &app.key);
    let is_head = |row: &serde_json::Value| row["SK"]["S"].as_str().unwrap().contains("#head#");
    let mut head = rows.into_iter().find(is_head).expect("a head");
    // An empty update, stored as it is.
    let snapshot = json!({
        "snapshot": { "S": "01J00000000000000000000000" }, "inline": { "B": "AAAA" },
        "parts": { "N": "0" }, "bytes": { "N": "2" }, "footprint": { "N": "2" },
    });
    head.as_object_mut().unwrap().extend(snapshot.as_object().unwrap().clone());
    app.forget_calls();
    let stall = Effect::Stall(Duration::from_millis(500));
    app.fault(Fault {
        operation: "TransactWriteItems".to_owned(),
        skip: 0,
        times: 1,
        effect: stall,
    });
    let other = async {
        let is_read =
            |call: &embedded::Call| call.operation == "GetItem" && call.target.ends_with("Crdt");
        while !app.calls().iter().any(is_read) {
            tokio::task::yield_now().await;
        }
        put(&app, Table::Crdt, &head).await;
    };
    let (done, ()) = join(work(&app, "merge"), other).await;
    assert!(done);
    push(&app, &[Peer::new(60).insert(0, "x")]).await.ok();
}

/// Updates that are small in the log and large in memory.
#[tokio::test]
async fn a_log_too_large_to_read_at_once_is_merged_part_by_part() {
    let text = "x".repeat(4_500_000);
    let app = with_text(&text).await;
    let rows = app.items_of(Table::Crdt, &app.key);
    let mut row = rows.into_iter().find(|row| row["SK"]["S"].as_str().unwrap().contains("#log#"));
    let row = row.as_mut().expect("a row of the log");
    let sort = row["SK"]["S"].as_str().unwrap().to_owned();
    // The same update again does no harm, but it takes its time and memory.
    for n in 0..15 {
        row["SK"]["S"] = json!(sort.replace("#update#01", &format!("#update#02{n:02}")));
        put(&app, Table::Crdt, row).await;
    }
    for name in ["editors.get", "editors.authors_get"] {
        app.call(name, of("e")).await.error("RESOURCE_EXHAUSTED");
    }
    assert!(work(&app, "merge").await);
    assert_eq!(count(&app, "log"), 1);
    assert!(data(&app, "e").await == json!(text), "most of it is merged");
    app.tick().await;
    app.settle().await;
    assert_eq!(count(&app, "log"), 0, "and the rest by itself");
    assert!(data(&app, "e").await == json!(text));
}
