//! The policy of a family's role as YAML.

use registry::{Resource, Statement, pascal};
use service::Family;

/// Longest line of actions.
const WIDTH: usize = 120;

/// The statements of a family's role.
pub(crate) fn statements(family: &Family) -> String {
    let id = pascal(family.name);
    registry::policy(family).iter().map(|statement| yaml(&id, statement)).collect()
}

fn yaml(family: &str, statement: &Statement) -> String {
    let comment = match statement.comment {
        "" => String::new(),
        comment => format!("              # {comment}\n"),
    };
    let actions: Vec<&str> = statement.actions.iter().map(String::as_str).collect();
    let line = format!("                Action: [{}]\n", actions.join(", "));
    let actions = if line.len() <= WIDTH {
        line
    } else {
        let lines = actions.iter().map(|action| format!("                  - {action}\n"));
        format!("                Action:\n{}", lines.collect::<String>())
    };
    let resource = arn(family, statement.resource);
    let condition = statement.leading_key.map_or_else(String::new, |key| {
        format!(
            "                Condition: \
             {{ForAllValues:StringLike: {{dynamodb:LeadingKeys: [\"{key}*\"]}}}}\n"
        )
    });
    format!(
        "{comment}              - Effect: Allow\n{actions}                Resource: {resource}\n\
         {condition}"
    )
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
