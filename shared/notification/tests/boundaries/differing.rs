//! Windows of one closing time whose content differs: the size of their rows, and their delivery.

use std::collections::BTreeMap;

use notification::{BatchLimits, Channels, Notice, PageRef, Row, RowBody as _, RowKey, Windows};
use serde_json::json;

use crate::memory_tenant::{MemoryTenant, T0, event, window};

const WEEK: u64 = 604_800;

fn members(count: usize) -> impl Iterator<Item = String> {
    (0..count).map(|number| format!("member-{number:04}"))
}

fn raise(
    tenant: &MemoryTenant,
    id: &str,
    document: &str,
    recipients: impl Iterator<Item = String>,
) {
    let channels = Channels { inbox: true, ..Channels::default() };
    tenant.with(|state| state.users = recipients.map(|id| (id, channels)).collect());
    let mut event = event(id, T0);
    event.document_id = document.to_owned().try_into().unwrap();
    tenant.accept(event, None);
}

/// Members whose windows one event opens, and others make different.
fn differing(count: usize, activities: usize) -> MemoryTenant {
    let tenant = MemoryTenant::new(BatchLimits { document: None, user: window(WEEK, 50) });
    raise(&tenant, "01KAAAAAAAAAAAAAAAAAAAAAAA", "all", members(count));
    tenant.until(T0);
    for (number, member) in members(count).enumerate() {
        for activity in 1..activities {
            let id = format!("01KB{number:04}{activity:04}AAAAAAAAAAAAAA");
            raise(&tenant, &id, &member, [member.clone()].into_iter());
        }
    }
    tenant
}

/// The number of activities of each published notification.
fn sizes(tenant: &MemoryTenant) -> Vec<usize> {
    let size = |notice: &Notice| notice.activities().len();
    tenant.with(|state| state.published.iter().map(size).collect())
}

fn is_windows(key: &RowKey) -> bool {
    matches!(key, RowKey::Windows { .. })
}

#[test]
fn the_rows_of_200_full_windows_are_small_and_have_each_event_once() {
    let tenant = differing(200, 49);
    let written = tenant.with(|state| state.puts.clone());
    let largest = written.iter().filter(|(key, _)| is_windows(key)).map(|(_, bytes)| *bytes).max();
    assert!(largest < Some(5 * 1024), "{largest:?}");
    for key in tenant.keys().into_iter().filter(is_windows) {
        let text = tenant.json(&key);
        let row: Windows = serde_json::from_str(&text).unwrap();
        for id in row.open.iter().flat_map(|window| &window.ids) {
            assert_eq!(text.matches(&id.event_id).count(), 1, "{text}");
        }
    }
    tenant.with(|state| state.puts.clear());
    raise(&tenant, "01KC", "other", members(1));
    let written = tenant.with(|state| state.puts.clone());
    let written = written.iter().filter(|(key, _)| is_windows(key));
    let units: usize = written.map(|(_, bytes)| bytes.div_ceil(1024)).sum();
    assert!((1..=2).contains(&units), "{units}");
}

#[test]
fn digests_of_one_closing_time_are_delivered_by_one_wake_that_writes_each_page_once() {
    let tenant = differing(120, 49);
    let closes_at = T0 + WEEK * 1000;
    let (due, key) = tenant.next().unwrap();
    assert_eq!(due, closes_at);
    tenant.with(|state| {
        state.now = closes_at;
        state.loads.clear();
        state.puts.clear();
    });
    tenant.wake(&key);
    assert_eq!(sizes(&tenant), [49; 120]);
    assert_eq!(tenant.keys().into_iter().filter(is_windows).count(), 0);
    let mut pages: BTreeMap<RowKey, [usize; 2]> = BTreeMap::new();
    tenant.with(|state| {
        for key in state.loads.iter().filter(|key| matches!(key, RowKey::Pending { .. })) {
            pages.entry(key.clone()).or_default()[0] += 1;
        }
        for (key, _) in state.puts.iter().filter(|(key, _)| matches!(key, RowKey::Pending { .. })) {
            pages.entry(key.clone()).or_default()[1] += 1;
        }
    });
    assert_eq!(pages.len(), 1 + 120 * 48);
    // The claims, and then the ids of the notifications.
    let others = pages.into_iter().find(|(_, counts)| *counts != [1, 2]);
    assert_eq!(others, None);
}

#[test]
fn a_window_that_fills_up_in_a_row_of_its_own_closes_alone() {
    let tenant = differing(40, 50);
    tenant.until(T0);
    assert_eq!(sizes(&tenant), [50; 40]);
    raise(&tenant, "01KC", "all", members(40));
    tenant.until(T0);
    tenant.until(T0 + WEEK * 1000);
    assert_eq!(sizes(&tenant).len(), 41, "those that are alike again are one notification");
    assert_eq!(tenant.next(), None);
}

#[test]
fn windows_that_are_alike_again_share_a_row() {
    let tenant = differing(40, 3);
    tenant.until(T0 + WEEK * 1000);
    assert_eq!(tenant.with(|state| state.published.len()), 40);
    raise(&tenant, "01KC", "all", members(40));
    tenant.until(T0 + WEEK * 1000);
    let rows: Vec<RowKey> = tenant.keys().into_iter().filter(is_windows).collect();
    assert_eq!(rows.len(), 1, "{rows:?}");
}

#[test]
fn a_row_of_an_earlier_version_is_read_and_delivered() {
    let key = RowKey::Windows {
        organization_id: "o".to_owned().try_into().unwrap(),
        document_id: None,
        from: None,
        of: None,
    };
    let body = json!({ "open": [
        { "generation": "g1", "users": ["u"], "openedAt": T0, "closesAt": T0 + 10_000,
          "ids": [{ "e": "a" }, { "e": "b", "p": 1 }] },
        { "generation": "g1", "users": ["v"], "openedAt": T0, "closesAt": T0 + 10_000,
          "ids": [{ "e": "a" }],
          "closed": { "at": T0 + 1, "reason": "maxActivities", "due": T0 + 60_001 } },
    ], "splits": ["w"] });
    let row = Row { body, due: Some(T0 + 10_000), expires: None };
    let windows = Windows::from_row(row).unwrap();
    let ids = [PageRef::first("a"), PageRef { event_id: "b".to_owned(), page: 1 }];
    assert_eq!((&windows.open[0].ids[..], &windows.open[1].ids[..]), (&ids[..], &ids[..1]));
    assert_eq!((windows.open[1].closed.unwrap().due, windows.splits.len()), (T0 + 60_001, 1));
    let again = windows.to_row().unwrap();
    assert_eq!(Windows::from_row(again.clone()).unwrap(), windows);
    assert_eq!(again.due, Some(T0 + 10_000));
    let text = again.body.to_string();
    assert_eq!(text.matches("\"a\"").count(), 1, "{text}");

    let tenant = MemoryTenant::new(BatchLimits { document: None, user: window(10, 50) });
    for id in ["a", "b"] {
        tenant.raise(id, None);
        tenant.until(T0);
    }
    tenant.store(
        &key,
        json!({ "open": [{
        "generation": "g1", "users": ["u"], "openedAt": T0, "closesAt": T0 + 10_000,
        "ids": [{ "e": "a" }, { "e": "b" }],
    }] }),
    );
    tenant.raise("c", None);
    tenant.until(T0 + 10_000);
    let ids: Vec<String> = ["a", "b", "c"].map(str::to_owned).into();
    assert_eq!(tenant.delivered(), [(10_000, ids)]);
}

#[test]
fn a_large_row_of_an_earlier_version_shrinks() {
    let tenant = differing(1, 1);
    let key = tenant.keys().into_iter().find(is_windows).unwrap();
    let open = members(200).enumerate().map(|(number, member)| {
        let ids = (0..40).map(|id| json!({ "e": format!("01KB{number:04}{id:04}AAAAAAAAAAAAAA") }));
        let (opened_at, closes_at) = (T0, T0 + WEEK * 1000);
        json!({ "generation": "01KAAAAAAAAAAAAAAAAAAAAAAA", "users": [member],
            "openedAt": opened_at, "closesAt": closes_at, "ids": ids.collect::<Vec<_>>() })
    });
    let row = json!({ "open": open.collect::<Vec<_>>() });
    assert!(row.to_string().len() > 250_000);
    tenant.store(&key, row);
    for number in 0..3 {
        raise(&tenant, &format!("01KD{number}"), "other", members(number + 1).skip(number));
    }
    assert!(tenant.json(&key).len() < 8 * 1024, "{}", tenant.json(&key).len());
    let rows = tenant.keys().into_iter().filter(is_windows).count();
    assert!(rows > 150, "{rows}");
}
