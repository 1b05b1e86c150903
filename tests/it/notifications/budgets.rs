//! Cost of notifications: units counted at the embedded DynamoDB.

use tests::{
    notified::{Case, Counted, comment},
    scattered::scattered,
};

#[tokio::test]
async fn notifying_100_users_of_a_comment_at_once_costs_at_most_156_units() {
    let counted = comment(Case { recipients: 100, ..Case::default() }).await;
    // Ten of them are indexes of the notification that hold all of it.
    assert!(counted.units() <= 156.0, "{counted:#?}");
}

#[tokio::test]
async fn notifying_100_users_after_a_delay_and_a_window_costs_at_most_300_units() {
    let counted = comment(Case { recipients: 100, waits: true, ..Case::default() }).await;
    assert!(counted.units() <= 300.0, "{counted:#?}");
}

#[tokio::test]
async fn windows_of_200_members_that_differ_cost_at_most_12_writes_for_a_comment() {
    let all = scattered(200, 50).await;
    // Nine of them are the entry of the event, and its recipients: when it happens, and when they
    // have joined.
    let of_windows = |it: &Counted| it.writes - 9.0;
    let most = |some: &[Counted]| some.iter().map(of_windows).fold(0.0, f64::max);
    assert!(most(&all.diverging) <= 12.0, "{:#?}", all.diverging);
    assert!(most(&all.diverged) <= 3.0, "{:#?}", all.diverged);
    assert_eq!((all.digests, all.conflicts), (200, 0), "{:#?}", all.closed);
}
