use std::time::Duration;

use crate::app::{App, cost, specs};

/// Operations that take more, each for a reason.
const DEARER: [(&str, usize, &str); 8] = [
    ("deliveries.attempts_get", 4, "whether webhooks are on, the message, what became of it"),
    ("deliveries.messages_get", 3, "whether webhooks are on, the links, what they lead to"),
    ("deliveries.messages_resend", 3, "whether the endpoint takes any, and the message"),
    ("editors.get", 3, "the log is read before the head, not with it: see store/src/editors.rs"),
    ("editors.state_get", 3, "the same"),
    ("editors.update", 5, "the same, and the write"),
    ("notifications.get", 3, "digests that tell of a document are rows that lead to them"),
    (
        "user-data.get",
        8,
        "four lists, three of them of rows that lead to items: see store/src/removal/user_data.rs",
    ),
];

#[tokio::test]
async fn a_read_takes_2_calls_and_a_write_3() {
    let mut too_dear = vec![];
    for spec in specs().values() {
        let cost = cost::of_sample(spec).await;
        let usual = if cost.writes == 0 { 2 } else { 3 };
        let dearer = DEARER.iter().find(|(operation, ..)| *operation == spec.name);
        let allowed = dearer.map_or(usual, |(_, calls, _)| *calls);
        assert!(dearer.is_none() || cost.reads + cost.writes > usual, "{} is not dear", spec.name);
        if cost.reads + cost.writes > allowed {
            too_dear.push(format!("{}: {cost:?}", spec.name));
        }
        let orders = ["deliveries.messages_resend", "deliveries.endpoints_recover"];
        let sends = usize::from(orders.contains(&spec.name));
        assert_eq!(cost.sends, sends, "{}: what else is sent comes of events", spec.name);
    }
    assert_eq!(too_dear, [""; 0]);
}

#[tokio::test]
async fn a_batch_takes_a_25th_of_its_items_in_calls() {
    for n in [1, 26, 500] {
        let (app, _) = App::sample_world().await;
        for (operation, body) in cost::batches(n) {
            app.advance(Duration::from_secs(11));
            app.forget_calls();
            let reply = app.call(operation, body).await;
            assert!(
                !reply.ok().to_string().contains("\"success\":false"),
                "{operation}: {}",
                reply.text()
            );
            let calls = app.calls().len();
            assert!(calls <= cost::allowed_for(operation, n), "{operation} of {n}: {calls} calls");
        }
        // What 500 of everything leave to the workers would take them minutes.
        if n < 500 {
            app.settle().await;
        }
    }
}
