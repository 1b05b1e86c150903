//! Cost of notifications: units counted at the embedded DynamoDB.

use tests::notified::{Case, comment};

#[tokio::test]
async fn a_comment_of_which_a_hundred_are_notified_at_once() {
    let counted = comment(Case { recipients: 100, ..Case::default() }).await;
    // Ten of them are indexes of the notification that hold all of it.
    assert!(counted.units() <= 160.0, "{counted:#?}");
}

#[tokio::test]
async fn a_comment_of_which_a_hundred_are_notified_after_a_delay_and_a_window() {
    let counted = comment(Case { recipients: 100, waits: true, ..Case::default() }).await;
    assert!(counted.units() <= 300.0, "{counted:#?}");
}
