//! What a family's role allows is what its functions do: no less, and no more.

mod calls;
mod notices;
mod webhooks;
mod workers;

use std::collections::{BTreeMap, BTreeSet};

use emulator::{Call, Service};
use local::{queue_name, table_name};
use service::{Access, Family, Verb};

use crate::app::App;

/// What was asked, without repetition: service, verb, and the tables or the queue.
type Asked = BTreeSet<(bool, String, Vec<String>)>;

/// What each family asked.
#[derive(Default)]
struct Seen(BTreeMap<&'static str, Asked>);

impl Seen {
    /// Takes what was asked since calls were last forgotten.
    fn take(&mut self, family: &'static str, app: &App) {
        let calls = app.calls();
        app.forget_calls();
        let asked = |call: Call| {
            let targets = call.target.split(',').map(str::to_owned).collect();
            (call.service == Service::Sqs, call.operation, targets)
        };
        self.0.entry(family).or_default().extend(calls.into_iter().map(asked));
    }

    fn of(&self, family: &str) -> &Asked {
        self.0.get(family).unwrap_or_else(|| panic!("nothing was asked by {family}"))
    }
}

/// The family an operation or a worker belongs to.
fn family_of(name: &str) -> &'static str {
    let family = registry::families().into_iter().find(|family| {
        family.operations.iter().any(|route| route.spec.name == name)
            || family.workers.iter().any(|worker| worker.name == name)
    });
    family.unwrap_or_else(|| panic!("{name} has no family")).name
}

async fn seen() -> Seen {
    let mut seen = Seen::default();
    calls::run_samples(&mut seen).await;
    calls::run_batches(&mut seen).await;
    calls::run_filters(&mut seen).await;
    workers::run_workers(&mut seen).await;
    workers::run_compaction(&mut seen).await;
    workers::run_erasure(&mut seen).await;
    notices::run_mails(&mut seen).await;
    notices::run_notices(&mut seen).await;
    webhooks::run_webhooks(&mut seen).await;
    seen
}

fn verbs(family: &Family, table: &str) -> &'static [Verb] {
    let of = |access: &Access| match access {
        Access::Table(named, verbs) if table_name(*named) == table => Some(*verbs),
        _ => None,
    };
    family.access.iter().find_map(of).unwrap_or(&[])
}

/// The statements of a batch, which is recorded as one call.
const STATEMENTS: [Verb; 2] = [Verb::PartiQLInsert, Verb::PartiQLUpdate];

/// The steps of a transaction, which is recorded as one call.
const STEPS: [Verb; 4] =
    [Verb::ConditionCheckItem, Verb::DeleteItem, Verb::PutItem, Verb::UpdateItem];

fn allows(family: &Family, is_sqs: bool, operation: &str, target: &str) -> bool {
    let sends =
        |access: &Access| matches!(access, Access::Send(queue) if queue_name(*queue) == target);
    let queries =
        |access: &Access| matches!(access, Access::Index(table, _) if table_name(*table) == target);
    let verbs = verbs(family, target);
    match operation {
        "SendMessage" | "SendMessageBatch" if is_sqs => family.access.iter().any(sends),
        _ if is_sqs => false,
        "SendEmail" => family.access.iter().any(|access| matches!(access, Access::SendMail)),
        "TransactWriteItems" => verbs.iter().any(|verb| STEPS.contains(verb)),
        "BatchExecuteStatement" => verbs.iter().any(|verb| STATEMENTS.contains(verb)),
        "Query" if family.access.iter().any(queries) => true,
        operation => verbs.iter().any(|verb| verb.action() == format!("dynamodb:{operation}")),
    }
}

#[tokio::test]
async fn a_role_allows_all_that_is_done_and_nothing_else() {
    let seen = seen().await;
    let mut faults = Vec::new();
    for family in registry::families() {
        for (is_sqs, operation, targets) in seen.of(family.name) {
            for target in targets {
                if !allows(&family, *is_sqs, operation, target) {
                    faults.push(format!("{}: {operation} of {target} is denied", family.name));
                }
            }
        }
        faults.extend(unused(&family, seen.of(family.name)));
    }
    assert!(faults.is_empty(), "{faults:#?}");
}

/// What a family holds and never used.
fn unused(family: &Family, asked: &Asked) -> Vec<String> {
    let was_asked = |operations: &[&str], target: String| {
        asked.iter().any(|(_, operation, targets)| {
            operations.contains(&operation.as_str()) && targets.contains(&target)
        })
    };
    let mut unused = Vec::new();
    for access in family.access {
        match access {
            Access::Table(table, verbs) => {
                for verb in *verbs {
                    let name = format!("{verb:?}");
                    // Which steps a transaction or a batch had is not recorded.
                    let together = match () {
                        () if STATEMENTS.contains(verb) => "BatchExecuteStatement",
                        () if STEPS.contains(verb) => "TransactWriteItems",
                        () => &name,
                    };
                    let used = was_asked(&[together, &name], table_name(*table));
                    if !used {
                        unused.push(format!("{}: {name} of {table:?} is unused", family.name));
                    }
                }
            }
            Access::Index(table, index) => {
                if !was_asked(&["Query"], table_name(*table)) {
                    unused.push(format!("{}: {index} of {table:?} is unused", family.name));
                }
            }
            Access::SendMail => {
                if !asked.iter().any(|(_, operation, _)| operation == "SendEmail") {
                    unused.push(format!("{}: mails are never sent", family.name));
                }
            }
            Access::Send(queue) => {
                if !was_asked(&["SendMessageBatch", "SendMessage"], queue_name(*queue)) {
                    unused.push(format!("{}: {queue:?} is unused", family.name));
                }
            }
        }
    }
    unused
}
