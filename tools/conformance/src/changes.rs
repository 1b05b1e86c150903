//! Conditional changes.

use std::collections::BTreeSet;

use futures_util::future::join_all;
use notification::{Change, Committed, Row, RowKey, Rows};
use serde_json::json;

use crate::{Bench, commits, delete, find, insert, key, read, replace, row, version};

pub(crate) async fn what_is_written_is_read(rows: &impl Rows) {
    let keys: Vec<RowKey> = ["odd", "due", "none", "over"].map(key).into();
    assert_eq!(read(rows, &keys).await, [const { None }; 4]);
    assert_eq!(find(rows, &keys[0]).await, None);

    let odd = json!({
        "": null, "text": "\u{0}\"\\#/\u{2028}\u{10ffff}é", "empty": ["", {}, [], false],
        "numbers": [0, -1, 1.5, u64::MAX, i64::MIN], "deep": [[[[{ "a": [[{}]] }]]]],
    });
    // An expiry is stored in whole seconds.
    let (due, expires) = (rows.now() + 86_399_999, (rows.now() / 1000 + 3600) * 1000);
    let odd = row(odd);
    let armed = Row { due: Some(due), ..row(json!({})) };
    let kept = Row { expires: Some(expires), ..row("a text") };
    let new = [insert(&keys[0], odd.clone()), insert(&keys[1], armed.clone())];
    assert!(commits(rows, new.into()).await);
    assert!(commits(rows, vec![insert(&keys[3], kept.clone())]).await);

    let found = read(rows, &keys).await;
    let found = found.into_iter().map(|found| found.map(|stored| stored.row));
    let expected = [Some(odd.clone()), Some(armed), None, Some(kept)];
    assert_eq!(found.collect::<Vec<_>>(), expected, "in the order of the keys");
    let found = find(rows, &keys[0]).await.map(|stored| stored.row);
    assert_eq!(found, Some(odd), "alone as among others");
}

pub(crate) async fn a_row_is_inserted_once(rows: &impl Rows) {
    let key = key("once");
    assert!(commits(rows, vec![insert(&key, row(1))]).await);
    let first = find(rows, &key).await;
    assert!(!commits(rows, vec![insert(&key, row(2))]).await);
    assert!(!commits(rows, vec![insert(&key, row(1))]).await, "an equal row is no excuse");
    assert_eq!(find(rows, &key).await, first);
}

pub(crate) async fn a_version_is_good_for_one_change(rows: &impl Rows) {
    let key = key("versions");
    assert!(!commits(rows, vec![replace(&key, row(0), "made-up")]).await, "there is no row");
    assert!(!commits(rows, vec![delete(&key, "made-up")]).await, "there is no row");
    assert_eq!(find(rows, &key).await, None);

    assert!(commits(rows, vec![insert(&key, row(1))]).await);
    let first = version(rows, &key).await;
    let committed = rows.commit(vec![replace(&key, row(2), &first)]).await.expect("an answer");
    let Committed::Written { version: second } = committed else { panic!("a conflict") };
    assert_eq!(version(rows, &key).await, second);
    for stale in [first.as_str(), "made-up", ""] {
        assert!(!commits(rows, vec![replace(&key, row(3), stale)]).await, "{stale}");
        assert!(!commits(rows, vec![delete(&key, stale)]).await, "{stale}");
    }
    let found = find(rows, &key).await.expect("a row");
    assert_eq!((found.row, found.version), (row(2), second.clone()));

    assert!(commits(rows, vec![delete(&key, &second)]).await);
    assert_eq!(find(rows, &key).await, None);
    assert!(!commits(rows, vec![delete(&key, &second)]).await, "it is gone already");
    assert!(!commits(rows, vec![replace(&key, row(4), &second)]).await, "it is gone");
    assert!(commits(rows, vec![insert(&key, row(2))]).await);
    assert!(!commits(rows, vec![delete(&key, &second)]).await, "it is another one");
    assert!(![first, second].contains(&version(rows, &key).await));
}

pub(crate) async fn an_equal_row_is_another_version(rows: &impl Rows) {
    let key = key("equal");
    assert!(commits(rows, vec![insert(&key, row(1))]).await);
    let mut seen = BTreeSet::new();
    for _ in 0..3 {
        let version = version(rows, &key).await;
        assert!(commits(rows, vec![replace(&key, row(1), &version)]).await);
        assert!(seen.insert(version));
    }
}

/// Valid changes with one invalid change of each kind, at each position.
pub(crate) async fn a_commit_is_made_as_a_whole_or_not_at_all(rows: &impl Rows) {
    let keys = ["whole-put", "whole-gone", "whole-new", "whole-wrong", "whole-absent"].map(key);
    let [put, gone, new, wrong, absent] = &keys;
    assert!(commits(rows, [put, gone, wrong].map(|key| insert(key, row(1))).into()).await);
    let before = read(rows, &keys).await;
    let (put_at, gone_at) = (version(rows, put).await, version(rows, gone).await);
    let good = || vec![replace(put, row(2), &put_at), delete(gone, &gone_at), insert(new, row(2))];
    for refused in [
        insert(wrong, row(2)),
        replace(wrong, row(2), "stale"),
        delete(wrong, "stale"),
        replace(absent, row(2), "stale"),
        delete(absent, "stale"),
    ] {
        for place in 0..=3 {
            let mut changes = good();
            changes.insert(place, refused.clone());
            assert!(!commits(rows, changes).await, "{refused:?} at {place}");
            assert_eq!(read(rows, &keys).await, before, "{refused:?} at {place}");
        }
    }
    assert!(commits(rows, good()).await);
    let after = read(rows, &keys).await.into_iter().map(|found| found.map(|stored| stored.row));
    assert_eq!(after.collect::<Vec<_>>(), [Some(row(2)), None, Some(row(2)), Some(row(1)), None]);
    assert!(!commits(rows, good()).await, "once");
}

pub(crate) async fn one_of_several_at_once_is_first(rows: &impl Rows) {
    let all = async |changes: &dyn Fn(u32) -> Vec<Change>| {
        let made = join_all((0..8).map(|n| commits(rows, changes(n)))).await;
        made.into_iter().filter(|made| *made).count()
    };
    let (one, two) = (key("race-one"), key("race-two"));
    assert_eq!(all(&|n| vec![insert(&one, row(n))]).await, 1);
    let seen = version(rows, &one).await;
    assert_eq!(all(&|n| vec![replace(&one, row(n), &seen)]).await, 1);
    let seen = version(rows, &one).await;
    let both = |n: u32| vec![replace(&one, row(n), &seen), insert(&two, row(n))];
    assert_eq!(all(&both).await, 1);
    let found = read(rows, &[one.clone(), two.clone()]).await;
    let [Some(first), Some(second)] = found.as_slice() else { panic!("{found:?}") };
    assert_eq!(first.row, second.row, "of the same commit");
    assert_eq!(
        all(&|_| vec![delete(&one, &first.version), delete(&two, &second.version)]).await,
        1
    );
    assert_eq!(read(rows, &[one, two]).await, [None, None]);
}

/// As many changes as the port allows, as large as a transaction.
pub(crate) async fn a_hundred_rows_change_at_once(rows: &impl Rows) {
    let keys: Vec<RowKey> = (0..100).map(|n| key(&format!("hundred-{n}"))).collect();
    let large = |n: usize| row(format!("{n}{}", "é".repeat(12_000)));
    let new = keys.iter().enumerate().map(|(n, key)| insert(key, large(n)));
    assert!(commits(rows, new.collect()).await);
    let found = read(rows, &keys).await;
    let versions: Vec<String> =
        found.iter().map(|found| found.as_ref().expect("a row").version.clone()).collect();
    let bodies = found.into_iter().flatten().map(|stored| stored.row);
    assert!(bodies.eq((0..100).map(large)));

    let change = |stale: usize| {
        let seen = |n: usize| if n == stale { "stale" } else { versions[n].as_str() };
        let change = |(n, key): (usize, &RowKey)| match n % 2 {
            0 => replace(key, row(n), seen(n)),
            _ => delete(key, seen(n)),
        };
        keys.iter().enumerate().map(change).collect::<Vec<_>>()
    };
    for stale in [0, 99] {
        assert!(!commits(rows, change(stale)).await);
        let found = read(rows, &keys).await.into_iter().flatten();
        assert!(found.map(|stored| stored.version).eq(versions.iter().cloned()), "{stale}");
    }
    assert!(commits(rows, change(100)).await);
    assert_eq!(read(rows, &keys).await.into_iter().flatten().count(), 50);

    let key = key("large");
    let large = row("x".repeat(300_000));
    assert!(commits(rows, vec![insert(&key, large.clone())]).await);
    assert_eq!(find(rows, &key).await.map(|stored| stored.row), Some(large));
}

pub(crate) async fn what_has_expired_is_absent<B: Bench>(bench: &B) {
    const MINUTE: u64 = 60_000;
    let rows = bench.tenant(0);
    let (alone, among, stays) = (key("over-alone"), key("over-among"), key("over-never"));
    let expires = Some(rows.now() + 60 * MINUTE);
    let over = Row { expires, ..row(1) };
    let new = [insert(&alone, over.clone()), insert(&among, over), insert(&stays, row(1))];
    assert!(commits(rows, new.into()).await);

    bench.advance(55 * MINUTE);
    let keys = [alone.clone(), among.clone(), stays.clone()];
    assert_eq!(read(rows, &keys).await.into_iter().flatten().count(), 3);
    assert!(!commits(rows, vec![insert(&alone, row(2))]).await, "it is still there");

    bench.advance(6 * MINUTE);
    let found = read(rows, &keys).await.into_iter().map(|found| found.is_some());
    assert_eq!(found.collect::<Vec<_>>(), [false, false, true]);
    assert_eq!(find(rows, &alone).await, None);
    assert!(commits(rows, vec![insert(&alone, row(2))]).await);
    assert!(!commits(rows, vec![insert(&among, row(2)), insert(&stays, row(2))]).await);
    assert_eq!(find(rows, &among).await, None);
    assert!(
        commits(rows, vec![insert(&among, row(2)), delete(&stays, &version(rows, &stays).await)])
            .await
    );
    let found = read(rows, &keys).await.into_iter().map(|found| found.map(|stored| stored.row));
    assert_eq!(found.collect::<Vec<_>>(), [Some(row(2)), Some(row(2)), None]);
}
