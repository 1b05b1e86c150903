//! The policy of a family's role, derived from its `access` and its triggers. The template and the
//! local stack both use it.

use std::collections::BTreeSet;

use service::{Access, Family, Queue, Table, Trigger};

const READS: [&str; 3] =
    ["dynamodb:DescribeStream", "dynamodb:GetRecords", "dynamodb:GetShardIterator"];
const GET_SECRET: &str = "secretsmanager:GetSecretValue";
const TAKES: [&str; 3] = ["sqs:DeleteMessage", "sqs:GetQueueAttributes", "sqs:ReceiveMessage"];

/// A statement of a role: actions on one resource.
#[derive(Clone, Debug)]
pub struct Statement {
    /// The reason, if the resource does not tell.
    pub comment: &'static str,
    /// IAM actions, such as `dynamodb:PutItem`.
    pub actions: BTreeSet<String>,
    pub resource: Resource,
    /// The required prefix of the partition key.
    pub leading_key: Option<&'static str>,
}

impl Statement {
    /// Whether the actions happen outside of calls and jobs: those of Lambda in the name of the
    /// function (logs, polling of queues and streams), and those at its start.
    pub fn is_of_lambda(&self, action: &str) -> bool {
        action.starts_with("logs:")
            || action == GET_SECRET
            || action == "dynamodb:ListStreams"
            || READS.contains(&action)
            || TAKES.contains(&action)
            || self.resource == Resource::DeadEvents
    }
}

/// Resource of a policy statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Resource {
    /// The log group of the family.
    Logs,
    Table(Table),
    /// An index of a table, by name.
    Index(Table, &'static str),
    /// The stream of a table.
    Stream(Table),
    /// Every stream of a table: a recreated table has another one.
    Streams(Table),
    Queue(Queue),
    /// The dead letters of a queue.
    DeadLetters(Queue),
    /// The destination of failed stream records.
    DeadEvents,
    /// The secret of the keyring.
    Keyring,
    /// The secret of the admin token.
    AdminToken,
    /// Connections of the live channel.
    LiveConnections,
    /// The identity that sends mails.
    MailIdentity,
    /// Reports the outcome of mails.
    MailConfigurationSet,
}

/// The statements of a family's role, those of its log group first.
pub fn policy(family: &Family) -> Vec<Statement> {
    let mut policy = Policy::default();
    policy.allow("", &["logs:CreateLogStream", "logs:PutLogEvents"], Resource::Logs);
    for access in family.access {
        for (actions, resource) in granted_by(access) {
            policy.allow("", &actions, resource);
        }
    }
    // The operator has no limit.
    let calls = family.operations.iter().any(|route| route.spec.level != "admin");
    if calls || !family.sockets.is_empty() {
        policy.counts_calls();
    }
    if needs_keyring(family) {
        policy.allow("", &[GET_SECRET], Resource::Keyring);
    }
    for worker in &family.workers {
        policy.woken_by(worker.trigger);
    }
    policy.0
}

/// The actions of an access, each list on one resource.
pub fn granted_by(access: &Access) -> Vec<(Vec<String>, Resource)> {
    let actions = |actions: &[&str]| actions.iter().map(|&action| action.to_owned()).collect();
    match access {
        Access::Table(table, verbs) => {
            vec![(verbs.iter().map(|verb| verb.action()).collect(), Resource::Table(*table))]
        }
        Access::Index(table, index) => {
            vec![(actions(&["dynamodb:Query"]), Resource::Index(*table, index))]
        }
        Access::Send(queue) => vec![(actions(&["sqs:SendMessage"]), Resource::Queue(*queue))],
        Access::Post => {
            vec![(actions(&["execute-api:ManageConnections"]), Resource::LiveConnections)]
        }
        Access::AdminToken => vec![(actions(&[GET_SECRET]), Resource::AdminToken)],
        // A raw mail takes rights on the sender and on the configuration set.
        Access::SendMail => [Resource::MailIdentity, Resource::MailConfigurationSet]
            .map(|resource| (actions(&["ses:SendEmail", "ses:SendRawEmail"]), resource))
            .to_vec(),
    }
}

/// Whether a function of a family needs the keyring; each operation and page does.
fn needs_keyring(family: &Family) -> bool {
    !family.operations.is_empty()
        || !family.pages.is_empty()
        || !family.sockets.is_empty()
        || family.workers.iter().any(|worker| worker.needs_keyring)
}

/// Whether a family sends to a queue.
pub fn sends_to(family: &Family, queue: Queue) -> bool {
    family.access.iter().any(|access| matches!(access, Access::Send(to) if *to == queue))
}

#[derive(Default)]
struct Policy(Vec<Statement>);

impl Policy {
    fn allow<A: AsRef<str>>(&mut self, comment: &'static str, actions: &[A], resource: Resource) {
        let actions = actions.iter().map(|action| action.as_ref().to_owned());
        match self.0.iter_mut().find(|known| known.resource == resource) {
            Some(known) => known.actions.extend(actions),
            None => {
                let actions = actions.collect();
                self.0.push(Statement { comment, actions, resource, leading_key: None });
            }
        }
    }

    fn woken_by(&mut self, trigger: Trigger) {
        match trigger {
            Trigger::Queue(source) => {
                self.allow("", &TAKES, Resource::Queue(source));
                let why = "With the reason, which SQS does not know.";
                self.allow(why, &["sqs:SendMessage"], Resource::DeadLetters(source));
            }
            Trigger::Stream(tables) => {
                tables.iter().for_each(|table| self.reads_stream(*table));
                self.allow("", &["sqs:SendMessage"], Resource::DeadEvents);
            }
            Trigger::Changes(changes) => self.reads_stream(changes.table),
            Trigger::Operator(tables) => {
                for table in tables {
                    self.allow("", &["dynamodb:Scan"], Resource::Table(*table));
                }
            }
            // The timer calls with its own role.
            Trigger::EveryMinute => {}
        }
    }

    /// Rate limits of an account have their own partitions.
    fn counts_calls(&mut self) {
        self.0.push(Statement {
            comment: "Only what tenants have used of their limits.",
            actions: ["dynamodb:UpdateItem".to_owned()].into(),
            resource: Resource::Table(Table::Schedule),
            leading_key: Some("limit#"),
        });
    }

    fn reads_stream(&mut self, table: Table) {
        self.allow("", &READS, Resource::Stream(table));
        self.allow(
            "Lambda refuses the mapping without it; it is asked of the table, not of one stream.",
            &["dynamodb:ListStreams"],
            Resource::Streams(table),
        );
    }
}
