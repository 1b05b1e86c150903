//! Hints for rows.

use notification::{Hint, Row, RowKey, Rows};
use serde_json::json;

use crate::{Timed, commits, delete, insert, key, replace, row, version};

const SECOND: u64 = 1000;
const MINUTE: u64 = 60 * SECOND;

/// A row is hinted at its time, and again until it is no longer due. Hints may be late or repeated,
/// but never early or without a row.
pub async fn hints_come_when_rows_are_due<B: Timed>(bench: &B) {
    let rows = bench.tenant(0);
    let start = rows.now();
    let due = |after: u64| Row { due: Some(start + after), ..row(json!({})) };
    let [soon, unsaid, far, refused, done, gone, later, sooner] =
        ["soon", "unsaid", "far", "refused", "done", "gone", "later", "sooner"].map(key);
    let mail = RowKey::Mail {
        organization_id: "o".to_owned().try_into().expect("an id"),
        user_id: "u".to_owned().try_into().expect("an id"),
        generation: "g".to_owned(),
    };
    let new = [
        insert(&soon, due(30 * SECOND)),
        insert(&mail, due(30 * SECOND)),
        insert(&unsaid, due(30 * SECOND)),
        insert(&far, due(20 * MINUTE)),
        insert(&refused, row(json!({}))),
        insert(&done, due(20 * MINUTE)),
        insert(&gone, due(20 * MINUTE)),
        insert(&later, due(20 * MINUTE)),
        insert(&sooner, due(40 * MINUTE)),
    ];
    assert!(commits(rows, new.into()).await);
    let hint = |key: &RowKey, after: u64| Hint { key: key.clone(), at: start + after };
    let hints = vec![hint(&soon, 30 * SECOND), hint(&mail, 30 * SECOND), hint(&far, 20 * MINUTE)];
    rows.wake(hints).await.expect("a queue");

    assert!(!commits(rows, vec![insert(&refused, due(30 * SECOND))]).await);
    assert!(!commits(rows, vec![replace(&refused, due(30 * SECOND), "stale")]).await);
    let changes = vec![
        replace(&done, row(json!({})), &version(rows, &done).await),
        delete(&gone, &version(rows, &gone).await),
        replace(&later, due(40 * MINUTE), &version(rows, &later).await),
        replace(&sooner, due(20 * MINUTE), &version(rows, &sooner).await),
    ];
    assert!(commits(rows, changes).await);

    // These rows get no hint, whatever happens to the rest.
    let never = [&refused, &done, &gone];
    let hear = async |seconds, none_of: &[&RowKey], each_of: &[&RowKey]| {
        let heard = bench.hear(seconds).await;
        for key in none_of.iter().chain(&never) {
            assert!(!heard.contains(key), "{key:?} within {seconds} s of {heard:?}");
        }
        for key in each_of {
            assert!(heard.contains(key), "{key:?} is missing in {heard:?}");
        }
    };
    let at_40 = [&later];
    let at_20 = [&far, &sooner, &later];
    hear(25, &[&soon, &mail, &unsaid, &far, &sooner, &later], &[]).await;
    hear(10, &at_20, &[&soon, &mail]).await;
    hear(4 * 60, &at_20, &[&soon, &mail, &unsaid]).await;
    // 4:35 have passed.
    hear(15 * 60, &at_20, &[&soon]).await;
    hear(2 * 60, &at_40, &[&far, &sooner]).await;
    // 21:35 have passed.
    hear(18 * 60, &at_40, &[&far]).await;
    hear(2 * 60, &[], &[&later]).await;

    rows.wake(vec![hint(&soon, 0)]).await.expect("a queue");
    hear(2, &[], &[&soon]).await;
    let settled = vec![
        delete(&soon, &version(rows, &soon).await),
        replace(&far, row(json!({})), &version(rows, &far).await),
    ];
    assert!(commits(rows, settled).await);
    // Earlier hints may still arrive.
    bench.hear(10 * 60).await;
    hear(2 * 60 * 60, &[&soon, &far], &[&unsaid]).await;
}
