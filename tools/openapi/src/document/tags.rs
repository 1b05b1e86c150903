//! Operations by subject, in the order in which newcomers need them.

use serde_json::{Value, json};
use service::{Family, Spec};

use crate::names::camel;

/// Families with operations, each with a title and a sentence.
const ORDER: &[(&str, &str, &str)] = &[
    (
        "operator",
        "Operator",
        "Start here: the operator of the deployment creates workspaces with the admin token, and sets \
         their limits. A workspace replaces its own token here.",
    ),
    (
        "workspace",
        "Workspaces and API keys",
        "A workspace has API keys, each a tenant of its own with auth tokens and settings.",
    ),
    (
        "organizations",
        "Organizations",
        "An organization is a customer of the tenant. Users, documents and folders belong to one.",
    ),
    (
        "documents",
        "Documents",
        "A document is what users collaborate on: a page, a file, a design. It has custom members.",
    ),
    (
        "folders",
        "Folders",
        "Folders contain documents and folders. Access is inherited from the parent.",
    ),
    ("users", "Users", "Users of organizations, documents and folders, and tokens for them."),
    ("user-groups", "User groups", "Groups of the users of an organization."),
    (
        "permissions",
        "Permissions",
        "Rights of a user for an organization, a folder or a document, apart from membership.",
    ),
    (
        "comments",
        "Comments",
        "A comment annotation is a thread of comments, with status, priority, assignee, reactions and subscriptions.",
    ),
    (
        "notifications",
        "Notifications",
        "Notifications of users, their preferences, and the trace that explains each delivery.",
    ),
    ("activities", "Activities", "The activity log of a document."),
    (
        "webhook-endpoints",
        "Webhook endpoints",
        "Endpoints that receive events, and their signing secrets.",
    ),
    (
        "deliveries",
        "Webhook deliveries",
        "Messages to endpoints, the attempts to deliver them, and sending them again.",
    ),
    (
        "configuration",
        "Configuration",
        "Services of an API key: activities, mails, notifications and webhooks.",
    ),
    ("presence", "Presence", "Which users are in a document, and what they do there."),
    ("live-state", "Live state", "JSON that the users of a document share."),
    (
        "editors",
        "Shared editors",
        "Content of shared editors (CRDT): replaced by callers, edited by peers with Yjs updates.",
    ),
    ("recordings", "Recordings", "Recordings of screen, video and sound, with versions."),
    ("agents", "Agents", "Agents that comment on documents, and their versions."),
    ("user-data", "User data", "Everything that is stored about a user: export and erasure."),
    ("schedule", "Test clock", "Time travel for testing keys."),
];

/// The tag of webhooks.
pub(super) const WEBHOOKS: &str = "Webhooks";

/// The tag of older paths.
pub(super) const OLDER: &str = "Older paths";

/// All operations with their tags, in the order of the tags.
pub(super) fn operations(families: &[Family]) -> Result<Vec<(&'static str, &Spec)>, String> {
    let mut families: Vec<_> =
        families.iter().filter(|family| !family.operations.is_empty()).collect();
    let mut operations = Vec::new();
    for (name, tag, _) in ORDER {
        for family in families.extract_if(.., |family| family.name == *name) {
            operations.extend(family.operations.iter().map(|route| (*tag, &route.spec)));
        }
    }
    match families.first() {
        None => Ok(operations),
        Some(family) => {
            Err(format!("{}: has no tag in tools/openapi/src/document/tags.rs", family.name))
        }
    }
}

/// The tags, those of operations first.
pub(super) fn list() -> Vec<Value> {
    let webhooks = (
        WEBHOOKS,
        "Bodies that the service sends to webhook endpoints whose `filterTypes` include the type, or \
         that have none. The headers `webhook-id`, `webhook-timestamp` and `webhook-signature` \
         follow Standard Webhooks. Any status but 2xx is retried.",
    );
    let older = (OLDER, "Twins of operations above at paths of v1, and other names of a path.");
    let families = ORDER.iter().map(|(family, title, about)| {
        // The operationIds of the tag begin with it; clients group methods by it.
        json!({ "name": title, "description": about, "x-family": camel(family) })
    });
    let others = [webhooks, older];
    let others = others.map(|(title, about)| json!({ "name": title, "description": about }));
    families.chain(others).collect()
}
