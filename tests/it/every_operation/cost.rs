use std::time::Duration;

use crate::app::{App, cost, specs};

/// Exceptions, each with a reason.
const DEARER: [(&str, usize, &str); 28] = [
    ("deliveries.attempts_get", 4, "whether webhooks are on, the message, its outcome"),
    (
        "folders.add",
        6,
        "the parents, the organization where there are none, their number, and parents first",
    ),
    ("presence.update", 6, "the organization, which a function knows of for ten minutes"),
    (
        "live-state.broadcast",
        5,
        "the organization, as above, and the document: an entry of an earlier one begins anew",
    ),
    (
        "editors.add",
        6,
        "the organization, as above, the number of editors, and who wrote a deleted one of this id",
    ),
    ("editors.delete", 5, "the heads, and the organization, as below"),
    ("editors.get", 4, "head, log, snapshot, and the organization, as below"),
    ("editors.state_get", 4, "as above"),
    (
        "editors.update",
        5,
        "log, head, snapshot, and the organization: an editor of a deleted one is gone",
    ),
    ("editors.authors_get", 5, "as editors.get, and the users of its history"),
    ("editors.changes_get", 7, "as above, its versions and the merged edits"),
    ("editors.changes_revert", 10, "as above, the users again, whose numbers have to stay"),
    ("editors.versions_add", 12, "as above: it merges the log, then reads the head again"),
    ("editors.versions_delete", 9, "the version, before its sweep is ordered and afterwards"),
    ("editors.versions_get", 5, "as editors.get, and the version"),
    ("editors.versions_list", 7, "as editors.changes_get"),
    ("editors.versions_restore", 6, "as editors.versions_get"),
    ("editors.versions_update", 5, "the head, the organization, and the version"),
    ("documents.add", 5, "the organization, and two levels of folders, which all have to exist"),
    ("documents.get", 4, "the folders above, level by level: they say who has access"),
    ("documents.count", 4, "as above"),
    ("users.count", 4, "the organization, its members, and those of its documents"),
    ("users.add", 5, "the organization, and when the user left it last"),
    ("user-groups.users_add", 5, "the group, its number of members, and the memberships"),
    ("user-groups.users_delete", 5, "as above"),
    ("notifications.get", 4, "two lists, what they lead to, and what the user may reach"),
    (
        "notifications.count",
        9,
        "the mark of the user, as above, and the folders of the document: they say who has access",
    ),
    (
        "user-data.get",
        14,
        "four lists with their containers, two of three kinds of rows that lead to items: see store/src/user_data/export.rs",
    ),
];

/// Cost of an append that also reads the sizes in the log, as a few do by chance.
const SOMETIMES: (&str, usize) = ("editors.updates_add", 5);

/// Write units of the samples of frequent operations.
const BUDGETS: [(&str, f64); 12] = [
    // Four without the target it names.
    ("activities.add", 5.0),
    ("comments.add", 4.0),
    // Six without the row of the user it mentions.
    ("comments.annotations_add", 7.0),
    ("comments.annotations_update", 5.0),
    ("comments.reactions_add", 4.0),
    ("documents.update", 2.0),
    ("editors.update", 4.0),
    ("editors.updates_add", 2.0),
    ("live-state.broadcast", 2.0),
    ("notifications.add", 6.0),
    ("presence.add", 2.0),
    ("recordings.add", 5.0),
];

#[tokio::test]
async fn the_most_frequent_operations_keep_their_budget_of_write_units() {
    let mut too_dear = vec![];
    for (operation, budget) in BUDGETS {
        let cost = cost::of_sample(&specs()[operation]).await;
        if cost.write_units > budget {
            too_dear.push(format!("{operation}: {} of {budget}", cost.write_units));
        }
    }
    assert_eq!(too_dear, [""; 0]);
}

#[tokio::test]
async fn a_read_takes_3_calls_and_a_write_4() {
    let mut too_dear = vec![];
    for spec in specs().values() {
        let cost = cost::of_sample(spec).await;
        let usual = if cost.writes == 0 { 3 } else { 4 };
        let dearer = DEARER.iter().find(|(operation, ..)| *operation == spec.name);
        let by_chance = if spec.name == SOMETIMES.0 { SOMETIMES.1 } else { usual };
        let allowed = dearer.map_or(by_chance, |(_, calls, _)| *calls);
        let is_dear = cost.reads + cost.writes > usual;
        if cost.reads + cost.writes > allowed || (dearer.is_some() && !is_dear) {
            too_dear.push(format!("{}: {cost:?}", spec.name));
        }
        let orders = ["deliveries.messages_resend", "deliveries.endpoints_recover"];
        let sends = usize::from(orders.contains(&spec.name));
        assert_eq!(cost.sends, sends, "{}: what else is sent comes of events", spec.name);
    }
    assert_eq!(too_dear, [""; 0]);
}

/// A measurement: `cargo test -p tests --test it -- --ignored --nocapture every_operation::cost`.
#[tokio::test]
#[ignore = "a measurement"]
async fn the_sample_of_each_operation_costs_so_many_calls_and_units() {
    println!("operation reads writes read_units write_units");
    for spec in specs().values() {
        let cost = cost::of_sample(spec).await;
        println!(
            "{} {} {} {} {}",
            spec.name, cost.reads, cost.writes, cost.read_units, cost.write_units
        );
    }
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
        // The workers would need minutes for 500 of everything.
        if n < 500 {
            app.settle().await;
        }
    }
}
