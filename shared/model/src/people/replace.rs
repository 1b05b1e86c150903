//! The visitor that replaces users by others (contract `comments.annotations_update`).

use schemars::JsonSchema;
use serde::Deserialize;

use super::{
    find::mentions,
    visit::{Fate, Part, People},
};
use crate::user::Person;

/// A replacement of one user by another.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct UserReplacement {
    /// The user to replace.
    pub old_user: Person,
    /// The replacement.
    pub new_user: Person,
}

/// Replaces users, all at once: who is replaced by another does not become a third.
pub(super) struct Replace<'a> {
    replaced: &'a [UserReplacement],
    has_changed: bool,
}

impl<'a> Replace<'a> {
    pub(super) fn new(replaced: &'a [UserReplacement]) -> Self {
        Self { replaced, has_changed: false }
    }

    fn of(&self, user: &str) -> Option<&'a UserReplacement> {
        self.replaced.iter().find(|one| one.old_user.user_id.as_str() == user)
    }
}

impl People for Replace<'_> {
    fn named(&mut self, _: Part, user: &str) -> Fate<'_> {
        let Some(found) = self.of(user) else { return Fate::Stays };
        self.has_changed = true;
        Fate::Becomes(&found.new_user)
    }

    fn text(&mut self, text: &mut String) {
        let mut replaced = String::new();
        let mut copied = 0;
        for mention in mentions(text) {
            let Some(found) = self.of(mention) else { continue };
            // Both are parts of one text.
            let begin = mention.as_ptr().addr() - text.as_ptr().addr();
            if begin < copied {
                continue;
            }
            replaced.push_str(&text[copied..begin]);
            replaced.push_str(found.new_user.user_id.as_str());
            copied = begin + mention.len();
        }
        if copied > 0 {
            replaced.push_str(&text[copied..]);
            *text = replaced;
            self.has_changed = true;
        }
    }

    fn has_changed(&self) -> bool {
        self.has_changed
    }
}
