use model::revision::Revision;
use serde_json::json;

use super::{Delivery, EndpointState};
use crate::types::DeliveryTask;

const MOVED: Revision = Revision { url: 1, rate: 0 };
const PACED: Revision = Revision { url: 0, rate: 1 };

/// A row of an earlier version.
fn row(status: &str) -> Delivery {
    let row = json!({ "messageId": "msg_1", "endpointId": "ep_1", "status": status, "made": 1,
        "failures": 1, "nextAt": 7, "createdAt": 1 });
    serde_json::from_value(row).unwrap()
}

#[test]
fn items_of_earlier_versions_are_of_the_first_revision() {
    assert_eq!(row("failed").revision, Revision::default());
    let state: EndpointState = serde_json::from_value(json!({ "arrival": 5 })).unwrap();
    assert_eq!((state.arrival, state.revision), (Some(5), Revision::default()));
    let task = json!({ "messageId": "msg_1", "endpointId": "ep_1", "slot": 5 });
    let task: DeliveryTask = serde_json::from_value(task).unwrap();
    assert_eq!((task.slot_of(MOVED), task.slot_of(PACED)), (Some(5), None));
}

#[test]
fn a_row_of_the_first_revision_is_stored_as_before() {
    let stored = serde_json::to_value(row("failed")).unwrap();
    for name in ["urlRevision", "rateRevision", "isPutOff", "orders"] {
        assert!(stored.get(name).is_none(), "{name}");
    }
    let revised = Delivery { revision: Revision { url: 2, rate: 3 }, ..row("failed") };
    let stored = serde_json::to_value(&revised).unwrap();
    assert_eq!((&stored["urlRevision"], &stored["rateRevision"]), (&json!(2), &json!(3)));
    assert_eq!(serde_json::from_value::<Delivery>(stored).unwrap(), revised);
}

#[test]
fn what_waits_for_another_url_or_a_slot_of_another_rate_is_outdated() {
    for status in ["pending", "failed"] {
        assert!(row(status).is_outdated(MOVED), "{status}");
        assert!(!row(status).is_outdated(Revision::default()), "{status}");
    }
    for status in ["sending", "success", "exhausted", "skipped"] {
        assert!(!row(status).is_outdated(Revision { url: 1, rate: 1 }), "{status}");
    }
    assert!(row("pending").is_outdated(PACED));
    assert!(!row("failed").is_outdated(PACED), "a retry has its time");
    assert!(Delivery { is_put_off: true, ..row("failed") }.is_outdated(PACED));
}
