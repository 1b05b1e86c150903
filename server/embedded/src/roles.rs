//! Authorization like IAM. The access key id in a request's signature identifies the caller;
//! signatures are not verified.

use std::collections::{BTreeMap, BTreeSet};

use axum::http::HeaderMap;
use parking_lot::Mutex;
use serde_json::Value;

use crate::base::{ACCOUNT, REGION, Refusal};
use crate::sqs;
use crate::testing::{Service, table_of};

/// The access key id of the owner of the account, who has all rights. So have unknown callers, such
/// as a tool with its own credentials, and requests without a signature.
pub const OWNER: &str = "local";

/// A statement of a role: actions on one resource.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Statement {
    /// Names of actions, such as `dynamodb:PutItem`.
    pub actions: BTreeSet<String>,
    /// An ARN; a star at the end matches anything.
    pub resource: String,
    /// The attribute of the partition key, and the required prefix of its values
    /// (`dynamodb:LeadingKeys`).
    pub leading_key: Option<(String, String)>,
}

/// The roles of callers, by access key id.
pub type Roles = BTreeMap<String, Vec<Statement>>;

/// A requested action, and whether the role allows it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Asked {
    /// The access key id of the caller.
    pub caller: String,
    /// Name of the action, such as `dynamodb:PutItem`.
    pub action: String,
    /// An ARN; `@connections/*` stands for each connection.
    pub resource: String,
    /// Whether it was allowed.
    pub allowed: bool,
}

/// The ARN of a table, or of its parts, such as `items/index/by_rank`.
#[must_use]
pub fn table_arn(table: &str) -> String {
    format!("arn:aws:dynamodb:{REGION}:{ACCOUNT}:table/{table}")
}

/// The ARN of an SES resource, such as `identity/example.com`. Identities are domains here.
#[must_use]
pub fn mail_arn(name: &str) -> String {
    format!("arn:aws:ses:{REGION}:{ACCOUNT}:{name}")
}

/// The ARN of a path below the stage of the WebSocket API.
#[must_use]
pub fn connections_arn(path: &str) -> String {
    format!("arn:aws:execute-api:{REGION}:{ACCOUNT}:local/live/{path}")
}

/// The action of a request on one resource.
struct Needed<'a> {
    action: String,
    resource: String,
    /// The key, or the item with the key.
    item: &'a Value,
}

/// The roles of a deployment, and the requested actions.
pub(crate) struct Access {
    roles: Roles,
    asked: Mutex<BTreeSet<Asked>>,
}

impl Access {
    pub(crate) fn new(roles: Roles) -> Self {
        Self { roles, asked: Mutex::default() }
    }

    pub(crate) fn asked(&self) -> Vec<Asked> {
        self.asked.lock().iter().cloned().collect()
    }

    /// Refuses what the role of the caller does not allow.
    pub(crate) fn check(
        &self,
        caller: &str,
        service: Service,
        operation: &str,
        request: &Value,
    ) -> Result<(), Refusal> {
        let Some(role) = self.roles.get(caller) else { return Ok(()) };
        for needed in needed(service, operation, request) {
            let allowed = role.iter().any(|statement| statement.allows(&needed));
            let Needed { action, resource, .. } = needed;
            let refusal = (!allowed).then(|| denied(service, caller, &action, &resource));
            let asked =
                Asked { caller: caller.to_owned(), action, resource: kind(resource), allowed };
            self.asked.lock().insert(asked);
            refusal.map_or(Ok(()), Err)?;
        }
        Ok(())
    }
}

/// The resource, with all connections as one: their ids are without number.
fn kind(resource: String) -> String {
    match resource.rsplit_once("/@connections/") {
        Some((service, _)) => format!("{service}/@connections/*"),
        None => resource,
    }
}

impl Statement {
    fn allows(&self, needed: &Needed<'_>) -> bool {
        let is_of = match self.resource.strip_suffix('*') {
            Some(start) => needed.resource.starts_with(start),
            None => self.resource == needed.resource,
        };
        let has_key = self.leading_key.as_ref().is_none_or(|(attribute, start)| {
            needed.item[attribute]["S"].as_str().is_some_and(|key| key.starts_with(start))
        });
        is_of && has_key && self.actions.contains(&needed.action)
    }
}

/// The access key id in `AWS4-HMAC-SHA256 Credential=<id>/<date>/…`.
pub(crate) fn caller(headers: &HeaderMap) -> &str {
    let signed = headers.get("authorization").and_then(|value| value.to_str().ok());
    let id = signed.and_then(|signed| signed.split_once("Credential=")?.1.split('/').next());
    id.unwrap_or(OWNER)
}

fn needed<'a>(service: Service, operation: &str, request: &'a Value) -> Vec<Needed<'a>> {
    match service {
        Service::DynamoDb => of_tables(operation, request),
        Service::DynamoDbStreams => {
            let resource = request["StreamArn"].as_str().unwrap_or("*").to_owned();
            vec![of_table(operation, resource, &Value::Null)]
        }
        Service::Sqs => {
            let action = format!("sqs:{}", operation.trim_end_matches("Batch"));
            let resource = sqs::arn(sqs::queue_of(request));
            vec![Needed { action, resource, item: &Value::Null }]
        }
        Service::Ses => of_mail(request),
        Service::ExecuteApi => {
            let id = request["ConnectionId"].as_str().unwrap_or_default();
            let resource = connections_arn(&format!("POST/@connections/{id}"));
            let action = "execute-api:ManageConnections".to_owned();
            vec![Needed { action, resource, item: &Value::Null }]
        }
    }
}

fn of_table<'a>(operation: &str, resource: String, item: &'a Value) -> Needed<'a> {
    Needed { action: format!("dynamodb:{operation}"), resource, item }
}

fn of_tables<'a>(operation: &str, request: &'a Value) -> Vec<Needed<'a>> {
    let list = |member: &str| request[member].as_array().into_iter().flatten();
    match operation {
        "BatchGetItem" | "BatchWriteItem" => {
            let tables = request["RequestItems"].as_object().into_iter().flatten();
            tables.map(|(table, _)| of_table(operation, table_arn(table), &Value::Null)).collect()
        }
        "TransactWriteItems" | "TransactGetItems" => {
            let steps = list("TransactItems").filter_map(Value::as_object).flatten();
            steps.map(|(verb, step)| on_one_table(&format!("{verb}Item"), step)).collect()
        }
        "ExecuteStatement" => vec![of_statement(request)],
        "BatchExecuteStatement" => list("Statements").map(of_statement).collect(),
        "ExecuteTransaction" => list("TransactStatements").map(of_statement).collect(),
        _ => vec![on_one_table(operation, request)],
    }
}

/// An action on the only table or index of a request.
fn on_one_table<'a>(operation: &str, request: &'a Value) -> Needed<'a> {
    let table = request["TableName"].as_str().unwrap_or("*");
    let resource = match request["IndexName"].as_str() {
        Some(index) => table_arn(&format!("{table}/index/{index}")),
        None => table_arn(table),
    };
    let item = if request["Key"].is_null() { &request["Item"] } else { &request["Key"] };
    of_table(operation, resource, item)
}

/// An action of PartiQL. The index of a `SELECT` follows the table, after a dot.
fn of_statement(request: &Value) -> Needed<'_> {
    let statement = request["Statement"].as_str().unwrap_or_default();
    let verb = match statement.split_whitespace().next().map(str::to_ascii_uppercase).as_deref() {
        Some("INSERT") => "PartiQLInsert",
        Some("UPDATE") => "PartiQLUpdate",
        Some("DELETE") => "PartiQLDelete",
        _ => "PartiQLSelect",
    };
    let table = table_of(statement).unwrap_or_default();
    let index = statement.split_once(&format!("\"{table}\".\"")).and_then(|(_, rest)| {
        rest.split_once('"').map(|(index, _)| format!("{table}/index/{index}"))
    });
    of_table(verb, table_arn(&index.unwrap_or(table)), &Value::Null)
}

/// A raw mail takes two actions: on the sender, and on the configuration set.
fn of_mail(request: &Value) -> Vec<Needed<'_>> {
    let sender = request["FromEmailAddress"].as_str().unwrap_or_default();
    let domain = sender.trim_end_matches('>').rsplit('@').next().unwrap_or_default();
    let set = request["ConfigurationSetName"].as_str();
    let resources = std::iter::once(mail_arn(&format!("identity/{domain}")))
        .chain(set.map(|set| mail_arn(&format!("configuration-set/{set}"))));
    let actions = |resource: String| {
        ["ses:SendEmail", "ses:SendRawEmail"].map(|action| Needed {
            action: action.to_owned(),
            resource: resource.clone(),
            item: &Value::Null,
        })
    };
    resources.flat_map(actions).collect()
}

const NAMESPACE: &str = "com.amazon.coral.service";

/// In the wording of the service.
fn denied(service: Service, caller: &str, action: &str, resource: &str) -> Refusal {
    let user = format!("arn:aws:sts::{ACCOUNT}:assumed-role/{caller}/{caller}");
    let message = |action: &str| {
        format!(
            "User: {user} is not authorized to perform: {action} on resource: {resource} \
             because no identity-based policy allows the {action} action"
        )
    };
    let code = "AccessDeniedException";
    match service {
        Service::DynamoDb | Service::DynamoDbStreams => {
            Refusal::new(400, NAMESPACE, code, &message(action))
        }
        Service::Sqs => {
            let mut refusal =
                Refusal::new(403, NAMESPACE, code, &message(&action.to_ascii_lowercase()));
            refusal.query_error = Some("AccessDenied;Sender".to_owned());
            refusal
        }
        Service::ExecuteApi => Refusal::new(403, NAMESPACE, code, &message(action)),
        Service::Ses => {
            let message = format!(
                "User `{user}' is not authorized to perform `{action}' on resource `{resource}'"
            );
            Refusal::new(403, NAMESPACE, code, &message)
        }
    }
}
