//! The names of a small world in requests and replies.

use reference::{Access, Doc, Folder, Level, Mark, Org, Role, ThreadNo, User};
use serde_json::{Value, json};

pub(super) const GROUP: &str = "team";
pub(super) const EDITOR: &str = "text";
pub(super) const ENTRY: &str = "state";

pub(super) fn org(org: Org) -> String {
    format!("org-{}", org.0)
}

pub(super) fn folder(folder: Folder) -> String {
    format!("folder-{}", folder.0)
}

pub(super) fn doc(doc: Doc) -> String {
    format!("doc-{}", doc.0)
}

pub(super) fn thread(thread: ThreadNo) -> String {
    format!("thread-{}", thread.0)
}

/// Names that occur nowhere else, also not within other words.
pub(super) fn user(user: User) -> &'static str {
    match user {
        User::Ada => "u-ada",
        User::Bob => "u-bob",
        User::Eve => "u-eve",
        User::Stranger => "u-zoe",
    }
}

/// Everything by which an item may name a user.
pub(super) fn traces(of: User) -> [String; 3] {
    let id = user(of);
    [id.to_owned(), format!("name of {id}"), address(of)]
}

/// A mention in a quoted comment.
pub(super) fn quoted(of: User) -> String {
    let [_, name, _] = traces(of);
    format!("@{name}")
}

pub(super) fn address(of: User) -> String {
    format!("{}@example.com", user(of))
}

/// A user as a contact, author or member.
pub(super) fn person(of: User) -> Value {
    let [id, name, address] = traces(of);
    json!({ "userId": id, "name": name, "email": address })
}

pub(super) fn user_of(id: &str) -> Option<User> {
    User::ALL.into_iter().find(|it| user(*it) == id)
}

/// The users whom a value names.
pub(super) fn users_in(value: &Value) -> impl Iterator<Item = User> {
    let text = value.to_string();
    User::ALL.into_iter().filter(move |it| text.contains(user(*it)))
}

pub(super) fn role(role: Role) -> &'static str {
    match role {
        Role::Viewer => "viewer",
        Role::Commenter => "commenter",
        Role::Editor => "editor",
    }
}

pub(super) fn role_of(value: &Value) -> Option<Role> {
    let name = value.as_str()?;
    [Role::Viewer, Role::Commenter, Role::Editor].into_iter().find(|it| role(*it) == name)
}

pub(super) fn access(access: Access) -> &'static str {
    match access {
        Access::Public => "public",
        Access::OrganizationPrivate => "organizationPrivate",
        Access::Restricted => "restricted",
    }
}

pub(super) fn access_of(value: &Value) -> Option<Access> {
    let name = value.as_str()?;
    let all = [Access::Public, Access::OrganizationPrivate, Access::Restricted];
    all.into_iter().find(|it| access(*it) == name)
}

/// The members that name a level in operations on users.
pub(super) fn at_level(organization: Org, level: Level) -> Value {
    let mut data = json!({ "organizationId": org(organization) });
    match level {
        Level::Organization => {}
        Level::Folder(it) => data["folderId"] = json!(folder(it)),
        Level::Document(it) => data["documentId"] = json!(doc(it)),
    }
    data
}

/// A level as a resource of permissions.
pub(super) fn resource(organization: Org, level: Level) -> Value {
    let (kind, id) = match level {
        Level::Organization => ("organization", org(organization)),
        Level::Folder(it) => ("folder", folder(it)),
        Level::Document(it) => ("document", doc(it)),
    };
    json!({ "type": kind, "id": id, "organizationId": org(organization) })
}

/// The text of a mark, which no other text contains.
pub(super) fn text(mark: Mark) -> String {
    format!("mk{}.", mark.0)
}

/// The marks in a text, in order.
pub(super) fn marks(text: &str) -> Vec<Mark> {
    let number = |rest: &str| rest.split('.').next()?.parse().ok();
    text.split("mk").skip(1).filter_map(number).map(Mark).collect()
}

/// The number at the end of a name.
pub(super) fn number(name: &Value, of: &str) -> Option<u8> {
    name.as_str()?.strip_prefix(of)?.strip_prefix('-')?.parse().ok()
}
