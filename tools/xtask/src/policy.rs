//! What the role of a family may do: exactly what its `access` and its triggers say.

use std::collections::BTreeSet;

use service::{Access, Family, Trigger};

use crate::project::pascal;

/// Longest line of actions.
const WIDTH: usize = 120;

/// One statement: actions on one resource.
struct Statement {
    comment: &'static str,
    actions: BTreeSet<String>,
    resource: String,
}

/// The statements of a family's role; those of its log group come first.
pub(crate) fn statements(family: &Family) -> String {
    let mut policy = Policy::default();
    let id = pascal(family.name);
    policy.allow(&["logs:CreateLogStream", "logs:PutLogEvents"], format!("!GetAtt {id}Logs.Arn"));
    for access in family.access {
        match access {
            Access::Table(table, verbs) => {
                let verbs: Vec<String> = verbs.iter().map(|verb| verb.action()).collect();
                let table = format!("!GetAtt {}Table.Arn", table.name());
                policy.allow(&verbs.iter().map(String::as_str).collect::<Vec<_>>(), table);
            }
            Access::Index(table, index) => {
                let index = format!("!Sub ${{{}Table.Arn}}/index/{index}", table.name());
                policy.allow(&["dynamodb:Query"], index);
            }
            Access::Send(queue) => policy.allow(&["sqs:SendMessage"], self::queue(queue.name())),
            Access::SendMail => {
                // Of a raw mail both are asked: of the sender, and of what tells of it.
                let arn = "!Sub arn:${AWS::Partition}:ses:${AWS::Region}:${AWS::AccountId}:";
                let actions = ["ses:SendEmail", "ses:SendRawEmail"];
                policy.allow(&actions, format!("{arn}identity/${{MailIdentity}}"));
                policy.allow(&actions, format!("{arn}configuration-set/${{MailConfigurationSet}}"));
            }
        }
    }
    if family.operations.iter().any(|route| route.spec.level == "apiKey") {
        policy.counts_calls();
    }
    if needs_keyring(family) {
        policy.allow(&["secretsmanager:GetSecretValue"], "!Ref KeyringSecret".to_owned());
    }
    if family.operations.iter().any(|route| route.spec.takes_admin_token()) {
        policy.allow(&["secretsmanager:GetSecretValue"], "!Ref AdminTokenSecret".to_owned());
    }
    for worker in &family.workers {
        policy.woken_by(worker.trigger);
    }
    policy.statements.iter().map(Statement::yaml).collect()
}

/// Whether a family sends to a queue.
pub(crate) fn sends_to(family: &Family, queue: service::Queue) -> bool {
    family.access.iter().any(|access| matches!(access, Access::Send(to) if *to == queue))
}

/// Whether a function of a family signs, seals or opens anything; each operation and page does.
fn needs_keyring(family: &Family) -> bool {
    !family.operations.is_empty()
        || !family.pages.is_empty()
        || family.workers.iter().any(|worker| worker.needs_keyring)
}

fn queue(name: &str) -> String {
    format!("!GetAtt {}Queue.Arn", pascal(name))
}

#[derive(Default)]
struct Policy {
    statements: Vec<Statement>,
}

impl Policy {
    fn allow(&mut self, actions: &[&str], resource: String) {
        self.allow_because("", actions, resource);
    }

    fn allow_because(&mut self, comment: &'static str, actions: &[&str], resource: String) {
        let actions = actions.iter().map(|&action| action.to_owned());
        match self.statements.iter_mut().find(|statement| statement.resource == resource) {
            Some(statement) => statement.actions.extend(actions),
            None => {
                let actions = actions.collect();
                self.statements.push(Statement { comment, actions, resource });
            }
        }
    }

    fn woken_by(&mut self, trigger: Trigger) {
        match trigger {
            Trigger::Queue(source) => {
                self.allow(
                    &["sqs:DeleteMessage", "sqs:GetQueueAttributes", "sqs:ReceiveMessage"],
                    queue(source.name()),
                );
                let dead = format!("!GetAtt {}DeadQueue.Arn", pascal(source.name()));
                self.allow_because(
                    "With the reason, which SQS does not know.",
                    &["sqs:SendMessage"],
                    dead,
                );
            }
            Trigger::Stream(tables) => {
                tables.iter().for_each(|table| self.reads_stream(table.name()))
            }
            Trigger::Operator(tables) => {
                for table in tables {
                    let table = format!("!GetAtt {}Table.Arn", table.name());
                    self.allow(&["dynamodb:Scan"], table);
                }
            }
            // The timer calls with a role of its own.
            Trigger::EveryMinute => {}
        }
    }

    /// What a tenant has used of its limits lies in partitions of its own.
    fn counts_calls(&mut self) {
        self.statements.push(Statement {
            comment: "Only what tenants have used of their limits.",
            actions: ["dynamodb:UpdateItem".to_owned()].into(),
            resource: "!GetAtt ScheduleTable.Arn\n                Condition: \
                       {ForAllValues:StringLike: {dynamodb:LeadingKeys: [\"limit#*\"]}}"
                .to_owned(),
        });
    }

    fn reads_stream(&mut self, table: &str) {
        self.allow(
            &["dynamodb:DescribeStream", "dynamodb:GetRecords", "dynamodb:GetShardIterator"],
            format!("!GetAtt {table}Table.StreamArn"),
        );
        self.allow_because(
            "Lambda refuses the mapping without it; it is asked of the table, not of one stream.",
            &["dynamodb:ListStreams"],
            format!("!Sub ${{{table}Table.Arn}}/stream/*"),
        );
        self.allow(&["sqs:SendMessage"], queue("events-dead"));
    }
}

impl Statement {
    fn yaml(&self) -> String {
        let comment = match self.comment {
            "" => String::new(),
            comment => format!("              # {comment}\n"),
        };
        let actions: Vec<&str> = self.actions.iter().map(String::as_str).collect();
        let line = format!("                Action: [{}]\n", actions.join(", "));
        let actions = if line.len() <= WIDTH {
            line
        } else {
            let lines = actions.iter().map(|action| format!("                  - {action}\n"));
            format!("                Action:\n{}", lines.collect::<String>())
        };
        let resource = &self.resource;
        format!(
            "{comment}              - Effect: Allow\n{actions}                Resource: {resource}\n"
        )
    }
}
