//! Cost of the notifications of a comment, by row.

use tests::notified::{Case, Counted, comment};

pub(crate) async fn run() -> bool {
    println!("A comment and its recipients: units of all that follows the call\n");
    println!("{:<46} {:>8} {:>8} {:>8}", "", "reads", "writes", "both");
    for recipients in [1, 10, 100] {
        for waits in [false, true] {
            let case = Case { recipients, waits, ..Case::default() };
            let how = if waits { "with delay and window" } else { "without delay" };
            let counted = comment(case).await;
            row(&format!("{recipients} recipients, {how}"), &counted);
            if recipients == 100 {
                detail(&counted);
            }
        }
    }
    let large = Case { recipients: 1_000, folders: 5_000, waits: false };
    let counted = comment(large).await;
    row("1,000 users, a tree of 5,000 folders", &counted);
    detail(&counted);
    true
}

fn row(label: &str, counted: &Counted) {
    let units = counted.units();
    println!("{label:<46} {:>8.1} {:>8.1} {units:>8.1}", counted.reads, counted.writes);
}

fn detail(counted: &Counted) {
    for ((operation, target), (calls, units)) in &counted.by_target {
        println!("    {operation:<20} {target:<28} {calls:>5} calls {units:>8.1} units");
    }
}
