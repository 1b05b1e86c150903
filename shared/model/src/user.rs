//! Users (contract `users`). A user is a member of an organization, a document or a folder; each
//! membership has a profile of its own.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{
    Description, Email, GroupId, Label, Millis, PersonEmail, UserId,
    life::Life,
    permissions::{AccessRole, Level, given_after},
    rights::Joined,
    set_some,
};

/// Declares the members of a profile once, as stored and as sent.
macro_rules! profile {
    ($($(#[$attribute:meta])* $member:ident: $kind:ty,)+) => {
        /// Profile members of a user.
        #[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
        #[serde(rename_all = "camelCase")]
        pub struct Profile {
            $(
                $(#[$attribute])*
                #[serde(skip_serializing_if = "Option::is_none")]
                pub $member: Option<$kind>,
            )+
        }

        impl Profile {
            /// Merges the request.
            pub fn merge(&mut self, sent: Self) {
                $(set_some(&mut self.$member, sent.$member);)+
            }
        }

        /// A user as sent.
        #[derive(Clone, Debug, Deserialize, JsonSchema)]
        #[serde(rename_all = "camelCase")]
        #[schemars(rename = "NewUser")]
pub struct SentUser {
            /// The caller's id.
            user_id: UserId,
            /// Role of the user; only on v2 paths.
            access_role: Option<AccessRole>,
            $($(#[$attribute])* $member: Option<$kind>,)+
        }

        /// A user in the data of others: the author of a comment, an actor. Stored as sent, whether
        /// the user is known or not.
        #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
        #[serde(rename_all = "camelCase")]
        pub struct Person {
            /// The caller's id.
            pub user_id: UserId,
            $(
                $(#[$attribute])*
                #[serde(skip_serializing_if = "Option::is_none")]
                pub $member: Option<$kind>,
            )+
        }

        impl Person {
            /// A person with an id only.
            pub fn from_id(user_id: UserId) -> Self {
                Self { user_id, $($member: None,)+ }
            }
        }

        impl SentUser {
            /// Id, role and profile.
            pub fn into_parts(self) -> (UserId, Option<AccessRole>, Profile) {
                (self.user_id, self.access_role, Profile { $($member: self.$member,)+ })
            }
        }
    };
}

profile! {
    /// Display name.
    name: Label,
    /// E-mail address, for notifications; an empty or invalid one gets none.
    email: PersonEmail,
    /// Address of a picture.
    photo_url: Description,
    /// Color of cursor and avatar.
    color: Label,
    /// Color of text on `color`.
    text_color: Label,
    /// Letter of the avatar; the first of `name` unless sent.
    initial: Label,
    /// Kind of user, such as `signedIn`.
    #[serde(rename = "type")]
    kind: Label,
    /// Plan in the caller's product.
    plan: Label,
    /// Whether the user is read-only.
    is_read_only: bool,
    /// Whether the user is anonymous.
    is_anonymous: bool,
    /// Whether the user is a guest.
    is_guest: bool,
    /// Whether the user is an administrator.
    is_admin: bool,
}

impl Person {
    /// The address that mails go to.
    pub fn address(&self) -> Option<Email> {
        self.email.as_ref().and_then(PersonEmail::address)
    }
}

impl Profile {
    /// The members that other end users may know: who it is, and how to show them.
    #[must_use]
    pub fn of_fellow(self) -> Self {
        let Self { name, photo_url, color, text_color, initial, kind, .. } = self;
        Self { name, photo_url, color, text_color, initial, kind, ..Self::default() }
    }

    /// Whether the name, or a word of it, begins with a text, in upper or lower case.
    pub fn is_named(&self, beginning: &str) -> bool {
        let Some(name) = &self.name else { return beginning.is_empty() };
        let (name, beginning) = (name.as_str().to_lowercase(), beginning.to_lowercase());
        name.starts_with(&beginning)
            || name.split_whitespace().any(|word| word.starts_with(&beginning))
    }

    /// As shown: `initial` follows the name until it is set; an empty address is none.
    #[must_use]
    pub fn shown(mut self) -> Self {
        self.email.take_if(|email| email.as_str().is_empty());
        if self.initial.is_none() {
            let name = self.name.as_ref().map_or("", Label::as_str);
            self.initial = name.trim().chars().next().map(Label::initial);
        }
        self
    }
}

/// A user as stored at one level.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct User {
    /// The caller's id.
    pub user_id: UserId,
    /// Level of the membership.
    pub level: Level,
    /// The user's role.
    #[serde(default)]
    pub access_role: AccessRole,
    /// The profile.
    pub profile: Profile,
    /// When the role was given, in epoch milliseconds; changes keep it. 0 in rows of earlier
    /// versions: the time of the write.
    #[serde(default, skip_serializing_if = "is_unknown")]
    pub given: Millis,
    /// At the organization: the user's groups.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub groups: BTreeMap<GroupId, Joined>,
    /// The life of the organization, document or folder in which it was added.
    #[serde(rename = "_in", default, skip_serializing_if = "Life::is_first")]
    pub life: Life,
}

impl User {
    /// Whether the user is in a group in its present life.
    pub fn is_in(&self, group: &GroupId, life: Life) -> bool {
        self.groups.get(group).is_some_and(|joined| joined.of == life)
    }

    /// The time of what is said now in this membership, in epoch milliseconds: not before it began,
    /// whatever the clock of this machine says.
    pub fn in_membership(&self, now: Millis) -> Millis {
        given_after(now.max(self.given), self.life.since())
    }

    /// Whether a departure at a time, in epoch milliseconds, ended the membership.
    pub const fn is_over(&self, left: Millis) -> bool {
        self.given > 0 && self.given <= left
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the signature is that of serde")]
const fn is_unknown(at: &Millis) -> bool {
    *at == 0
}

#[cfg(test)]
mod tests {
    use super::{Label, Profile};
    use crate::PersonEmail;

    fn label(text: &str) -> Label {
        text.to_owned().try_into().unwrap()
    }

    fn named(name: &str) -> Profile {
        Profile { name: Some(label(name)), ..Profile::default() }
    }

    #[test]
    fn a_name_is_found_by_the_beginning_of_its_words() {
        for (beginning, is_found) in
            [("", true), ("ada", true), ("LOVE", true), ("ada l", true), ("ovelace", false)]
        {
            assert_eq!(named("Ada Lovelace").is_named(beginning), is_found, "{beginning}");
        }
        assert!(!Profile::default().is_named("a"));
    }

    #[test]
    fn other_end_users_do_not_learn_an_address() {
        let email = PersonEmail::try_from("ada@example.com".to_owned()).unwrap();
        let plan = Some(label("pro"));
        let all = Profile { email: Some(email), plan, color: Some(label("red")), ..named("Ada") };
        let shown = serde_json::to_value(all.of_fellow()).unwrap();
        assert_eq!(shown, serde_json::json!({ "name": "Ada", "color": "red" }));
    }

    #[test]
    fn the_initial_follows_the_name_until_it_is_set() {
        let mut profile = named(" ß");
        assert_eq!(profile.clone().shown().initial, Some(label("SS")));
        profile.merge(named("ada"));
        assert_eq!(profile.clone().shown().initial, Some(label("A")));
        profile.merge(Profile { initial: Some(label("x")), ..Profile::default() });
        profile.merge(named("bob"));
        assert_eq!(profile.shown().initial, Some(label("x")));
        for nameless in [named(""), named("  "), Profile::default()] {
            assert_eq!(nameless.shown().initial, None);
        }
    }
}
