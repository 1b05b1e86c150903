//! The roles of all functions, as in the template; a function is identified by its name.

use std::collections::BTreeSet;

use embedded::{EmbeddedServices, Roles, Statement, connections_arn, mail_arn, table_arn};
use registry::Resource;
use service::Family;

use super::resources::{
    MAIL_CONFIGURATION_SET, MAIL_IDENTITY, PREFIX, dead_letters_name, queue_name, table_name,
};

/// The role of each function.
pub(crate) fn of_all(families: &[Family]) -> Roles {
    families.iter().flat_map(of_family).collect()
}

/// The functions whose role may read the admin token.
pub(crate) fn with_admin_token(families: &[Family]) -> BTreeSet<String> {
    let may_read = |family: &&Family| {
        registry::policy(family).iter().any(|right| right.resource == Resource::AdminToken)
    };
    families.iter().filter(may_read).flat_map(Family::functions).collect()
}

fn of_family(family: &Family) -> Vec<(String, Vec<Statement>)> {
    let statements: Vec<Statement> = statements(family);
    family.functions().map(|function| (function, statements.clone())).collect()
}

fn statements(family: &Family) -> Vec<Statement> {
    let statement = |of: registry::Statement| Statement {
        resource: arn(family, of.resource),
        leading_key: of.leading_key.map(|key| ("PK".to_owned(), key.to_owned())),
        actions: of.actions,
    };
    registry::policy(family).into_iter().map(statement).collect()
}

/// The ARN of a resource in the local stack.
pub fn arn(family: &Family, resource: Resource) -> String {
    match resource {
        Resource::Logs => format!("logs of {}", family.name),
        Resource::Table(table) => table_arn(&table_name(table)),
        Resource::Index(table, index) => table_arn(&format!("{}/index/{index}", table_name(table))),
        Resource::Stream(table) | Resource::Streams(table) => {
            table_arn(&format!("{}/stream/*", table_name(table)))
        }
        Resource::Queue(queue) => EmbeddedServices::queue_arn(&queue_name(queue)),
        Resource::DeadLetters(queue) => EmbeddedServices::queue_arn(&dead_letters_name(queue)),
        Resource::Keyring => "secret of the keyring".to_owned(),
        Resource::AdminToken => "secret of the admin token".to_owned(),
        Resource::DeadEvents => EmbeddedServices::queue_arn(&format!("{PREFIX}events-dead")),
        Resource::LiveConnections => connections_arn("*"),
        Resource::MailIdentity => mail_arn(&format!("identity/{MAIL_IDENTITY}")),
        Resource::MailConfigurationSet => {
            mail_arn(&format!("configuration-set/{MAIL_CONFIGURATION_SET}"))
        }
    }
}
