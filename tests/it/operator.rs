//! The operator of the deployment, who alone reads across tenants (decision 76).

mod api_key_limits_update;
mod auth_token_rotate;
mod deletions_repair;
mod events_repair;
mod secrets_reseal;
mod workspace_create;
mod workspace_update;

use std::collections::BTreeSet;

use aws::Dynamo;
use serde_json::json;
use service::{Access, Family, Table, Verb};

use crate::app::{ADMIN_TOKEN, App, Options};

const TABLES: [Table; 5] =
    [Table::Resources, Table::Events, Table::Schedule, Table::Realtime, Table::Crdt];

#[tokio::test]
async fn no_function_of_another_family_may_scan_a_table() {
    let app = App::start().await;
    app.expect_denials();
    let config = roundtable::config(app.stack().aws_endpoint().expect("a port"), None);
    let mut scanned = BTreeSet::new();
    for family in registry::families() {
        for function in family.functions() {
            let mut aws = config.aws.clone();
            aws.access_key_id.clone_from(&function);
            let dynamo = Dynamo::new(&aws, &config.table_prefix);
            for table in TABLES {
                if dynamo.scan(table.name(), "PK", None, 1).await.is_ok() {
                    scanned.insert((family.name, table.name()));
                }
            }
        }
    }
    assert_eq!(scanned, BTreeSet::from([("operator", "Crdt"), ("operator", "Resources")]));
}

/// A deployment with an operation of the operator in another family, with these rights.
async fn with_stray(access: &'static [Access]) -> App {
    let families = registry::families();
    let mut routes = families.into_iter().flat_map(|family| family.operations);
    let mut stray = routes.find(|route| route.spec.name == UPDATE).expect("the operation");
    (stray.spec.name, stray.spec.paths) = ("stray.workspace_update", &[STRAY]);
    let (workers, pages, sockets) = (vec![], vec![], vec![]);
    let family = Family { name: "stray", operations: vec![stray], workers, pages, sockets, access };
    App::start_with(Options { families: vec![family], ..Options::default() }).await
}

const UPDATE: &str = "operator.workspace_update";
const STRAY: &str = "/v2/stray";

#[tokio::test]
async fn a_function_whose_role_may_not_read_the_admin_token_does_not_know_it() {
    const RESOURCES: Access = Access::Table(Table::Resources, &[Verb::GetItem, Verb::PutItem]);
    let call = async |app: &App| {
        let body = json!({ "data": { "id": app.workspace.id, "name": "Acme" } }).to_string();
        app.send(STRAY, body, &[("x-service-admin-token", ADMIN_TOKEN)]).await
    };
    call(&with_stray(&[RESOURCES, Access::AdminToken]).await).await.ok();
    call(&with_stray(&[RESOURCES]).await).await.error("PERMISSION_DENIED");
}
