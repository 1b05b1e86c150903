//! What end users may do (decision 47): which operations take an end user's token, what of them,
//! and in whose name.

use envelope::issue;
use error::{Error, Result};
use model::{DocumentId, access::AccessRole};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};
use store::{EndUser, Reach};

/// What end users may do with an operation. Members are named by their path from `data`; a path
/// leads through every element of an array.
#[derive(Clone, Copy, Debug)]
pub struct EndUsers {
    /// The role that the user needs in every document that the call names.
    pub role: AccessRole,
    /// Members an end user may send, separated by spaces. `comments.text` allows of `comments`
    /// nothing but that; `comments` allows everything in it. None: they may not call it.
    pub members: &'static str,
    /// Members of which an end user has to send one, beside those the operation requires.
    pub one_of: &'static [&'static str],
    /// Members that speak of the user, whatever was sent.
    pub own: &'static [Own],
}

impl EndUsers {
    /// Nothing.
    pub const NONE: Self = Self::reading("");

    /// Whether they may call the operation.
    pub const fn may_call(&self) -> bool {
        !self.members.is_empty()
    }

    /// Whether they have to be editors of the documents that the call names.
    pub const fn are_editors(&self) -> bool {
        matches!(self.role, AccessRole::Editor)
    }

    /// Rights of a viewer.
    pub const fn reading(members: &'static str) -> Self {
        Self { role: AccessRole::Viewer, members, one_of: &[], own: &[] }
    }

    /// Rights of an editor.
    pub const fn writing(members: &'static str) -> Self {
        Self { role: AccessRole::Editor, ..Self::reading(members) }
    }

    /// The same, where one of these members has to be sent.
    #[must_use]
    pub const fn with_one_of(self, one_of: &'static [&'static str]) -> Self {
        Self { one_of, ..self }
    }

    /// The same, where these members speak of the user.
    #[must_use]
    pub const fn speaking_as(self, own: &'static [Own]) -> Self {
        Self { own, ..self }
    }
}

/// A member that speaks of the user.
#[derive(Clone, Copy, Debug)]
pub enum Own {
    /// Holds the user's id.
    Id(&'static str),
    /// Holds a list with the user's id alone.
    Ids(&'static str),
    /// As `Ids`, but only where it was sent.
    IdsIfSent(&'static str),
    /// Holds what the token says of the user: id, name, e-mail address.
    Person(&'static str),
    /// Holds the user's name.
    Name(&'static str),
    /// Holds the user's e-mail address.
    Email(&'static str),
    /// Is true.
    True(&'static str),
    /// Is ignored.
    Ignored(&'static str),
}

impl EndUsers {
    /// Makes the parameters of a call those of an end user; returns what the call reaches.
    ///
    /// # Errors
    /// PERMISSION_DENIED for a member that end users may not send; INVALID_ARGUMENT.
    pub(crate) fn confine(&self, data: &mut Value, user: &EndUser) -> Result<Reach> {
        let Value::Object(members) = data else {
            // What is wrong with it is said when it is read.
            return Ok(Reach::default());
        };
        self.check("", members)?;
        if !self.one_of.is_empty() && !self.one_of.iter().any(|name| is_sent(members.get(*name))) {
            return Err(issue(&[self.one_of[0]], "is required for end users"));
        }
        for own in self.own {
            let (path, said) = own.said(user);
            let path: Vec<&str> = path.split('.').collect();
            put(members, &path, &said);
        }
        Ok(Reach {
            organization: read(members.get("organizationId")),
            documents: [read::<DocumentId>(members.get("documentId"))]
                .into_iter()
                .flatten()
                .chain(read::<Vec<DocumentId>>(members.get("documentIds")).into_iter().flatten())
                .collect(),
            role: self.role,
        })
    }

    fn allowed(&self) -> impl Iterator<Item = &'static str> {
        self.members.split_ascii_whitespace()
    }

    fn check(&self, head: &str, members: &Map<String, Value>) -> Result<()> {
        for (name, value) in members {
            let path = format!("{head}{name}");
            if self.allowed().any(|allowed| allowed == path) {
                continue;
            }
            let below = format!("{path}.");
            if !self.allowed().any(|allowed| allowed.starts_with(&below)) {
                let message = format!("End users may not send data.{path} to this operation.");
                return Err(Error::denied(message));
            }
            match value {
                Value::Object(members) => self.check(&below, members)?,
                Value::Array(elements) => {
                    let mut members = elements.iter().filter_map(Value::as_object);
                    members.try_for_each(|members| self.check(&below, members))?;
                }
                _ => {}
            }
        }
        Ok(())
    }
}

/// What a member says in the end.
enum Said {
    Always(Value),
    IfSent(Value),
    Nothing,
}

impl Own {
    fn said(self, user: &EndUser) -> (&'static str, Said) {
        let id = json!(user.user_id);
        match self {
            Self::Id(path) => (path, Said::Always(id)),
            Self::Ids(path) => (path, Said::Always(json!([id]))),
            Self::IdsIfSent(path) => (path, Said::IfSent(json!([id]))),
            Self::Person(path) => (path, Said::Always(json!(user.person()))),
            Self::Name(path) => (path, Said::Always(json!(user.name))),
            Self::Email(path) => (path, Said::Always(json!(user.email))),
            Self::True(path) => (path, Said::Always(json!(true))),
            Self::Ignored(path) => (path, Said::Nothing),
        }
    }
}

fn is_sent(member: Option<&Value>) -> bool {
    match member {
        None | Some(Value::Null) => false,
        Some(Value::Array(elements)) => !elements.is_empty(),
        Some(_) => true,
    }
}

/// A member that is what it should be; what is wrong with another is said when it is read.
fn read<T: DeserializeOwned>(member: Option<&Value>) -> Option<T> {
    member.and_then(|member| T::deserialize(member).ok())
}

/// Puts what a member says where a path leads, in every element of an array on the way.
fn put(members: &mut Map<String, Value>, path: &[&str], said: &Said) {
    let [name, rest @ ..] = path else { return };
    if rest.is_empty() {
        match said {
            Said::Always(value) => drop(members.insert((*name).to_owned(), value.clone())),
            Said::IfSent(value) if is_sent(members.get(*name)) => {
                members.insert((*name).to_owned(), value.clone());
            }
            Said::IfSent(_) => {}
            Said::Nothing => drop(members.remove(*name)),
        }
        return;
    }
    match members.get_mut(*name) {
        Some(Value::Object(members)) => put(members, rest, said),
        Some(Value::Array(elements)) => {
            for members in elements.iter_mut().filter_map(Value::as_object_mut) {
                put(members, rest, said);
            }
        }
        _ => {}
    }
}
