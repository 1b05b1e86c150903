//! The policy of a family's role as YAML.

use registry::{Resource, Statement, pascal};
use service::Family;

use crate::template::fragments::{LEADING_KEY, STATEMENT, indented, list};

/// Longest line of actions, without its indentation.
const WIDTH: usize = 104;

/// The statements of a family's role.
pub(crate) fn statements(family: &Family) -> Result<String, String> {
    let id = pascal(family.name);
    registry::policy(family).iter().map(|statement| yaml(&id, statement)).collect()
}

fn yaml(family: &str, statement: &Statement) -> Result<String, String> {
    let comment = match statement.comment {
        "" => String::new(),
        comment => format!("# {comment}\n"),
    };
    let actions = &statement.actions;
    let line = actions.iter().map(String::as_str).collect::<Vec<_>>().join(", ");
    let line = format!("Action: [{line}]\n");
    let actions = match line.len() <= WIDTH {
        true => line,
        false => format!("Action:\n{}", indented(&list(actions.iter().cloned()), 2)),
    };
    let condition = match statement.leading_key {
        Some(key) => LEADING_KEY.fill(&[("key", key)])?,
        None => String::new(),
    };
    STATEMENT.fill(&[
        ("comment", &comment),
        ("actions", &actions),
        ("resource", &arn(family, statement.resource)),
        ("condition", &condition),
    ])
}

fn arn(family: &str, resource: Resource) -> String {
    let ses = |name: &str| {
        format!("!Sub arn:${{AWS::Partition}}:ses:${{AWS::Region}}:${{AWS::AccountId}}:{name}")
    };
    match resource {
        Resource::Logs => format!("!GetAtt {family}Logs.Arn"),
        Resource::Table(table) => format!("!GetAtt {}Table.Arn", table.name()),
        Resource::Index(table, index) => {
            format!("!Sub ${{{}Table.Arn}}/index/{index}", table.name())
        }
        Resource::Stream(table) => format!("!GetAtt {}Table.StreamArn", table.name()),
        Resource::Streams(table) => format!("!Sub ${{{}Table.Arn}}/stream/*", table.name()),
        Resource::Queue(queue) => format!("!GetAtt {}Queue.Arn", pascal(queue.name())),
        Resource::DeadLetters(queue) => format!("!GetAtt {}DeadQueue.Arn", pascal(queue.name())),
        Resource::Keyring => "!Ref KeyringSecret".to_owned(),
        Resource::AdminToken => "!Ref AdminTokenSecret".to_owned(),
        Resource::DeadEvents => "!GetAtt EventsDeadQueue.Arn".to_owned(),
        Resource::LiveConnections => {
            "!Sub arn:${AWS::Partition}:execute-api:${AWS::Region}:${AWS::AccountId}:\
             ${LiveApi}/live/*/@connections/*"
                .to_owned()
        }
        Resource::MailIdentity => ses("identity/${MailIdentity}"),
        Resource::MailConfigurationSet => ses("configuration-set/${MailConfigurationSet}"),
    }
}
