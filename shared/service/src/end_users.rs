//! Rules for end users (decision 47): the operations that accept their token, the members they may
//! send, and their identity.

use std::collections::BTreeSet;

use envelope::issue;
use error::{Error, Result};
use model::{DocumentId, OrganizationId, permissions::Need};
use serde_json::{Map, Value, json};
use store::{EndUser, end_users::Reach};

/// Rules of an operation for end users. Members are named by their path from `data`; a path covers
/// every element of an array.
#[derive(Clone, Copy, Debug)]
pub struct EndUsers {
    /// The right that the user needs in every document of the call.
    pub need: Need,
    /// Members that end users may send, separated by spaces. `comments.text` allows only that
    /// member of `comments`; `comments` allows all of it. Empty: end users may not call it.
    pub members: &'static str,
    /// Members of which an end user has to send one, besides required ones.
    pub one_of: &'static [&'static str],
    /// Members that the runtime sets to the user.
    pub own: &'static [Own],
}

impl EndUsers {
    /// Not for end users.
    const NONE: Self = Self::reading("");

    /// Whether end users may call the operation.
    pub const fn may_call(&self) -> bool {
        !self.members.is_empty()
    }

    /// The end users who may call it, in words.
    pub const fn callers(&self) -> &'static str {
        match self.need {
            Need::Read => "end users",
            Need::Comment => "end users who are commenters",
            Need::Edit => "end users who are editors",
        }
    }

    /// For viewers, and all with more rights.
    pub const fn reading(members: &'static str) -> Self {
        Self { need: Need::Read, members, one_of: &[], own: &[] }
    }

    /// For commenters and editors.
    pub const fn commenting(members: &'static str) -> Self {
        Self { need: Need::Comment, ..Self::reading(members) }
    }

    /// For editors.
    pub const fn writing(members: &'static str) -> Self {
        Self { need: Need::Edit, ..Self::reading(members) }
    }

    /// The rules with one of these members required.
    #[must_use]
    pub const fn with_one_of(self, one_of: &'static [&'static str]) -> Self {
        Self { one_of, ..self }
    }

    /// The rules with these members set to the user.
    #[must_use]
    pub const fn speaking_as(self, own: &'static [Own]) -> Self {
        Self { own, ..self }
    }
}

/// A request that end users may send. It is declared beside the type of the request.
pub trait EndUserRequest {
    /// The members that end users may send, and the role that they need.
    const RULES: EndUsers;

    /// The documents whose role decides on the call.
    fn concerns(&self) -> Concerns;
}

/// The documents that a request of an end user concerns, or the user's own data.
#[derive(Clone, Debug)]
pub struct Concerns {
    organization: OrganizationId,
    documents: BTreeSet<DocumentId>,
    may_be_own_data: bool,
}

impl Concerns {
    /// Documents of an organization. A request that names none is refused.
    pub fn new<'a>(
        organization: &OrganizationId,
        documents: impl IntoIterator<Item = &'a DocumentId>,
    ) -> Self {
        let documents = documents.into_iter().cloned().collect();
        Self { organization: organization.clone(), documents, may_be_own_data: false }
    }

    /// The concerns, with data of the user alone when the request names no document.
    #[must_use]
    pub fn or_own_data(self) -> Self {
        Self { may_be_own_data: true, ..self }
    }

    /// The rights that the call needs.
    ///
    /// # Errors
    /// PERMISSION_DENIED for a request that has to name a document and names none.
    pub(crate) fn reach(self, rules: &EndUsers) -> Result<Reach> {
        let Self { organization, documents, may_be_own_data } = self;
        if documents.is_empty() && !may_be_own_data {
            return Err(Error::denied("End users have to name a document."));
        }
        Ok(Reach { organization, documents, need: rules.need })
    }
}

/// Whether end users may call an operation with requests of type `R`.
pub struct EndUserAccess<R> {
    pub(crate) rules: EndUsers,
    pub(crate) concerns: Option<fn(&R) -> Concerns>,
}

impl<R> EndUserAccess<R> {
    /// Only the tenant's server may call the operation.
    pub const NONE: Self = Self { rules: EndUsers::NONE, concerns: None };
}

impl<R: EndUserRequest> EndUserAccess<R> {
    /// End users may call the operation by the rules of its request.
    pub const ALLOWED: Self = Self { rules: R::RULES, concerns: Some(R::concerns) };
}

/// A member set to the user.
#[derive(Clone, Copy, Debug)]
pub enum Own {
    /// The user's id.
    Id(&'static str),
    /// A list with only the user's id.
    Ids(&'static str),
    /// Like `Ids`, but only if sent.
    IdsIfSent(&'static str),
    /// The profile in the token: id, name, e-mail address.
    Person(&'static str),
    /// The user's name.
    Name(&'static str),
    /// The user's e-mail address.
    Email(&'static str),
    /// True.
    True(&'static str),
    /// Ignored.
    Ignored(&'static str),
}

impl EndUsers {
    /// Applies the rules to the parameters of a call.
    ///
    /// # Errors
    /// PERMISSION_DENIED for a member that end users may not send; INVALID_ARGUMENT.
    pub(crate) fn confine(&self, data: &mut Value, user: &EndUser) -> Result<()> {
        let Value::Object(members) = data else {
            // Malformed members are reported by the decoder.
            return Ok(());
        };
        self.check("", members)?;
        if !self.one_of.is_empty() && !self.one_of.iter().any(|name| is_sent(members.get(*name))) {
            return Err(issue(&[self.one_of[0]], "is required for end users"));
        }
        for own in self.own {
            let (path, said) = own.assigned(user);
            let path: Vec<&str> = path.split('.').collect();
            put(members, &path, &said);
        }
        Ok(())
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

/// The final value of a member.
enum Assigned {
    Always(Value),
    IfSent(Value),
    Nothing,
}

impl Own {
    fn assigned(self, user: &EndUser) -> (&'static str, Assigned) {
        let id = json!(user.user_id);
        match self {
            Self::Id(path) => (path, Assigned::Always(id)),
            Self::Ids(path) => (path, Assigned::Always(json!([id]))),
            Self::IdsIfSent(path) => (path, Assigned::IfSent(json!([id]))),
            Self::Person(path) => (path, Assigned::Always(json!(user.person()))),
            Self::Name(path) => (path, Assigned::Always(json!(user.name))),
            Self::Email(path) => (path, Assigned::Always(json!(user.email))),
            Self::True(path) => (path, Assigned::Always(json!(true))),
            Self::Ignored(path) => (path, Assigned::Nothing),
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

/// Sets a member at a path, in every element of arrays on the way.
fn put(members: &mut Map<String, Value>, path: &[&str], said: &Assigned) {
    let [name, rest @ ..] = path else { return };
    if rest.is_empty() {
        match said {
            Assigned::Always(value) => drop(members.insert((*name).to_owned(), value.clone())),
            Assigned::IfSent(value) if is_sent(members.get(*name)) => {
                members.insert((*name).to_owned(), value.clone());
            }
            Assigned::IfSent(_) => {}
            Assigned::Nothing => drop(members.remove(*name)),
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
