use serde_json::Value;
use service::Table;

use crate::app::{App, specs};

const MARK: &str = " of-tenant-a-only";

/// Tenant B calls every operation with the ids of tenant A, and then once more when it has things
/// of the same ids itself.
#[tokio::test]
async fn no_operation_of_one_tenant_reads_or_changes_another() {
    let app = App::start().await;
    let (second, third) = (app.second_key().await, app.second_key().await);
    app.fill_sample_world(MARK).await;
    app.settle().await;
    let snapshot = || -> Vec<Vec<Value>> {
        Table::ALL
            .into_iter()
            .flat_map(|table| [app.items_of(table, &app.key), app.items_of(table, &second)])
            .collect()
    };
    let before = snapshot();
    assert!(before[0].iter().any(|item| item.to_string().contains(MARK)));
    for spec in specs().values().filter(|spec| spec.level != "admin") {
        // A new tenant each time, which has nothing yet, and one of the same workspace.
        let (other, key_b) = app.new_workspace().await;
        let mut tenants = vec![(other, key_b)];
        if spec.level == "apiKey" {
            tenants.push((app.workspace.clone(), third.clone()));
        }
        let body = app.sample_body(&spec.binary(), &second);
        for (workspace, key) in tenants {
            let b = app.caller().key(&key).workspace(&workspace);
            for path in spec.paths {
                let reply = b.body_at(path, body.clone()).await;
                assert!(reply.is_ours(), "{path}: {}", reply.text());
                assert!(!reply.text().contains(MARK), "{path}: {}", reply.text());
            }
            app.settle().await;
            assert_eq!(snapshot(), before, "{} changed another tenant", spec.name);
        }
    }
}

#[tokio::test]
async fn a_list_of_one_tenant_holds_nothing_of_another_with_equal_ids() {
    for is_of_the_workspace in [false, true] {
        let mut b = App::start().await;
        let second = b.second_key().await;
        b.fill_sample_world(MARK).await;
        match is_of_the_workspace {
            true => b.key = b.second_key().await,
            false => (b.workspace, b.key) = b.new_workspace().await,
        }
        b.fill_sample_world("").await;
        let is_list = |name: &str| ["get", "list"].iter().any(|word| name.contains(word));
        let lists = specs().values();
        for spec in lists.filter(|spec| spec.level == "apiKey" && is_list(spec.name)) {
            let body = b.sample_body(&spec.binary(), &second);
            let reply = b.caller().body_at(spec.paths[0], body).await;
            reply.ok();
            assert!(!reply.text().contains(MARK), "{}: {}", spec.name, reply.text());
        }
    }
}
