//! Rules for end users (decision 47): the operations that accept their token, the members they may
//! send, and their identity.

use std::collections::BTreeSet;

use envelope::issue;
use error::{Error, Result};
use model::{
    DocumentId, OrganizationId,
    permissions::{EndUserMembers, Member, Need, Own, Sends, paths},
};
use serde_json::{Map, Value, json};
use store::{EndUser, end_users::Reach};

/// Rules of an operation for end users.
#[derive(Clone, Copy, Debug)]
pub struct EndUsers {
    /// The right that the user needs in every document of the call.
    pub need: Need,
    /// Members that end users may send. Empty: end users may not call it.
    pub members: &'static [Member],
}

impl EndUsers {
    /// Not for end users.
    const NONE: Self = Self { need: Need::Read, members: &[] };

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

    /// The paths of the members that they may send.
    pub fn paths(&self) -> Vec<String> {
        paths(self.members)
    }

    /// Members of which an end user has to send one, besides required ones.
    pub fn one_of(&self) -> impl Iterator<Item = &'static str> {
        self.members.iter().filter(|member| member.is_one_of).map(|member| member.name)
    }
}

/// A request that end users may send.
pub trait EndUserRequest: EndUserMembers {
    /// The right that the user needs in every document of the call.
    const NEED: Need;

    /// The documents whose role decides on the call.
    fn concerns(&self) -> Concerns;
}

/// The documents that a request of an end user concerns, or the user's own data.
#[derive(Clone, Debug)]
pub struct Concerns {
    organization: Option<OrganizationId>,
    documents: BTreeSet<DocumentId>,
    may_be_own_data: bool,
}

impl Concerns {
    /// Documents of an organization. A request that names none is refused.
    pub fn new<'a>(
        organization: impl Into<Option<&'a OrganizationId>>,
        documents: impl IntoIterator<Item = &'a DocumentId>,
    ) -> Self {
        let documents = documents.into_iter().cloned().collect();
        let organization = organization.into().cloned();
        Self { organization, documents, may_be_own_data: false }
    }

    /// The concerns, with data of the user alone when the request names no document.
    #[must_use]
    pub fn or_own_data(self) -> Self {
        Self { may_be_own_data: true, ..self }
    }

    /// The rights that the call needs.
    ///
    /// # Errors
    /// PERMISSION_DENIED for a request that has to name a document and names none;
    /// INVALID_ARGUMENT for one that names no organization.
    pub(crate) fn reach(self, rules: &EndUsers) -> Result<Reach> {
        let Self { organization, documents, may_be_own_data } = self;
        let organization =
            organization.ok_or_else(|| issue(&["organizationId"], "is required for end users"))?;
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
    pub const ALLOWED: Self = Self {
        rules: EndUsers { need: R::NEED, members: R::MEMBERS },
        concerns: Some(R::concerns),
    };
}

impl EndUsers {
    /// Applies the rules to the parameters of a call.
    ///
    /// # Errors
    /// PERMISSION_DENIED for a member that end users may not send; INVALID_ARGUMENT.
    pub(crate) fn confine(&self, data: &mut Value, user: &EndUser) -> Result<()> {
        let Value::Object(sent) = data else {
            // Malformed members are reported by the decoder.
            return Ok(());
        };
        check("", sent, self.members)?;
        if let Some(first) = self.one_of().next()
            && !self.one_of().any(|name| is_sent(sent.get(name)))
        {
            return Err(issue(&[first], "is required for end users"));
        }
        assign(sent, self.members, user);
        Ok(())
    }
}

/// Refuses members that end users may not send. `head` is the path of the object, with a dot.
fn check(head: &str, sent: &Map<String, Value>, members: &[Member]) -> Result<()> {
    for (name, value) in sent {
        let Some(member) = members.iter().find(|member| member.name == name) else {
            let message = format!("End users may not send data.{head}{name} to this operation.");
            return Err(Error::denied(message));
        };
        if let Sends::Only(members) = member.sends {
            let below = format!("{head}{name}.");
            match value {
                Value::Object(sent) => check(&below, sent, members)?,
                Value::Array(elements) => {
                    let mut elements = elements.iter().filter_map(Value::as_object);
                    elements.try_for_each(|sent| check(&below, sent, members))?;
                }
                _ => {}
            }
        }
    }
    Ok(())
}

/// Sets the members by which the user is named.
fn assign(sent: &mut Map<String, Value>, members: &[Member], user: &EndUser) {
    for member in members {
        match member.sends {
            Sends::All => {}
            Sends::Only(members) => {
                each_object(sent.get_mut(member.name), &mut |sent| assign(sent, members, user));
            }
            Sends::Without(path) => {
                let path: Vec<&str> = path.split('.').collect();
                each_object(sent.get_mut(member.name), &mut |sent| remove(sent, &path));
            }
            Sends::Own(own) => set(sent, member.name, own, user),
        }
    }
}

fn set(sent: &mut Map<String, Value>, name: &str, own: Own, user: &EndUser) {
    let value = match own {
        Own::Id => json!(user.user_id),
        Own::IdsIfSent if !is_sent(sent.get(name)) => return,
        Own::Ids | Own::IdsIfSent => json!([user.user_id]),
        Own::Person => json!(user.person()),
        Own::Name => json!(user.name),
        Own::Email => json!(user.email),
        Own::True => json!(true),
        Own::Ignored => return drop(sent.remove(name)),
    };
    sent.insert(name.to_owned(), value);
}

fn is_sent(member: Option<&Value>) -> bool {
    match member {
        None | Some(Value::Null) => false,
        Some(Value::Array(elements)) => !elements.is_empty(),
        Some(_) => true,
    }
}

/// Removes what is at a path, in every element of arrays on the way.
fn remove(sent: &mut Map<String, Value>, path: &[&str]) {
    match path {
        [] => {}
        [name] => drop(sent.remove(*name)),
        [name, rest @ ..] => each_object(sent.get_mut(*name), &mut |sent| remove(sent, rest)),
    }
}

/// The object of a member, or those of its array.
fn each_object(member: Option<&mut Value>, work: &mut dyn FnMut(&mut Map<String, Value>)) {
    match member {
        Some(Value::Object(sent)) => work(sent),
        Some(Value::Array(elements)) => {
            elements.iter_mut().filter_map(Value::as_object_mut).for_each(work);
        }
        _ => {}
    }
}
