//! Members of requests that end users may send (decision 47).

pub use marks::EndUserMembers;

use crate::Batch;

/// A type with members that end users may send. Derived: its fields are marked (`marks`).
pub trait EndUserMembers {
    /// The marked members.
    const MEMBERS: &'static [Member];
}

impl<T: EndUserMembers> EndUserMembers for Option<T> {
    const MEMBERS: &'static [Member] = T::MEMBERS;
}

impl<T: EndUserMembers> EndUserMembers for Batch<T> {
    const MEMBERS: &'static [Member] = T::MEMBERS;
}

/// A member that end users may send.
#[derive(Clone, Copy, Debug)]
pub struct Member {
    /// Name of the member.
    pub name: &'static str,
    /// The part of it that they may send.
    pub sends: Sends,
    /// Whether end users have to send it, or another one of which this is true.
    pub is_one_of: bool,
}

/// The part of a member that end users may send; of an array, that of each element.
#[derive(Clone, Copy, Debug)]
pub enum Sends {
    /// The whole member.
    All,
    /// The whole member; what is at this path in it is ignored.
    Without(&'static str),
    /// The listed members of it.
    Only(&'static [Member]),
    /// The whole member, which the runtime sets.
    Own(Own),
}

/// The final value of a member by which end users name themselves.
#[derive(Clone, Copy, Debug)]
pub enum Own {
    /// The user's id.
    Id,
    /// A list with only the user's id.
    Ids,
    /// Like `Ids`, but only if sent.
    IdsIfSent,
    /// The profile in the token: id, name, e-mail address.
    Person,
    /// The user's name.
    Name,
    /// The user's e-mail address.
    Email,
    /// The value true.
    True,
    /// No value: the member is ignored.
    Ignored,
}

/// The paths of members, such as `comments.text`, which alone may be sent of `comments`.
pub fn paths(members: &[Member]) -> Vec<String> {
    let of = |member: &Member| match member.sends {
        Sends::Only(members) => {
            let below = paths(members).into_iter();
            below.map(|path| format!("{}.{path}", member.name)).collect()
        }
        _ => vec![member.name.to_owned()],
    };
    members.iter().flat_map(of).collect()
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::{EndUserMembers, Sends, paths};
    use crate::Batch;

    #[derive(Deserialize, EndUserMembers)]
    #[serde(rename_all = "camelCase")]
    #[expect(dead_code, reason = "for its marks")]
    struct Sent {
        #[end_user(one_of)]
        organization_id: String,
        create_document: Option<bool>,
        #[serde(default, rename = "type")]
        #[end_user(without = "a.b")]
        kind: Option<String>,
        #[end_user(members)]
        comments: Option<Batch<Comment>>,
    }

    #[derive(Deserialize, EndUserMembers)]
    #[serde(rename_all = "camelCase")]
    #[expect(dead_code, reason = "for its marks")]
    struct Comment {
        comment_id: u64,
        #[end_user]
        comment_text: String,
        #[end_user(own = Person)]
        from: String,
    }

    #[test]
    fn marked_members_have_their_names_on_the_wire() {
        let wanted = ["organizationId", "type", "comments.commentText", "comments.from"];
        assert_eq!(paths(Sent::MEMBERS), wanted);
        let is_one_of: Vec<bool> = Sent::MEMBERS.iter().map(|member| member.is_one_of).collect();
        assert_eq!(is_one_of, [true, false, false]);
        assert!(matches!(Sent::MEMBERS[1].sends, Sends::Without("a.b")));
    }
}
