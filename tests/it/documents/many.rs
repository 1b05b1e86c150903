//! Costs of the deletion of many documents, and of a list after it.
//!
//! A measurement: `DOCUMENTS=100000 cargo test --release -p tests --test it -- --ignored --nocapture
//! documents::many`. A quarter of them are deleted beside it: nothing may cost more because there is
//! more data.

use std::time::Instant;

use serde_json::json;

use super::{add, start};
use crate::{app::cost::Cost, multiply::multiply};

/// Capacity units of the deletion of a folder with so many documents, for each of them.
async fn units_of_deletion(documents: usize) -> f64 {
    let app = start().await;
    add(&app, Some("f"), &["f00000"]).await;
    app.settle().await;
    multiply(&app, "document#f00000", "f00000", 1..documents).await;
    app.skip_records().await;
    let began = Instant::now();
    let deletion = app.cost_of(async {
        app.call("folders.delete", json!({ "organizationId": "acme", "folderId": "f" })).await.ok();
        app.clean_up().await;
    });
    let deletion = deletion.await;
    add(&app, None, &["after"]).await;
    app.settle().await;
    app.forget_calls();
    let listed = app.call("documents.get", json!({ "organizationId": "acme" })).await.data();
    assert_eq!(listed.as_array().map(Vec::len), Some(1), "{listed}");
    let list = Cost::of(&app.calls());
    println!(
        "{documents} documents: {:.2} read and {:.2} write units each, {:?}; a list after it {} \
         units in {} reads",
        deletion.read_units / documents as f64,
        deletion.write_units / documents as f64,
        began.elapsed(),
        list.units,
        list.reads,
    );
    deletion.units / documents as f64
}

#[tokio::test]
#[ignore = "a measurement"]
#[expect(clippy::disallowed_methods, reason = "a test run is told by its environment what to do")]
async fn a_deletion_costs_the_same_for_each_of_its_documents() {
    let most: usize =
        std::env::var("DOCUMENTS").map_or(4_000, |most| most.parse().expect("a number"));
    let (few, many) = (units_of_deletion(most / 4).await, units_of_deletion(most).await);
    assert!(many <= few * 1.02, "{few} and {many}");
}
