//! Operations by subject, in the order somebody needs them who is new.

use serde_json::{Value, json};
use service::Spec;

use crate::project::Project;

/// Families that have operations, each with a title and a sentence.
const ORDER: &[(&str, &str, &str)] = &[
    (
        "workspace",
        "Workspaces and API keys",
        "Start here: a workspace has API keys, each a tenant of its own with auth tokens and settings.",
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

/// The tag of what the service sends.
pub(super) const WEBHOOKS: &str = "Webhooks";

/// Every operation with its tag.
pub(super) fn operations(project: &Project) -> Result<Vec<(&'static str, &Spec)>, String> {
    let mut operations = Vec::new();
    for family in project.families.iter().filter(|family| !family.operations.is_empty()) {
        let tag = ORDER.iter().find(|(name, ..)| *name == family.name);
        let Some((_, tag, _)) = tag else {
            return Err(format!("{}: has no tag in tools/xtask/src/openapi/tags.rs", family.name));
        };
        operations.extend(family.operations.iter().map(|route| (*tag, &route.spec)));
    }
    Ok(operations)
}

/// The tags, those of operations first.
pub(super) fn list() -> Vec<Value> {
    let webhooks = ("", WEBHOOKS, "Bodies that the service sends to webhook endpoints.");
    let tags = ORDER.iter().chain([&webhooks]);
    tags.map(|(_, title, about)| json!({ "name": title, "description": about })).collect()
}
